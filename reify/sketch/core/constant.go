package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Leaf returns a symbol of type t or, as the policy says, a constant.
func (d *draws) Leaf(t ir.Int) ir.Expr {
	if !d.Roll(d.Policy.Fixed) {
		return d.Symbol(t)
	}
	return d.Constant(t)
}

// Constant returns a constant as the policy draws them (YARPGen, section 3.3).
func (d *draws) Constant(t ir.Int) *ir.Const {
	v := t.Wrap(d.Number(t.Bits))
	if d.Roll(d.Policy.Negate) {
		v = -v
	}
	if d.Roll(d.Policy.Complement) {
		v = ^v
	}
	d.consts = append(d.consts, v)
	return Const(t, v)
}

// Number draws a number of some bits.
func (d *draws) Number(bits int) int64 {
	weights := [...]int{d.Policy.Small, d.Policy.Ends, d.Policy.Powers, d.Policy.Runs, d.Policy.Again, d.Policy.Uniform}
	if len(d.consts) == 0 {
		weights[4] = 0
	}
	if weights == [len(weights)]int{} {
		weights[0] = 1
	}
	switch d.S.Weighted(weights[:]...) {
	case 1:
		end := ir.Int{Bits: bits, Signed: d.S.Chance(1, 2)}
		if d.S.Chance(1, 3) {
			return end.Min() + int64(d.S.Range(0, 3))
		}
		return end.Max() - int64(d.S.Range(0, 3))
	case 2:
		return int64(1)<<d.S.Intn(bits) + int64(d.S.Range(-1, 1))
	case 3:
		from := d.S.Intn(bits)
		n := d.S.Range(1, bits-from)
		return int64(^uint64(0)>>(64-n)) << from
	case 4:
		return choice.Pick(d.S, d.consts)
	case 5:
		return int64(d.S.Uint64())
	}
	return int64(d.S.Range(-16, 16))
}

// factorOf returns a factor or divisor: a symbol or, as the policy says, a constant
// that is not zero and small enough for products.
func (d *draws) factorOf(t ir.Int) ir.Expr {
	if !d.Roll(d.Policy.Fixed) {
		return d.Symbol(t)
	}
	v := int64(d.S.Range(1, 12))
	if d.S.Chance(1, 4) {
		v = int64(1)<<d.S.Range(1, 8) + int64(d.S.Range(-1, 1))
	}
	if t.Signed && d.S.Chance(1, 4) {
		v = -v
	}
	return Const(t, v)
}

// Edge returns a constant of type t, most likely one at an end of a type.
func (d *draws) Edge(t ir.Int) ir.Expr {
	if d.S.Chance(1, 3) {
		return Const(t, int64(d.S.Range(-3, 3)))
	}
	v := d.S.Edge(1)
	if d.S.Chance(1, 3) {
		v = -v
	}
	return Const(t, v)
}
