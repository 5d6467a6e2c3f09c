//go:build cgo && z3

package z3

import "goreify/reify/ir"

// assign is the rule ASSIGN.
func (e *encoder) assign(s *ir.Assign) error {
	c := cell{state: set}
	var err error
	switch of := ir.FamilyOf(s.Src); of {
	case ir.Integers:
		c.value, err = e.expr(s.Src)
	case ir.Pointers:
		c.ptr = new(pointer)
		*c.ptr, err = e.pointer(s.Src)
	case ir.Records:
		return e.copied(s)
	default:
		return otherFamily(of)
	}
	if err != nil {
		return err
	}
	dst, err := e.place(s.Dst)
	if err != nil {
		return err
	}
	if src := loaded(s.Src); src != nil && ir.HasUnion(dst.v.Type) {
		from, err := e.place(src)
		if err != nil {
			return err
		}
		e.apart(dst, from, src.Type())
	}
	return e.store(dst, s.Dst.Type(), []cell{c})
}

// copied encodes the assignment of a record.
func (e *encoder) copied(s *ir.Assign) error {
	src := s.Src.(*ir.Load).Place
	from, err := e.place(src)
	if err != nil {
		return err
	}
	t := src.Type()
	e.active(from, t)
	cells := make([]cell, ir.Count(t))
	for k, part := range from.part {
		for i := range cells {
			if c := e.cells[from.v.Index][part.cell+i]; k == 0 {
				cells[i] = c
			} else {
				cells[i] = e.merge(part.when, c, cells[i])
			}
		}
	}
	dst, err := e.place(s.Dst)
	if err != nil {
		return err
	}
	e.apart(dst, from, t)
	return e.store(dst, t, cells)
}

// checked encodes an arithmetic operation that tells whether it overflowed. The builtin
// may store the result before the place of the flag is known or after, so that place
// must not depend on it.
func (e *encoder) checked(s *ir.Overflow) error {
	x, err := e.expr(s.X)
	if err != nil {
		return err
	}
	y, err := e.expr(s.Y)
	if err != nil {
		return err
	}
	dst, err := e.place(s.Dst)
	if err != nil {
		return err
	}
	before := append([]cell(nil), e.cells[dst.v.Index]...)
	for _, part := range dst.part {
		e.forget(dst.v, part, part.cell)
	}
	flag, err := e.place(s.Flag)
	if err != nil {
		return err
	}
	copy(e.cells[dst.v.Index], before)
	for _, a := range dst.part {
		for _, b := range flag.part {
			if dst.v == flag.v && a.cell == b.cell {
				e.require(e.not(e.both(e.isPart(a), e.isPart(b))))
			}
		}
	}
	result, over := e.overflow(s.Op, x, y, s.Dst.Type().(ir.Int))
	if err := e.store(dst, s.Dst.Type(), []cell{{value: result, state: set}}); err != nil {
		return err
	}
	return e.store(flag, s.Flag.Type(), []cell{{value: e.convert(e.truth(over), s.Flag.Type().(ir.Int)), state: set}})
}
