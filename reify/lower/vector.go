package lower

import (
	"fmt"

	"goreify/reify/ir"
)

// Vectors makes of a vector an array of its lanes. An operator is computed lane by lane
// within the statement, or into an array before it if it could trap, if its lanes have
// several uses or go to other positions, or if it is a VecCall. With mask, the count of a
// shift of lanes of less than 32 bits is taken modulo the width, as processors do whose
// shifts of 32 bits take theirs modulo 32; else it is taken as it is.
func Vectors(mask bool) Pass {
	return Pass{
		Name: "vectors",
		Lowers: func(n ir.Node) bool {
			e, ok := n.(ir.Expr)
			return ok && ir.FamilyOf(e) == ir.Vectors
		},
		stmt: func(r *rewriter, s ir.Stmt) bool {
			a, ok := s.(*ir.Assign)
			if !ok {
				return false
			}
			t, ok := a.Dst.Type().(ir.Vector)
			if ok {
				(&lanes{rewriter: r, mask: mask, eager: eager(a)}).assign(a, t)
			}
			return ok
		},
		typ: func(t ir.Type) ir.Type {
			if v, ok := t.(ir.Vector); ok {
				return ir.Array{Elem: v.Elem, Len: v.Lanes}
			}
			return t
		},
	}
}

// lanes is an assignment of a vector while it is lowered.
type lanes struct {
	*rewriter
	mask  bool
	eager bool // what may trap is computed where it stands, as others may trap before the statement
}

// A vector is one whose lanes can be computed, each once, by the expressions that lane
// returns.
type vector struct {
	t    ir.Vector
	lane func(i int) ir.Expr
	from []ir.Place // whose lanes do not go to the position that they are at
}

// eager reports whether a part of an assignment that is computed before it may trap,
// beside another part that may.
func eager(s *ir.Assign) bool {
	places, before := 0, false
	ir.Any(s, func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Load:
			if _, ok := n.Type().(ir.Vector); ok && !ir.Harmless(n.Place) {
				places++
			}
		case *ir.Binary:
			before = before || n.Op.Divides()
		case *ir.Convert:
			before = before || ir.FamilyOf(n.X) == ir.Floats
		case *ir.Call:
			before = true
		case *ir.VecOf, *ir.Shuffle, *ir.VecCall, *ir.Cast:
			before = before || !ir.Harmless(n)
		case *ir.Elem:
			before = before || !ir.Harmless(n.Index)
		case *ir.Deref:
			before = before || !ir.Harmless(n.X)
		}
		return false
	})
	return before && places > 0
}

// assign adds the statements that store each lane.
func (l *lanes) assign(s *ir.Assign, t ir.Vector) {
	x := l.vector(s.Src)
	for _, p := range x.from {
		if overlap(p, s.Dst) {
			x = l.array(x)
			break
		}
	}
	dst := l.held(s.Dst, false)
	for i := range t.Lanes {
		l.add(&ir.Assign{Dst: elem(dst, i), Src: x.lane(i)})
	}
}

// overlap reports whether two places may be one object.
func overlap(p, q ir.Place) bool {
	v, w := ir.Root(p), ir.Root(q)
	return v == nil || w == nil || v == w
}

// elem returns lane i of a place.
func elem(p ir.Place, i int) ir.Place {
	return &ir.Elem{Base: ir.CopyPlace(p), Index: number(ir.I32, int64(i))}
}

func number(t ir.Int, v int64) *ir.Const { return &ir.Const{T: t, V: v} }

// vector lowers the operands of e.
func (l *lanes) vector(e ir.Expr) vector {
	t := ir.TypeOf[ir.Vector](e)
	each := func(x ir.Expr, do func(lane ir.Expr) ir.Expr) vector {
		v := l.vector(x)
		return vector{t, func(i int) ir.Expr { return do(v.lane(i)) }, v.from}
	}
	switch e := e.(type) {
	case *ir.Load:
		p := l.held(e.Place, false)
		v := vector{t: t, lane: func(i int) ir.Expr { return &ir.Load{Place: elem(p, i)} }}
		if l.eager && !ir.Harmless(p) {
			return l.array(v)
		}
		return v
	case *ir.VecOf:
		return l.lanesOf(e)
	case *ir.VecCall:
		return l.apart(e.X)
	case *ir.Unary:
		return each(e.X, func(x ir.Expr) ir.Expr { return narrow(t.Elem, &ir.Unary{Op: e.Op, X: widen(x)}) })
	case *ir.Binary:
		x, y := l.vector(e.X), l.vector(e.Y)
		v := vector{t, func(i int) ir.Expr { return l.binary(e.Op, t.Elem, x.lane(i), y.lane(i)) }, append(x.from, y.from...)}
		if e.Op.Divides() {
			return l.array(v)
		}
		return v
	case *ir.Convert:
		return each(e.X, func(x ir.Expr) ir.Expr { return convert(t.Elem, x) })
	case *ir.Cast:
		if ir.TypeOf[ir.Vector](e.X).Elem.Bits == t.Elem.Bits {
			return each(e.X, func(x ir.Expr) ir.Expr { return convert(t.Elem, x) })
		}
		x := l.anywhere(e.X)
		return vector{t, func(i int) ir.Expr { return castLane(x, t.Elem, i) }, x.from}
	case *ir.Shuffle:
		n := ir.TypeOf[ir.Vector](e.X).Lanes
		x, y := l.anywhere(e.X), l.anywhere(e.Y)
		return vector{t, func(i int) ir.Expr {
			if k := e.Index[i]; k < n {
				return x.lane(k)
			}
			return y.lane(e.Index[i] - n)
		}, append(x.from, y.from...)}
	}
	panic(fmt.Sprintf("lower: unknown vector %T", e))
}

