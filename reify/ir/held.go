package ir

import (
	"math/big"
	"math/bits"
)

// A Promise is a set of what can be said of an operation on integers, or on the lanes of
// vectors: what it would be otherwise is of no matter.
type Promise uint8

// The promises.
const (
	NoUnsignedWrap Promise = 1 << iota // the exact result fits without a sign: of + - * <<, of a narrower type
	NoSignedWrap                       // and with one
	Exact                              // nothing is lost: of / >>
	Disjoint                           // no bit is set in both operands: of |
	NonNegative                        // the operand has no sign bit: of a wider type
	SameSign                           // the operands have the same sign bit: of comparisons
)

// A Range is the least and the greatest value of an integer, in the order of its type.
type Range struct{ Lo, Hi int64 }

// Held is what held in some runs each time that an operation was executed. Of what was not
// executed it says nothing: anything held.
type Held struct {
	Ops    map[Expr]Promise // a Binary or a Convert
	Values map[any]Range    // of a Load, a parameter (*Var), the result of a *Function
}

// NewHeld returns what no run has seen.
func NewHeld() *Held { return &Held{Ops: map[Expr]Promise{}, Values: map[any]Range{}} }

// Op notes an operation of which some promises hold.
func (h *Held) Op(e Expr, p Promise) {
	if q, again := h.Ops[e]; again {
		p &= q
	}
	h.Ops[e] = p
}

// Value notes a value of a type.
func (h *Held) Value(of any, t Int, v int64) {
	r, again := h.Values[of]
	if !again {
		r = Range{v, v}
	}
	if t.less(v, r.Lo) {
		r.Lo = v
	}
	if t.less(r.Hi, v) {
		r.Hi = v
	}
	h.Values[of] = r
}

func (t Int) less(x, y int64) bool {
	if t.Signed {
		return x < y
	}
	return uint64(x) < uint64(y)
}

// Add notes what other runs have seen, too.
func (h *Held) Add(other *Held) {
	for e, p := range other.Ops {
		h.Op(e, p)
	}
	for of, r := range other.Values {
		var t Int
		switch of := of.(type) {
		case *Load:
			t = IntOf(of)
		case *Var:
			t = of.Type.(Int)
		case *Function:
			t = of.Result
		}
		h.Value(of, t, r.Lo)
		h.Value(of, t, r.Hi)
	}
}

// Promised returns what holds of an operation on two integers, which C defines except that it
// may wrap.
func Promised(op Op, t Int, x, y int64) (p Promise) {
	mask, high := ^uint64(0)>>(64-t.Bits), 64-t.Bits
	ux, uy := uint64(x)&mask, uint64(y)&mask
	sx, sy := int64(ux<<high)>>high, int64(uy<<high)>>high
	fits := func(u, s bool) {
		if u {
			p |= NoUnsignedWrap
		}
		if s {
			p |= NoSignedWrap
		}
	}
	// narrow tells whether a number of 64 bits has a value of the type.
	narrow := func(s int64) bool { return s<<high>>high == s }
	switch {
	case op == Add:
		sum, carry := bits.Add64(ux, uy, 0)
		s := sx + sy
		fits(carry == 0 && sum <= mask, (sx^s)&(sy^s) >= 0 && narrow(s))
	case op == Sub:
		s := sx - sy
		fits(ux >= uy, (sx^sy)&(sx^s) >= 0 && narrow(s))
	case op == Mul:
		hi, lo := bits.Mul64(ux, uy)
		s := sx * sy
		high, _ := bits.Mul64(uint64(sx), uint64(sy))
		fits(hi == 0 && lo <= mask, int64(high)-(sx>>63&sy)-(sy>>63&sx) == s>>63 && narrow(s))
	case op == Shl:
		u := ux << uy & mask
		fits(u>>uy == ux, int64(u<<high)>>high>>uy == sx)
	case op == Shr && (ux == 0 || uint64(bits.TrailingZeros64(ux)) >= uy),
		op == Div && (t.Signed && (sy == -1 || sx%sy == 0) || !t.Signed && ux%uy == 0):
		p = Exact
	case op == Or && ux&uy == 0:
		p = Disjoint
	case op.Compares() && (ux^uy)>>(t.Bits-1) == 0:
		p = SameSign
	}
	return p
}

// PromisedWide is Promised of wide integers.
func PromisedWide(op Op, t Wide, x, y *big.Int) (p Promise) {
	bits, signed := t.Bits, t.Signed
	ux, uy, sx, sy := unsignedOf(x, bits), unsignedOf(y, bits), signedOf(x, bits), signedOf(y, bits)
	fits := func(p *Promise, u, s *big.Int) {
		if u.Cmp(unsignedOf(u, bits)) == 0 {
			*p |= NoUnsignedWrap
		}
		if s.Cmp(signedOf(s, bits)) == 0 {
			*p |= NoSignedWrap
		}
	}
	n := new(big.Int)
	switch {
	case op == Add:
		fits(&p, n.Add(ux, uy), new(big.Int).Add(sx, sy))
	case op == Sub:
		fits(&p, n.Sub(ux, uy), new(big.Int).Sub(sx, sy))
	case op == Mul:
		fits(&p, n.Mul(ux, uy), new(big.Int).Mul(sx, sy))
	case op == Shl:
		by := uint(uy.Uint64())
		fits(&p, n.Lsh(ux, by), new(big.Int).Lsh(sx, by))
	case op == Shr:
		if ux.Sign() == 0 || ux.TrailingZeroBits() >= uint(uy.Uint64()) {
			p = Exact
		}
	case op == Div && (signed && n.Rem(sx, sy).Sign() == 0 || !signed && n.Rem(ux, uy).Sign() == 0):
		p = Exact
	case op == Or && n.And(ux, uy).Sign() == 0:
		p = Disjoint
	case op.Compares() && ux.Bit(bits-1) == uy.Bit(bits-1):
		p = SameSign
	}
	return p
}

// PromisedOf returns what holds of the conversion of an integer from a width to another, both of
// at most 64 bits.
func PromisedOf(from, to int, x int64) (p Promise) {
	u := uint64(x) << (64 - from) >> (64 - from)
	if from < to {
		if u>>(from-1) == 0 {
			p = NonNegative
		}
		return p
	}
	if u<<(64-to)>>(64-to) == u {
		p |= NoUnsignedWrap
	}
	if s := x << (64 - from) >> (64 - from); s<<(64-to)>>(64-to) == s {
		p |= NoSignedWrap
	}
	return p
}

// PromisedOfWide is PromisedOf of any widths.
func PromisedOfWide(from, to int, x *big.Int) (p Promise) {
	u, s := unsignedOf(x, from), signedOf(x, from)
	if from < to {
		if u.Bit(from-1) == 0 {
			p = NonNegative
		}
		return p
	}
	if unsignedOf(u, to).Cmp(u) == 0 {
		p |= NoUnsignedWrap
	}
	if signedOf(s, to).Cmp(s) == 0 {
		p |= NoSignedWrap
	}
	return p
}

// unsignedOf returns an integer modulo 2^bits.
func unsignedOf(x *big.Int, bits int) *big.Int {
	if x.Sign() >= 0 && x.BitLen() <= bits {
		return x
	}
	mask := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return mask.And(x, mask.Sub(mask, big.NewInt(1)))
}

// signedOf returns the number with a sign that has the low bits of an integer.
func signedOf(x *big.Int, bits int) *big.Int {
	u := unsignedOf(x, bits)
	if u.Bit(bits-1) == 0 {
		return u
	}
	return new(big.Int).Sub(u, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
}
