package interp

import (
	"fmt"
	"math"

	"goreify/reify/ir"
)

// initialise gives parameters their arguments, and the other variables the
// initial values that 6.7.9p10 gives them; globals and statics the first time
// only.
func (m *machine) initialise(args []int64, first bool) error {
	if n := len(m.at.f.Params()); n != len(args) {
		return fmt.Errorf("@%s: %w: %d for %d parameters", m.at.f.Name, ErrArgs, len(args), n)
	}
	if first {
		// These have their values before the program starts (5.1.2p1): a call
		// in the initialiser of a local may come back and read them.
		for _, v := range m.at.f.Vars {
			if v.Kind.Lasts() {
				if err := m.declare(v); err != nil {
					return err
				}
			}
		}
	}
	for i, v := range m.at.f.Vars {
		switch v.Kind {
		case ir.Param:
			t := ir.Scalar(v.Type)
			if !holds(t, args[i]) {
				return m.at.invalid(t, args[i], "argument "+scalarName(v, 0))
			}
			m.mem.cells[m.at.base[i]] = args[i]
			m.mem.defined[m.at.base[i]] = true
		case ir.Local:
			if err := m.declare(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// declare gives v its initial value, if it has one.
func (m *machine) declare(v *ir.Var) error {
	err := m.declareOwn(v)
	if len(m.at.f.Types) > 0 && ir.HasUnion(v.Type) {
		m.castFirst(v)
	}
	return err
}

// declareOwn is declare without the members of unions that are not the first.
func (m *machine) declareOwn(v *ir.Var) error {
	base := m.at.base[v.Index]
	wide, _ := v.Type.(ir.Wide)
	switch {
	case v.Init != nil:
		if len(v.Init) != ir.Count(v.Type) {
			panic(fmt.Sprintf("interp: %d initial values for %s of type %s", len(v.Init), v, v.Type))
		}
		m.begin() // 6.7.9p23: the values of a list are not sequenced
		return inUse(v.Type, base, func(addr int, t ir.Type) error {
			value, err := m.initial(v, addr-base, t) // which may move the memory
			if err == nil {
				m.mem.cells[addr], m.mem.defined[addr] = value, true
			}
			return err
		})
	case v.Type == ir.Type(wide):
		for addr := base; addr < base+ir.Count(v.Type); addr++ {
			m.mem.cells[addr], m.mem.defined[addr] = 0, true
		}
	case v.Kind != ir.Local || m.at.rules.zeroes:
		// Other languages have locals start at zero, too.
		// "if it has arithmetic type, it is initialized to (positive or
		// unsigned) zero", which mem is already, "if it is a union, the first
		// named member is initialized".
		return inUse(v.Type, base, func(addr int, _ ir.Type) error {
			m.mem.defined[addr] = true
			return nil
		})
	}
	return nil
}

// initial returns the initial value of scalar elem of v, which is of type t.
func (m *machine) initial(v *ir.Var, elem int, t ir.Type) (int64, error) {
	switch t := t.(type) {
	case ir.Int:
		return m.initialInt(v, elem, t)
	case ir.Float:
		x, err := m.initialInt(v, elem, ir.I32)
		if err != nil {
			return 0, err
		}
		f, err := m.at.floatOf(t, ir.I32, x)
		return int64(math.Float64bits(f)), err
	case ir.Pointer:
		if v.Ptrs == nil || v.Ptrs[elem] == nil {
			return 0, nil
		}
		x, of, err := m.pointer(v.Ptrs[elem])
		if err == nil {
			checkPointers(t, of)
		}
		return int64(x), err
	}
	panic(fmt.Sprintf("interp: a scalar of type %s", t))
}

// initialInt returns the initial value of scalar elem of v, which is an integer
// of type t or converted from one.
func (m *machine) initialInt(v *ir.Var, elem int, t ir.Int) (int64, error) {
	switch e := v.Init[elem].(type) {
	case *ir.Const:
		if e.T != t {
			panic(fmt.Sprintf("interp: %s initialised with %s", scalarName(v, elem), e.T))
		}
		if !holds(t, e.V) {
			return 0, m.at.invalid(t, e.V, "initial value of "+scalarName(v, elem))
		}
		return e.V, nil
	case *ir.Sym:
		return 0, m.at.symbol(e)
	default:
		if v.Kind != ir.Local {
			panic(fmt.Sprintf("interp: %s initialised with a %T", scalarName(v, elem), e))
		}
		value, of, err := m.eval(e)
		if err == nil && of != t {
			panic(fmt.Sprintf("interp: %s initialised with %s", scalarName(v, elem), of))
		}
		return value, err
	}
}