// lanesOf lowers a vector of its lanes: constants stay, others are computed in order.
func (l *lanes) lanesOf(e *ir.VecOf) vector {
	plain := true
	for _, x := range e.Lanes {
		_, ok := x.(*ir.Const)
		plain = plain && ok
	}
	v := vector{t: e.T, lane: func(i int) ir.Expr { return e.Lanes[i] }}
	if !plain {
		return l.array(v)
	}
	v.lane = func(i int) ir.Expr { return ir.CopyExpr(e.Lanes[i]) }
	return v
}

// array computes a vector now.
func (l *lanes) array(v vector) vector { return l.without(0, v) }

// without computes the lanes of a vector now that are not in a set.
func (l *lanes) without(set uint64, v vector) vector {
	p := &ir.VarRef{Var: l.temp(ir.Array{Elem: v.t.Elem, Len: v.t.Lanes})}
	for i := range v.t.Lanes {
		if set>>i&1 == 0 {
			l.add(&ir.Assign{Dst: elem(p, i), Src: v.lane(i)})
		}
	}
	return vector{t: v.t, lane: func(i int) ir.Expr { return &ir.Load{Place: elem(p, i)} }}
}

// anywhere lowers an operand of which each lane may have any number of uses at other
// positions.
func (l *lanes) anywhere(e ir.Expr) vector {
	switch e := e.(type) {
	case *ir.VecOf, *ir.VecCall:
		return l.vector(e) // constants, or an array
	case *ir.Load:
		v := l.vector(e)
		if harmless := ir.Harmless(e); l.eager && !harmless {
			return v // is in an array
		} else if !harmless || isVolatile(e.Place) {
			return l.array(v)
		}
		v.from = []ir.Place{e.Place}
		return v
	}
	return l.apart(e)
}

// isVolatile reports whether reads of a place count.
func isVolatile(p ir.Place) bool {
	return (&ir.AddrOf{Place: p}).Type().(ir.Pointer).Volatile
}

// apart lowers the operands of an operator and the operator into arrays of their own.
func (l *lanes) apart(e ir.Expr) vector {
	v := l.vector(e)
	if b, ok := e.(*ir.Binary); ok && b.Op.Divides() {
		return v // is in an array
	}
	return l.without(ir.Undefined(e), v)
}

// widen returns a lane as an operand of an operator: of 32 bits at least, with the sign
// of the lane, so that products of unsigned lanes wrap.
func widen(x ir.Expr) ir.Expr {
	t := ir.IntOf(x)
	if t.Bits >= 32 {
		return x
	}
	return convert(ir.Int{Bits: 32, Signed: t.Signed}, x)
}

// narrow returns the low bits of a result as a lane.
func narrow(t ir.Int, x ir.Expr) ir.Expr {
	if t.Bits >= 32 {
		return x
	}
	return convert(t, x)
}

func convert(t ir.Int, x ir.Expr) ir.Expr {
	if k, ok := x.(*ir.Const); ok {
		return number(t, t.Wrap(k.V))
	}
	if ir.IntOf(x) == t {
		return x
	}
	return &ir.Convert{T: t.Boxed(), X: x}
}

// binary returns a lane of type t of an operator on two lanes.
func (l *lanes) binary(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	of := ir.IntOf(x)
	switch {
	case op.Compares() && of.Bits < 32:
		x, y = convert(ir.I32, x), convert(ir.I32, y)
	default:
		x, y = widen(x), widen(y)
	}
	if k, ok := y.(*ir.Const); l.mask && op.Shifts() && of.Bits < 32 && !(ok && k.V >= 0 && k.V < int64(of.Bits)) {
		y = &ir.Binary{Op: ir.And, X: y, Y: number(ir.IntOf(y), int64(of.Bits-1))}
	}
	e := ir.Expr(&ir.Binary{Op: op, X: x, Y: y})
	if op.Compares() {
		return convert(t, &ir.Unary{Op: ir.Neg, X: e})
	}
	return narrow(t, e)
}

// castLane returns lane i of a vector whose bytes are those of lanes of another width.
func castLane(x vector, t ir.Int, i int) ir.Expr {
	from := x.t.Elem
	word := ir.U32
	if max(from.Bits, t.Bits) > 32 {
		word = ir.U64
	}
	shifted := func(op ir.Op, e ir.Expr, by int) ir.Expr {
		if by == 0 {
			return e
		}
		return &ir.Binary{Op: op, X: e, Y: number(word, int64(by))}
	}
	if n := from.Bits / t.Bits; n > 1 {
		if i%n == 0 {
			return convert(t, x.lane(i/n))
		}
		return convert(t, shifted(ir.Shr, convert(word, x.lane(i/n)), i%n*t.Bits))
	}
	var e ir.Expr
	for k := range t.Bits / from.Bits {
		part := convert(ir.Int{Bits: from.Bits}, x.lane(i*(t.Bits/from.Bits)+k))
		part = shifted(ir.Shl, convert(word, part), k*from.Bits)
		if e == nil {
			e = part
		} else {
			e = &ir.Binary{Op: ir.Or, X: e, Y: part}
		}
	}
	return convert(t, e)
}
