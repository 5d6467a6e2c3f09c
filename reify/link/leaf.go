package link

import (
	"fmt"
	"slices"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A Leaf is a function that calls nothing, and what has to be known of it to
// make it a part of programs: where its constants stand, how often each is
// evaluated, and which variables have known values there. It is made once and
// may serve in any number of programs, one at a time.
type Leaf struct {
	claims []*ir.Claim
	fn     *ir.Function

	visits  [][]int // by case and block: how often the block is visited
	longest int     // number of blocks of the longest path

	on, off []site    // on the path of some case, initialisers of locals first; and on none
	fulls   int       // number of full expressions that sites stand in
	known   [][]value // by point

	deciding []site // those of on that findDeciding has found, those in loops several times
	decided  bool   // it has looked for them

	touched  bool      // it reads or writes globals or statics
	reset    []ir.Stmt // the entry's statements with those of Reset before them, if it writes any
	volatile bool      // it may access something volatile

	linked bool // it is a part of a program now
}

// A value is what a scalar variable holds each time a point is reached.
type value struct {
	of *ir.Var
	v  int64
}

// NewLeaf returns the leaf of a function that calls nothing, which all cases are
// about. The leaf owns the function: programs change it while it is a part of
// them. The error says which of the cases is wrong.
func NewLeaf(cases ...*ir.Claim) (*Leaf, error) {
	f := cases[0].Func
	l := &Leaf{claims: cases, fn: f}
	for call := range f.Calls() {
		return nil, fmt.Errorf("@%s calls @%s: it is no leaf", f.Name, call.Func.Name)
	}
	t := newTracer(f)
	for i, c := range cases {
		if c.Func != f {
			return nil, fmt.Errorf("case %d is one of @%s, not of @%s", i, c.Func.Name, f.Name)
		}
		visits, err := t.run(c)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i, err)
		}
		l.visits = append(l.visits, visits)
		l.longest = max(l.longest, len(c.Path))
	}
	l.known = t.known()
	l.findSites(t)
	l.findState(useOf(f))
	return l, nil
}

// stateful reports whether the function writes globals or statics.
func (l *Leaf) stateful() bool { return l.reset != nil }

// findState finds what the function does with globals and statics.
func (l *Leaf) findState(u *use) {
	l.volatile = u.volatile
	for _, v := range l.fn.Vars {
		l.touched = l.touched || v.Kind.Lasts()
	}
	entry := l.fn.Blocks[0]
	if stmts := resetting(l.fn, u); len(stmts) > 0 {
		l.reset = slices.Concat(stmts, entry.Stmts)
	}
}

// A tracer runs cases of a function and finds which scalar variables have the
// same value every time a point is reached. Points are the statements and the
// terminators, block by block.
type tracer struct {
	f        *ir.Function
	followed []bool // by variable: it is a scalar and not volatile
	first    []int  // by block: its first point
	points   int
	rows     []fact // by point and variable
	now      []fact // by variable, while a case runs
}

// A fact is what is known of the value of a variable.
type fact struct {
	v    int64
	kind factKind
}

type factKind uint8

const (
	unseen  factKind = iota
	same             // always v
	differs          // or there is no value
)

func newTracer(f *ir.Function) *tracer {
	t := &tracer{f: f, first: make([]int, len(f.Blocks)), now: make([]fact, len(f.Vars)), followed: make([]bool, len(f.Vars))}
	for i, b := range f.Blocks {
		t.first[i] = t.points
		t.points += len(b.Stmts) + 1
	}
	for i, v := range f.Vars {
		_, scalar := v.Type.(ir.Int)
		t.followed[i] = scalar && !v.Volatile
	}
	t.rows = make([]fact, t.points*len(f.Vars))
	return t
}

// run runs a case and returns how often it visits each block. The error is not
// nil if the run is not as the case says.
func (t *tracer) run(c *ir.Claim) ([]int, error) {
	for i, v := range t.f.Vars {
		t.now[i] = fact{kind: differs}
		if !t.followed[i] {
			continue
		}
		switch {
		case v.Kind == ir.Param:
			if i < len(c.Args) {
				t.now[i] = fact{c.Args[i], same}
			}
		case v.Init != nil:
			if k, ok := v.Init[0].(*ir.Const); ok {
				t.now[i] = fact{k.V, same}
			}
		case v.Kind != ir.Local:
			t.now[i] = fact{0, same}
		}
	}
	visits := make([]int, len(t.f.Blocks))
	step, k := -1, 0
	r, err := interp.Run(t.f, c.Args, interp.Options{Fuel: len(c.Path) + 1, Trace: func(e interp.Event) {
		if e.Step != step {
			step, k = e.Step, 0
			visits[e.Block.Index]++
		}
		t.reach(t.first[e.Block.Index] + k)
		k++
		for _, s := range e.Stores {
			if i := s.Var.Index; t.followed[i] {
				t.now[i] = fact{s.Value, same}
			}
		}
	}})
	if err != nil {
		return nil, err
	}
	if !slices.Equal(r.Path, c.Path) || r.Value != c.Want {
		return nil, fmt.Errorf("@%s returns %d by way of %v, the case says %d and %v", t.f.Name, r.Value, r.Path, c.Want, c.Path)
	}
	return visits, nil
}

// reach notes the values at a point that is reached.
func (t *tracer) reach(point int) {
	n := len(t.f.Vars)
	row := t.rows[point*n : (point+1)*n]
	for i, now := range t.now {
		switch {
		case row[i].kind == unseen:
			row[i] = now
		case row[i] != now:
			row[i].kind = differs
		}
	}
}

// known returns by point the variables whose value is always the same.
func (t *tracer) known() [][]value {
	n := len(t.f.Vars)
	all := make([][]value, t.points)
	for p := range all {
		for i, fact := range t.rows[p*n : (p+1)*n] {
			if fact.kind == same {
				all[p] = append(all[p], value{t.f.Vars[i], fact.v})
			}
		}
	}
	return all
}

// Func returns the function.
func (l *Leaf) Func() *ir.Function { return l.fn }
