package search

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// A site is a statement, the condition that ends a block, or the value that
// the function returns.
type site struct {
	block  int
	stmt   ir.Stmt    // nil if it is not a statement
	dst    ir.Place   // the destination of the Assign of an integer, else nil
	expr   ir.Expr    // the value assigned, the condition, the value returned
	binary *ir.Binary // expr if it is an operator on integers, else nil
	over   ir.Int     // the type of the operands of binary; else that of expr
	syms   []*ir.Sym  // in the order of evaluation
	reads  []int32    // variables, by index
	writes int        // variable, by index; -1 for none or one that a pointer points to
	also   []int32    // further variables that it may write to
	pivots []pivot    // of a condition: the symbols that it can be solved for
	fails  int        // how often it was given up
}

// A scanner lists the sites of blocks when the walk first meets them. All sites share
// its backing arrays, so that a run costs few allocations. They only grow: slices that
// were handed out stay valid.
type scanner struct {
	vars        []*ir.Var
	unsupported string // a construct that a walk does not follow, or ""

	sites  []site
	syms   []*ir.Sym
	reads  []int32
	pivots []pivot
}

// scan returns the sites of a block, which is number b; not nil.
func (sc *scanner) scan(b int, block *ir.Block) []site {
	if n := len(block.Stmts) + 1; cap(sc.sites)-len(sc.sites) < n {
		sc.sites = make([]site, 0, max(n, 32, 2*cap(sc.sites))) // the contents of the old one stay
	}
	from := len(sc.sites)
	for _, s := range block.Stmts {
		at := site{block: b, stmt: s, writes: -1}
		if a, ok := s.(*ir.Assign); ok && isInt(a.Dst.Type()) {
			if _, ok := a.Src.(*ir.Checksum); ok {
				sc.unsupported = fmt.Sprintf("%s is assigned a checksum", a.Dst)
			}
			at.dst, at.expr, at.writes = a.Dst, a.Src, rootOf(a.Dst)
		}
		if at.writes < 0 {
			for _, p := range ir.Stored(s) {
				at.also = sc.written(at.also, p)
			}
		}
		sc.add(at)
	}
	switch t := block.Term.(type) {
	case *ir.Goto:
	case *ir.If:
		sc.add(site{block: b, expr: t.Cond, writes: -1})
		from := len(sc.pivots)
		sc.pivots = pivots(t.Cond, ir.IntOf(t.Cond), pivot{sure: true}, sc.pivots)
		sc.sites[len(sc.sites)-1].pivots = sc.pivots[from:len(sc.pivots):len(sc.pivots)]
	case *ir.Switch:
		sc.add(site{block: b, expr: t.X, writes: -1})
	case *ir.Return:
		sc.add(site{block: b, expr: t.Val, writes: -1})
	default:
		panic(fmt.Sprintf("search: unknown terminator %T", t))
	}
	to := len(sc.sites)
	return sc.sites[from:to:to]
}

// add adds a site.
func (sc *scanner) add(at site) {
	syms, reads := len(sc.syms), len(sc.reads)
	if at.expr == nil {
		sc.collect(at.stmt)
	} else {
		at.compute(at.expr)
		sc.collect(at.expr)
	}
	if at.dst != nil {
		sc.collect(at.dst)
	}
	at.syms = sc.syms[syms:len(sc.syms):len(sc.syms)]
	at.reads = sc.reads[reads:len(sc.reads):len(sc.reads)]
	sc.sites = append(sc.sites, at)
}

// compute makes e the expression of the site.
func (at *site) compute(e ir.Expr) {
	at.expr, at.binary = e, nil
	if b, ok := e.(*ir.Binary); ok {
		if at.over, ok = ir.AsInt(b.X); ok {
			at.binary = b
			return
		}
	}
	at.over = ir.IntOf(e)
}

func isInt(t ir.Type) bool {
	_, ok := t.(ir.Int)
	return ok
}

// rootOf returns the index of the variable that p is a part of, or -1.
func rootOf(p ir.Place) int {
	if v := ir.Root(p); v != nil {
		return v.Index
	}
	return -1
}

// written appends the variables that a store to p may change.
func (sc *scanner) written(list []int32, p ir.Place) []int32 {
	if v := rootOf(p); v >= 0 {
		return append(list, int32(v))
	}
	return sc.pointees(list, p)
}

// pointees appends the variables that have a part of the type that the pointer
// of p points to.
func (sc *scanner) pointees(list []int32, p ir.Place) []int32 {
	for {
		switch q := p.(type) {
		case *ir.Elem:
			p = q.Base
			continue
		case *ir.Member:
			p = q.Base
			continue
		case *ir.Deref:
			for i, v := range sc.vars {
				if holds(v.Type, q.Type()) {
					list = append(list, int32(i))
				}
			}
		}
		return list
	}
}

// holds reports whether an elem can be a part of a t.
func holds(t, elem ir.Type) bool {
	if alike(t, elem) {
		return true
	}
	switch t := t.(type) {
	case ir.Array:
		return holds(t.Elem, elem)
	case *ir.Record:
		for i := range t.Fields {
			if holds(t.Member(i), elem) {
				return true
			}
		}
	}
	return false
}

// writesTo reports whether a statement may write to a variable.
func (at *site) writesTo(v int) bool { return at.writes == v || slices.Contains(at.also, int32(v)) }

// collect lists the symbols and the variables that are read below n, in the order of
// evaluation. A place is only located: the variables that are read from it are
// collected by its Load. Parts panics on an unknown node.
func (sc *scanner) collect(n ir.Node) {
	switch n := n.(type) {
	case *ir.Sym:
		sc.syms = append(sc.syms, n)
	case *ir.Const, *ir.VarRef: // these and the next fast, as there are many
	case *ir.Binary:
		sc.collect(n.X)
		sc.collect(n.Y)
	case *ir.Convert:
		sc.collect(n.X)
	case *ir.Load:
		sc.collectLoad(n.Place)
	case *ir.Transfer:
		sc.collect(n.Dst)
		sc.collectLoad(&ir.Deref{X: n.Src})
		sc.collect(n.N)
	case *ir.Call:
		sc.unsupported = called(n)
	default:
		ir.Parts(n, func(part ir.Node) bool {
			sc.collect(part)
			return true
		})
	}
}

// collectLoad is collect for the value of a place.
func (sc *scanner) collectLoad(p ir.Place) {
	if v := rootOf(p); v >= 0 {
		sc.reads = append(sc.reads, int32(v))
	} else {
		sc.reads = sc.pointees(sc.reads, p)
	}
	sc.collect(p)
}
