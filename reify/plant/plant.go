// Package plant makes claims that end in a trap from claims that return. It inserts a
// statement that traps at a certain visit, and not before:
//
//	func @f(%a i32) i32 {                 func @f(%a i32) i32 {
//	    local %i i32 = 0                      local %i i32 = 0
//	                                          local %trap i32 = 0
//	  entry:                                entry:
//	    goto b1                               goto b1
//	  b1:                                   b1:
//	    %i = %i + 1                           %trap = 100 / (%i ^ 2)
//	                                          %i = %i + 1
//	    if %i < %a goto b1 else exit          if %i < %a goto b1 else exit
//	  exit:                                 exit:
//	    return %i                             return %i
//	}                                     }
//	case f(a = 7) = 7 path ...            case f(a = 7) under go traps divide-by-zero path entry b1 b1 b1
//
// The variable that the statement stores to is never read. Only the trap keeps the
// statement from being removed, so code that is moved over it, or out of its loop,
// shows.
package plant

import (
	"errors"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// ErrNone says that a claim has no place for a trap.
var ErrNone = errors.New("no variable has a value that is new when a place is reached")

// A site is a place and a visit of it at which a variable holds a value for the first
// time there.
type site struct {
	block, stmt int
	v           *ir.Var
	value       int64
	visit       int // from 0
}

// Trap returns a claim about a copy of the function of c that ends in a trap under a
// semantics other than C's. The copy calls the same functions. Trap spends the same
// numbers of the stream for the same claim. The error is ErrNone, or says why the
// interpreter does not see the trap.
func Trap(c *ir.Claim, under ir.Under, s *choice.Stream) (*ir.Claim, error) {
	if kinds[under] == nil {
		return nil, ErrNone
	}
	p := (&ir.Program{Funcs: []*ir.Function{c.Func}, Claims: []*ir.Claim{c}}).Clone()
	c = p.Claims[0]
	sites, err := find(c)
	if err != nil {
		return nil, err
	}
	if later := slices.DeleteFunc(slices.Clone(sites), func(at site) bool { return at.visit == 0 }); len(later) > 0 && s.Chance(7, 8) {
		sites = later // a compiler could foresee a trap at the first visit
	}
	if len(sites) == 0 {
		return nil, ErrNone
	}
	at := choice.Pick(s, sites)
	b := c.Func.Blocks[at.block]
	b.Stmts = slices.Insert(b.Stmts, at.stmt, statement(c.Func, at, under, s))
	run, err := interp.Run(c.Func, c.Args, interp.Options{Fuel: fuel(c), Under: under})
	var trap *interp.Trap
	var ub *interp.UB
	switch {
	case errors.As(err, &ub) && ub.Kind == interp.UnspecifiedOrder:
		return nil, ErrNone // it calls itself, and the inner call traps as well, or may
	case !errors.As(err, &trap):
		return nil, errors.Join(errors.New("a trap that was planted does not show"), err)
	}
	planted := &ir.Claim{Func: c.Func, Args: c.Args, Path: run.Path, Under: under, Trap: trap.Kind}
	if err := ir.Check(c.Func); err != nil {
		return nil, err
	}
	return planted, interp.Verify(planted)
}

// fuel bounds the visits of a claim: those of functions that are called count as well.
func fuel(c *ir.Claim) int {
	if !c.Func.IsLeaf() {
		return interp.DefaultFuel
	}
	return len(c.Path) + 1
}

// find returns the sites of a claim, in the order of the run.
func find(c *ir.Claim) ([]site, error) {
	var watched []*ir.Var
	for _, v := range c.Func.Vars {
		if t, ok := v.Type.(ir.Int); ok && t.Standard() && t.Bits >= 32 && !v.Volatile {
			watched = append(watched, v)
		}
	}
	type place struct{ block, stmt int }
	type seen struct {
		place
		v     *ir.Var
		value int64
	}
	now := make([]int64, len(c.Func.Vars))
	has := make([]bool, len(c.Func.Vars))
	for _, v := range watched {
		switch {
		case v.Kind == ir.Param:
			now[v.Index], has[v.Index] = c.Args[v.Index], true
		case v.Init != nil:
			if e, ok := v.Init[0].(*ir.Const); ok {
				now[v.Index], has[v.Index] = e.V, true
			}
		case v.Kind.Lasts():
			has[v.Index] = true
		}
	}
	visits, known := map[place]int{}, map[seen]bool{}
	var sites []site
	reach := func(block, stmt int) {
		at := place{block, stmt}
		for _, v := range watched {
			key := seen{at, v, now[v.Index]}
			if has[v.Index] && !known[key] {
				known[key] = true
				sites = append(sites, site{block, stmt, v, now[v.Index], visits[at]})
			}
		}
		visits[at]++
	}
	var within []interp.Store // by calls in the statement, to variables that last
	step, stmt := -1, 0
	_, err := interp.Run(c.Func, c.Args, interp.Options{Under: c.Under, Fuel: fuel(c), Trace: func(e interp.Event) {
		if e.Depth > 0 {
			for _, x := range e.Stores {
				if x.Var.Kind.Lasts() && slices.Contains(c.Func.Vars, x.Var) {
					within = append(within, x)
				}
			}
			return
		}
		if e.Step != step {
			step, stmt = e.Step, 0
		}
		reach(e.Block.Index, stmt)
		stmt++
		for _, x := range append(within, e.Stores...) {
			if x.Elem == 0 {
				now[x.Var.Index], has[x.Var.Index] = x.Value, !x.Lost
			}
		}
		within = within[:0]
	}})
	// Stores are reported after the statement: each place was seen with the values at
	// the end of the one before it.
	return sites, err
}

// The ways to trap.
const (
	division = iota
	index
	shift
	unreachable
	null
)

// kinds are the ways to trap that languages have.
var kinds = map[ir.Under][]int{
	interp.Go:   {division, index, shift},
	interp.Wasm: {division},
	interp.JVM:  {division, index, unreachable, null},
}

// statement returns one that traps if the variable of the site has its value. Its
// store, if any, is to a new variable that is never read.
func statement(f *ir.Function, at site, under ir.Under, s *choice.Stream) ir.Stmt {
	t := at.v.Type.(ir.Int)
	local := func(name string, t ir.Type, n int) *ir.Var {
		for slices.ContainsFunc(f.Vars, func(v *ir.Var) bool { return v.Name == name }) {
			name += "_"
		}
		v := &ir.Var{Name: name, Index: len(f.Vars), Kind: ir.Local, Type: t}
		for range n {
			v.Init = append(v.Init, &ir.Const{T: ir.Scalar(t)})
		}
		f.Vars = append(f.Vars, v)
		return v
	}
	load := func() ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: at.v}} }
	value := &ir.Const{T: t, V: at.value}
	here := func() ir.Expr { return &ir.Binary{Op: ir.Eq, X: load(), Y: value} }
	// when is an expression that is one constant at the site and another at all other
	// visits.
	when := func(t ir.Int, there, elsewhere int64) ir.Expr {
		return &ir.Select{If: here(), X: &ir.Const{T: t, V: there}, Y: &ir.Const{T: t, V: elsewhere}}
	}
	list := kinds[under]
	kind := list[s.Intn(max(3, len(list)))%len(list)]
	if kind == unreachable {
		return &ir.Assume{Cond: &ir.Binary{Op: ir.Ne, X: load(), Y: value}, Guard: true}
	}
	d := local("trap", t, 1)
	dst := &ir.VarRef{Var: d}
	switch kind {
	case index:
		const n = 3
		array := local("room", ir.Array{Elem: t, Len: n}, n)
		return &ir.Assign{Dst: dst, Src: &ir.Load{Place: &ir.Elem{Base: &ir.VarRef{Var: array}, Index: when(ir.I32, n, 1)}}}
	case null:
		to := ir.Pointer{Elem: t}
		x := &ir.Select{If: here(), X: &ir.Null{T: to}, Y: &ir.AddrOf{Place: &ir.VarRef{Var: local("room", t, 1)}}}
		return &ir.Assign{Dst: dst, Src: &ir.Load{Place: &ir.Deref{X: x}}}
	case shift:
		signed := ir.Int{Bits: t.Bits, Signed: true}
		var e ir.Expr = &ir.Binary{Op: ir.Shl, X: &ir.Const{T: signed, V: 1}, Y: when(signed, -1, 1)}
		if signed != t {
			e = &ir.Convert{T: t, X: e}
		}
		return &ir.Assign{Dst: dst, Src: e}
	}
	return &ir.Assign{Dst: dst, Src: &ir.Binary{Op: ir.Div, X: &ir.Const{T: t, V: 100}, Y: &ir.Binary{Op: ir.Xor, X: load(), Y: value}}}
}
