package search

import (
	"fmt"
	"math/bits"

	"goreify/reify/ir"
)

// A word is a value of a wide type, sign- or zero-extended. The low bits come first.
type word [ir.MaxWide / 64]uint64

// wide returns the value of e in a state, or false if that is undefined. If pol is
// not nil, symbols in it that have no value get one.
func (ev *evaluator) wide(e ir.Expr, state []int64, pol *policy) (v word, ok bool) {
	switch e := e.(type) {
	case *ir.Load:
		at, ok := ev.locate(e.Place, state, pol)
		if !ok {
			return v, false
		}
		t := e.Type().(ir.Wide)
		for i := range t.Cells() {
			v[i] = uint64(state[at+i])
		}
		return v.wrap(t), true
	case *ir.Convert:
		t := e.T.(ir.Wide)
		of, ok := ir.AsInt(e.X)
		if !ok {
			v, ok = ev.wide(e.X, state, pol)
			return v.wrap(t), ok
		}
		x, ok := ev.number(e.X, state, all(of), pol)
		v[len(v)-1] = uint64(x)
		return v.shr(ir.MaxWide-64, of.Signed).wrap(t), ok
	case *ir.Unary:
		x, ok := ev.wide(e.X, state, pol)
		v, defined := applyWideUnary(e.Op, ir.TypeOf[ir.Wide](e.X), x)
		return v, ok && defined
	case *ir.Binary:
		x, y, ok := both(ev, (*evaluator).wide, [2]ir.Expr{e.X, e.Y}, state, pol)
		if !ok {
			return v, false
		}
		return applyWide(e.Op, ir.TypeOf[ir.Wide](e.X), x, y)
	case *ir.Select:
		taken, _, ok := ev.sides(e, state, pol)
		if !ok {
			return v, false
		}
		return ev.wide(taken, state, pol)
	}
	panic(fmt.Sprintf("search: unknown wide expression %T", e))
}

// applyWideUnary returns op x in t, or false if that is undefined.
func applyWideUnary(op ir.UnOp, t ir.Wide, x word) (v word, ok bool) {
	if op != ir.Not {
		return applyWide(ir.Sub, t, word{}, x)
	}
	for i := range x {
		v[i] = ^x[i]
	}
	return v.wrap(t), true
}

// compareWide returns whether a comparison holds, as a number.
func compareWide(op ir.Op, t ir.Wide, x, y word) int64 {
	v, _ := apply(op, ir.I32, b2i(y.below(x, t.Signed)), b2i(x.below(y, t.Signed)))
	return v
}

// eachWord puts into each lane of x, of 128 bits, the value of f on it and on that of y. It
// returns false if one is undefined.
func eachWord(x, y []int64, f func(x, y word) (word, bool)) ([]int64, bool) {
	at := func(cells []int64) (v word) {
		for i := range v {
			v[i] = uint64(cells[i])
		}
		return v
	}
	for i := 0; i < len(x); i += len(word{}) {
		v, ok := f(at(x[i:]), at(y[i:]))
		if !ok {
			return nil, false
		}
		for k := range v {
			x[i+k] = int64(v[k])
		}
	}
	return x, true
}

func (x word) negative() bool { return x[len(x)-1]>>63 == 1 }

func (x word) negated() word {
	v, _ := word{}.minus(x)
	return v
}

func (x word) plus(y word) (v word, carry uint64) {
	for i := range x {
		v[i], carry = bits.Add64(x[i], y[i], carry)
	}
	return v, carry
}

