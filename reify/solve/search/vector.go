package search

import (
	"fmt"

	"goreify/reify/ir"
)

// vector returns the lanes of e in a state, or false if that is undefined. If pol
// is not nil, symbols in it that have no value get one. The lanes are new.
func (ev *evaluator) vector(e ir.Expr, state []int64, pol *policy) ([]int64, bool) {
	switch e := e.(type) {
	case *ir.Load:
		at, ok := ev.locate(e.Place, state, pol)
		if !ok {
			return nil, false
		}
		n := ir.TypeOf[ir.Vector](e).Lanes
		for i := range n {
			if ev.unions && state[ev.cells+at+i] == 0 {
				return nil, false
			}
		}
		return append([]int64(nil), state[at:at+n]...), true
	case *ir.VecOf:
		lanes := make([]int64, len(e.Lanes))
		for i, lane := range e.Lanes {
			var ok bool
			if lanes[i], ok = ev.number(lane, state, all(e.T.Elem), pol); !ok {
				return nil, false
			}
		}
		return lanes, true
	case *ir.Unary:
		x, ok := ev.vector(e.X, state, pol)
		t := ir.TypeOf[ir.Vector](e.X).Elem
		if ok && t.Bits > 64 {
			return eachWord(x, x, func(x, _ word) (word, bool) { return applyWideUnary(e.Op, ir.Wide{Bits: t.Bits, Signed: t.Signed}, x) })
		}
		for i := range x {
			if x[i], ok = applyUnary(e.Op, t, x[i]); !ok {
				return nil, false
			}
		}
		return x, ok
	case *ir.Binary:
		x, y, ok := both(ev, (*evaluator).vector, [2]ir.Expr{e.X, e.Y}, state, pol)
		if !ok {
			return nil, false
		}
		t := ir.TypeOf[ir.Vector](e.X).Elem
		if t.Bits > 64 {
			of := ir.Wide{Bits: t.Bits, Signed: t.Signed}
			return eachWord(x, y, func(x, y word) (word, bool) {
				if !e.Op.Compares() {
					return applyWide(e.Op, of, x, y)
				}
				all := uint64(-compareWide(e.Op, of, x, y))
				return word{all, all}, true
			})
		}
		for i := range x {
			if x[i], ok = apply(e.Op, t, x[i], y[i]); !ok {
				return nil, false
			}
			if e.Op.Compares() {
				x[i] = -x[i]
			}
		}
		return x, true
	case *ir.Shuffle:
		x, y, ok := both(ev, (*evaluator).vector, [2]ir.Expr{e.X, e.Y}, state, pol)
		if !ok {
			return nil, false
		}
		both := append(x, y...)
		lanes := make([]int64, len(e.Index))
		for i, k := range e.Index {
			if k >= 0 {
				lanes[i] = both[k]
			}
		}
		return lanes, true
	case *ir.Convert:
		x, ok := ev.vector(e.X, state, pol)
		for i := range x {
			x[i] = e.T.(ir.Vector).Elem.Wrap(x[i])
		}
		return x, ok
	case *ir.Cast:
		x, ok := ev.vector(e.X, state, pol)
		if !ok {
			return nil, false
		}
		t := e.T.(ir.Vector)
		from, to := min(ir.TypeOf[ir.Vector](e.X).Elem.Bits, 64), min(t.Elem.Bits, 64) // of a cell
		lanes := make([]int64, t.Cells())
		for bit := range len(lanes) * to {
			lanes[bit/to] |= x[bit/from] >> (bit % from) & 1 << (bit % to)
		}
		if t.Elem.Bits <= 64 {
			for i := range lanes {
				lanes[i] = t.Elem.Wrap(lanes[i])
			}
		}
		return lanes, true
	case *ir.VecCall:
		return ev.vector(e.X, state, pol)
	}
	panic(fmt.Sprintf("search: unknown vector expression %T", e))
}
