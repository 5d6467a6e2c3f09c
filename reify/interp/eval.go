package interp

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"goreify/reify/ir"
)

// eval evaluates an expression and says its type, which is known once the
// operands are and needs no walk of its own.
func (m *machine) eval(e ir.Expr) (int64, ir.Int, error) {
	switch e := e.(type) {
	case *ir.Const:
		if !holds(e.T, e.V) {
			return 0, e.T, m.invalid(e.T, e.V, "constant")
		}
		return e.V, e.T, nil
	case *ir.Sym:
		return 0, e.T, m.symbol(e)
	case *ir.Load:
		since := len(m.accesses)
		at, err := m.locate(e.Place)
		if err != nil {
			return 0, at.t, err
		}
		v, err := m.load(at.v, at.addr, since)
		return v, at.t, err
	case *ir.Binary:
		if e.Op.Logical() {
			return m.logical(e)
		}
		x, tx, err := m.eval(e.X)
		if err != nil {
			return 0, tx, err
		}
		y, ty, err := m.eval(e.Y)
		if err != nil {
			return 0, ty, err
		}
		checkOperands(e.Op, tx, ty)
		return m.binary(e.Op, tx, x, y)
	case *ir.Convert:
		v, _, err := m.eval(e.X)
		return convert(e.T, v), e.T, err
	case *ir.Call:
		return m.call(e)
	case *ir.Checksum:
		v, err := m.checksum(e.Of)
		return v, ir.U32, err
	}
	return m.evalMore(e)
}

// evalMore is eval for the expressions that are not in the paper's subset,
// which is kept fast.
func (m *machine) evalMore(e ir.Expr) (int64, ir.Int, error) {
	switch e := e.(type) {
	case *ir.Unary:
		x, t, err := m.eval(e.X)
		if err != nil {
			return 0, t, err
		}
		checkOperands(e.Op, t, t)
		return m.unary(e.Op, t, x)
	case *ir.Select:
		return m.selectOne(e)
	case *ir.Builtin:
		return m.builtin(e)
	}
	panic(fmt.Sprintf("interp: unknown expression %T", e))
}

// checkOperands panics unless the types of the operands of op are what the
// checker of ir allows.
func checkOperands(op fmt.Stringer, x, y ir.Int) {
	if x != y || x.Bits < 32 {
		panic(fmt.Sprintf("interp: operands of %s are %s and %s", op, x, y))
	}
}

// binary computes x op y in t, which for lanes of vectors can be narrow.
func (m *machine) binary(op ir.Op, t ir.Int, x, y int64) (int64, ir.Int, error) {
	if op.Compares() {
		// 6.5.8p6, 6.5.9p3: "the result has type int".
		return compare(op, t, x, y), ir.I32, nil
	}
	if op.Shifts() {
		v, err := m.shift(op, t, x, y)
		return v, t, err
	}
	if (op == ir.Div || op == ir.Rem) && y == 0 {
		return 0, t, m.ub(DivisionByZero, "%s %s 0", t.Format(x), op)
	}
	if !t.Signed {
		return unsigned(op, t, x, y), t, nil
	}
	v, ok := signed(op, t, x, y)
	if !ok {
		return 0, t, m.ub(SignedOverflow, "%d %s %d does not fit %s", x, op, y, t)
	}
	return v, t, nil
}

// A location is a scalar in memory.
type location struct {
	v    *ir.Var // the variable it is a part of
	addr int     // index into machine.mem
	t    ir.Int
}

// locate evaluates the indices of a scalar place.
func (m *machine) locate(p ir.Place) (location, error) {
	v, addr, t, err := m.subobject(p)
	if err != nil {
		return location{}, err
	}
	scalar, ok := t.(ir.Int)
	if !ok {
		panic(fmt.Sprintf("interp: %s of type %s stands where a scalar must", v.Name, t))
	}
	return location{v, addr, scalar}, nil
}

// subobject evaluates the indices of a place of any type. It returns the
// variable that the place is a part of, where it starts in memory, and its
// type.
func (m *machine) subobject(p ir.Place) (*ir.Var, int, ir.Type, error) {
	switch p := p.(type) {
	case *ir.VarRef:
		return p.Var, m.base[p.Var.Index], p.Var.Type, nil
	case *ir.Elem:
		v, addr, t, err := m.subobject(p.Base)
		if err != nil {
			return nil, 0, nil, err
		}
		a, ok := t.(ir.Array)
		if !ok {
			panic(fmt.Sprintf("interp: index into %s of type %s", v.Name, t))
		}
		i, ti, err := m.eval(p.Index)
		if err != nil {
			return nil, 0, nil, err
		}
		// As uint64 a negative index is larger than any length, and so is a
		// large u64.
		if uint64(i) >= uint64(a.Len) {
			return nil, 0, nil, m.ub(OutOfBounds, "index %s into %s in %s", ti.Format(i), a, v)
		}
		return v, addr + int(i)*ir.Count(a.Elem), a.Elem, nil
	}
	panic(fmt.Sprintf("interp: unknown place %T", p))
}

// load reads the scalar at addr, which is a part of v. Accesses from since on
// have been made for its indices.
func (m *machine) load(v *ir.Var, addr, since int) (int64, error) {
	if v.Volatile {
		if err := m.readVolatile(v, addr); err != nil {
			return 0, err
		}
	}
	if !m.defined[addr] {
		return 0, m.ub(UninitializedRead, "%s has no value", scalarName(v, addr-m.base[v.Index]))
	}
	if v.Kind >= ir.Global || v.Volatile {
		if err := m.read(v, addr, since); err != nil {
			return 0, err
		}
	}
	return m.mem[addr], nil
}

// checksum computes what is documented at ir.Checksum.
func (m *machine) checksum(of []*ir.Var) (int64, error) {
	var data []byte
	for _, v := range of {
		t := ir.Scalar(v.Type)
		for k := range ir.Count(v.Type) {
			m.begin() // a call for each
			value, err := m.load(v, m.base[v.Index]+k, len(m.accesses))
			if err != nil {
				return 0, err
			}
			switch t.Bits {
			case 8:
				data = append(data, byte(value))
			case 16:
				data = binary.LittleEndian.AppendUint16(data, uint16(value))
			case 32:
				data = binary.LittleEndian.AppendUint32(data, uint32(value))
			case 64:
				data = binary.LittleEndian.AppendUint64(data, uint64(value))
			}
		}
	}
	return int64(crc32.ChecksumIEEE(data)), nil
}

func (m *machine) symbol(s *ir.Sym) error {
	where := "an initialiser"
	if m.block != nil {
		where = "block " + m.block.Name
	}
	return fmt.Errorf("@%s: %s: ?%d: %w", m.f.Name, where, s.ID, ErrSymbol)
}
