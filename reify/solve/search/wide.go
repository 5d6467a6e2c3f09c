package search

import (
	"fmt"
	"math/bits"

	"goreify/reify/ir"
)

// A word is a value of a wide type, sign- or zero-extended to 128 bits.
type word struct{ hi, lo uint64 }

// wide returns the value of e in a state, or false if that is undefined. If pol is
// not nil, symbols in it that have no value get one.
func (ev *evaluator) wide(e ir.Expr, state []int64, pol *policy) (word, bool) {
	switch e := e.(type) {
	case *ir.Load:
		at, ok := ev.locate(e.Place, state, pol)
		if !ok {
			return word{}, false
		}
		return word{uint64(state[at+1]), uint64(state[at])}, true
	case *ir.Convert:
		t := e.T.(ir.Wide)
		of, ok := ir.AsInt(e.X)
		if !ok {
			x, ok := ev.wide(e.X, state, pol)
			return x.wrap(t), ok
		}
		x, ok := ev.number(e.X, state, all(of), pol)
		v := word{0, uint64(x)}
		if of.Signed {
			v.hi = uint64(x >> 63)
		}
		return v.wrap(t), ok
	case *ir.Unary:
		x, ok := ev.wide(e.X, state, pol)
		t := ir.TypeOf[ir.Wide](e.X)
		if e.Op == ir.Not {
			return word{^x.hi, ^x.lo}.wrap(t), ok
		}
		v := x.negated().wrap(t)
		return v, ok && !(t.Signed && x.negative() && v.negative())
	case *ir.Binary:
		x, y, ok := both(ev, (*evaluator).wide, [2]ir.Expr{e.X, e.Y}, state, pol)
		if !ok {
			return word{}, false
		}
		return applyWide(e.Op, ir.TypeOf[ir.Wide](e.X), x, y)
	case *ir.Select:
		taken, _, ok := ev.sides(e, state, pol)
		if !ok {
			return word{}, false
		}
		return ev.wide(taken, state, pol)
	}
	panic(fmt.Sprintf("search: unknown wide expression %T", e))
}

func (x word) negative() bool { return x.hi>>63 == 1 }

func (x word) negated() word { return word{}.minus(x) }

func (x word) plus(y word) word {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return word{hi, lo}
}

func (x word) minus(y word) word {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return word{hi, lo}
}

func (x word) shl(n uint) word {
	if n >= 64 {
		return word{x.lo << (n - 64), 0}
	}
	return word{x.hi<<n | x.lo>>(64-n), x.lo << n}
}

// shr fills with zeros, sar with the sign.
func (x word) shr(n uint) word {
	if n >= 64 {
		return word{0, x.hi >> (n - 64)}
	}
	return word{x.hi >> n, x.lo>>n | x.hi<<(64-n)}
}

func (x word) sar(n uint) word {
	v := x.shr(n)
	if x.negative() && n > 0 {
		ones := word{1<<64 - 1, 1<<64 - 1}.shl(128 - n)
		v.hi, v.lo = v.hi|ones.hi, v.lo|ones.lo
	}
	return v
}

// wrap returns what t holds of x.
func (x word) wrap(t ir.Wide) word {
	n := uint(128 - t.Bits)
	if t.Signed {
		return x.shl(n).sar(n)
	}
	return x.shl(n).shr(n)
}

// below reports whether x < y, without signs.
func (x word) below(y word) bool { return x.hi < y.hi || x.hi == y.hi && x.lo < y.lo }

// size returns the magnitude of x, a value of type t, and whether x is negative.
func (x word) size(t ir.Wide) (word, bool) {
	if t.Signed && x.negative() {
		return x.negated(), true
	}
	return x, false
}

// product returns x y, and whether 128 bits do not hold that. The numbers are unsigned.
func (x word) product(y word) (v word, lost bool) {
	v.hi, v.lo = bits.Mul64(x.lo, y.lo)
	h1, l1 := bits.Mul64(x.hi, y.lo)
	h2, l2 := bits.Mul64(x.lo, y.hi)
	var c1, c2 uint64
	v.hi, c1 = bits.Add64(v.hi, l1, 0)
	v.hi, c2 = bits.Add64(v.hi, l2, 0)
	return v, h1|h2|c1|c2 != 0 || x.hi != 0 && y.hi != 0
}

// quotient returns x / y and x % y for y other than zero. The numbers are unsigned.
func (x word) quotient(y word) (q, r word) {
	for i := 127; i >= 0; i-- {
		over := r.negative()
		r = r.shl(1)
		r.lo |= x.shr(uint(i)).lo & 1
		q = q.shl(1)
		if over || !r.below(y) {
			r = r.minus(y)
			q.lo |= 1
		}
	}
	return q, r
}

// applyWide returns x op y in t, or false if that is undefined.
func applyWide(op ir.Op, t ir.Wide, x, y word) (word, bool) {
	switch op {
	case ir.And:
		return word{x.hi & y.hi, x.lo & y.lo}, true
	case ir.Or:
		return word{x.hi | y.hi, x.lo | y.lo}, true
	case ir.Xor:
		return word{x.hi ^ y.hi, x.lo ^ y.lo}, true
	case ir.Add, ir.Sub:
		if op == ir.Sub {
			v := x.minus(y)
			wraps := x.negative() != y.negative() && v.negative() != x.negative()
			return v.wrap(t), !t.Signed || v.wrap(t) == v && !wraps
		}
		v := x.plus(y)
		wraps := x.negative() == y.negative() && v.negative() != x.negative()
		return v.wrap(t), !t.Signed || v.wrap(t) == v && !wraps
	case ir.Shl, ir.Shr:
		if y.hi != 0 || y.lo >= uint64(t.Bits) {
			return word{}, false
		}
		n := uint(y.lo)
		switch {
		case op == ir.Shr && t.Signed:
			return x.sar(n), true
		case op == ir.Shr:
			return x.shr(n), true
		}
		v := x.shl(n).wrap(t)
		return v, !t.Signed || !x.negative() && !v.negative() && v.shr(n) == x
	}
	a, minusX := x.size(t)
	b, minusY := y.size(t)
	minus := minusX != minusY
	var v word
	var lost bool
	switch op {
	case ir.Mul:
		v, lost = a.product(b)
	case ir.Div, ir.Rem:
		if b == (word{}) {
			return word{}, false
		}
		q, r := a.quotient(b)
		v = q
		if op == ir.Rem {
			if minusX {
				r = r.negated()
			}
			// The remainder is undefined where the quotient is.
			return r, !t.Signed || minus || !q.wrap(t).negative()
		}
	default:
		panic("search: unknown operator " + op.String())
	}
	if !t.Signed {
		return v.wrap(t), true
	}
	if minus {
		v = v.negated()
	}
	w := v.wrap(t)
	return w, !lost && w == v && (w == word{} || w.negative() == minus)
}

// overflows returns whether the type of the operands of e, which has 128 bits, does not
// hold x op y, or false if that is undefined.
func (ev *evaluator) overflows(e *ir.Builtin, op ir.Op, state []int64, pol *policy) (int64, bool) {
	x, y, ok := both(ev, (*evaluator).wide, [2]ir.Expr(e.Args), state, pol)
	if !ok {
		return 0, false
	}
	t := ir.TypeOf[ir.Wide](e.Args[0])
	switch {
	case t.Signed:
		_, fits := applyWide(op, t, x, y)
		return b2i(!fits), true
	case op == ir.Add:
		return b2i(x.plus(y).below(x)), true
	case op == ir.Sub:
		return b2i(x.below(y)), true
	}
	_, lost := x.product(y)
	return b2i(lost), true
}
