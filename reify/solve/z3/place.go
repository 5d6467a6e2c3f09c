//go:build cgo && !noz3

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

// A candidate is a scalar that a place may be.
type candidate struct {
	cell   int     // row-major
	always bool    // there is no other
	when   z3.Bool // the indices say so, if not always
}

// place returns the scalars that p may be, none of them twice, and requires
// that its indices are in bounds, so that it is one of them.
func (e *encoder) place(p ir.Place) ([]candidate, error) {
	switch p := p.(type) {
	case *ir.VarRef:
		return []candidate{{always: true}}, nil
	case *ir.Elem:
		base, err := e.place(p.Base)
		if err != nil {
			return nil, err
		}
		index, err := e.expr(p.Index)
		if err != nil {
			return nil, err
		}
		array := p.Base.Type().(ir.Array)
		if c, ok := p.Index.(*ir.Const); ok {
			if c.V < 0 || c.V >= int64(array.Len) {
				return nil, fmt.Errorf("index %s of an array of %d: %w", c.T.Format(c.V), array.Len, solve.ErrUnsat)
			}
			for i := range base {
				base[i].cell = base[i].cell*array.Len + int(c.V)
			}
			return base, nil
		}
		e.inBounds(index, array.Len)
		var all []candidate
		for _, b := range base {
			for i := range array.Len {
				if !index.t.Holds(int64(i)) {
					break
				}
				is := e.compare(ir.Eq, index, e.constant(index.t, int64(i)))
				if !b.always {
					is = e.both(b.when, is)
				}
				all = append(all, candidate{cell: b.cell*array.Len + i, when: is})
			}
		}
		return all, nil
	}
	panic(fmt.Sprintf("z3: unknown place %T", p))
}

func (e *encoder) inBounds(index value, n int) {
	size := e.constant(ir.I64, int64(n))
	w := max(index.width, size.width) + 1
	bv := e.widen(index, w)
	// As an unsigned number, a negative index is a large one.
	e.require(e.ult(bv, e.num(int64(n), w)))
}

func (e *encoder) load(p ir.Place) (value, error) {
	candidates, err := e.place(p)
	if err != nil {
		return value{}, err
	}
	root := ir.Root(p)
	var result value
	for i, c := range candidates {
		at := e.cells[root.Index][c.cell]
		if c.always {
			return e.read(root, at)
		}
		e.readIf(c.when, at)
		if at.state == unset {
			at.value = e.constant(ir.Scalar(root.Type), 0) // never chosen
		}
		if i == 0 {
			result = at.value
		} else {
			result = e.choose(c.when, at.value, result)
		}
	}
	return result, nil
}

// read returns the value of a cell of v and requires that it has one.
func (e *encoder) read(v *ir.Var, c cell) (value, error) {
	switch c.state {
	case unset:
		return value{}, fmt.Errorf("%s is read before it is initialised: %w", v.Name, solve.ErrUnsat)
	case perhaps:
		e.require(c.set)
	}
	return c.value, nil
}

// readIf requires that the cell has a value if it is the one that is read.
func (e *encoder) readIf(when z3.Bool, c cell) {
	switch c.state {
	case unset:
		e.require(e.not(when))
	case perhaps:
		e.require(e.either(e.not(when), c.set))
	}
}

func (e *encoder) store(p ir.Place, v value) error {
	candidates, err := e.place(p)
	if err != nil {
		return err
	}
	cells := e.cells[ir.Root(p).Index]
	for _, c := range candidates {
		at := &cells[c.cell]
		switch {
		case c.always:
			*at = cell{value: v, state: set}
		case at.state == unset:
			*at = cell{value: v, state: perhaps, set: c.when}
		default:
			at.value = e.choose(c.when, v, at.value)
			if at.state == perhaps {
				at.set = e.either(at.set, c.when)
			}
		}
	}
	return nil
}
