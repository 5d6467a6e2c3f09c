package sketch

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A palette is what the statements of a function with values of several widths
// are made of.
type palette struct {
	made  []*source // scalars that are worth reading: parameters, and what was assigned to
	fresh []*source // scalars to assign to first
	types []ir.Int  // that values are computed in
	cuts  []ir.Int  // that they are cut to
	views []view
	meets []meet
	joins []truthJoin
}

// A view is another form of the value x, which is of type t and is read again: of
// fewer bits, rotated, compared.
type view func(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr

// A meet joins two values of type t.
type meet func(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr

// views and meets are the tables of what a palette is drawn from.
var (
	views = []view{
		extended, extended, extended, shiftPair, masked, rotated, rotated, absolute, atLeast,
		comparedWith, comparedWith, signBit, counted, complement, field, field, withConstant, withConstant,
	}
	meets = []meet{
		added, added, subtracted, mixed, multiplied, chosen, chosen, smaller, shifted, shifted, asNumber,
		inserted, divided, logical, logical,
	}
)

// newPalette draws a palette. Variables enter it when they have been declared.
func (w *exprWriter) newPalette() *palette {
	p := new(palette)
	for range w.s.Range(2, 4) {
		p.types = append(p.types, choice.Pick(w.s, computed[:]))
		p.cuts = append(p.cuts, ir.Int{Bits: choice.Pick(w.s, []int{8, 16, 32}), Signed: w.s.Chance(1, 2)})
	}
	// What goes wrong may take one kind twice, or six kinds one after the other.
	most := choice.Pick(w.s, []int{3, 6, 12})
	for range w.s.Range(2, most) {
		p.views = append(p.views, choice.Pick(w.s, views))
	}
	for range w.s.Range(2, most) {
		p.meets = append(p.meets, choice.Pick(w.s, meets))
	}
	for range w.s.Range(1, most) {
		p.joins = append(p.joins, choice.Pick(w.s, truthJoins))
	}
	return p
}

// declared sorts the variables: those that are not parameters are to be assigned
// to, each before any is assigned to again, so that what is computed stays alive.
func (p *palette) declared(scalars []*source) {
	for _, v := range scalars {
		if v.v.Kind == ir.Param || !v.writable() {
			p.made = append(p.made, v)
		} else {
			p.fresh = append(p.fresh, v)
		}
	}
}

// maker returns a variable to read, most likely one that was assigned to lately.
func (w *exprWriter) maker() *source {
	made := w.palette.made
	if w.s.Chance(1, 8) {
		return choice.Pick(w.s, w.vars)
	}
	if n := len(made); n > 5 && w.s.Chance(2, 5) {
		made = made[n-5:]
	}
	return choice.Pick(w.s, made)
}

// assignee returns a variable to assign to, which is not the other one and of which
// fits says whether it will do; nil if there is none.
func (w *stmtWriter) assignee(other *source, fits func(ir.Int) bool) *source {
	p := w.palette
	for i, v := range p.fresh {
		if v != other && fits(v.leaves[0].t) {
			p.fresh = slices.Delete(p.fresh, i, i+1)
			p.made = append(p.made, v)
			return v
		}
	}
	for range 6 {
		if v := choice.Pick(w.s, w.counts); v.writable() && v != other && fits(v.leaves[0].t) {
			return v
		}
	}
	return nil
}

// narrow returns a value of type t in which some values and other forms of them
// meet. It has no symbols and is defined whatever its variables are.
func (w *exprWriter) narrow(t ir.Int) ir.Expr {
	x := w.variable()
	if w.s.Chance(1, 3) {
		return convert(t, w.view(x))
	}
	return convert(t, w.meet(x, 1+w.s.Weighted(4, 2, 1)))
}

// meet returns a value computed from x, with so many operations below each other
// at most.
func (w *exprWriter) meet(x ir.Expr, depth int) ir.Expr {
	p := w.palette
	t := choice.Pick(w.s, p.types)
	var y ir.Expr
	switch w.s.Weighted(2, 4, 1) {
	case 0: // x again
		y = w.view(x)
	case 1:
		y = w.variable()
		if w.s.Chance(1, 4) {
			y = w.view(y)
		}
	default:
		y = w.edge(t)
	}
	if depth > 1 && w.s.Chance(1, 3) {
		y = w.meet(y, depth-1)
	}
	x, y = as(t, x), as(t, y)
	if w.s.Chance(1, 4) {
		x, y = y, x
	}
	e := choice.Pick(w.s, p.meets)(w, t, x, y)
	if depth > 1 && w.s.Chance(1, 2) {
		e = w.meet(e, depth-1)
	}
	return e
}

// view returns another form of x.
func (w *exprWriter) view(x ir.Expr) ir.Expr {
	p := w.palette
	t := promote(x.Type())
	if w.s.Chance(1, 3) {
		t = choice.Pick(w.s, p.types)
	}
	return choice.Pick(w.s, p.views)(w, t, as(t, w.again(x)))
}

// variable returns the value of a variable, as C promotes it.
func (w *exprWriter) variable() ir.Expr {
	v := w.maker()
	x, _ := w.twice(promote(v.leaves[0].t), v)
	return x
}

// maxAgain bounds what is written twice, so that functions stay small.
const maxAgain = 7

// again returns a copy of x or, if that is large, the value of a variable in its
// place.
func (w *exprWriter) again(x ir.Expr) ir.Expr {
	n := 0
	for range ir.SubExprs(&x) {
		n++
	}
	if n > maxAgain {
		return as(x.Type(), w.variable())
	}
	return duplicate(x)
}

// as is convert, but leaves no constant to convert.
func as(t ir.Int, x ir.Expr) ir.Expr {
	if c, ok := x.(*ir.Const); ok {
		return constantOf(t, c.V)
	}
	return convert(t, x)
}

// modulo returns x op y, computed without a sign if t has one.
func modulo(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	u := unsigned(t)
	return convert(t, bin(op, as(u, x), as(u, y)))
}

// cut returns a type that values are cut to.
func (w *exprWriter) cut() ir.Int { return choice.Pick(w.s, w.palette.cuts) }

// edge returns a constant of type t, most likely one at an end of a type.
func (w *exprWriter) edge(t ir.Int) ir.Expr {
	if w.s.Chance(1, 3) {
		return constantOf(t, int64(w.s.Range(-3, 3)))
	}
	n := choice.Pick(w.s, []int{7, 8, 15, 16, 31, 32, 63})
	v := int64(1)<<n + int64(w.s.Range(-1, 1))
	if w.s.Chance(1, 3) {
		v = -v
	}
	return constantOf(t, v)
}

// significant returns how many bits, that of the sign counted, the values of x
// need in a type with a sign.
func significant(x ir.Expr) int {
	t := x.Type()
	switch e := x.(type) {
	case *ir.Convert:
		if from := e.X.Type(); from.Bits < t.Bits || from == t {
			t = from
		}
	case *ir.Binary:
		if e.Op.Yields01() {
			return 2
		}
	}
	if !t.Signed {
		return t.Bits + 1
	}
	return t.Bits
}

// arithmetic returns x op y, computed without a sign where it might overflow.
func arithmetic(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	if t.Signed {
		bits := max(significant(x), significant(y)) + 1
		if op == ir.Mul {
			bits = significant(x) + significant(y)
		}
		if bits > t.Bits {
			return modulo(op, t, x, y)
		}
	}
	return bin(op, x, y)
}

func extended(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr { return convert(t, convert(w.cut(), x)) }

// shiftPair is (x << k) >> k.
func shiftPair(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	u := unsigned(t)
	k := int64(w.s.Range(1, t.Bits-1))
	if w.s.Chance(2, 3) {
		k = int64(t.Bits - min(t.Bits-8, w.cut().Bits))
	}
	x = convert(t, bin(ir.Shl, convert(u, x), constantOf(u, k)))
	return bin(ir.Shr, x, constantOf(t, k))
}

// masked is x & m.
func masked(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	return bin(ir.And, x, constantOf(t, int64(1)<<w.s.Range(1, t.Bits-1)-1))
}

// rotated is x, cut to some width, rotated in that.
func rotated(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	n := unsigned(choice.Pick(w.s, []ir.Int{t, w.cut()}))
	u := unsigned(promote(n))
	k := int64(w.s.Range(1, n.Bits-1))
	x = convert(u, convert(n, x))
	e := bin(ir.Or, bin(ir.Shl, x, constantOf(u, k)), bin(ir.Shr, w.again(x), constantOf(u, int64(n.Bits)-k)))
	return convert(t, convert(n, e))
}

// absolute is x < 0 ? -x : x.
func absolute(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	s := ir.Int{Bits: t.Bits, Signed: true}
	x = convert(s, x)
	if w.s.Chance(1, 2) {
		n := ir.Int{Bits: min(w.cut().Bits, t.Bits/2), Signed: true}
		return convert(t, &ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{convert(s, convert(n, x))}})
	}
	neg := modulo(ir.Sub, s, constant0(s), w.again(x))
	return convert(t, &ir.Select{If: bin(ir.Lt, w.again(x), constant0(s)), X: neg, Y: x})
}

// atLeast is the larger or smaller of x and a constant.
func atLeast(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr { return smaller(w, t, x, w.edge(t)) }

// comparedWith is a comparison of x with a constant, as a number.
func comparedWith(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr { return asNumber(w, t, x, w.edge(t)) }

// signBit is x >> k, such that little is left.
func signBit(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	return bin(ir.Shr, x, constantOf(t, int64(t.Bits-choice.Pick(w.s, []int{1, 1, 1, 8, 2}))))
}

// counted is the number of some bits of x, or its bytes swapped.
func counted(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	fn := choice.Pick(w.s, []ir.Fn{ir.Popcount, ir.Clz, ir.Ctz, ir.Bswap, ir.Bswap})
	u := unsigned(t)
	x = convert(u, x)
	if fn == ir.Clz || fn == ir.Ctz { // undefined for 0
		x = bin(ir.Or, x, constantOf(u, int64(1)<<w.s.Intn(t.Bits)))
	}
	return convert(t, &ir.Builtin{Fn: fn, Args: []ir.Expr{x}})
}

// complement is ~x or -x.
func complement(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	if w.s.Chance(1, 2) {
		return &ir.Unary{Op: ir.Not, X: x}
	}
	return modulo(ir.Sub, t, constant0(t), x)
}

func added(_ *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr      { return arithmetic(ir.Add, t, x, y) }
func subtracted(_ *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr { return arithmetic(ir.Sub, t, x, y) }
func multiplied(_ *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr { return arithmetic(ir.Mul, t, x, y) }
func mixed(w *exprWriter, _ ir.Int, x, y ir.Expr) ir.Expr      { return bin(bitwiseOp(w.s), x, y) }

// field is (x >> k) & m.
func field(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	k, m := w.field(t)
	return bin(ir.And, bin(ir.Shr, x, constantOf(t, k)), constantOf(t, m))
}

// field returns the first bit of some that are in a row, and so many ones.
func (w *exprWriter) field(t ir.Int) (first, ones int64) {
	n := choice.Pick(w.s, []int{1, 8, 16, w.s.Range(1, t.Bits-1)})
	k := choice.Pick(w.s, []int{0, 8, 16, t.Bits - n, w.s.Range(0, t.Bits-n)})
	return int64(min(k, t.Bits-n)), int64(1)<<n - 1
}

// inserted is (x & ~(m << k)) | (y & m) << k, or (y << k) & (m << k).
func inserted(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr {
	k, m := w.field(t)
	if c, ok := y.(*ir.Const); ok {
		y = constantOf(t, c.V&m<<k)
	} else if w.s.Chance(1, 2) {
		y = bin(ir.And, modulo(ir.Shl, t, y, constantOf(t, k)), constantOf(t, m<<k))
	} else {
		y = modulo(ir.Shl, t, bin(ir.And, y, constantOf(t, m)), constantOf(t, k))
	}
	op := choice.Pick(w.s, []ir.Op{ir.Or, ir.Or, ir.Or, ir.Xor, ir.Add})
	return modulo(op, t, bin(ir.And, x, constantOf(t, ^(m<<k))), y)
}

// withConstant joins x with a constant.
func withConstant(w *exprWriter, t ir.Int, x ir.Expr) ir.Expr {
	y := w.edge(t)
	if op := choice.Pick(w.s, []ir.Op{ir.Add, ir.And, ir.Or, ir.Xor, ir.Mul}); op == ir.Add || op == ir.Mul {
		return modulo(op, t, x, y)
	} else {
		return bin(op, x, y)
	}
}

// divided is x / y or x % y, where y is kept from being 0 or -1.
func divided(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr {
	op := choice.Pick(w.s, []ir.Op{ir.Div, ir.Rem})
	if c, ok := y.(*ir.Const); ok {
		v := c.V
		if v == 0 || v == -1 {
			v = 10
		}
		return bin(op, x, constantOf(t, v))
	}
	if t.Signed {
		y = bin(ir.And, y, constantOf(t, t.Max()))
	}
	return bin(op, x, bin(ir.Or, y, constantOf(t, int64(w.s.Range(1, 9)))))
}

// order returns a comparison of the values x and y, which are read again, in the
// type of either or another one.
func (w *exprWriter) order(x, y ir.Expr) ir.Expr {
	t := promote(choice.Pick(w.s, []ir.Expr{x, y}).Type())
	switch w.s.Weighted(4, 2, 2) {
	case 1:
		t.Signed = !t.Signed
	case 2:
		t = choice.Pick(w.s, w.palette.types)
	}
	return bin(comparisonOp(w.s), as(t, w.again(x)), as(t, w.again(y)))
}

// chosen is c ? x : y, where c is about these values or others.
func chosen(w *exprWriter, _ ir.Int, x, y ir.Expr) ir.Expr {
	var c ir.Expr
	switch w.s.Weighted(3, 3, 3, 2) {
	case 0:
		c = w.order(x, y)
	case 1:
		c = w.order(w.variable(), choice.Pick(w.s, []ir.Expr{x, y}))
	case 2:
		c = w.order(w.variable(), choice.Pick(w.s, []ir.Expr{w.variable(), w.edge(x.Type())}))
	default:
		c = w.variable()
	}
	return &ir.Select{If: c, X: x, Y: y}
}

// smaller is the smaller or larger of x and y.
func smaller(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr {
	op := choice.Pick(w.s, orders)
	return &ir.Select{If: bin(op, w.again(x), w.again(y)), X: x, Y: y}
}

// shifted is x << y or x >> y, where y is kept below the width.
func shifted(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr {
	m := int64(t.Bits - 1)
	if w.s.Chance(1, 3) {
		m = int64(choice.Pick(w.s, []int{7, 15, 31}))
	}
	if c, ok := y.(*ir.Const); ok {
		y = constantOf(t, c.V&m)
	} else {
		y = bin(ir.And, y, constantOf(t, m))
	}
	if w.s.Chance(1, 2) {
		return bin(ir.Shr, x, y)
	}
	return modulo(ir.Shl, t, x, y)
}

// asNumber is a comparison of x and y as a number.
func asNumber(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr {
	e := convert(t, bin(comparisonOp(w.s), x, y))
	if w.s.Chance(1, 4) {
		return modulo(ir.Sub, t, constant0(t), e)
	}
	return e
}

// logical joins x and y as truth values.
func logical(w *exprWriter, t ir.Int, x, y ir.Expr) ir.Expr {
	return convert(t, choice.Pick(w.s, w.palette.joins)(w, w.isZero(x), w.isZero(y)))
}

// isZero returns !x, or !!x.
func (w *exprWriter) isZero(x ir.Expr) ir.Expr {
	return bin(choice.Pick(w.s, equalities), x, constant0(x.Type()))
}

// narrowed returns a statement in which values of several widths meet, or a
// builtin that tells whether an operation on them overflows.
func (w *stmtWriter) narrowed() []ir.Stmt {
	w.begin()
	if w.s.Chance(1, 4) {
		if list := w.overflowOf(); list != nil {
			return list
		}
	}
	e := w.narrow(choice.Pick(w.s, w.palette.types))
	return []ir.Stmt{w.assigned(e)}
}

// assigned returns an assignment of e, mostly to a variable that nothing was
// assigned to.
func (w *stmtWriter) assigned(e ir.Expr) *ir.Assign {
	if w.s.Chance(7, 8) {
		if v := w.assignee(nil, func(ir.Int) bool { return true }); v != nil {
			return &ir.Assign{Dst: &ir.VarRef{Var: v.v}, Src: convert(v.leaves[0].t, e)}
		}
	}
	dst := choice.Pick(w.s, w.dest().writables)
	return &ir.Assign{Dst: w.place(dst), Src: convert(dst.t, e)}
}

// overflowOf returns a builtin on the value of a variable and another form of it;
// nil if there are no variables for its results.
func (w *stmtWriter) overflowOf() []ir.Stmt {
	x := w.variable()
	var y ir.Expr
	switch w.s.Weighted(2, 3, 1) {
	case 0:
		y = w.view(x)
	case 1:
		y = w.variable()
	default:
		y = w.edge(choice.Pick(w.s, w.palette.types))
	}
	flag := w.assignee(nil, func(t ir.Int) bool { return t == ir.I32 || t == ir.Bool })
	if flag == nil {
		return nil
	}
	dst := w.assignee(flag, func(t ir.Int) bool { return t != ir.Bool })
	if dst == nil {
		return nil
	}
	return []ir.Stmt{&ir.Overflow{
		Flag: &ir.VarRef{Var: flag.v}, Dst: &ir.VarRef{Var: dst.v},
		Op: choice.Pick(w.s, []ir.Op{ir.Add, ir.Sub, ir.Mul}), X: x, Y: y,
	}}
}
