//go:build cgo && z3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// An array is a cell for each of its scalars, and an index that is not a
// constant chooses among them with if-then-else. The arrays of these programs
// are small; Z3's theory of arrays would take the formula out of the reach of
// its bit-vector tactics.

// A target is the possible parts of one variable that a place may be, without
// repetition, of which it is exactly one.
type target struct {
	v    *ir.Var
	part []candidate
}

// A candidate is a part of a variable that a place may be.
type candidate struct {
	cell   int     // the first of its scalars
	always bool    // it is the only candidate
	when   z3.Bool // the indices select it, if not always
}

// place returns the target of p, and requires that its indices are in bounds, so that
// it is one of the candidates.
func (e *encoder) place(p ir.Place) (target, error) {
	switch p := p.(type) {
	case *ir.VarRef:
		return target{p.Var, []candidate{{always: true}}}, nil
	case *ir.Member:
		base, err := e.place(p.Base)
		if err != nil {
			return base, err
		}
		offset := p.Base.Type().(*ir.Record).Offset(p.Field)
		for i := range base.part {
			base.part[i].cell += offset
		}
		return base, nil
	case *ir.Elem:
		return e.element(p)
	case *ir.Deref:
		return e.pointee(p)
	}
	panic(fmt.Sprintf("z3: unknown place %T", p))
}

func (e *encoder) element(p *ir.Elem) (target, error) {
	base, err := e.place(p.Base)
	if err != nil {
		return base, err
	}
	index, err := e.expr(p.Index)
	if err != nil {
		return base, err
	}
	stride := ir.Count(p.Type())
	length := ir.Count(p.Base.Type()) / stride
	if c, ok := p.Index.(*ir.Const); ok {
		if c.V < 0 || c.V >= int64(length) {
			return base, fmt.Errorf("index %s of an array of %d: %w", c.T.Format(c.V), length, solve.ErrUnsat)
		}
		for i := range base.part {
			base.part[i].cell += int(c.V) * stride
		}
		return base, nil
	}
	e.inBounds(index, length)
	var all []candidate
	for _, b := range base.part {
		for i := range length {
			if !index.t.Holds(int64(i)) {
				break
			}
			is := e.compare(ir.Eq, index, e.constant(index.t, int64(i)))
			if !b.always {
				is = e.both(b.when, is)
			}
			all = append(all, candidate{cell: b.cell + i*stride, when: is})
		}
	}
	return target{base.v, all}, nil
}

func (a *arithmetic) inBounds(index value, n int) {
	size := a.constant(ir.I64, int64(n))
	w := max(index.width, size.width) + 1
	bv := a.widen(index, w)
	// As an unsigned number, a negative index is a large one.
	a.require(a.ult(bv, a.num(int64(n), w)))
}

func (e *encoder) load(p ir.Place) (value, error) {
	to, err := e.place(p)
	if err != nil {
		return value{}, err
	}
	t := p.Type().(ir.Int)
	var result value
	for i, c := range to.part {
		at := e.cells[to.v.Index][c.cell]
		if c.always {
			v, err := e.read(to.v, at)
			if err != nil {
				return value{}, err
			}
			return e.convert(v, t), nil
		}
		e.readIf(c.when, at)
		if at.state == unset {
			at.value = e.constant(t, 0) // never chosen
		}
		at.value = e.convert(at.value, t) // through a pointer the sign may differ
		if i == 0 {
			result = at.value
		} else {
			result = e.choose(c.when, at.value, result)
		}
	}
	return result, nil
}

// read returns the value of a cell of v and requires that it has one.
func (m *memory) read(v *ir.Var, c cell) (value, error) {
	switch c.state {
	case unset:
		return value{}, fmt.Errorf("%s is read before it is initialised: %w", v.Name, solve.ErrUnsat)
	case perhaps:
		m.require(c.set)
	}
	return c.value, nil
}

// readIf requires that the cell has a value if it is the one that is read.
func (m *memory) readIf(when z3.Bool, c cell) {
	switch c.state {
	case unset:
		m.require(m.not(when))
	case perhaps:
		m.require(m.either(m.not(when), c.set))
	}
}
