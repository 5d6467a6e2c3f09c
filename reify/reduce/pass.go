package reduce

import "goreify/reify/ir"

// A pass is a kind of change.
type pass struct {
	name string
	// edits returns the changes of the pass for a program, bound to its nodes. It is a
	// pure function of the program and of the record of its run: for a clone it returns
	// the same changes, bound to the clone. Thus the engine can try any subset of them:
	// clone, list, apply those, in order. An edit whose node is gone by then does no
	// harm. Useless nodes that edits leave are removed by tidy.
	edits func(p *ir.Program, r *run) []edit
	order order
	// rescue says that if the edits make the run undefined, other arguments and initial
	// values are tried with them.
	rescue bool
	// milestone says that Confirm is asked after this pass, about its result and that
	// of those before it.
	milestone bool
	// last says that the pass makes the program nicer, not smaller, and waits
	// until the others bring nothing.
	last bool
}

// An edit changes the program that it is bound to.
type edit func()

// An order decides which edits are tried, and when.
type order int

const (
	// chunks tries all edits at once, then each quarter of them, each sixteenth,
	// and so on down to each alone. Halves in between find no more and cost
	// a third of the tests.
	chunks order = iota
	// alone tries each edit alone, for those that exclude each other.
	alone
	// bold is for edits that exclude each other, each of which does at least as much as
	// the one before. It tries the last one alone, then the one in the middle, at a
	// quarter, at an eighth, and so on.
	bold
)

// A cursor is a place in the list of attempts at n edits.
type cursor struct {
	order order
	size  int // of the chunk, or which edit counted from 1 if the order is bold
	at    int // where the chunk starts
}

// first returns the cursor for the first attempt at n edits.
func (o order) first(n int) cursor {
	switch o {
	case chunks, bold:
		return cursor{order: o, size: n}
	case alone:
		return cursor{order: o, size: min(n, 1)}
	}
	panic("reduce: unknown order")
}

// next returns which edits to try, and moves on to those to try if that fails. The
// attempts are exhausted if from and to are equal.
func (c *cursor) next(n int) (from, to int) {
	if c.order == bold {
		to = min(c.size, n)
		c.size = to / 2
		return max(0, to-1), to
	}
	if c.at >= n {
		if c.size <= 1 || n == 0 {
			return 0, 0
		}
		c.at, c.size = 0, max(1, min(c.size, n)/4)
	}
	from, to = c.at, min(c.at+c.size, n)
	c.at = to
	return from, to
}
