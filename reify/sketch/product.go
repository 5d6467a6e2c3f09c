package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A theme is the common part of the products of a function, so that straight-line
// strength reduction finds some that differ in a constant only. The pass computes all
// products except the first as the sum of another one and a multiple of the stride.
type theme struct {
	base, stride *source // scalars, not volatile
	by, to       int64   // the stride is the value of its scalar / by + to; by is 0 for the value itself
	k            int64
	form         func(w *products, t ir.Int) ir.Expr
}

// ProductShares are shares of the terms that begin with no pilot. Each is a share of the
// terms that the ones before leave.
type ProductShares struct {
	// multiples of one variable that differ in a constant
	Product int `feature:"product" typical:"60" about:"products of parameters"`
	// products of variables that are mostly never assigned to
	Invariant int `feature:"invariant" typical:"60" about:"products that are the same in each trip of a loop"`
	// chains of / and %
	Division int `feature:"division" typical:"60" about:"chains of quotients and remainders"`
	// chains of products with constants that nearly overflow
	Coefficients int `feature:"coefficients" typical:"60" about:"factors, divisors and addends that nearly overflow together"`
}

// A products is the products of a function.
type products struct {
	base
	shares *ProductShares
	theme  theme
}

// New returns the products of a function.
func (s *ProductShares) New(w *writer) Part {
	if *s == (ProductShares{}) {
		return nil
	}
	return &products{base: base{w}, shares: s}
}

// Term returns a product, a quotient, or a chain of them.
func (w *products) Term(t ir.Int, v *source) ir.Expr {
	switch {
	case w.roll(w.shares.Product):
		return w.product(t)
	case w.roll(w.shares.Invariant):
		return w.invariant(t)
	case w.roll(w.shares.Division):
		return w.divisions(t, v)
	case w.roll(w.shares.Coefficients):
		return w.coefficients(t, v)
	}
	return nil
}

// product returns a multiple of a variable, most likely of that of the theme.
func (w *products) product(t ir.Int) ir.Expr {
	if w.theme.form == nil || w.s.Chance(1, 8) {
		w.theme = w.newTheme()
	}
	return w.theme.form(w, t)
}

func (w *products) newTheme() theme {
	m := theme{base: w.steady(), stride: w.steady(), k: w.scale(), form: choice.Pick(w.s, productForms)}
	if w.s.Chance(1, 2) {
		// Of values in a range that compilers know, of which few multiples fit.
		m.by = int64(w.s.Range(4, 64))
		m.to = w.s.Int64(1<<27, 3<<29)
		if w.s.Chance(1, 2) {
			m.to = -m.to
		}
	}
	return m
}

// steady returns a scalar, most likely one that is never assigned to.
func (w *products) steady() *source {
	v := choice.Pick(w.s, w.counts)
	for range 3 {
		if !v.writable() {
			break
		}
		v = choice.Pick(w.s, w.counts)
	}
	return v
}

// scale returns a factor that is neither 0 nor 1.
func (w *products) scale() int64 {
	k := int64(w.s.Range(2, 9))
	if w.s.Chance(1, 2) {
		k = w.s.Int64(2, 1<<w.s.Range(4, 20))
	}
	if w.s.Chance(1, 3) {
		k = -k
	}
	return k
}

// productForms is the table of what product draws from.
var productForms = []func(*products, ir.Int) ir.Expr{steps, steps, steps, offsets, offsets, branched, scaled}

// stride returns that of the theme, which is defined for all values of its variable.
func (w *products) stride(t ir.Int) ir.Expr {
	m := &w.theme
	x := scalar(t, m.stride)
	if m.by == 0 {
		return x
	}
	return bin(ir.Add, bin(ir.Div, x, constantOf(t, m.by)), constantOf(t, m.to))
}

// offset returns base + s.
func (w *products) offset(t ir.Int) ir.Expr {
	return bin(ir.Add, scalar(t, w.theme.base), w.symbol(t))
}

// steps is base + stride * s.
func steps(w *products, t ir.Int) ir.Expr {
	return bin(additiveOp(w.s), scalar(t, w.theme.base), bin(ir.Mul, w.stride(t), w.symbol(t)))
}

// offsets is (base + s) * stride.
func offsets(w *products, t ir.Int) ir.Expr {
	return bin(ir.Mul, w.offset(t), w.stride(t))
}

// branched is (c ? base + s : base + s') * stride, or base * stride.
func branched(w *products, t ir.Int) ir.Expr {
	if w.p.Select == 0 || w.s.Chance(1, 2) {
		return bin(ir.Mul, scalar(t, w.theme.base), w.stride(t))
	}
	cond := w.compare(choice.Pick(w.s, w.vars))
	return bin(ir.Mul, nodeSelect(cond, w.offset(t), w.offset(t)), w.stride(t))
}

// scaled is (base + s) * k.
func scaled(w *products, t ir.Int) ir.Expr {
	return bin(ir.Mul, w.offset(t), constantOf(t, w.theme.k))
}

// invariant returns products and sums of scalars, most of which no loop changes: they
// overflow if a pass computes them where the program does not.
func (w *products) invariant(t ir.Int) ir.Expr {
	e := scalar(t, w.steady())
	for range w.s.Range(1, 3) {
		op := choice.Pick(w.s, []ir.Op{ir.Mul, ir.Mul, ir.Add, ir.Sub})
		e = bin(op, e, scalar(t, w.steady()))
	}
	return e
}

// divisions returns v, divided by some numbers in turn: chains of quotients and
// remainders, which back ends turn into multiplications and shifts.
func (w *products) divisions(t ir.Int, v *source) ir.Expr {
	x := w.load(t, v)
	for range w.s.Range(2, 4) {
		var y ir.Expr
		if w.p.Bitwise > 0 && w.s.Chance(1, 4) {
			y = w.nonzero(t, scalar(t, choice.Pick(w.s, w.counts)))
		} else {
			y = w.symbol(t)
		}
		x = bin(choice.Pick(w.s, []ir.Op{ir.Div, ir.Rem}), x, y)
		switch w.s.Weighted(4, 2, 2, 1) {
		case 1:
			x = bin(ir.Mul, x, w.symbol(t))
		case 2:
			x = bin(ir.Add, x, w.symbol(t))
		case 3:
			if w.p.Narrow > 0 {
				x = convert(t, convert(ir.Int{Bits: 8 << w.s.Intn(2), Signed: w.s.Chance(1, 2)}, x))
			}
		}
	}
	return x
}
