package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newFloat adds a floating-point variable. Its value stays small: each assignment
// computes it from integers of 8 bits and constants, or adds such a number to it, so
// that a path of thousands of blocks leaves every result exact.
func (sc *scope) newFloat() {
	t := ir.F64
	if sc.Roll(sc.Policy.Single) {
		t = ir.F32
	}
	v := sc.NewVar(sc.Kind(), t)
	sc.Initialise(v)
	sc.floats = append(sc.floats, v)
	sc.Summed = append(sc.Summed, v)
}

// floatStatement returns an assignment to or from a floating-point variable.
func (w *stmtWriter) floatStatement() []ir.Stmt {
	v := choice.Pick(w.S, w.floats)
	if w.S.Chance(1, 2) {
		return []ir.Stmt{w.fromFloat(v)}
	}
	return []ir.Stmt{Assign(Ref(v), w.floatValue(v))}
}

// LoadFloat returns the value of a floating-point variable.
func LoadFloat(v *ir.Var) *ir.Load { return &ir.Load{Place: Ref(v)} }

// floatValue returns a value to assign to v.
func (w *Exprs) floatValue(v *ir.Var) ir.Expr {
	t := v.Type.(ir.Float)
	switch w.S.Weighted(4, 3, 1, 1) {
	case 0:
		return w.smallFloat(t)
	case 1:
		return Bin(AdditiveOp(w.S), LoadFloat(v), w.smallFloat(t))
	case 2:
		return &ir.Unary{Op: ir.Neg, X: LoadFloat(v)}
	}
	from := choice.Pick(w.S, w.floats)
	switch {
	case from.Type != v.Type:
		return To(t, LoadFloat(from))
	case from != v:
		return LoadFloat(from)
	}
	other := ir.Float{Bits: 96 - t.Bits}
	return To(t, w.smallFloat(other))
}

// smallFloat returns a number computed from an integer of 8 bits, below 2^12.
func (w *Exprs) smallFloat(t ir.Float) ir.Expr {
	x := ir.Expr(To(t, Convert(choice.Pick(w.S, []ir.Int{ir.I8, ir.U8}), w.Any(ir.I32))))
	switch w.S.Weighted(2, 2, 2, 1, 1) {
	case 0:
		return x
	case 1:
		return Bin(AdditiveOp(w.S), x, w.floatConst(t))
	case 2:
		return Bin(ir.Mul, x, w.floatConst(t))
	case 3:
		return Bin(ir.Div, x, FloatConst(t, float64(int64(1)<<w.S.Intn(4))))
	}
	return Bin(AdditiveOp(w.S), w.floatConst(t), x)
}

// floatConst returns a small number, a whole or a half one.
func (w *Exprs) floatConst(t ir.Float) *ir.FloatConst {
	v := float64(w.S.Range(-9, 9))
	if w.Roll(w.Policy.Halves) {
		v += 0.5
	}
	return FloatConst(t, v)
}

// fromFloat returns d = (int)v ⊗ s, or a comparison of v in place of the conversion.
func (w *stmtWriter) fromFloat(v *ir.Var) *ir.Assign {
	l := choice.Pick(w.S, w.Dest().Writables)
	t := Promote(l.T)
	var e ir.Expr
	if w.S.Chance(1, 3) {
		e = &ir.Binary{Op: ComparisonOp(w.S), X: LoadFloat(v), Y: w.floatConst(v.Type.(ir.Float))}
	} else {
		e = &ir.Convert{T: choice.Pick(w.S, []ir.Int{ir.I32, ir.I32, ir.I64}), X: LoadFloat(v)}
	}
	e = Bin(w.opOf(w.Region()), Convert(t, e), w.Symbol(t))
	return Assign(w.Place(l), Convert(l.T, e))
}
