package widths

import (
	"math/bits"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Wide integers make functions that compute in more bits than inputs and
// answers have, or in a width that no other type has: __int128, _BitInt.
//
//	%w = u128(%a) * u128(%b) + %w
//	%c = u64(%w >> u128(64))
//	%d = i64(i32(bit37(%c) < bit37(%e)))

// wides are the material for the statements of such a function.
type wides struct {
	types    []ir.Wide
	vars     []*ir.Var // of some of the types
	forms    []wideForm
	odd      []int // numbers that widths made by pairs of shifts are drawn from
	oddForms []oddForm
}

// newWides draws the features of a policy; nil if it has none.
func (w *widths) newWides() *wides {
	if w.shares.Odd+w.shares.Int128+w.shares.BitInt == 0 {
		return nil
	}
	d := new(wides)
	if w.shares.Odd > 0 {
		for range w.S.Range(1, 3) {
			d.odd = append(d.odd, w.S.Range(0, 62))
		}
		for range w.S.Range(2, 6) {
			d.oddForms = append(d.oddForms, choice.Pick(w.S, oddForms))
		}
	}
	if w.shares.Int128 > 0 {
		d.types = append(d.types, ir.I128, ir.U128)
	}
	if w.shares.BitInt > 0 {
		for range w.S.Range(1, 3) {
			n := w.bitIntWidth()
			d.types = append(d.types, ir.Wide{Bits: n, Signed: true, BitInt: true}, ir.Wide{Bits: n, BitInt: true})
		}
	}
	most := choice.Pick(w.S, []int{3, 6, 12})
	for range w.S.Range(2, most) {
		d.forms = append(d.forms, choice.Pick(w.S, wideForms))
	}
	return d
}

// bitIntWidth draws a width from 2 to 128: any, or next to those of other types.
func (w *widths) bitIntWidth() int {
	switch w.S.Weighted(4, 2, 3) {
	case 0:
		return w.S.Range(2, 64)
	case 1:
		return w.S.Range(65, 128)
	}
	return min(128, choice.Pick(w.S, []int{8, 16, 32, 64, 128})+w.S.Range(-1, 1))
}

// drawWide returns a type of the sort that the feature at hand has: __int128 or
// _BitInt.
func (w *widths) drawWide() ir.Wide {
	var some []ir.Wide
	bitInt := w.shares.Int128 == 0 || w.shares.BitInt > 0 && w.S.Chance(w.shares.BitInt, w.shares.Int128+w.shares.BitInt)
	for _, t := range w.wide.types {
		if t.BitInt == bitInt {
			some = append(some, t)
		}
	}
	return choice.Pick(w.S, some)
}

// Hide adds variables of some of the types.
func (w *widths) Hide() {
	if w.wide == nil {
		return
	}
	for range min(len(w.wide.types), w.S.Weighted(1, 2, 2, 1)) {
		w.wide.vars = append(w.wide.vars, w.NewVar(ir.Local, w.drawWide()))
	}
}

// Enter returns statements that give the variables their first values.
func (w *widths) Enter() (list []ir.Stmt) {
	if w.wide == nil {
		return nil
	}
	for _, v := range w.wide.vars {
		w.Begin()
		t := v.Type.(ir.Wide)
		list = append(list, assignWide(v, w.wideLeafOf(t, w.Edge(choice.Pick(w.S, core.Computed[:]))).e))
	}
	return list
}

// Leave returns statements by which the last values of the variables reach the
// result.
func (w *widths) Leave() (list []ir.Stmt) {
	if w.wide == nil {
		return nil
	}
	for _, v := range w.wide.vars {
		t := v.Type.(ir.Wide)
		dst := w.NewVar(ir.Local, ir.U64)
		dst.Init = []ir.Expr{core.Zero(ir.U64)}
		w.Summed = append(w.Summed, dst)
		var e ir.Expr = &ir.Convert{T: ir.U64, X: loadWide(v)}
		for at := 64; at < t.Bits; at += 64 {
			high := &ir.Convert{T: ir.U64, X: core.Bin(ir.Shr, loadWide(v), wideConstant(t, int64(at)))}
			e = core.Bin(ir.Add, core.Bin(ir.Mul, e, core.Const(ir.U64, 31)), high)
		}
		list = append(list, core.Assign(core.Ref(dst), e))
	}
	return list
}

func assignWide(v *ir.Var, e ir.Expr) ir.Stmt {
	return &ir.Assign{Dst: core.Ref(v), Src: e}
}

func loadWide(v *ir.Var) ir.Expr { return &ir.Load{Place: core.Ref(v)} }

// wideConstant returns v, which is not negative, wrapped, as a constant of type t.
func wideConstant(t ir.Wide, v int64) ir.Expr {
	return core.To(t, core.Const(ir.I32, v))
}

// A wideValue is an expression, and the number of bits of a signed type that hold it.
type wideValue struct {
	e    ir.Expr
	bits int
}

// wideLeafOf returns x as a value of type t.
func (w *widths) wideLeafOf(t ir.Wide, x ir.Expr) wideValue {
	return wideValue{core.To(t, x), fewest(t, significant(x), ir.IntOf(x).Signed)}
}

// fewest returns the bits of a signed type that hold a value of t, which was converted
// from one that needs n.
func fewest(t ir.Wide, n int, signed bool) int {
	own := t.Bits
	if !t.Signed {
		own++
		if signed {
			return own // negative values become large
		}
	}
	return min(n, own)
}

// wideLeaf returns a variable or a constant of type t.
func (w *widths) wideLeaf(t ir.Wide) wideValue {
	if len(w.wide.vars) > 0 && w.S.Chance(2, 5) {
		v := choice.Pick(w.S, w.wide.vars)
		return w.wideAs(t, anyWide(loadWide(v)))
	}
	if w.S.Chance(1, 6) {
		return w.wideLeafOf(t, w.Edge(choice.Pick(w.S, core.Computed[:])))
	}
	return w.wideLeafOf(t, w.variable())
}

// wideAs returns x converted to t.
func (w *widths) wideAs(t ir.Wide, x wideValue) wideValue {
	from := ir.TypeOf[ir.Wide](x.e)
	if from == t {
		return x
	}
	return wideValue{&ir.Convert{T: t, X: x.e}, fewest(t, x.bits, from.Signed)}
}

// wideExpr returns a value of type t with at most so many nested operations. It has no
// symbols and is defined for all values of its variables.
func (w *widths) wideExpr(t ir.Wide, depth int) wideValue {
	if depth == 0 {
		return w.wideLeaf(t)
	}
	if depth > 1 && w.S.Chance(1, 6) { // in another type
		return w.wideAs(t, w.wideExpr(w.drawWide(), depth-1))
	}
	x, y := w.wideExpr(t, depth-1), w.wideExpr(t, w.S.Range(0, depth-1))
	return choice.Pick(w.S, w.wide.forms)(w, t, x, y)
}

// wideNumber returns a value that was computed in a wide type.
func (w *widths) wideNumber() ir.Expr {
	t := w.drawWide()
	depth := 1 + w.S.Weighted(3, 3, 1)
	if w.S.Chance(1, 5) {
		return w.wideOrder(t, depth)
	}
	x := w.wideExpr(t, depth)
	if t.Bits > 32 && w.S.Chance(1, 2) {
		n := choice.Pick(w.S, []int{min(64, t.Bits-1), t.Bits / 2, t.Bits - 1, w.S.Range(1, t.Bits-1)})
		x.e = core.Bin(ir.Shr, x.e, wideConstant(t, int64(n)))
	}
	return &ir.Convert{T: choice.Pick(w.S, core.Computed[:]), X: x.e}
}

// wideOrder is a comparison of two values, or of one with another form of it.
func (w *widths) wideOrder(t ir.Wide, depth int) ir.Expr {
	x, y := w.wideExpr(t, depth-1), w.wideLeaf(t)
	switch w.S.Weighted(3, 1, 1) {
	case 1: // does it fit?
		y = w.wideAs(t, w.wideAs(w.drawWide(), w.wideAgain(x)))
	case 2: // did it wrap?
		if !t.Signed {
			y = wideValue{core.Bin(ir.Add, w.wideAgain(x).e, y.e), 0}
		}
	}
	return &ir.Binary{Op: core.ComparisonOp(w.S), X: x.e, Y: y.e}
}

// wideStatement returns statements about wide integers.
func (w *widths) wideStatement() []ir.Stmt {
	w.Begin()
	if vars := w.wide.vars; len(vars) > 0 && w.S.Chance(2, 5) {
		v := choice.Pick(w.S, vars)
		t := v.Type.(ir.Wide)
		if w.S.Chance(1, 3) {
			if list := w.carries(v); list != nil {
				return list
			}
		}
		x := w.wideExpr(t, 1+w.S.Weighted(3, 1))
		if w.S.Chance(1, 2) { // a sum or the like, in loops
			op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Xor, ir.Mul})
			x = w.wideModulo(op, t, wideValue{loadWide(v), t.Bits}, x)
		}
		return []ir.Stmt{assignWide(v, x.e)}
	}
	return []ir.Stmt{w.assigned(w.wideNumber())}
}

