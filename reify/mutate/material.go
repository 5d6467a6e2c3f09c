package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
	"goreify/reify/sketch"
)

func load(v *ir.Var) ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: v}} }

// integers returns the variables that are integers and for which ok holds.
func (m *mutant) integers(ok func(*ir.Var) bool) []*ir.Var {
	var list []*ir.Var
	for _, v := range m.f.Vars {
		if _, scalar := v.Type.(ir.Int); scalar && ok(v) {
			list = append(list, v)
		}
	}
	return list
}

func quiet(v *ir.Var) bool    { return !v.Volatile }
func writable(v *ir.Var) bool { return !v.Const }

// constant returns a constant of type t.
func (m *mutant) constant(t ir.Int) *ir.Const {
	if t == ir.U64 {
		return &ir.Const{T: t, V: int64(m.s.Uint64())}
	}
	return &ir.Const{T: t, V: m.s.Constant(t.Min(), t.Max())}
}

// anything returns an expression of a standard type t in some variable. It may be
// undefined, or of a variable without a value: it is for dead code.
func (m *mutant) anything(t ir.Int) ir.Expr {
	if list := m.integers(quiet); len(list) > 0 && !m.s.Chance(1, 8) {
		v := choice.Pick(m.s, list)
		return observe.Adjust(m.s, load(v), m.constant(v.Type.(ir.Int)).V, t, m.constant(t).V)
	}
	return m.constant(t)
}

// wide returns a type that operators can have.
func (m *mutant) wide() ir.Int {
	return choice.Pick(m.s, []ir.Int{ir.I32, ir.I32, ir.U32, ir.I64, ir.U64})
}

// doubtful returns a condition whose value is unknown.
func (m *mutant) doubtful() ir.Expr {
	t := m.wide()
	op := choice.Pick(m.s, comparisons)
	return &ir.Binary{Op: op, X: m.anything(t), Y: m.anything(t)}
}

var comparisons = []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}

// statement returns a statement for a dead block: a hostile one, or a copy of one
// that the function has.
func (m *mutant) statement() ir.Stmt {
	if m.s.Chance(1, 2) {
		if st := m.copied(m.f.Blocks); st != nil {
			return st
		}
	}
	return m.hostile()
}

// copied returns a copy of a statement of some of the blocks, or nil if they have no
// statements.
func (m *mutant) copied(of []*ir.Block) ir.Stmt {
	for range 4 {
		if b := choice.Pick(m.s, of); len(b.Stmts) > 0 {
			return ir.CopyStmt(choice.Pick(m.s, b.Stmts))
		}
	}
	return nil
}

// hostile returns a statement that may be undefined.
func (m *mutant) hostile() ir.Stmt {
	if m.hostiles == nil {
		m.hostiles = sketch.NewHostile(m.f, m.o.Policy, m.s)
	}
	if m.hostiles == nil { // nothing can be assigned to
		return &ir.Unreachable{}
	}
	return m.hostiles.Statement(m.s.Chance(1, 8))
}

// deadBlock adds a block of some statements behind another. Its successor is the given
// block, or now and then another one.
func (m *mutant) deadBlock(behind, to *ir.Block) *ir.Block {
	b := m.addBlock(behind, false)
	for range m.s.Range(0, 3) {
		b.Stmts = append(b.Stmts, m.statement())
	}
	if m.s.Chance(1, 4) {
		to = m.target()
	}
	b.Term = &ir.Goto{To: to}
	return b
}
