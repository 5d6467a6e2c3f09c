package search

import (
	"fmt"
	"math"
	"math/big"

	"goreify/reify/ir"
)

// execute executes a statement other than the Assign of an integer in place, or returns
// false if that is undefined. If pol is not nil, symbols in it that have no value get one.
func (ev *evaluator) execute(s ir.Stmt, state []int64, pol *policy) bool {
	switch s := s.(type) {
	case *ir.Assign:
		return ev.executeAssign(s, state, pol)
	case *ir.Overflow:
		return ev.overflow(s, state, pol)
	case *ir.Transfer:
		return ev.transfer(s, state, pol)
	case *ir.Fill:
		return ev.fill(s, state, pol)
	case *ir.Unreachable:
		return false
	case *ir.Assume:
		x, ok := ev.number(s.Cond, state, all(ir.IntOf(s.Cond)), pol)
		return ok && x != 0
	}
	panic(fmt.Sprintf("search: unknown statement %T", s))
}

// executeAssign executes s, which does not assign an integer.
func (ev *evaluator) executeAssign(s *ir.Assign, state []int64, pol *policy) (ok bool) {
	var x int64
	var wide word
	var lanes []int64
	t := s.Dst.Type()
	switch t.(type) {
	case ir.Pointer:
		x, ok = ev.pointer(s.Src, state, pol)
	case ir.Float:
		var v float64
		v, ok = ev.float(s.Src, state, pol)
		x = int64(math.Float64bits(v))
	case ir.Vector:
		lanes, ok = ev.vector(s.Src, state, pol)
	case ir.Wide:
		wide, ok = ev.wide(s.Src, state, pol)
	case *ir.Record:
		return ev.copyRecord(s, state, pol)
	}
	if !ok {
		return false
	}
	to, ok := ev.locate(s.Dst, state, pol)
	if !ok || ev.moves(source(s.Src), to, state) {
		return false
	}
	switch t := t.(type) {
	case ir.Wide:
		for i := range t.Cells() {
			state[to+i] = int64(wide[i])
		}
		return true
	case ir.Vector:
		if ev.vars[ev.varAt(to)].Const {
			return false
		}
		for i, x := range lanes {
			if ev.unions {
				ev.activate(to+i, state)
			}
			state[to+i] = x
		}
		return true
	}
	return ev.store(s.Dst, to, x, state)
}

// overflow executes s.
func (ev *evaluator) overflow(s *ir.Overflow, state []int64, pol *policy) bool {
	x, ok := ev.number(s.X, state, all(ir.IntOf(s.X)), pol)
	if !ok {
		return false
	}
	y, ok := ev.number(s.Y, state, all(ir.IntOf(s.Y)), pol)
	if !ok {
		return false
	}
	dst, ok := ev.locate(s.Dst, state, pol)
	if !ok {
		return false
	}
	flag, ok := ev.locate(s.Flag, state, pol)
	if !ok || flag == dst {
		return false
	}
	v, wrapped := exactly(s, x, y)
	return ev.store(s.Dst, dst, v, state) && ev.store(s.Flag, flag, b2i(wrapped), state)
}

// exactly returns what s computes of x and y, wrapped to the type of its
// destination, and whether it had to wrap.
func exactly(s *ir.Overflow, x, y int64) (v int64, wrapped bool) {
	tx, ty, t := ir.IntOf(s.X), ir.IntOf(s.Y), s.Dst.Type().(ir.Int)
	if tx != ir.U64 && ty != ir.U64 && t != ir.U64 {
		if v, ok := apply(s.Op, ir.I64, x, y); ok {
			return t.Wrap(v), !t.Holds(v)
		}
	}
	a, b := large(tx, x), large(ty, y)
	switch s.Op {
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

// moves reports whether p, or none if nil, is a place in one member of a union of which
// scalar to is another: 6.5.16.1p3 forbids the assignment.
func (ev *evaluator) moves(p ir.Place, to int, state []int64) bool {
	if !ev.unions || p == nil {
		return false
	}
	from, ok := ev.locate(p, state, nil)
	return ok && ev.overlap(from, to)
}

// source returns the place that e is the value of, or of which it is the converted
// number, or nil.
func source(e ir.Expr) ir.Place {
	for {
		switch x := e.(type) {
		case *ir.Load:
			return x.Place
		case *ir.Convert:
			if _, vector := x.T.(ir.Vector); !vector {
				e = x.X
				continue
			}
		}
		return nil
	}
}
