package reduce

import (
	"errors"
	"slices"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// A run is the interpreter's record of the one case of a program.
type run struct {
	trap   ir.Trap                 // that ended it, or ""
	value  int64                   // the returned value
	path   []int                   // of the function of the case
	steps  int                     // block visits, those in functions called included
	visits map[*ir.Block]int       // how often a block was visited, in all activations
	exits  map[*ir.Block]*ir.Block // the last successor of a block
	ways   map[*ir.Block]int       // how many different successors a block went to

	// values holds the value of each expression that was evaluated and had the
	// same value every time. Constants are left out.
	values map[ir.Expr]int64
	// calls holds the calls made, without those that repeat function and
	// arguments, in the order in which they returned. That of the case is left
	// out.
	calls []interp.Call
	// states holds, for each step of path, or the first steps of a very long one, the
	// values of the variables of the case's function when the block was entered.
	states []state
}

// mostStates bounds run.states, in variables.
const mostStates = 1 << 16

// A state is the values of the variables of a function: for each of ir.Function.Vars
// its scalars, as in interp.Result.
type state [][]scalar

// A scalar is a value, if it has one.
type scalar struct {
	value   int64
	defined bool
}

// execute runs the case of p, which must have passed the checker of ir. Fuel is
// as in interp.Options.
func execute(p *ir.Program, fuel int) (*run, error) {
	all, err := interp.RunProgram(p, interp.Options{Fuel: fuel})
	trap := new(interp.Trap)
	if err != nil && !errors.As(err, &trap) {
		return nil, err
	}
	got := all[0]
	return &run{value: got.Value, trap: trap.Kind, path: got.Path, steps: got.Steps}, nil
}

// observe runs the case of p, which execute has found to be right, again and records
// all that passes need.
func observe(p *ir.Program) *run {
	r := &run{visits: map[*ir.Block]int{}, exits: map[*ir.Block]*ir.Block{}, ways: map[*ir.Block]int{}}
	k := p.Claims[0]
	now := initialState(k)
	r.states = []state{now.clone()}
	room := mostStates
	gone := map[[2]*ir.Block]bool{}
	all, err := interp.RunProgram(p, interp.Options{
		Trace: func(e interp.Event) {
			if e.Func == k.Func {
				now.store(e)
			}
			if e.Stmt != nil {
				return
			}
			r.visits[e.Block]++
			if e.To != nil {
				if way := [2]*ir.Block{e.Block, e.To}; !gone[way] {
					gone[way] = true
					r.ways[e.Block]++
				}
				r.exits[e.Block] = e.To
				if e.Depth == 0 && room > 0 {
					r.states = append(r.states, now.clone())
					room -= len(now)
				}
			}
		},
		Leave: func(c interp.Call) {
			if c.Site == nil || slices.ContainsFunc(r.calls, func(other interp.Call) bool {
				return other.Func == c.Func && slices.Equal(other.Args, c.Args)
			}) {
				return
			}
			c.Path = nil
			r.calls = append(r.calls, c)
		},
	})
	if trap := new(interp.Trap); err != nil && !errors.As(err, &trap) {
		panic("reduce: a program that was defined is not: " + err.Error())
	}
	r.value, r.path, r.steps = all[0].Value, all[0].Path, all[0].Steps
	r.values = values(p)
	return r
}

// initialState returns the values of the variables before the first block.
func initialState(k *ir.Claim) state {
	s := make(state, len(k.Func.Vars))
	for i, v := range k.Func.Vars {
		s[i] = make([]scalar, ir.Count(v.Type))
		switch {
		case v.Kind == ir.Param:
			s[i][0] = scalar{k.Args[i], true}
		case v.Init != nil:
			for j, e := range v.Init {
				if c, ok := e.(*ir.Const); ok {
					s[i][j] = scalar{c.V, true}
				}
			}
		case v.Kind.Lasts():
			for j := range s[i] {
				s[i][j].defined = true
			}
		}
	}
	return s
}

func (s state) clone() state {
	c := make(state, len(s))
	for i := range s {
		c[i] = slices.Clone(s[i])
	}
	return c
}

// store applies the stores of a statement of the function, except those to a local of
// another activation.
func (s state) store(e interp.Event) {
	for _, x := range e.Stores {
		if e.Depth == 0 || x.Var.Kind.Lasts() {
			s[x.Var.Index][x.Elem] = scalar{x.Value, !x.Lost}
		}
	}
}

// values returns the value of each expression of p that the run evaluates, and to the
// same value every time. For this it puts each expression of a copy of p into the call
// of a function that returns its argument.
func values(p *ir.Program) map[ir.Expr]int64 {
	q := p.Clone()
	probes := map[ir.Int]*ir.Function{}
	of := map[*ir.Call]ir.Expr{}
	for i, f := range p.Funcs {
		at := slices.Collect(q.Funcs[i].Exprs())
		n := -1
		for e := range f.Exprs() {
			n++
			switch (*e).(type) {
			case *ir.Const, *ir.Sym, *ir.Checksum:
				continue
			}
			t := ir.IntOf((*e))
			if !t.Standard() {
				continue
			}
			probe := probes[t]
			if probe == nil {
				probe = identity(t)
				probes[t] = probe
				q.Funcs = append(q.Funcs, probe)
			}
			call := &ir.Call{Func: probe, Args: []ir.Expr{*at[n]}}
			*at[n] = call
			of[call] = *e
		}
	}
	answers, err := interp.Answers(q)
	if err != nil {
		// Calls may make it too deep, or undefined where the order of calls matters.
		// Then nothing is known.
		return map[ir.Expr]int64{}
	}
	known := make(map[ir.Expr]int64, len(answers))
	for call, v := range answers {
		if e := of[call]; e != nil {
			known[e] = v
		}
	}
	return known
}

// identity returns a function that returns its argument. Its name is never
// looked up.
func identity(t ir.Int) *ir.Function {
	v := &ir.Var{Name: "x", Type: t, Kind: ir.Param}
	b := &ir.Block{Name: "only", Term: &ir.Return{Val: &ir.Load{Place: &ir.VarRef{Var: v}}}}
	return &ir.Function{Name: "identity", Result: t, Vars: []*ir.Var{v}, Blocks: []*ir.Block{b}}
}

// rebind returns r, which is that of p, for q, a clone of p.
func (r *run) rebind(p, q *ir.Program) *run {
	c := *r
	c.visits = make(map[*ir.Block]int, len(r.visits))
	c.exits = make(map[*ir.Block]*ir.Block, len(r.exits))
	c.ways = make(map[*ir.Block]int, len(r.ways))
	c.values = make(map[ir.Expr]int64, len(r.values))
	funcs := make(map[*ir.Function]*ir.Function, len(p.Funcs))
	sites := map[*ir.Call]*ir.Call{}
	for i, f := range p.Funcs {
		g := q.Funcs[i]
		funcs[f] = g
		for j, b := range f.Blocks {
			if n := r.visits[b]; n > 0 {
				c.visits[g.Blocks[j]] = n
				c.ways[g.Blocks[j]] = r.ways[b]
			}
			if to := r.exits[b]; to != nil {
				c.exits[g.Blocks[j]] = g.Blocks[to.Index]
			}
		}
		at := slices.Collect(g.Exprs())
		n := 0
		for e := range f.Exprs() {
			if v, ok := r.values[*e]; ok {
				c.values[*at[n]] = v
			}
			if call, ok := (*e).(*ir.Call); ok {
				sites[call] = (*at[n]).(*ir.Call)
			}
			n++
		}
	}
	c.calls = slices.Clone(r.calls)
	for i := range c.calls {
		call := &c.calls[i]
		call.Func, call.Site = funcs[call.Func], sites[call.Site]
	}
	return &c
}
