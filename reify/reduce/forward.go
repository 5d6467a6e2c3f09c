package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// forwarded puts the source of an assignment to a variable in the place where the variable
// is read next in the block, if it is read there once before it is assigned to again. A
// constant or a variable takes the place of all such reads.
func forwarded(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, b := range f.Blocks {
			for _, s := range b.Stmts {
				if a, ok := s.(*ir.Assign); ok && len(readsOf(b, a)) > 0 {
					list = append(list, func() { forward(b, a) })
				}
			}
		}
	}
	return list
}

// forward does so for one assignment of b.
func forward(b *ir.Block, a *ir.Assign) {
	at := readsOf(b, a)
	if len(at) == 0 {
		return
	}
	for _, e := range at {
		*e = ir.CopyExpr(a.Src)
	}
	b.Stmts = slices.DeleteFunc(b.Stmts, func(s ir.Stmt) bool { return s == ir.Stmt(a) })
}

// readsOf returns the reads of the variable that a assigns to, those after it in b and
// before the next assignment, if forward may replace them.
func readsOf(b *ir.Block, a *ir.Assign) []*ir.Expr {
	dst, ok := a.Dst.(*ir.VarRef)
	if !ok || dst.Var.Volatile || dst.Var.Kind.Lasts() {
		return nil
	}
	switch a.Src.(type) {
	case *ir.Checksum:
		return nil
	}
	var at []*ir.Expr
	note := func(e *ir.Expr) {
		if load, ok := (*e).(*ir.Load); ok {
			if ref, ok := load.Place.(*ir.VarRef); ok && ref.Var == dst.Var {
				at = append(at, e)
			}
		}
	}
	v := slots{expr: func(e *ir.Expr, s slot) {
		if s != frozen && s != leaf {
			note(e)
		}
	}}
	for family := range v.other {
		v.other[family] = note
	}
	i := slices.Index(b.Stmts, ir.Stmt(a))
	if i < 0 {
		return nil
	}
	again := false
	for k := i + 1; k < len(b.Stmts) && !again; k++ {
		v.onStmt(&b.Stmts[k])
		next, ok := b.Stmts[k].(*ir.Assign)
		if ok {
			ref, ok := next.Dst.(*ir.VarRef)
			again = ok && ref.Var == dst.Var
		}
	}
	if !again {
		v.onTerm(b.Term)
	}
	short := false
	switch e := a.Src.(type) {
	case *ir.Const:
		short = true
	case *ir.Load:
		_, short = e.Place.(*ir.VarRef)
	}
	if len(at) > 1 && !short {
		return nil
	}
	return at
}
