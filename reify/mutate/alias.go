package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// alias has dead code take the address of a live variable and store through it. Now and
// then the pointer holds the address from the start of the function.
func (m *mutant) alias() *ir.Block {
	dead := m.dead()
	list := m.integers(func(v *ir.Var) bool { return writable(v) && v.Type.(ir.Int).Standard() })
	if len(dead) == 0 || len(list) == 0 {
		return nil
	}
	v := choice.Pick(m.s, list)
	t := v.Type.(ir.Int)
	address := func() ir.Expr { return &ir.AddrOf{Place: &ir.VarRef{Var: v}} }
	p := m.addLocal("p", ir.TypeOf[ir.Pointer](address()))
	taken := &ir.Assign{Dst: &ir.VarRef{Var: p}, Src: address()}
	stored := &ir.Assign{
		Dst: &ir.Deref{X: &ir.Load{Place: &ir.VarRef{Var: p}}},
		Src: m.anything(t),
	}
	b := choice.Pick(m.s, dead)
	if m.s.Chance(1, 4) {
		p.Init, p.Ptrs = []ir.Expr{nil}, []ir.Expr{address()}
	} else {
		putIn(b, m.s.Intn(len(b.Stmts)+1), taken)
	}
	b = choice.Pick(m.s, dead)
	putIn(b, m.s.Intn(len(b.Stmts)+1), stored)
	return b
}
