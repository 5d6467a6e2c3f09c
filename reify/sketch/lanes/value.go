package lanes

import (
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// A mixture is the types and operators of one step of a group.
type mixture struct {
	t, c ir.Int // of the lanes, and of the computation
	ops  [2]ir.Op
	kept bool // signed operations stay signed
}

func (l *lanes) mixture(t ir.Int) *mixture {
	m := &mixture{t: t, c: core.Promote(t), ops: l.ops, kept: l.S.Chance(1, 8)}
	if l.S.Chance(1, 2) {
		m.c.Signed = false
	}
	return m
}

// apply returns x op y.
func (m *mixture) apply(op ir.Op, x, y ir.Expr) ir.Expr {
	if m.c.Signed && !m.kept && (op.Overflows() || op == ir.Shl) {
		return core.Wrapped(op, m.c, x, y)
	}
	return core.Bin(op, x, y)
}

// variable returns y as a right operand of op.
func (m *mixture) variable(op ir.Op, y ir.Expr) ir.Expr {
	if op.Shifts() {
		return core.Bin(ir.And, y, core.Const(m.c, int64(min(m.t.Bits, m.c.Bits)-1)))
	}
	return y
}

// constantFor returns a constant as the right operand of op, or a symbol.
func (l *lanes) constantFor(m *mixture, op ir.Op) ir.Expr {
	switch {
	case op.Shifts():
		return core.Const(m.c, l.laneCount(m.t, m.c))
	case op.Additive() && m.c.Signed && m.kept && l.S.Chance(1, 2):
		return l.Symbol(m.c)
	}
	return core.Const(m.c, l.laneConstant(m.t))
}

// A level is one operation of each lane of a group.
type level struct {
	of    [maxLanes]int // which of the operators
	right int           // its right operands
	same  [2]ir.Expr    // the constants that all lanes have, if they have the same
}

// The right operands of an operator.
const (
	aConstant = iota
	theLane   // as it was at first
	theOther
	theShifted // the lane, shifted
)

func (l *lanes) level(m *mixture, n int) *level {
	v := &level{right: l.S.Weighted(6, 1, 2, 1)}
	pattern := l.S.Weighted(2, 2, 2, 1, 1)
	for k := range n {
		switch pattern {
		case 0, 1:
			v.of[k] = l.S.Intn(2)
		case 2:
			v.of[k] = k & 1
		case 3:
			v.of[k] = 2 * k / n
		case 4:
			v.of[k] = 1
		}
	}
	if l.S.Chance(1, 5) {
		for i, op := range m.ops {
			if op.Shifts() {
				v.same[i] = core.Const(m.c, l.laneCount(m.t, m.c))
			} else {
				v.same[i] = core.Const(m.c, l.laneConstant(m.t))
			}
		}
	}
	return v
}

// values returns the lanes of a group, computed from others by one to three operations.
func (l *lanes) values(m *mixture, x, y lane, n int) lane {
	if l.S.Chance(1, 6) {
		return l.funnel(m, x, y)
	}
	levels := make([]*level, 1+l.S.Weighted(3, 3, 1))
	for i := range levels {
		levels[i] = l.level(m, n)
	}
	if levels[0].right == theLane { // x ^ x
		levels[0].right = aConstant
	}
	return func(k int, _ ir.Int) ir.Expr {
		e := x(k, m.c)
		for _, v := range levels {
			e = l.apply(m, v, k, e, x, y)
		}
		return e
	}
}

// apply returns the result of a level for lane k.
func (l *lanes) apply(m *mixture, v *level, k int, e ir.Expr, x, y lane) ir.Expr {
	op := m.ops[v.of[k]]
	constant := func(i int) ir.Expr {
		if v.same[i] != nil {
			return ir.CopyExpr(v.same[i])
		}
		return l.constantFor(m, m.ops[i])
	}
	switch v.right {
	case theLane:
		return m.apply(op, e, m.variable(op, x(k, m.c)))
	case theOther:
		return m.apply(op, e, m.variable(op, y(k, m.c)))
	case theShifted:
		return m.apply(m.ops[1], e, m.variable(m.ops[1], m.apply(m.ops[0], x(k, m.c), constant(0))))
	}
	return m.apply(op, e, constant(v.of[k]))
}

// funnel is (x << c) | (x >> w - c), a rotation, or the same of two values.
func (l *lanes) funnel(m *mixture, x, y lane) lane {
	if l.S.Chance(2, 3) {
		y = x
	}
	op := m.ops[1]
	if !op.Bitwise() && op != ir.Add {
		op = ir.Or
	}
	w, u, c := m.t.Bits, core.Unsigned(m.t), core.Unsigned(core.Promote(m.t))
	count, same := l.S.Intn(w), l.S.Chance(1, 4)
	return func(k int, _ ir.Int) ir.Expr {
		if !same {
			count = int(l.laneCount(m.t, m.t))
		}
		rest := (w - count) % w
		if l.S.Chance(1, 8) {
			rest = l.S.Intn(w)
		}
		part := func(op ir.Op, x lane, n int) ir.Expr {
			return core.Bin(op, core.Convert(c, x(k, u)), core.Const(c, int64(n)))
		}
		return core.Convert(m.c, core.Bin(op, part(ir.Shl, x, count), part(ir.Shr, y, rest)))
	}
}
