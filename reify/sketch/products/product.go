// Package products is the shape of terms that strength reduction and code motion look for:
// products that differ in a constant, that are the same in each trip of a loop, or that
// nearly overflow, and chains of quotients.
package products

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// A theme is the common part of the products of a function, so that straight-line
// strength reduction finds some that differ in a constant only. The pass computes all
// products except the first as the sum of another one and a multiple of the stride.
type theme struct {
	base, stride *core.Source // scalars, not volatile
	by, to       int64        // the stride is the value of its scalar / by + to; by is 0 for the value itself
	k            int64
	form         func(w *products, t ir.Int) ir.Expr
}

// Shares are shares of the terms that begin with no pilot. Each is a share of the
// terms that the ones before leave.
type Shares struct {
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
	core.Base
	shares *Shares
	theme  theme
}

// New returns the products of a function.
func (s *Shares) New(w *core.Writer) core.Part {
	if *s == (Shares{}) {
		return nil
	}
	return &products{Base: core.Base{Writer: w}, shares: s}
}

// Term returns a product, a quotient, or a chain of them.
func (w *products) Term(t ir.Int, v *core.Source) ir.Expr {
	switch {
	case w.Roll(w.shares.Product):
		return w.product(t)
	case w.Roll(w.shares.Invariant):
		return w.invariant(t)
	case w.Roll(w.shares.Division):
		return w.divisions(t, v)
	case w.Roll(w.shares.Coefficients):
		return w.coefficients(t, v)
	}
	return nil
}

// product returns a multiple of a variable, most likely of that of the theme.
func (w *products) product(t ir.Int) ir.Expr {
	if w.theme.form == nil || w.S.Chance(1, 8) {
		w.theme = w.newTheme()
	}
	return w.theme.form(w, t)
}

func (w *products) newTheme() theme {
	m := theme{base: w.steady(), stride: w.steady(), k: w.scale(), form: choice.Pick(w.S, productForms)}
	if w.S.Chance(1, 2) {
		// Of values in a range that compilers know, of which few multiples fit.
		m.by = int64(w.S.Range(4, 64))
		m.to = w.S.Int64(1<<27, 3<<29)
		if w.S.Chance(1, 2) {
			m.to = -m.to
		}
	}
	return m
}

// steady returns a scalar, most likely one that is never assigned to.
func (w *products) steady() *core.Source {
	v := choice.Pick(w.S, w.Counts)
	for range 3 {
		if !v.Writable() {
			break
		}
		v = choice.Pick(w.S, w.Counts)
	}
	return v
}

// scale returns a factor that is neither 0 nor 1.
func (w *products) scale() int64 {
	k := int64(w.S.Range(2, 9))
	if w.S.Chance(1, 2) {
		k = w.S.Int64(2, 1<<w.S.Range(4, 20))
	}
	if w.S.Chance(1, 3) {
		k = -k
	}
	return k
}

// productForms is the table of what product draws from.
var productForms = []func(*products, ir.Int) ir.Expr{steps, steps, steps, offsets, offsets, branched, scaled}

// stride returns that of the theme, which is defined for all values of its variable.
func (w *products) stride(t ir.Int) ir.Expr {
	m := &w.theme
	x := core.Scalar(t, m.stride)
	if m.by == 0 {
		return x
	}
	return core.Bin(ir.Add, core.Bin(ir.Div, x, core.Const(t, m.by)), core.Const(t, m.to))
}

// offset returns base + s.
func (w *products) offset(t ir.Int) ir.Expr {
	return core.Bin(ir.Add, core.Scalar(t, w.theme.base), w.Symbol(t))
}

// steps is base + stride * s.
func steps(w *products, t ir.Int) ir.Expr {
	return core.Bin(core.AdditiveOp(w.S), core.Scalar(t, w.theme.base), core.Bin(ir.Mul, w.stride(t), w.Symbol(t)))
}

// offsets is (base + s) * stride.
func offsets(w *products, t ir.Int) ir.Expr {
	return core.Bin(ir.Mul, w.offset(t), w.stride(t))
}

// branched is (c ? base + s : base + s') * stride, or base * stride.
func branched(w *products, t ir.Int) ir.Expr {
	if w.Policy.Select == 0 || w.S.Chance(1, 2) {
		return core.Bin(ir.Mul, core.Scalar(t, w.theme.base), w.stride(t))
	}
	cond := w.Compare(choice.Pick(w.S, w.Vars))
	return core.Bin(ir.Mul, core.Select(cond, w.offset(t), w.offset(t)), w.stride(t))
}

// scaled is (base + s) * k.
func scaled(w *products, t ir.Int) ir.Expr {
	return core.Bin(ir.Mul, w.offset(t), core.Const(t, w.theme.k))
}

// invariant returns products and sums of scalars, most of which no loop changes: they
// overflow if a pass computes them where the program does not.
func (w *products) invariant(t ir.Int) ir.Expr {
	e := core.Scalar(t, w.steady())
	for range w.S.Range(1, 3) {
		op := choice.Pick(w.S, []ir.Op{ir.Mul, ir.Mul, ir.Add, ir.Sub})
		e = core.Bin(op, e, core.Scalar(t, w.steady()))
	}
	return e
}

// divisions returns v, divided by some numbers in turn: chains of quotients and
// remainders, which back ends turn into multiplications and shifts.
func (w *products) divisions(t ir.Int, v *core.Source) ir.Expr {
	x := w.Load(t, v)
	for range w.S.Range(2, 4) {
		var y ir.Expr
		if w.Policy.Bitwise > 0 && w.S.Chance(1, 4) {
			y = w.Nonzero(t, core.Scalar(t, choice.Pick(w.S, w.Counts)))
		} else {
			y = w.Symbol(t)
		}
		x = core.Bin(choice.Pick(w.S, []ir.Op{ir.Div, ir.Rem}), x, y)
		switch w.S.Weighted(4, 2, 2, 1) {
		case 1:
			x = core.Bin(ir.Mul, x, w.Symbol(t))
		case 2:
			x = core.Bin(ir.Add, x, w.Symbol(t))
		case 3:
			if w.Policy.Narrow > 0 {
				x = core.Convert(t, core.Convert(ir.Int{Bits: 8 << w.S.Intn(2), Signed: w.S.Chance(1, 2)}, x))
			}
		}
	}
	return x
}
