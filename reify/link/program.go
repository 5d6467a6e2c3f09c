package link

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Options describe the programs to link.
type Options struct {
	// MaxCalls bounds the calls that a program executes. A call that might exceed the
	// bound is not put in. At least 1.
	MaxCalls int
	// Edges is the number of edges of the call graph for every hundred functions,
	// besides the one that leads to each from an earlier one.
	Edges int
	// Sites bounds the calls in a function for an edge of the call graph, at least 1.
	// Off bounds the calls off the path, at least 0.
	Sites, Off int
	// Deciding is the percentage of calls that are put, if they can, where branches,
	// indices and the steps of counters depend on them, mostly in loops.
	Deciding int
	// Helpers is the percentage of these places, and of the statements and branches,
	// that call small functions beside the leaves; see helper.go.
	Helpers int
	// Foreign is the percentage of constants on the path that become calls of foreign
	// functions, if there are any, besides the calls of the call graph.
	Foreign int
	// OnlyLive says that they are not called off the path.
	OnlyLive bool
}

// DefaultOptions returns options for programs of about ten functions.
func DefaultOptions() Options { return Options{MaxCalls: 2000, Edges: 100, Sites: 2, Off: 3} }

// A Linked is a program of leaves that call each other.
type Linked struct {
	// IR holds the functions, in the order of the leaves and then the helpers, and
	// one case: main calls the first function.
	IR *ir.Program
	// Answers are the results of the calls on the path that are the same each time,
	// which those of some helpers are not.
	Answers map[*ir.Call]int64
	Purity  []Purity // by function; most are Impure
	Calls   int      // of leaves that are executed, that of main included; at most Options.MaxCalls
	Helpers int      // functions beside the leaves
	Sites   int      // calls in the text, on the path and off it

	leaves []*Leaf
}

// ErrBusy means that a leaf is a part of another program.
var ErrBusy = errors.New("leaf is linked already")

// Wrong says that a program breaks its promises: a bug of this package, or of a leaf
// that has been tampered with.
type Wrong struct {
	Program string
	Err     error
}

func (w *Wrong) Error() string { return fmt.Sprintf("link: %v\n%s", w.Err, w.Program) }

// Unwrap returns the error of the interpreter, or the difference.
func (w *Wrong) Unwrap() error { return w.Err }

// Link makes a program of leaves with different names. It changes the leaves' functions in
// place, which is much faster than to copy them, so they serve in no other program. The
// draws depend on the leaves and on s alone.
//
// The program is proved: the interpreter has run it, and every call has returned its
// answer. An error that does not wrap ErrBusy is a *Wrong.
func Link(leaves []*Leaf, o Options, s *choice.Stream) (*Linked, error) {
	for i, l := range leaves {
		if l.linked || slices.Contains(leaves[:i], l) {
			return nil, fmt.Errorf("@%s: %w", l.fn.Name, ErrBusy)
		}
	}
	if f := leaves[0].fn; f.Foreign != nil {
		panic("link: the first function, @" + f.Name + ", is foreign")
	}
	b := newBuilder(leaves, o, s)
	b.guardAll()
	for i := len(leaves) - 1; i >= 0; i-- {
		b.rewrite(i)
	}
	b.out.Purity = b.purities()
	if o.Helpers > 0 {
		b.same = map[string]*ir.Function{}
		for i := range leaves {
			b.addHelpers(i)
		}
	}
	if err := b.out.prove(o.MaxCalls); err != nil {
		return nil, &Wrong{Program: b.out.IR.String(), Err: err}
	}
	return b.out, nil
}

// visitsByHelpers bounds the visits of blocks of helpers for each of a leaf's.
const visitsByHelpers = 1000

// prove runs the program, and counts its calls.
func (p *Linked) prove(most int) error {
	path := 0
	for _, l := range p.leaves {
		path = max(path, l.longest)
	}
	var wrong *ir.Call
	var got int64
	main := p.IR.Claims[0]
	o := interp.Options{Fuel: (most + 1) * (path + 3), Depth: most}
	helpers := make(map[*ir.Function]bool, p.Helpers)
	for _, f := range p.IR.Funcs[len(p.IR.Funcs)-p.Helpers:] {
		helpers[f] = true
	}
	if p.Helpers > 0 {
		o.Fuel *= visitsByHelpers
		o.Depth += mostRounds + 3
	}
	o.Leave = func(c interp.Call) {
		helper := helpers[c.Func]
		if !helper {
			p.Calls++
		}
		want, ok := p.Answers[c.Site]
		if c.Site != nil && wrong == nil && (ok && want != c.Value || !ok && !helper) {
			wrong, got = c.Site, c.Value
		}
	}
	results, err := interp.RunProgram(p.IR, o)
	switch {
	case err != nil:
		return err
	case wrong != nil:
		return fmt.Errorf("%s returns %d and not %d", wrong, got, p.Answers[wrong])
	case results[0].Value != main.Want || !slices.Equal(results[0].Path, main.Path):
		return fmt.Errorf("@%s returns %d by way of %v", main.Func.Name, results[0].Value, results[0].Path)
	case p.Calls > most:
		return fmt.Errorf("%d calls are executed, more than %d", p.Calls, most)
	}
	return nil
}
