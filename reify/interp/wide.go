package interp

import (
	"fmt"
	"math/big"

	"goreify/reify/ir"
)

// wide evaluates an expression of a wide type. What it returns is nobody else's.
func (m *machine) wide(e ir.WideExpr) (*big.Int, ir.Wide, error) {
	switch e := e.(type) {
	case *ir.WideLoad:
		return m.loadWide(e.Place)
	case *ir.WideOf:
		x, t, err := m.eval(e.X)
		if err != nil {
			return nil, e.T, err
		}
		v := new(big.Int)
		if t.Signed {
			v.SetInt64(x)
		} else {
			v.SetUint64(uint64(x))
		}
		return wrapWide(e.T, v), e.T, nil
	case *ir.WideConvert:
		x, _, err := m.wide(e.X)
		if err != nil {
			return nil, e.T, err
		}
		return wrapWide(e.T, x), e.T, nil
	case *ir.WideUnary:
		x, t, err := m.wide(e.X)
		if err != nil {
			return nil, t, err
		}
		switch e.Op {
		case ir.Neg:
			v := new(big.Int).Neg(x)
			return m.inWide(t, v, "-(%v)", x)
		case ir.Not:
			return wrapWide(t, x.Not(x)), t, nil
		}
		panic(fmt.Sprintf("interp: %s of %s", e.Op, t))
	case *ir.WideBinary:
		x, y, t, err := m.wides(e.Op, e.X, e.Y)
		if err != nil {
			return nil, t, err
		}
		return m.wideBinary(e.Op, t, x, y)
	}
	panic(fmt.Sprintf("interp: unknown wide expression %T", e))
}

// wides evaluates the operands of op.
func (m *machine) wides(op ir.Op, a, b ir.WideExpr) (x, y *big.Int, t ir.Wide, err error) {
	if x, t, err = m.wide(a); err != nil {
		return nil, nil, t, err
	}
	y, ty, err := m.wide(b)
	if err == nil && t != ty {
		panic(fmt.Sprintf("interp: operands of %s are %s and %s", op, t, ty))
	}
	return x, y, t, err
}

// wideBinary computes x op y without bounds, and then what t makes of that.
func (at *frame) wideBinary(op ir.Op, t ir.Wide, x, y *big.Int) (*big.Int, ir.Wide, error) {
	v := new(big.Int)
	switch op {
	case ir.Add:
		v.Add(x, y)
	case ir.Sub:
		v.Sub(x, y)
	case ir.Mul:
		v.Mul(x, y)
	case ir.Div, ir.Rem:
		if y.Sign() == 0 {
			return nil, t, at.ub(DivisionByZero, "%v %s 0", x, op)
		}
		var rest big.Int
		v.QuoRem(x, y, &rest) // truncates, as C does
		if _, _, err := at.inWide(t, v, "%v %s %v", x, op, y); err != nil {
			return nil, t, err // of a remainder, too: 6.5.5p6
		}
		if op == ir.Rem {
			v = &rest
		}
	case ir.And:
		v.And(x, y)
	case ir.Or:
		v.Or(x, y)
	case ir.Xor:
		v.Xor(x, y)
	case ir.Shl, ir.Shr:
		// 6.5.7p3
		if y.Sign() < 0 || y.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return nil, t, at.ub(ShiftAmount, "%v %s %v in %s", x, op, y, t)
		}
		n := uint(y.Uint64())
		if op == ir.Shr {
			v.Rsh(x, n) // fills with the sign
			break
		}
		v.Lsh(x, n)
		if t.Signed && (x.Sign() < 0 || v.BitLen() >= t.Bits) { // 6.5.7p4
			return nil, t, at.ub(ShiftOverflow, "%v << %v in %s", x, y, t)
		}
	default:
		panic(fmt.Sprintf("interp: %s of %s", op, t))
	}
	return at.inWide(t, v, "%v %s %v", x, op, y)
}

// inWide returns the exact result v of an operation in type t: wrapped if t has no
// sign, else an error if t does not hold it. The format says what was computed.
func (at *frame) inWide(t ir.Wide, v *big.Int, format string, args ...any) (*big.Int, ir.Wide, error) {
	if !t.Signed {
		return wrapWide(t, v), t, nil
	}
	least := v.BitLen() + 1 // bits that hold v
	if v.Sign() < 0 {
		least = new(big.Int).Not(v).BitLen() + 1
	}
	if least > t.Bits {
		return nil, t, at.ub(SignedOverflow, "%s does not fit %s", fmt.Sprintf(format, args...), t)
	}
	return v, t, nil
}

// wrapWide changes v to what t holds of it, modulo 2^Bits, and returns it.
func wrapWide(t ir.Wide, v *big.Int) *big.Int {
	size := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	v.And(v, new(big.Int).Sub(size, big.NewInt(1)))
	if t.Signed && v.Bit(t.Bits-1) == 1 {
		v.Sub(v, size)
	}
	return v
}

// loadWide reads a variable of a wide type.
func (m *machine) loadWide(p ir.Place) (*big.Int, ir.Wide, error) {
	since := len(m.accesses)
	l, err := m.locate(p)
	if err != nil {
		return nil, ir.Wide{}, err
	}
	t, ok := l.t.(ir.Wide)
	if !ok {
		panic(fmt.Sprintf("interp: %s of type %s stands where a wide integer must", l.v, l.t))
	}
	if err := m.loadAll(l, 2, since); err != nil {
		return nil, t, err
	}
	if !m.defined[l.addr] || !m.defined[l.addr+1] {
		return nil, t, m.noValue(l, l.addr)
	}
	v := new(big.Int).SetInt64(m.mem[l.addr+1])
	if !t.Signed {
		v.SetUint64(uint64(m.mem[l.addr+1]))
	}
	return v.Add(v.Lsh(v, 64), new(big.Int).SetUint64(uint64(m.mem[l.addr]))), t, nil
}

func (m *machine) assignWide(s *ir.AssignWide) error {
	v, t, err := m.wide(s.Src)
	if err != nil {
		return err
	}
	l, err := m.destination(s.Dst, false)
	if err != nil {
		return err
	}
	if l.t != ir.Type(t) {
		panic(fmt.Sprintf("interp: %s assigned to %s in %q", t, l.t, s))
	}
	return m.storeAll(l, []int64{low64(v), low64(new(big.Int).Rsh(v, 64))}, nil)
}

// low64 returns v modulo 2^64.
func low64(v *big.Int) int64 {
	return int64(new(big.Int).And(v, new(big.Int).SetUint64(1<<64-1)).Uint64())
}

// wideToInt evaluates e.
func (m *machine) wideToInt(e *ir.WideToInt) (int64, error) {
	v, _, err := m.wide(e.X)
	switch {
	case err != nil:
		return 0, err
	case e.T == ir.Bool:
		return truth(v.Sign() != 0), nil
	}
	return convert(e.T, low64(v)), nil
}

// compareWides evaluates e.
func (m *machine) compareWides(e *ir.WideCompare) (int64, error) {
	x, y, _, err := m.wides(e.Op, e.X, e.Y)
	if err != nil {
		return 0, err
	}
	return compare(e.Op, ir.I32, int64(x.Cmp(y)), 0), nil
}
