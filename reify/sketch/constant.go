package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// leaf returns a symbol of type t or, as the policy says, a constant.
func (w *writer) leaf(t ir.Int) ir.Expr {
	if !w.roll(w.p.Fixed) {
		return w.symbol(t)
	}
	return w.constant(t)
}

// constant returns a constant as the policy draws them (YARPGen, section 3.3).
func (w *writer) constant(t ir.Int) *ir.Const {
	v := t.Wrap(w.number(t.Bits))
	if w.roll(w.p.Negate) {
		v = -v
	}
	if w.roll(w.p.Complement) {
		v = ^v
	}
	w.consts = append(w.consts, v)
	return constantOf(t, v)
}

// number draws a number of some bits.
func (w *writer) number(bits int) int64 {
	weights := [...]int{w.p.Small, w.p.Ends, w.p.Powers, w.p.Runs, w.p.Again, w.p.Uniform}
	if len(w.consts) == 0 {
		weights[4] = 0
	}
	if weights == [len(weights)]int{} {
		weights[0] = 1
	}
	switch w.s.Weighted(weights[:]...) {
	case 1:
		end := ir.Int{Bits: bits, Signed: w.s.Chance(1, 2)}
		if w.s.Chance(1, 3) {
			return end.Min() + int64(w.s.Range(0, 3))
		}
		return end.Max() - int64(w.s.Range(0, 3))
	case 2:
		return int64(1)<<w.s.Intn(bits) + int64(w.s.Range(-1, 1))
	case 3:
		from := w.s.Intn(bits)
		n := w.s.Range(1, bits-from)
		return int64(^uint64(0)>>(64-n)) << from
	case 4:
		return choice.Pick(w.s, w.consts)
	case 5:
		return int64(w.s.Uint64())
	}
	return int64(w.s.Range(-16, 16))
}

// factorOf returns what to multiply with or divide by: a symbol or, as the
// policy says, a constant that is not zero and small enough for products.
func (w *writer) factorOf(t ir.Int) ir.Expr {
	if !w.roll(w.p.Fixed) {
		return w.symbol(t)
	}
	v := int64(w.s.Range(1, 12))
	if w.s.Chance(1, 4) {
		v = int64(1)<<w.s.Range(1, 8) + int64(w.s.Range(-1, 1))
	}
	if t.Signed && w.s.Chance(1, 4) {
		v = -v
	}
	return constantOf(t, v)
}

// count returns a shift count for values of type t: a symbol, a constant, or
// a variable with a mask.
func (w *writer) count(t ir.Int) ir.Expr {
	switch w.s.Weighted(4, 3, 2) {
	case 0:
		if !w.roll(w.p.Fixed) {
			return w.symbol(t)
		}
	case 1:
		return bin(ir.And, w.any(t), constantOf(t, int64(t.Bits-1)))
	}
	return constantOf(t, int64(w.s.Range(1, t.Bits-1)))
}