func (x word) minus(y word) (v word, borrow uint64) {
	for i := range x {
		v[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
	return v, borrow
}

func (x word) shl(n uint) (v word) {
	skip := int(n / 64)
	for i := skip; i < len(v); i++ {
		v[i] = x[i-skip] << (n % 64)
		if i > skip {
			v[i] |= x[i-skip-1] >> (64 - n%64)
		}
	}
	return v
}

// shr fills with zeros, or with the sign.
func (x word) shr(n uint, signed bool) (v word) {
	fill := uint64(0)
	if signed && x.negative() {
		fill = 1<<64 - 1
	}
	above, skip := fill, int(n/64)
	for i := len(v) - 1; i >= 0; i-- {
		v[i] = fill
		if i+skip < len(x) {
			v[i] = x[i+skip]>>(n%64) | above<<(64-n%64)
			above = x[i+skip]
		}
	}
	return v
}

// wrap returns what t holds of x.
func (x word) wrap(t ir.Wide) word {
	n := uint(ir.MaxWide - t.Bits)
	return x.shl(n).shr(n, t.Signed)
}

// below reports whether x < y.
func (x word) below(y word, signed bool) bool {
	if signed && x.negative() != y.negative() {
		return x.negative()
	}
	_, borrow := x.minus(y)
	return borrow == 1
}

// size returns the magnitude of x, a value of type t, and whether x is negative.
func (x word) size(t ir.Wide) (word, bool) {
	if t.Signed && x.negative() {
		return x.negated(), true
	}
	return x, false
}

// product returns x y, and whether a word does not hold that. The numbers are unsigned.
func (x word) product(y word) (v word, lost bool) {
	for i := range x {
		carry := uint64(0)
		for j := range y {
			hi, lo := bits.Mul64(x[i], y[j])
			if i+j >= len(v) {
				lost = lost || hi|lo != 0
				continue
			}
			lo, c1 := bits.Add64(lo, carry, 0)
			lo, c2 := bits.Add64(lo, v[i+j], 0)
			v[i+j], carry = lo, hi+c1+c2
		}
		lost = lost || carry != 0
	}
	return v, lost
}

// quotient returns x / y and x % y for y other than zero. The numbers are unsigned.
func (x word) quotient(y word) (q, r word) {
	for i := ir.MaxWide - 1; i >= 0; i-- {
		var over uint64
		r, over = r.plus(r)
		r[0] |= x[i/64] >> (i % 64) & 1
		if less, borrow := r.minus(y); over == 1 || borrow == 0 {
			r = less
			q[i/64] |= 1 << (i % 64)
		}
	}
	return q, r
}

// applyWide returns x op y in t, or false if that is undefined.
func applyWide(op ir.Op, t ir.Wide, x, y word) (v word, ok bool) {
	switch op {
	case ir.And, ir.Or, ir.Xor:
		for i := range v {
			c, _ := apply(op, ir.I64, int64(x[i]), int64(y[i]))
			v[i] = uint64(c)
		}
		return v, true
	case ir.Shl, ir.Shr:
		n := uint(y[0])
		switch {
		case y != (word{y[0]}) || n >= uint(t.Bits):
			return v, false
		case op == ir.Shr:
			return x.shr(n, t.Signed), true
		}
		v = x.shl(n).wrap(t)
		return v, !t.Signed || !x.negative() && !v.negative() && v.shr(n, false) == x
	case ir.Div, ir.Rem:
		if y == (word{}) {
			return v, false
		}
	}
	v, fits := calculate(op, t, x, y)
	return v, fits || !t.Signed
}

// calculate returns what t holds of x op y, and whether that is all: of a remainder, all of
// the quotient.
func calculate(op ir.Op, t ir.Wide, x, y word) (v word, fits bool) {
	a, minusX := x.size(t)
	b, minusY := y.size(t)
	minus, lost := minusX != minusY, false
	var rest word
	switch op {
	case ir.Add, ir.Sub:
		sum := word.plus
		if op == ir.Sub {
			sum, minus = word.minus, !minus
		}
		var over uint64
		v, over = sum(x, y)
		lost = !t.Signed && over == 1 || t.Signed && !minus && v.negative() != minusX
	case ir.Mul, ir.Div, ir.Rem:
		if op == ir.Mul {
			v, lost = a.product(b)
		} else {
			v, rest = a.quotient(b)
		}
		if minus {
			v = v.negated()
		}
		lost = lost || t.Signed && v.negative() != minus && v != word{}
	default:
		panic("search: unknown operator " + op.String())
	}
	w := v.wrap(t)
	fits = w == v && !lost
	if op == ir.Rem {
		if w = rest; minusX {
			w = rest.negated()
		}
	}
	return w, fits
}

// overflows returns whether the type of the operands of e does not hold x op y, or false
// if that is undefined.
func (ev *evaluator) overflows(e *ir.Builtin, op ir.Op, state []int64, pol *policy) (int64, bool) {
	x, y, ok := both(ev, (*evaluator).wide, [2]ir.Expr(e.Args), state, pol)
	_, fits := calculate(op, ir.TypeOf[ir.Wide](e.Args[0]), x, y)
	return b2i(!fits), ok
}
