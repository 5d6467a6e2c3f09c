package mutate

import (
	"fmt"
	"slices"
	"strings"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/observe"
	"goreify/reify/sketch"
)

// Options describe how variants differ from their seed. The zero value makes variants
// of few edits by all passes.
type Options struct {
	Edits int // number of edits; 0 draws one from 1 to MaxEdits
	// PParent and PLeaf are the percentages of dead branches and statements that
	// are pruned; if both are 0 they are drawn anew after each (Orion's section
	// 3.2.2).
	PParent, PLeaf int
	Only           []string      // names of passes; nil is all
	Policy         sketch.Policy // features that hostile statements may have
}

// MaxEdits is the most edits that are drawn for a variant.
const MaxEdits = 8

// Validate says what is wrong with the options.
func (o Options) Validate() error {
	if o.Edits < 0 || o.Edits > 1000 {
		return fmt.Errorf("number of edits is %d, want 0 to 1000", o.Edits)
	}
	if o.PParent < 0 || o.PParent > 100 || o.PLeaf < 0 || o.PLeaf > 100 {
		return fmt.Errorf("shares to prune are %d and %d, want 0 to 100", o.PParent, o.PLeaf)
	}
	for _, name := range o.Only {
		if !slices.Contains(Passes(), name) {
			return fmt.Errorf("unknown pass %q: want some of %s", name, strings.Join(Passes(), ","))
		}
	}
	return nil
}

// A Mutation is an edit that was made.
type Mutation struct {
	Pass string // a word
	At   string // name of the block
}

// String returns PASS@BLOCK, a word.
func (m Mutation) String() string { return m.Pass + "@" + m.At }

// A Seed is a function with known answers, and the results of its runs. It may be used
// concurrently.
type Seed struct {
	cases   []*ir.Claim
	fn      *ir.Function
	foreign bool // it calls functions of others
	t       *observe.Tracer
	live    []bool          // by block: some case visits it
	taken   map[[2]int]bool // edges between blocks that some case takes
	arms    []int           // operands that are not evaluated where their block is visited, numbers in the order of ir.Function.Exprs
	most    int             // block visits of a case
}

// NewSeed runs the cases, at least one and all of one function, which calls nothing
// except foreign functions and has no symbols. The error says which of them is wrong.
func NewSeed(cases []*ir.Claim) (*Seed, error) {
	f := cases[0].Func
	foreign := false
	for call := range f.Calls() {
		if foreign = call.Func.Foreign != nil; !foreign {
			return nil, fmt.Errorf("@%s calls @%s: functions that call others have no variants", f.Name, call.Func.Name)
		}
	}
	if f.Syms > 0 {
		return nil, fmt.Errorf("@%s has symbols", f.Name)
	}
	seed := &Seed{cases: cases, fn: f, foreign: foreign, t: observe.New(f), live: make([]bool, len(f.Blocks)), taken: map[[2]int]bool{}}
	seed.t.History = true
	chosen := map[ir.Expr]bool{}
	seed.t.Chosen = func(e ir.Expr) { chosen[e] = true }
	for i, c := range cases {
		if c.Func != f {
			return nil, fmt.Errorf("case %d is one of @%s, not of @%s", i, c.Func.Name, f.Name)
		}
		if _, err := seed.t.Run(c); err != nil {
			return nil, fmt.Errorf("case %d: %w", i, err)
		}
		for k, b := range c.Path {
			seed.live[b] = true
			if k > 0 {
				seed.taken[[2]int{c.Path[k-1], b}] = true
			}
		}
		seed.most = max(seed.most, len(c.Path))
	}
	seed.findArms(chosen)
	return seed, nil
}

// findArms finds the operands that are not evaluated.
func (seed *Seed) findArms(chosen map[ir.Expr]bool) {
	arms := map[ir.Expr]bool{}
	for _, b := range seed.fn.Blocks {
		if !seed.live[b.Index] {
			continue
		}
		for at := range b.Exprs() {
			var operands []ir.Expr
			switch e := (*at).(type) {
			case *ir.Select:
				operands = []ir.Expr{e.X, e.Y}
			case *ir.Binary:
				if e.Op.Logical() {
					operands = []ir.Expr{e.Y}
				}
			}
			for _, o := range operands {
				if !chosen[o] {
					arms[o] = true
				}
			}
		}
	}
	if len(arms) == 0 {
		return
	}
	i := 0
	for at := range seed.fn.Exprs() {
		if arms[*at] {
			seed.arms = append(seed.arms, i)
		}
		i++
	}
}

// Mutate returns the cases of a variant, whose function has the name: the same
// arguments and answers as those of the seed, in their order, and other paths
// where blocks have come or gone. It also returns the edits, none if no pass that
// was drawn could do anything. The error is a *reify.GeneratorBug that names the
// passes if the variant is not as good a proof as its seed.
func (seed *Seed) Mutate(name string, o Options, s *choice.Stream) ([]*ir.Claim, []Mutation, error) {
	if err := o.Validate(); err != nil {
		return nil, nil, err
	}
	m := newMutant(seed, name, o, s)
	var list []pass
	for _, p := range table {
		if p.name == ForeignPass && !seed.foreign {
			continue
		}
		if o.Only == nil || slices.Contains(o.Only, p.name) {
			list = append(list, p)
		}
	}
	weights := make([]int, len(list))
	for i, p := range list {
		weights[i] = p.weight
	}
	edits := o.Edits
	if edits == 0 {
		edits = s.Range(1, MaxEdits)
	}
	if len(list) == 0 { // no pass is for such a seed
		edits = 0
	}
	const tries = 3 // of passes for an edit
	for range edits {
		for range tries {
			p := list[s.Weighted(weights...)]
			if at := p.apply(m); at != nil {
				m.done = append(m.done, Mutation{p.name, at.Name})
				break
			}
		}
	}
	m.dropUnreachable()
	cases, err := m.prove()
	return cases, m.done, err
}

// prove checks the variant and runs the cases.
func (m *mutant) prove() ([]*ir.Claim, error) {
	renumber(m.f)
	var cases []*ir.Claim
	for _, c := range m.seed.cases {
		cases = append(cases, &ir.Claim{Func: m.f, Args: c.Args, Want: c.Want})
	}
	fail := func(err error) ([]*ir.Claim, error) {
		var passes []string
		for _, d := range m.done {
			passes = append(passes, d.String())
		}
		text := (&ir.Program{Funcs: []*ir.Function{m.f}, Claims: cases}).String()
		return nil, &reify.GeneratorBug{Program: text, Err: fmt.Errorf("variant by %s: %w", strings.Join(passes, " "), err)}
	}
	if err := ir.Check(m.f); err != nil {
		return fail(err)
	}
	// For a visit of the seed an edit adds at most a loop, the block before it and that
	// after it.
	fuel := 256 + m.seed.most*(64+len(m.done)*(mostTrips+2))
	for _, c := range cases {
		r, err := interp.Run(m.f, c.Args, interp.Options{Fuel: fuel})
		if err == nil && r.Value != c.Want {
			err = fmt.Errorf("returns %d, its seed %d", r.Value, c.Want)
		}
		if err != nil {
			return fail(err)
		}
		c.Path = r.Path
	}
	return cases, nil
}
