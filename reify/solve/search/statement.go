package search

import (
	"fmt"
	"math"
	"math/big"

	"goreify/reify/ir"
)

// execute executes a statement other than an Assign in place, or returns false if
// that is undefined. If m is not nil, symbols in it that have no value get one.
func (r *run) execute(s ir.Stmt, state []int64, m *policy) bool {
	switch s := s.(type) {
	case *ir.AssignPtr:
		x, ok := r.pointer(s.Src, state, m)
		if !ok {
			return false
		}
		to, ok := r.locate(s.Dst, state, m)
		if load, is := s.Src.(*ir.LoadPtr); is && ok && r.moves(load.Place, to, state) {
			return false
		}
		return ok && r.store(s.Dst, to, x, state)
	case *ir.AssignFloat:
		x, ok := r.float(s.Src, state, m)
		if !ok {
			return false
		}
		to, ok := r.locate(s.Dst, state, m)
		if ok && r.moves(floatSource(s.Src), to, state) {
			return false
		}
		return ok && r.store(s.Dst, to, int64(math.Float64bits(x)), state)
	case *ir.AssignVec:
		lanes, ok := r.vector(s.Src, state, m)
		if !ok {
			return false
		}
		to, ok := r.locate(s.Dst, state, m)
		if load, is := s.Src.(*ir.VecLoad); is && ok && r.moves(load.Place, to, state) {
			return false
		}
		if !ok || r.f.Vars[r.varAt(to)].Const {
			return false
		}
		for i, x := range lanes {
			if r.unions {
				r.activate(to+i, state)
			}
			state[to+i] = x
		}
		return true
	case *ir.Copy:
		return r.copyRecord(s, state, m)
	case *ir.Overflow:
		return r.overflow(s, state, m)
	case *ir.Unreachable:
		return false
	}
	panic(fmt.Sprintf("search: unknown statement %T", s))
}

// overflow executes s.
func (r *run) overflow(s *ir.Overflow, state []int64, m *policy) bool {
	x, ok := r.number(s.X, state, all(s.X.Type()), m)
	if !ok {
		return false
	}
	y, ok := r.number(s.Y, state, all(s.Y.Type()), m)
	if !ok {
		return false
	}
	dst, ok := r.locate(s.Dst, state, m)
	if !ok {
		return false
	}
	flag, ok := r.locate(s.Flag, state, m)
	if !ok || flag == dst {
		return false
	}
	t := s.Dst.Type().(ir.Int)
	v, wrapped := exactly(s.Op, s.X.Type(), s.Y.Type(), t, x, y)
	return r.store(s.Dst, dst, v, state) && r.store(s.Flag, flag, b2i(wrapped), state)
}

// exactly returns x op y as a value of type t, and whether it had to wrap.
func exactly(op ir.Op, tx, ty, t ir.Int, x, y int64) (v int64, wrapped bool) {
	if tx != ir.U64 && ty != ir.U64 && t != ir.U64 {
		if v, ok := apply(op, ir.I64, x, y); ok {
			return t.Wrap(v), !t.Holds(v)
		}
	}
	a, b := large(tx, x), large(ty, y)
	switch op {
	case ir.Add:
		a.Add(a, b)
	case ir.Sub:
		a.Sub(a, b)
	case ir.Mul:
		a.Mul(a, b)
	}
	low := new(big.Int).And(a, new(big.Int).SetUint64(math.MaxUint64))
	v = t.Wrap(int64(low.Uint64()))
	return v, large(t, v).Cmp(a) != 0
}

func large(t ir.Int, v int64) *big.Int {
	if t.Signed {
		return big.NewInt(v)
	}
	return new(big.Int).SetUint64(uint64(v))
}

// moves reports whether p, which is nil for none, is a place in one member of a
// union of which scalar to is another: 6.5.16.1p3 forbids the assignment.
func (r *run) moves(p ir.Place, to int, state []int64) bool {
	if !r.unions || p == nil {
		return false
	}
	from, ok := r.locate(p, state, nil)
	return ok && r.overlap(from, to)
}

// source returns the place that e is the value of, converted at most, or nil.
func source(e ir.Expr) ir.Place {
	switch e := e.(type) {
	case *ir.Load:
		return e.Place
	case *ir.Convert:
		return source(e.X)
	case *ir.FloatToInt:
		return floatSource(e.X)
	}
	return nil
}

func floatSource(e ir.FloatExpr) ir.Place {
	switch e := e.(type) {
	case *ir.FloatLoad:
		return e.Place
	case *ir.FloatConvert:
		return floatSource(e.X)
	case *ir.FloatOf:
		return source(e.X)
	}
	return nil
}
