//go:build cgo && z3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// memory holds the values of the scalars of each variable at the end of the path so
// far: by variable, a cell for each scalar.
type memory struct {
	arithmetic
	cells [][]cell
}

// A cell is a scalar of a variable.
type cell struct {
	value
	ptr   *pointer // its target, if it is a pointer that is known
	state state
	set   z3.Bool // whether it has a value, if state is perhaps
}

// A state says whether a scalar has a value.
type state int

const (
	unset   state = iota
	perhaps       // a variable index decides
	set
)

// declare is the rules LOC-VAR and DECLARE.
func (e *encoder) declare(v *ir.Var) error {
	cells := make([]cell, ir.Count(v.Type))
	e.cells[v.Index] = cells
	for j := range cells {
		var err error
		if cells[j], err = e.declared(v, j); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) declared(v *ir.Var, j int) (cell, error) {
	zero := v.Init == nil && (v.Kind == ir.Global || v.Kind == ir.Static)
	if v.Kind != ir.Param && v.Init == nil && !zero || !first(v.Type, j) {
		return cell{}, nil
	}
	c := cell{state: set}
	switch t := ir.Cell(v.Type, j).(type) {
	case ir.Int:
		switch {
		case v.Kind == ir.Param:
			c.value = value{t, e.free(fmt.Sprintf("p%d", v.Index), t.Bits), t.Bits}
			e.args = append(e.args, c.value)
		case zero:
			c.value = e.constant(t, 0)
		default:
			var err error
			c.value, err = e.initial(v.Init[j])
			return c, err
		}
	case ir.Float:
		if zero {
			break
		}
		v, err := e.initial(v.Init[j])
		if err != nil {
			return c, err
		}
		if t == ir.F32 { // its initial value is one that the type holds
			e.require(e.compare(ir.Le, v, e.constant(ir.I32, 1<<24)))
			e.require(e.compare(ir.Ge, v, e.constant(ir.I32, -1<<24)))
		}
	case ir.Pointer:
		if zero || v.Ptrs == nil || v.Ptrs[j] == nil {
			c.ptr = &pointer{}
			break
		}
		p, err := e.pointer(v.Ptrs[j])
		if err != nil {
			return c, err
		}
		c.ptr = &p
	}
	return c, nil
}

func (e *encoder) initial(x ir.Expr) (value, error) {
	switch x := x.(type) {
	case *ir.Const:
		return e.constant(x.T, x.V), nil
	case *ir.Sym:
		return e.symbol(x, initial), nil
	}
	return e.expr(x)
}

// store puts cells into the possible targets of a place of type t.
func (m *memory) store(to target, t ir.Type, from []cell) error {
	if to.v.Const {
		return notEncoded("stores to a const object are")
	}
	cells := m.cells[to.v.Index]
	for _, part := range to.part {
		for i, c := range from {
			at := &cells[part.cell+i]
			if own, ok := ir.Cell(to.v.Type, part.cell+i).(ir.Int); ok && c.state != unset {
				c.value = m.convert(c.value, own) // through a pointer the sign may differ
			}
			if part.always {
				*at = c
			} else {
				*at = m.merge(part.when, c, *at)
			}
		}
		m.deactivate(to.v, part, t)
	}
	return nil
}

// merge returns x if c holds, else y.
func (m *memory) merge(c z3.Bool, x, y cell) cell {
	switch {
	case x.state == unset && y.state == unset:
		return cell{}
	case x.state == unset:
		y.set = m.both(m.isSet(y), m.not(c))
		y.state = perhaps
		return y
	case y.state == unset:
		if x.state == perhaps {
			c = m.both(x.set, c)
		}
		x.state, x.set = perhaps, c
		return x
	}
	result := cell{state: set}
	switch {
	case x.state == set && y.state == perhaps:
		result.state, result.set = perhaps, m.either(y.set, c)
	case x.state == perhaps:
		result.state = perhaps
		result.set = m.either(m.both(c, m.isSet(x)), m.both(m.not(c), m.isSet(y)))
	}
	if x.width > 0 && y.width > 0 {
		result.value = m.choose(c, x.value, y.value)
	}
	if x.ptr != nil && y.ptr != nil && *x.ptr == *y.ptr {
		result.ptr = x.ptr
	}
	return result
}

func (m *memory) isSet(c cell) z3.Bool {
	if c.state == perhaps {
		return c.set
	}
	return m.keepBool(m.ctx.FromBool(c.state == set))
}
