package link

import (
	"fmt"
	"iter"
	"slices"

	"goreify/reify/ir"
	"goreify/reify/observe"
)

// A site is a constant that a call may replace.
type site struct {
	at    *ir.Expr
	t     ir.Int
	v     int64
	block int // -1 for initialisers
	point int // index of the statement or terminator; -1 for initialisers
	full  int // number of the full expression (C11 6.8p4)
	// maybe says that the constant is not always evaluated when the point is
	// reached: it stands behind && or ||, or in an arm of a Select.
	maybe bool
}

// findSites finds the constants.
func (l *Leaf) findSites(t *observe.Tracer) {
	for _, v := range l.fn.Vars {
		if v.Kind != ir.Local || v.Init == nil {
			continue
		}
		for i := range v.Init {
			// The initial values of a bit-field or a floating-point number stay: no
			// expression there can have their type.
			of, integer := ir.Cell(v.Type, i).(ir.Int)
			if c, ok := v.Init[i].(*ir.Const); ok && integer && of.Standard() {
				l.on = append(l.on, site{&v.Init[i], c.T, c.V, -1, -1, l.fulls, false})
			}
		}
		l.fulls++
	}
	for _, b := range l.fn.Blocks {
		visited := slices.ContainsFunc(l.visits, func(v []int) bool { return v[b.Index] > 0 })
		list := &l.off
		if visited {
			list = &l.on
		}
		for k, s := range b.Stmts {
			if _, ok := s.(*ir.Assume); ok {
				continue // it makes no calls
			}
			start := len(*list)
			l.addSites(list, ir.StmtExprs(s), b.Index, t.First(b)+k)
			uncertain((*list)[start:], s)
		}
		start := len(*list)
		l.addSites(list, termExprs(b.Term), b.Index, t.First(b)+len(b.Stmts))
		for e := range ir.Roots(b.Term) {
			uncertain((*list)[start:], *e)
		}
	}
	l.fulls += t.Points()
}

// termExprs yields the expressions of a terminator that may change: the labels of a
// switch are constants, and Guard moves the result.
func termExprs(t ir.Term) iter.Seq[*ir.Expr] {
	switch t := t.(type) {
	case *ir.Goto, *ir.If:
		return ir.TermExprs(t)
	case *ir.Switch:
		return ir.SubExprs(&t.X)
	case *ir.Return:
		return func(yield func(*ir.Expr) bool) {
			for at := range ir.SubExprs(&t.Val) {
				if at != &t.Val && !yield(at) {
					return
				}
			}
		}
	}
	panic(fmt.Sprintf("link: unknown terminator %T", t))
}

// addSites adds to list the constants among the expressions of a point of a block.
// Expressions come after their operands, so the effect of an operator on its operands
// is determined when these are in the list.
func (l *Leaf) addSites(list *[]site, exprs iter.Seq[*ir.Expr], block, point int) {
	start := len(*list)
	maybe := func(root *ir.Expr) {
		for at := range ir.SubExprs(root) {
			if i := index((*list)[start:], at); i >= 0 {
				(*list)[start+i].maybe = true
			}
		}
	}
	for at := range exprs {
		switch e := (*at).(type) {
		case *ir.Const:
			*list = append(*list, site{at, e.T, e.V, block, point, l.fulls + point, false})
		case *ir.Binary:
			if e.Op == ir.LAnd || e.Op == ir.LOr {
				maybe(&e.Y)
			}
		case *ir.Select:
			maybe(&e.X)
			maybe(&e.Y)
		case *ir.Builtin:
			if e.Fn.Hints() { // the hint is to be a constant
				if i := index((*list)[start:], &e.Args[1]); i >= 0 {
					*list = slices.Delete(*list, start+i, start+i+1)
				}
			}
		}
	}
}

// uncertain marks the sites in the arms of the Selects below n.
func uncertain(sites []site, n ir.Node) {
	if e, ok := n.(*ir.Select); ok {
		for _, arm := range []*ir.Expr{&e.X, &e.Y} {
			for at := range ir.SubExprs(arm) {
				if i := index(sites, at); i >= 0 {
					sites[i].maybe = true
				}
			}
		}
	}
	ir.Parts(n, func(part ir.Node) bool {
		uncertain(sites, part)
		return true
	})
}

func index(sites []site, at *ir.Expr) int {
	return slices.IndexFunc(sites, func(s site) bool { return s.at == at })
}

// findDeciding finds the sites on the path that branches, indices and the steps
// of counters depend on.
func (l *Leaf) findDeciding() {
	if l.decided {
		return
	}
	l.decided = true
	at := map[*ir.Expr]bool{}
	all := func(exprs iter.Seq[*ir.Expr]) {
		for e := range exprs {
			at[e] = true
		}
	}
	var indices func(n ir.Node) bool
	indices = func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Elem:
			all(ir.SubExprs(&n.Index))
		case *ir.PtrAdd:
			all(ir.SubExprs(&n.Index))
		}
		return ir.Parts(n, indices)
	}
	for _, b := range l.fn.Blocks {
		for _, s := range b.Stmts {
			indices(s)
			if a, ok := s.(*ir.Assign); ok && steps(a) {
				all(ir.SubExprs(&a.Src))
			}
		}
		if _, leaves := b.Term.(*ir.Return); !leaves {
			all(termExprs(b.Term))
		}
	}
	for _, s := range l.on {
		if at[s.at] && s.block >= 0 {
			for range min(l.visits[0][s.block], 3) {
				l.deciding = append(l.deciding, s)
			}
		}
	}
}

// steps reports whether s is v = v + x or the like.
func steps(s *ir.Assign) bool {
	e, ok := s.Src.(*ir.Binary)
	if !ok || !e.Op.Additive() || !ir.IsInt(e) || e.Of() != ir.Integers {
		return false
	}
	x, ok := e.X.(*ir.Load)
	return ok && ir.Root(x.Place) != nil && ir.Root(x.Place) == ir.Root(s.Dst)
}
