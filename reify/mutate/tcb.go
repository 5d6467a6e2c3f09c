package mutate

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
)

// tcb adds live code without an effect (Hermes's true conditional block). A variable is
// saved, spoiled and restored; or a loop with a known number of rounds spoils it; or it
// is assigned to right before its next assignment.
func (m *mutant) tcb() *ir.Block {
	at := m.spot()
	rows := m.rows(at)
	vars := m.scalars(rows)
	if len(rows) == 0 || len(vars) == 0 {
		return nil
	}
	if m.s.Chance(1, 3) {
		return m.overwritten(at)
	}
	x := choice.Pick(m.s, vars)
	if !writable(x) {
		return nil
	}
	held := m.addLocal("held", x.Type)
	save := &ir.Assign{Dst: &ir.VarRef{Var: held}, Src: load(x)}
	restore := &ir.Assign{Dst: &ir.VarRef{Var: x}, Src: load(held)}
	switch m.s.Intn(3) {
	case 0:
		putIn(at.b, at.k, save, m.spoil(x), restore)
		return at.b
	case 1:
		return m.spoiling(at, rows, vars, x, save, restore)
	}
	// The code is behind a condition that holds.
	never := m.predicate(at, false)
	if never == nil {
		putIn(at.b, at.k, save, m.spoil(x), restore)
		return at.b
	}
	rest := m.split(at.b, at.k)
	inside := m.addBlock(at.b, true)
	inside.Stmts = []ir.Stmt{save, m.spoil(x), restore}
	inside.Term = &ir.Goto{To: rest}
	delete(m.taken, edge{at.b, rest})
	m.taken[edge{at.b, inside}], m.taken[edge{inside, rest}] = true, true
	dead := rest
	if m.s.Chance(1, 2) {
		dead = m.deadBlock(inside, rest)
	}
	m.guard(at.b, never, dead, inside)
	return at.b
}

// spoil returns an assignment of another value to x, which has a value.
func (m *mutant) spoil(x *ir.Var) ir.Stmt {
	t := x.Type.(ir.Int)
	u := ir.Int{Bits: promoted(x).Bits} // wraps
	var src ir.Expr = m.constant(t)
	if m.s.Chance(2, 3) {
		op := choice.Pick(m.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Xor, ir.Or, ir.And})
		src = observe.Convert(&ir.Binary{Op: op, X: observe.Convert(load(x), t, u), Y: m.constant(u)}, u, t)
	}
	return &ir.Assign{Dst: &ir.VarRef{Var: x}, Src: src}
}

// mostTrips bounds the loops that spoil a variable.
const mostTrips = 16

// spoiling puts in a loop that spoils x. The number of rounds is the value of a
// variable whose values are small, or a constant.
func (m *mutant) spoiling(at spot, rows []observe.Row, vars []*ir.Var, x *ir.Var, save, restore ir.Stmt) *ir.Block {
	left := m.addLocal("left", ir.U32)
	var trips ir.Expr = &ir.Const{T: ir.U32, V: int64(m.s.Range(1, mostTrips))}
	for range 4 {
		y, small := choice.Pick(m.s, vars), true
		for _, row := range rows {
			small = small && 1 <= row[y.Index].V && row[y.Index].V <= mostTrips
		}
		if small {
			trips = observe.Convert(load(y), y.Type.(ir.Int), ir.U32)
			break
		}
	}
	rest := m.split(at.b, at.k)
	putIn(at.b, len(at.b.Stmts), save, &ir.Assign{Dst: &ir.VarRef{Var: left}, Src: trips})
	loop := m.addBlock(at.b, true)
	loop.Stmts = []ir.Stmt{m.spoil(x), &ir.Assign{
		Dst: &ir.VarRef{Var: left},
		Src: &ir.Binary{Op: ir.Sub, X: load(left), Y: &ir.Const{T: ir.U32, V: 1}},
	}}
	loop.Term = &ir.If{
		Cond: &ir.Binary{Op: ir.Ne, X: load(left), Y: &ir.Const{T: ir.U32}},
		Then: loop, Else: rest,
	}
	at.b.Term = &ir.Goto{To: loop}
	delete(m.taken, edge{at.b, rest})
	// The loop branches back or not as the rounds are.
	m.taken[edge{at.b, loop}], m.taken[edge{loop, loop}], m.taken[edge{loop, rest}] = true, true, true
	putIn(rest, 0, restore)
	return at.b
}

// overwritten puts in an assignment that the next statement makes void. The known
// values at that statement hold no longer.
func (m *mutant) overwritten(at spot) *ir.Block {
	next, ok := at.stmt().(*ir.Assign)
	if !ok {
		return nil
	}
	dst, ok := next.Dst.(*ir.VarRef)
	if !ok || dst.Var.Volatile || reads(next.Src, dst.Var) {
		return nil
	}
	t, ok := dst.Var.Type.(ir.Int)
	if !ok {
		return nil
	}
	putIn(at.b, at.k, &ir.Assign{Dst: &ir.VarRef{Var: dst.Var}, Src: m.constant(t)})
	delete(m.stmts, next)
	return at.b
}

// reads reports whether n may read v: by name or through some pointer.
func reads(n ir.Node, v *ir.Var) bool {
	switch n := n.(type) {
	case *ir.VarRef:
		return n.Var == v
	case *ir.Deref, *ir.Checksum:
		return true
	}
	return !ir.Parts(n, func(part ir.Node) bool { return !reads(part, v) })
}
