package link

import (
	"fmt"
	"iter"
	"slices"

	"goreify/reify/ir"
	"goreify/reify/known"
)

// A site is a constant that a call may take the place of.
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
func (l *Leaf) findSites(t *known.Tracer) {
	for _, v := range l.fn.Vars {
		if v.Kind != ir.Local || v.Init == nil {
			continue
		}
		for i := range v.Init {
			// What initialises a bit-field or a floating-point number stays: it has
			// a type that no expression there can have.
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
			l.addSites(list, ir.StmtExprs(s), b.Index, t.First(b)+k)
		}
		l.addSites(list, termExprs(b.Term), b.Index, t.First(b)+len(b.Stmts))
	}
	l.fulls += t.Points()
}

// termExprs yields the expressions of a terminator that may change: the labels
// of a switch are constants, and Guard moves what is returned.
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

// addSites adds to list the constants among the expressions of a point of a
// block. Expressions come after what they are made of, so what an operator says
// of its operands is found out when these are in the list.
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
			if e.Fn == ir.Expect { // the hint is to be a constant
				if i := index((*list)[start:], &e.Args[1]); i >= 0 {
					*list = slices.Delete(*list, start+i, start+i+1)
				}
			}
		}
	}
}

func index(sites []site, at *ir.Expr) int {
	return slices.IndexFunc(sites, func(s site) bool { return s.at == at })
}
