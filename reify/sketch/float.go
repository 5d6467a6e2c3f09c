package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newFloat adds a floating-point variable. Its value stays small: each assignment
// computes it from integers of 8 bits and constants, or adds such a number to it, so
// that a path of thousands of blocks leaves every result exact.
func (sc *scope) newFloat() {
	t := ir.F64
	if sc.roll(sc.p.Single) {
		t = ir.F32
	}
	v := sc.newVar(sc.kind(), t)
	sc.initialise(v)
	sc.floats = append(sc.floats, v)
	sc.summed = append(sc.summed, v)
}

// floatStatement returns an assignment to or from a floating-point variable.
func (w *stmtWriter) floatStatement() []ir.Stmt {
	v := choice.Pick(w.s, w.floats)
	if w.s.Chance(1, 2) {
		return []ir.Stmt{w.fromFloat(v)}
	}
	return []ir.Stmt{nodeAssignFloat(nodeRef(v), w.floatValue(v))}
}

func loadFloat(v *ir.Var) *ir.FloatLoad { return &ir.FloatLoad{Place: nodeRef(v)} }

// floatValue returns a value to assign to v.
func (w *exprWriter) floatValue(v *ir.Var) ir.Expr {
	t := v.Type.(ir.Float)
	switch w.s.Weighted(4, 3, 1, 1) {
	case 0:
		return w.smallFloat(t)
	case 1:
		return nodeFloatBin(additiveOp(w.s), loadFloat(v), w.smallFloat(t))
	case 2:
		return &ir.FloatNeg{X: loadFloat(v)}
	}
	from := choice.Pick(w.s, w.floats)
	switch {
	case from.Type != v.Type:
		return nodeFloatConvert(t, loadFloat(from))
	case from != v:
		return loadFloat(from)
	}
	other := ir.Float{Bits: 96 - t.Bits}
	return nodeFloatConvert(t, w.smallFloat(other))
}

// smallFloat returns a number computed from an integer of 8 bits, below 2^12.
func (w *exprWriter) smallFloat(t ir.Float) ir.Expr {
	x := ir.Expr(nodeFloatOf(t, convert(choice.Pick(w.s, []ir.Int{ir.I8, ir.U8}), w.any(ir.I32))))
	switch w.s.Weighted(2, 2, 2, 1, 1) {
	case 0:
		return x
	case 1:
		return nodeFloatBin(additiveOp(w.s), x, w.floatConst(t))
	case 2:
		return nodeFloatBin(ir.Mul, x, w.floatConst(t))
	case 3:
		return nodeFloatBin(ir.Div, x, nodeFloatConst(t, float64(int64(1)<<w.s.Intn(4))))
	}
	return nodeFloatBin(additiveOp(w.s), w.floatConst(t), x)
}

// floatConst returns a small number, a whole or a half one.
func (w *exprWriter) floatConst(t ir.Float) *ir.FloatConst {
	v := float64(w.s.Range(-9, 9))
	if w.roll(w.p.Halves) {
		v += 0.5
	}
	return nodeFloatConst(t, v)
}

// fromFloat returns d = (int)v ⊗ s, or a comparison of v in place of the conversion.
func (w *stmtWriter) fromFloat(v *ir.Var) *ir.Assign {
	l := choice.Pick(w.s, w.dest().writables)
	t := promote(l.t)
	var e ir.Expr
	if w.s.Chance(1, 3) {
		e = &ir.FloatCompare{Op: comparisonOp(w.s), X: loadFloat(v), Y: w.floatConst(v.Type.(ir.Float))}
	} else {
		e = &ir.FloatToInt{T: choice.Pick(w.s, []ir.Int{ir.I32, ir.I32, ir.I64}), X: loadFloat(v)}
	}
	e = bin(w.opOf(w.in()), convert(t, e), w.symbol(t))
	return nodeAssign(w.place(l), convert(l.t, e))
}
