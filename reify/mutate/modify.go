package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// modify changes a constant, an operator, an operand, a destination or the target of a
// pointer, in a statement or condition of a dead block.
func (m *mutant) modify() *ir.Block {
	dead := m.dead()
	if len(dead) == 0 {
		return nil
	}
	b := choice.Pick(m.s, dead)
	var changes []func()
	m.changes(b, &changes)
	if len(changes) == 0 {
		return nil
	}
	choice.Pick(m.s, changes)()
	return b
}

// changes lists the possible changes of a block.
func (m *mutant) changes(b *ir.Block, list *[]func()) {
	for _, st := range b.Stmts {
		for at := range ir.StmtExprs(st) {
			m.exprChange(at, indices(st), list)
		}
		m.placeChanges(st, list)
	}
	switch t := b.Term.(type) { // not the labels of a switch
	case *ir.If:
		for at := range ir.SubExprs(&t.Cond) {
			m.exprChange(at, nil, list)
		}
	case *ir.Switch:
		for at := range ir.SubExprs(&t.X) {
			m.exprChange(at, nil, list)
		}
	}
}

// Operators that can stand for each other, since they have the same types.
var (
	arithmetic = []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr}
	truths     = append([]ir.Op{ir.LAnd, ir.LOr}, comparisons...)
)

// exprChange lists a change of an expression. Constants in indices stay so small
// that the address can be linked.
func (m *mutant) exprChange(at *ir.Expr, indices map[*ir.Const]bool, list *[]func()) {
	switch e := (*at).(type) {
	case *ir.Const:
		*list = append(*list, func() {
			if e.V = m.constant(e.T).V; indices[e] {
				e.V = e.T.Wrap(int64(m.s.Range(-farIndex, farIndex)))
			}
		})
	case *ir.Binary:
		if e.Of() != ir.Integers {
			break
		}
		ops := arithmetic
		if e.Op.Yields01() {
			ops = truths
		}
		*list = append(*list, func() { e.Op = choice.Pick(m.s, ops) })
	}
}

// farIndex is out of any bounds.
const farIndex = 1 << 10

// indices returns the constants in indices.
func indices(st ir.Stmt) map[*ir.Const]bool {
	found := map[*ir.Const]bool{}
	var look func(n ir.Node) bool
	look = func(n ir.Node) bool {
		var index ir.Expr
		switch n := n.(type) {
		case *ir.Elem:
			index = n.Index
		case *ir.PtrAdd:
			index = n.Index
		}
		if index != nil {
			for at := range ir.SubExprs(&index) {
				if c, ok := (*at).(*ir.Const); ok {
					found[c] = true
				}
			}
		}
		return ir.Parts(n, look)
	}
	look(st)
	return found
}

// placeChanges lists the variables in the places of a statement that others of
// their type can stand for.
func (m *mutant) placeChanges(st ir.Stmt, list *[]func()) {
	var look func(n ir.Node) bool
	look = func(n ir.Node) bool {
		if ref, ok := n.(*ir.VarRef); ok {
			var like []*ir.Var
			for _, v := range m.f.Vars {
				if v != ref.Var && v.Type == ref.Var.Type && v.Const == ref.Var.Const && v.Volatile == ref.Var.Volatile {
					like = append(like, v)
				}
			}
			if len(like) > 0 {
				*list = append(*list, func() { ref.Var = choice.Pick(m.s, like) })
			}
		}
		return ir.Parts(n, look)
	}
	if o, ok := st.(*ir.Overflow); ok { // whose destinations must differ
		look(o.X)
		look(o.Y)
		return
	}
	look(st)
}