// carries returns a chain of sums in two or three words, the upper half of each
// being a part of the next; nil if v is too narrow.
//
//	%w = u128(%a) + u128(%b)
//	%c = u64(%w)
//	%w = (%w >> 64) + u128(%d) * u128(%e)
//	%f = u64(%w)
func (w *widths) carries(v *ir.Var) (list []ir.Stmt) {
	t := v.Type.(ir.Wide)
	if t.Bits < 40 {
		return nil
	}
	half := min(64, (t.Bits-2)/2)
	if half < 32 {
		half = 32
	}
	word := func() ir.Expr { // of at most half the width, mostly without a sign
		x := w.variable()
		if u := (ir.Int{Bits: min(64, 1<<(bits.Len(uint(half))-1))}); w.S.Chance(3, 4) {
			x = core.Convert(u, x)
		}
		return core.To(t, x)
	}
	low := func() ir.Stmt {
		return w.assigned(&ir.Convert{T: choice.Pick(w.S, []ir.Int{ir.U64, ir.U64, ir.I64, ir.U32}), X: loadWide(v)})
	}
	var carry ir.Expr
	for range w.S.Range(2, 3) {
		w.Begin()
		op := choice.Pick(w.S, []ir.Op{ir.Add, ir.Add, ir.Sub, ir.Mul})
		x := w.wideModulo(op, t, wideValue{word(), t.Bits}, wideValue{word(), t.Bits}).e
		if carry != nil {
			x = w.wideModulo(ir.Add, t, wideValue{carry, t.Bits}, wideValue{x, t.Bits}).e
		}
		list = append(list, assignWide(v, x), low())
		carry = core.Bin(ir.Shr, loadWide(v), wideConstant(t, int64(half)))
	}
	return list
}

// wideAgain returns x once more: a copy or, if it is large, another value.
func (w *widths) wideAgain(x wideValue) wideValue {
	if n := 0; !tally(x.e, &n) {
		return w.wideLeaf(ir.TypeOf[ir.Wide](x.e))
	}
	return wideValue{ir.CopyExpr(x.e), x.bits}
}

// tally counts the nodes of e, and reports whether they are few enough to be
// written twice.
func tally(e ir.Node, n *int) bool {
	*n++
	return *n <= 2*maxAgain && ir.Parts(e, func(part ir.Node) bool { return tally(part, n) })
}
