package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// vector evaluates a vector expression to its lanes.
func (m *machine) vector(e ir.Expr) ([]int64, ir.Vector, error) {
	switch e := e.(type) {
	case *ir.Load:
		l, t, err := load[ir.Vector](m, e.Place)
		if err != nil {
			return nil, t, err
		}
		return append([]int64(nil), m.mem.cells[l.addr:l.addr+t.Lanes]...), t, nil
	case *ir.VecOf:
		lanes := make([]int64, e.T.Lanes)
		if len(e.Lanes) != len(lanes) {
			panic(fmt.Sprintf("interp: %d lanes of %s", len(e.Lanes), e.T))
		}
		for i, lane := range e.Lanes {
			v, t, err := m.eval(lane)
			if err != nil {
				return nil, e.T, err
			}
			if t != e.T.Elem {
				panic(fmt.Sprintf("interp: lane of %s is %s", e.T, t))
			}
			lanes[i] = v
		}
		return lanes, e.T, nil
	case *ir.Unary:
		x, t, err := m.vector(e.X)
		if err != nil {
			return nil, t, err
		}
		if e.Op == ir.LNot {
			panic("interp: ! of a vector")
		}
		for i := range x {
			if x[i], _, err = m.at.unary(e.Op, t.Elem, x[i]); err != nil {
				return nil, t, err
			}
		}
		return x, t, nil
	case *ir.Binary:
		return m.vectorBinary(e)
	case *ir.Shuffle:
		x, y, t, err := operands(e, e.X, e.Y, m.vector)
		if err != nil {
			return nil, t, err
		}
		both := append(x, y...)
		lanes := make([]int64, len(e.Index))
		for i, k := range e.Index {
			if k >= 0 { // else no assigned value depends on it; see ir.Check
				lanes[i] = both[k]
			}
		}
		return lanes, ir.TypeOf[ir.Vector](e), nil
	case *ir.Convert:
		to := e.T.(ir.Vector)
		x, t, err := m.vector(e.X)
		if err != nil {
			return nil, to, err
		}
		if t.Lanes != to.Lanes {
			panic(fmt.Sprintf("interp: %s converted to %s", t, to))
		}
		for i := range x {
			if m.o.Held != nil {
				m.holdsOf(e, t.Elem.Bits, to.Elem.Bits, x[i])
			}
			x[i] = convert(to.Elem, x[i])
		}
		return x, to, nil
	case *ir.Cast:
		to := e.T.(ir.Vector)
		x, t, err := m.vector(e.X)
		if err != nil {
			return nil, to, err
		}
		return cast(to, x, t.Elem), to, nil
	case *ir.VecCall:
		return m.vector(e.X)
	}
	panic(fmt.Sprintf("interp: unknown vector expression %T", e))
}

// cast returns the lanes of a vector of type t whose bits are those of lanes of type from,
// the low one first in each lane.
func cast(t ir.Vector, lanes []int64, from ir.Int) []int64 {
	if len(lanes)*from.Bits != t.Lanes*t.Elem.Bits {
		panic(fmt.Sprintf("interp: %d lanes of %s cast to %s", len(lanes), from, t))
	}
	to := make([]int64, t.Lanes)
	for i := range t.Lanes * t.Elem.Bits {
		bit := lanes[i/from.Bits] >> (i % from.Bits) & 1
		to[i/t.Elem.Bits] |= bit << (i % t.Elem.Bits)
	}
	for i := range to {
		to[i] = t.Elem.Wrap(to[i])
	}
	return to
}

// vectorBinary computes each lane by itself, without promotion.
func (m *machine) vectorBinary(e *ir.Binary) ([]int64, ir.Vector, error) {
	x, y, t, err := operands(e, e.X, e.Y, m.vector)
	if err != nil {
		return nil, t, err
	}
	if e.Op.Logical() {
		panic(fmt.Sprintf("interp: %s of vectors", e.Op))
	}
	for i := range x {
		before := x[i]
		if x[i], _, err = m.at.binary(e.Op, t.Elem, before, y[i]); err != nil {
			return nil, t, err
		}
		m.holds(e, t.Elem, before, y[i])
	}
	if e.Op.Compares() {
		t.Elem.Signed = true
		for i := range x {
			x[i] = -x[i]
		}
	}
	return x, t, nil
}
