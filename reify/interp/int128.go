package interp

import (
	"cmp"
	"fmt"
	"math/bits"

	"goreify/reify/ir"
)

// An int128 is a value of a wide type, sign- or zero-extended to 128 bits.
type int128 struct{ hi, lo uint64 }

func (x int128) negative() bool { return int64(x.hi) < 0 }

// cut returns x modulo 2^Bits of t (6.3.1.3), extended.
func (x int128) cut(t ir.Wide) int128 {
	if t.Bits > 64 {
		return int128{extend(x.hi, t.Bits-64, t.Signed), x.lo}
	}
	lo := extend(x.lo, t.Bits, t.Signed)
	if t.Signed {
		return int128{uint64(int64(lo) >> 63), lo}
	}
	return int128{0, lo}
}

// extend returns the low bits of x, sign- or zero-extended.
func extend(x uint64, low int, signed bool) uint64 {
	n := 64 - low
	if signed {
		return uint64(int64(x<<n) >> n)
	}
	return x << n >> n
}

// wideOf returns x, a value of type t.
func wideOf(t ir.Int, x int64) int128 {
	if t.Signed {
		return int128{uint64(x >> 63), uint64(x)}
	}
	return int128{0, uint64(x)}
}

// compare returns -1, 0 or 1, as x is less than y, equal or greater.
func (x int128) compare(y int128, signed bool) int64 {
	if x.hi == y.hi {
		return int64(cmp.Compare(x.lo, y.lo))
	}
	if signed {
		return int64(cmp.Compare(int64(x.hi), int64(y.hi)))
	}
	return int64(cmp.Compare(x.hi, y.hi))
}

// compute returns a sum, difference, product or quotient modulo 2^128, and whether 128
// bits hold it, of which one may be a sign. Of Rem it returns the quotient, too.
func (x int128) compute(op ir.Op, y int128, signed bool) (v int128, fits bool) {
	switch op {
	case ir.Add:
		v = x.add(y)
		if !signed {
			return v, v.compare(x, false) >= 0
		}
		return v, x.negative() != y.negative() || v.negative() == x.negative()
	case ir.Sub:
		v = x.sub(y)
		if !signed {
			return v, x.compare(y, false) >= 0
		}
		return v, x.negative() == y.negative() || v.negative() == x.negative()
	case ir.Mul:
		return x.mul(y, signed)
	case ir.Div, ir.Rem:
		v, _, fits = x.div(y, signed)
		return v, fits
	}
	panic(fmt.Sprintf("interp: %s of a wide integer", op))
}

// add returns x + y modulo 2^128.
func (x int128) add(y int128) int128 {
	lo, carry := bits.Add64(x.lo, y.lo, 0)
	hi, _ := bits.Add64(x.hi, y.hi, carry)
	return int128{hi, lo}
}

// sub returns x - y modulo 2^128.
func (x int128) sub(y int128) int128 {
	lo, borrow := bits.Sub64(x.lo, y.lo, 0)
	hi, _ := bits.Sub64(x.hi, y.hi, borrow)
	return int128{hi, lo}
}

// magnitude returns |x|, without a sign, and whether x is negative.
func (x int128) magnitude(signed bool) (int128, bool) {
	if signed && x.negative() {
		return int128{}.sub(x), true
	}
	return x, false
}

// withSign returns x, a magnitude, or -x, and whether 128 bits with a sign hold it.
func (x int128) withSign(minus bool) (int128, bool) {
	if !minus {
		return x, !x.negative()
	}
	v := int128{}.sub(x)
	return v, v.negative() || v == int128{}
}

// mul is compute for x y.
func (x int128) mul(y int128, signed bool) (int128, bool) {
	a, minusA := x.magnitude(signed)
	b, minusB := y.magnitude(signed)
	hi, lo := bits.Mul64(a.lo, b.lo)
	over1, mid1 := bits.Mul64(a.hi, b.lo)
	over2, mid2 := bits.Mul64(a.lo, b.hi)
	hi, carry1 := bits.Add64(hi, mid1, 0)
	hi, carry2 := bits.Add64(hi, mid2, 0)
	lost := over1|over2|carry1|carry2 != 0 || a.hi != 0 && b.hi != 0
	if !signed {
		return int128{hi, lo}, !lost
	}
	v, fits := int128{hi, lo}.withSign(minusA != minusB)
	return v, fits && !lost
}

// div returns x / y, truncated, and x % y, for y other than zero, and whether 128
// bits with a sign hold the quotient, if there are signs.
func (x int128) div(y int128, signed bool) (q, r int128, fits bool) {
	a, minusA := x.magnitude(signed)
	b, minusB := y.magnitude(signed)
	q, r = a.quotient(b)
	if !signed {
		return q, r, true
	}
	r, _ = r.withSign(minusA)
	q, fits = q.withSign(minusA != minusB)
	return q, r, fits
}

// quotient is div without signs.
func (x int128) quotient(y int128) (q, r int128) {
	if y.hi == 0 {
		q.hi, r.lo = x.hi/y.lo, x.hi%y.lo
		q.lo, r.lo = bits.Div64(r.lo, x.lo, y.lo)
		return q, r
	}
	// Warren, Hacker's Delight, 9-5: the estimate is right or one too small.
	n := uint(bits.LeadingZeros64(y.hi))
	half := x.shr(1, false)
	q.lo, _ = bits.Div64(half.hi, half.lo, y.shl(n).hi)
	q.lo >>= 63 - n
	if q.lo != 0 {
		q.lo--
	}
	product, _ := q.mul(y, false)
	r = x.sub(product)
	if r.compare(y, false) >= 0 {
		q.lo++
		r = r.sub(y)
	}
	return q, r
}

// shl returns x << n modulo 2^128, for n less than 128.
func (x int128) shl(n uint) int128 {
	if n >= 64 {
		return int128{x.lo << (n - 64), 0}
	}
	return int128{x.hi<<n | x.lo>>(64-n), x.lo << n}
}

// shr returns x >> n, filled with the sign if there is one, for n less than 128.
func (x int128) shr(n uint, signed bool) int128 {
	fill := uint64(0)
	if signed && x.negative() {
		fill = 1<<64 - 1
	}
	if n >= 64 {
		return int128{fill, x.hi>>(n-64) | fill<<(128-n)}
	}
	return int128{x.hi>>n | fill<<(64-n), x.lo>>n | x.hi<<(64-n)}
}
