package interp

import (
	"fmt"
	"math/big"

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
		if t.Elem.Bits > 64 {
			err := eachWide(t, x, nil, func(x, _ *big.Int) (*big.Int, error) { return m.at.wideUnary(e.Op, t.Wide(), x) })
			return x, t, err
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
	if len(lanes)*min(from.Bits, 64) != t.Lanes*t.Elem.Bits {
		panic(fmt.Sprintf("interp: %d lanes of %s cast to %s", len(lanes), from, t))
	}
	source, target := min(from.Bits, 64), min(t.Elem.Bits, 64) // bits of a cell
	to := make([]int64, t.Cells())
	for i := range t.Lanes * t.Elem.Bits {
		bit := lanes[i/source] >> (i % source) & 1
		to[i/target] |= bit << (i % target)
	}
	if t.Elem.Bits <= 64 {
		for i := range to {
			to[i] = t.Elem.Wrap(to[i])
		}
	}
	return to
}

// eachWide puts into each lane of x, of 128 bits, the value of f on it and on that of y, if there
// is a y.
func eachWide(t ir.Vector, x, y []int64, f func(x, y *big.Int) (*big.Int, error)) error {
	of := t.Wide()
	for i := 0; i < len(x); i += of.Cells() {
		var b *big.Int
		if y != nil {
			b = joined(of, y[i:i+of.Cells()])
		}
		v, err := f(joined(of, x[i:i+of.Cells()]), b)
		if err != nil {
			return err
		}
		copy(x[i:], split(of, v))
	}
	return nil
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
	if t.Elem.Bits > 64 {
		return m.wideLanes(e, t, x, y)
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

// wideLanes computes each lane of 128 bits by itself.
func (m *machine) wideLanes(e *ir.Binary, t ir.Vector, x, y []int64) ([]int64, ir.Vector, error) {
	err := eachWide(t, x, y, func(x, y *big.Int) (*big.Int, error) {
		if e.Op.Compares() {
			m.holdsWide(e, t.Wide(), x, y)
			return big.NewInt(-compare(e.Op, ir.I64, int64(x.Cmp(y)), 0)), nil
		}
		v, err := m.at.wideBinary(e.Op, t.Wide(), x, y)
		if err == nil {
			m.holdsWide(e, t.Wide(), x, y)
		}
		return v, err
	})
	t.Elem.Signed = t.Elem.Signed || e.Op.Compares()
	return x, t, err
}
