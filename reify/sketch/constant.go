package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// leaf returns a symbol of type t or, as the policy says, a constant.
func (d *draws) leaf(t ir.Int) ir.Expr {
	if !d.roll(d.p.Fixed) {
		return d.symbol(t)
	}
	return d.constant(t)
}

// constant returns a constant as the policy draws them (YARPGen, section 3.3).
func (d *draws) constant(t ir.Int) *ir.Const {
	v := t.Wrap(d.number(t.Bits))
	if d.roll(d.p.Negate) {
		v = -v
	}
	if d.roll(d.p.Complement) {
		v = ^v
	}
	d.consts = append(d.consts, v)
	return constantOf(t, v)
}

// number draws a number of some bits.
func (d *draws) number(bits int) int64 {
	weights := [...]int{d.p.Small, d.p.Ends, d.p.Powers, d.p.Runs, d.p.Again, d.p.Uniform}
	if len(d.consts) == 0 {
		weights[4] = 0
	}
	if weights == [len(weights)]int{} {
		weights[0] = 1
	}
	switch d.s.Weighted(weights[:]...) {
	case 1:
		end := ir.Int{Bits: bits, Signed: d.s.Chance(1, 2)}
		if d.s.Chance(1, 3) {
			return end.Min() + int64(d.s.Range(0, 3))
		}
		return end.Max() - int64(d.s.Range(0, 3))
	case 2:
		return int64(1)<<d.s.Intn(bits) + int64(d.s.Range(-1, 1))
	case 3:
		from := d.s.Intn(bits)
		n := d.s.Range(1, bits-from)
		return int64(^uint64(0)>>(64-n)) << from
	case 4:
		return choice.Pick(d.s, d.consts)
	case 5:
		return int64(d.s.Uint64())
	}
	return int64(d.s.Range(-16, 16))
}

// factorOf returns a factor or divisor: a symbol or, as the policy says, a constant
// that is not zero and small enough for products.
func (d *draws) factorOf(t ir.Int) ir.Expr {
	if !d.roll(d.p.Fixed) {
		return d.symbol(t)
	}
	v := int64(d.s.Range(1, 12))
	if d.s.Chance(1, 4) {
		v = int64(1)<<d.s.Range(1, 8) + int64(d.s.Range(-1, 1))
	}
	if t.Signed && d.s.Chance(1, 4) {
		v = -v
	}
	return constantOf(t, v)
}

// edge returns a constant of type t, most likely one at an end of a type.
func (d *draws) edge(t ir.Int) ir.Expr {
	if d.s.Chance(1, 3) {
		return constantOf(t, int64(d.s.Range(-3, 3)))
	}
	v := d.s.Edge(1)
	if d.s.Chance(1, 3) {
		v = -v
	}
	return constantOf(t, v)
}
