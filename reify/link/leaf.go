package link

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
	"goreify/reify/observe"
)

// A Leaf is a function that calls nothing, with the properties that make it a part of
// programs: its constants, how often each is evaluated, and which variables have known
// values there. It serves in one program.
type Leaf struct {
	claims []*ir.Claim
	fn     *ir.Function

	visits  [][]int // by case and block: how often the block is visited
	longest int     // number of blocks of the longest path

	on, off []site            // on the path of some case, initialisers of locals first; and on none
	fulls   int               // number of full expressions that sites stand in
	known   [][]observe.Value // by point

	deciding []site // those of on that findDeciding has found, those in loops several times
	decided  bool   // it has looked for them

	touched  bool      // it reads or writes globals or statics
	reset    []ir.Stmt // the entry's statements with those of Reset before them, if it writes any
	volatile bool      // it may access something volatile

	dead   bool // it is foreign, and called only off the path
	linked bool // it is a part of a program
}

// NewLeaf returns the leaf of a function that calls nothing, which all cases are
// about. The leaf owns the function: the program changes it. The error says which of the cases is wrong.
func NewLeaf(cases ...*ir.Claim) (*Leaf, error) {
	f := cases[0].Func
	l := &Leaf{claims: cases, fn: f}
	for call := range f.Calls() {
		return nil, fmt.Errorf("@%s calls @%s: it is not a leaf", f.Name, call.Func.Name)
	}
	t := observe.New(f)
	for i, c := range cases {
		if c.Func != f {
			return nil, fmt.Errorf("case %d is one of @%s, not of @%s", i, c.Func.Name, f.Name)
		}
		visits, err := t.Run(c)
		if err != nil {
			return nil, fmt.Errorf("case %d: %w", i, err)
		}
		l.visits = append(l.visits, visits)
		l.longest = max(l.longest, len(c.Path))
	}
	l.known = t.Values()
	l.findSites(t)
	l.findState(useOf(f))
	return l, nil
}

// NewForeign returns the leaf of a foreign function, whose cases are its answers. It
// has no place for calls, and is not guarded, declared pure or called by main. It comes
// after all leaves of ours. The error says that it has no answer, or none of at most
// MostSteps.
func NewForeign(f *ir.Function) (*Leaf, error) {
	l := &Leaf{fn: f}
	for _, a := range f.Foreign.Answers {
		if a.Steps <= MostSteps {
			l.claims = append(l.claims, &ir.Claim{Func: f, Args: a.Args, Want: a.Want})
			l.visits = append(l.visits, nil)
		}
	}
	if len(l.claims) == 0 {
		return nil, fmt.Errorf("@%s: no answer of at most %d statements", f.Name, MostSteps)
	}
	return l, nil
}

// NewDead returns the leaf of a foreign function that is called only off the path, with
// any arguments: its answer does not matter. Such leaves come after all others.
func NewDead(f *ir.Function) *Leaf {
	any := &ir.Claim{Func: f, Args: make([]int64, len(f.Params()))}
	return &Leaf{fn: f, claims: []*ir.Claim{any}, visits: [][]int{nil}, dead: true}
}

// MostSteps bounds the statements of a foreign function that a call in a program of
// ours executes: with all calls that programs make some 10⁶.
const MostSteps = 500

// stateful reports whether the function writes globals or statics.
func (l *Leaf) stateful() bool { return l.reset != nil }

// findState finds the accesses of the function to globals and statics.
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

// Func returns the function.
func (l *Leaf) Func() *ir.Function { return l.fn }
