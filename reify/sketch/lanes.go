package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Lanes are alike expressions side by side, in straight-line code: what SLP
// vectorisers make one vector operation of. The lanes of a group are of one
// operator, or of exactly two:
//
//	%l0 = @a[0] << 31
//	%l1 = @a[1] + 1
//	%l2 = @a[2] << 7
//	%l3 = @a[3] << 0
//	@b[0] = %l0
//	...
//	%x = %x ^ %l0 ^ %l1 ^ %l2 ^ %l3
//
// Signed lanes are mostly computed without a sign where they could overflow. What
// is undefined on the path all the same gets a symbol, or is repaired by the solver.
type lanes struct {
	*stmtWriter
	t     ir.Int // of most lanes
	rows  []row
	temps row // locals, which nothing but a group uses
	// Of the group at hand: two operators, or one that is there twice, the first mostly
	// a shift; and weights of the kinds of constants.
	ops     [2]ir.Op
	numbers []int
}

// A row is places of one type that can be lanes. Those of a struct take a constant
// for their number.
type row struct {
	t     ir.Int
	len   int
	fixed bool // numbers are constants
	at    func(i ir.Expr) ir.Place
}

// Counts of lanes. laneRoom is the length of arrays: strides of two fit, and offsets.
const (
	minLanes = 4
	maxLanes = 16
	laneRoom = 20
)

// newLanes adds the variables that lanes are read from and written to.
func newLanes(w *stmtWriter) *lanes {
	l := &lanes{stmtWriter: w, t: ir.I32, numbers: anyNumbers}
	l.t = l.laneType()
	var arrays []*ir.Var
	for i := range w.s.Range(2, 3) {
		t := l.t
		if i == 1 && w.s.Chance(1, 2) || w.s.Chance(1, 4) {
			t = l.laneType() // vectorisers compute in the narrowest type that will do
		}
		arrays = append(arrays, l.newArray(t))
	}
	if w.p.Struct > 0 && w.s.Chance(1, 6) {
		l.newMembers()
	}
	if w.p.Ptr > 0 {
		for range w.s.Range(0, 2) {
			l.newPointerTo(choice.Pick(w.s, arrays))
		}
	}
	t := l.t
	if w.s.Chance(1, 4) {
		t = promote(t)
	}
	var temps []*ir.Var
	for range maxLanes {
		v := w.newVar(ir.Local, t)
		v.Init = []ir.Expr{constant0(t)}
		temps = append(temps, v)
	}
	l.temps = row{t, maxLanes, true, func(i ir.Expr) ir.Place {
		return &ir.VarRef{Var: temps[i.(*ir.Const).V]}
	}}
	return l
}

// laneTypes are the types of lanes, if there are others than i32. Processors have most
// vector operations, shifts by a count a lane above all, for 32 bits.
var laneTypes = []ir.Int{
	ir.I8, ir.U8, ir.I16, ir.U16, ir.I64, ir.U64, ir.I32, ir.I32, ir.I32, ir.I32, ir.U32, ir.U32,
}

func (l *lanes) laneType() ir.Int {
	if l.p.Narrow+l.p.Wide+l.p.Unsigned == 0 {
		return ir.I32
	}
	return choice.Pick(l.s, laneTypes)
}

// newArray adds an array, most likely one that a compiler does not know.
func (l *lanes) newArray(t ir.Int) *ir.Var {
	kind := ir.Local
	if l.o.Memory > 0 {
		kind = choice.Pick(l.s, []ir.Kind{ir.Global, ir.Global, ir.Global, ir.Static, ir.Local})
	}
	v := l.newVar(kind, ir.Array{Elem: t, Len: laneRoom})
	for range laneRoom {
		v.Init = append(v.Init, constantOf(t, l.laneValue(t)))
	}
	l.register(newSource(v))
	l.summed = append(l.summed, v)
	l.rows = append(l.rows, row{t, laneRoom, false, func(i ir.Expr) ir.Place {
		return &ir.Elem{Base: &ir.VarRef{Var: v}, Index: i}
	}})
	return v
}

// newMembers adds a struct of many members of one type, and one that stands between
// them now and then.
func (l *lanes) newMembers() {
	r := &ir.Record{Name: "L" + varName(len(l.f.Types))}
	gap := -1
	if l.s.Chance(1, 4) {
		gap = l.s.Intn(maxLanes)
	}
	var fields []int
	for k := range maxLanes {
		if k == gap {
			r.Fields = append(r.Fields, ir.Field{Name: "gap", Type: l.laneType()})
		}
		fields = append(fields, len(r.Fields))
		r.Fields = append(r.Fields, ir.Field{Name: "m" + varName(k), Type: l.t})
	}
	l.f.Types = append(l.f.Types, r)
	v := l.newVar(choice.Pick(l.s, []ir.Kind{ir.Global, ir.Static, ir.Local}), r)
	for i := range ir.Count(r) {
		t := ir.Cell(r, i).(ir.Int)
		v.Init = append(v.Init, constantOf(t, l.laneValue(t)))
	}
	l.summed = append(l.summed, v)
	l.rows = append(l.rows, row{l.t, maxLanes, true, func(i ir.Expr) ir.Place {
		return &ir.Member{Base: &ir.VarRef{Var: v}, Field: fields[i.(*ir.Const).V]}
	}})
}

// newPointerTo adds a pointer into an array, which others lead to, too.
func (l *lanes) newPointerTo(v *ir.Var) {
	kind := ir.Local
	if v.Kind.Lasts() && l.s.Chance(1, 2) {
		kind = ir.Global
	}
	t := ir.Scalar(v.Type)
	base := l.s.Range(0, 4)
	p := l.newVar(kind, ir.Pointer{Elem: t})
	p.Init = []ir.Expr{nil}
	p.Ptrs = []ir.PtrExpr{&ir.AddrOf{Place: &ir.Elem{Base: &ir.VarRef{Var: v}, Index: constantOf(ir.I32, int64(base))}}}
	l.rows = append(l.rows, row{t, laneRoom - base, false, func(i ir.Expr) ir.Place {
		return &ir.Deref{X: &ir.PtrAdd{X: &ir.LoadPtr{Place: &ir.VarRef{Var: p}}, Index: i}}
	}})
}

// laneConstant draws a constant: mostly one at an edge of the width, in value or as a
// number of bits. What one operator multiplies by is a count for the other one where
// both become vector operations on all lanes.
func (l *lanes) laneConstant(t ir.Int) int64 {
	bits := t.Bits
	switch l.s.Weighted(l.numbers...) {
	case 0:
		return int64(l.s.Range(0, bits))
	case 1:
		return int64(choice.Pick(l.s, []int{0, 1, bits / 2, bits - 2, bits - 1, bits - 1, bits, bits + 1, 2*bits - 1}))
	case 2:
		return t.Wrap(int64(1)<<(bits-1) + int64(l.s.Range(-2, 2)))
	case 3:
		return t.Wrap(int64(1)<<l.s.Intn(bits) + int64(l.s.Range(-1, 1)))
	case 4:
		from := l.s.Intn(bits)
		return t.Wrap(int64(^uint64(0)>>(64-l.s.Range(1, bits-from))) << from)
	}
	return t.Wrap(int64(l.s.Uint64()))
}

// laneValue draws what lanes begin with: mostly any bits, so that each of them counts.
func (l *lanes) laneValue(t ir.Int) int64 {
	if l.s.Chance(1, 4) {
		return l.laneConstant(t)
	}
	return int64(l.s.Uint64())
}

// laneCount draws a shift count for lanes of type t that are computed in type c.
func (l *lanes) laneCount(t, c ir.Int) int64 {
	switch l.s.Weighted(2, 2, 2, 4, 2) {
	case 0:
		return int64(t.Bits - l.s.Range(1, 2))
	case 1:
		return int64(l.s.Range(0, 1))
	case 2:
		return int64(choice.Pick(l.s, []int{8 % t.Bits, t.Bits / 2, t.Bits / 2}))
	case 3:
		return int64(l.s.Intn(t.Bits))
	}
	return int64(l.s.Intn(c.Bits))
}

// A placing is which places of a row are the lanes of a group.
type placing func(k int) ir.Place

// spread draws which n places of a row to take: side by side, with a stride or gaps,
// or from the last to the first, and mostly from a place that the compiler knows.
func (l *lanes) spread(r row, n int) placing {
	number := make([]int, n)
	switch stride := min((r.len-1)/(n-1), 3); {
	case stride > 1 && l.s.Chance(1, 10):
		stride = l.s.Range(2, stride)
		for k := range number {
			number[k] = k * stride
		}
	case l.s.Chance(1, 12):
		room := r.len - n
		for k := 1; k < n; k++ {
			number[k] = number[k-1] + 1
			if room > 0 && l.s.Chance(1, 4) {
				number[k]++
				room--
			}
		}
	default:
		for k := range number {
			number[k] = k
		}
	}
	slack := r.len - 1 - number[n-1]
	if l.s.Chance(1, 8) {
		for k := range n / 2 {
			number[k], number[n-1-k] = number[n-1-k], number[k]
		}
	}
	if m := mask(slack + 1); !r.fixed && m > 0 && l.s.Chance(1, 8) {
		v := choice.Pick(l.s, l.counts)
		return func(k int) ir.Place {
			from := bin(ir.And, scalar(ir.U32, v), constantOf(ir.U32, m))
			if number[k] == 0 {
				return r.at(from)
			}
			return r.at(bin(ir.Add, from, constantOf(ir.U32, int64(number[k]))))
		}
	}
	base := 0
	if l.s.Chance(1, 3) {
		base = l.s.Intn(slack + 1)
	}
	return func(k int) ir.Place { return r.at(constantOf(ir.I32, int64(base+number[k]))) }
}

// A lane reads the value of lane k as one of type c.
type lane func(k int, c ir.Int) ir.Expr

// lanesOf returns the values of n places of a row or, now and then, those of some
// scalars, or of a few places again and again.
func (l *lanes) lanesOf(r row, n int) lane {
	at := l.spread(r, n)
	switch l.s.Weighted(15, 1, 1, 1) {
	case 1:
		scalars := make([]*source, n)
		for k := range scalars {
			scalars[k] = choice.Pick(l.s, l.counts)
		}
		return func(k int, c ir.Int) ir.Expr { return scalar(c, scalars[k]) }
	case 2:
		few := l.s.Range(1, 2)
		return func(k int, c ir.Int) ir.Expr { return convert(c, &ir.Load{Place: at(k % few)}) }
	case 3:
		var order [maxLanes]int
		for k := range n {
			order[k] = l.s.Intn(n)
		}
		return func(k int, c ir.Int) ir.Expr { return convert(c, &ir.Load{Place: at(order[k])}) }
	}
	return func(k int, c ir.Int) ir.Expr { return convert(c, &ir.Load{Place: at(k)}) }
}

func (l *lanes) row() row { return choice.Pick(l.s, l.rows) }

// newKinds draws what operators and constants a group has.
func (l *lanes) newKinds() {
	shift := choice.Pick(l.s, []ir.Op{ir.Shl, ir.Shr})
	other := choice.Pick(l.s, []ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Mul, ir.Sub})
	l.ops = [2]ir.Op{shift, other}
	switch l.s.Weighted(7, 1, 1, 1) {
	case 1:
		l.ops[0] = choice.Pick(l.s, []ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Mul})
	case 2:
		l.ops[0] = other
	case 3:
		l.ops[1] = shift
	}
	l.numbers = choice.Pick(l.s, laneNumbers)
}

// laneNumbers are the weights of the kinds of constants, of which a group has some.
var laneNumbers = [][]int{anyNumbers, {1, 0, 0, 0, 0, 0}, {1, 4, 2, 0, 0, 0}, {0, 0, 1, 2, 2, 1}}

var anyNumbers = []int{3, 3, 2, 2, 2, 1}

// A mixture is what one step of a group computes in.
type mixture struct {
	t, c ir.Int // of the lanes, and what they are computed in
	ops  [2]ir.Op
	kept bool // signed operations stay signed
}

func (l *lanes) mixture(t ir.Int) *mixture {
	m := &mixture{t: t, c: promote(t), ops: l.ops, kept: l.s.Chance(1, 8)}
	if l.s.Chance(1, 2) {
		m.c.Signed = false
	}
	return m
}

// apply returns x op y.
func (m *mixture) apply(op ir.Op, x, y ir.Expr) ir.Expr {
	if m.c.Signed && !m.kept && (op.Overflows() || op == ir.Shl) {
		return wrapped(op, m.c, x, y)
	}
	return bin(op, x, y)
}

// variable returns y as what stands at the right of op.
func (m *mixture) variable(op ir.Op, y ir.Expr) ir.Expr {
	if op.Shifts() {
		return bin(ir.And, y, constantOf(m.c, int64(min(m.t.Bits, m.c.Bits)-1)))
	}
	return y
}

// constantFor returns a constant that stands at the right of op, or a symbol.
func (l *lanes) constantFor(m *mixture, op ir.Op) ir.Expr {
	switch {
	case op.Shifts():
		return constantOf(m.c, l.laneCount(m.t, m.c))
	case op.Additive() && m.c.Signed && m.kept && l.s.Chance(1, 2):
		return l.symbol(m.c)
	}
	return constantOf(m.c, l.laneConstant(m.t))
}

// A level is one operation of each lane of a group.
type level struct {
	of    [maxLanes]int // which of the operators
	right int           // what stands at its right
	same  [2]ir.Expr    // the constants that all lanes have, if they have the same
}

// What can stand at the right of an operator.
const (
	aConstant = iota
	theLane   // as it was at first
	theOther
	theShifted // the lane, shifted
)

func (l *lanes) level(m *mixture, n int) *level {
	v := &level{right: l.s.Weighted(6, 1, 2, 1)}
	pattern := l.s.Weighted(2, 2, 2, 1, 1)
	for k := range n {
		switch pattern {
		case 0, 1:
			v.of[k] = l.s.Intn(2)
		case 2:
			v.of[k] = k & 1
		case 3:
			v.of[k] = 2 * k / n
		case 4:
			v.of[k] = 1
		}
	}
	if l.s.Chance(1, 5) {
		for i, op := range m.ops {
			if op.Shifts() {
				v.same[i] = constantOf(m.c, l.laneCount(m.t, m.c))
			} else {
				v.same[i] = constantOf(m.c, l.laneConstant(m.t))
			}
		}
	}
	return v
}

// values returns what computes the lanes of a group from others: by one to three
// operations.
func (l *lanes) values(m *mixture, x, y lane, n int) lane {
	if l.s.Chance(1, 6) {
		return l.funnel(m, x, y)
	}
	levels := make([]*level, 1+l.s.Weighted(3, 3, 1))
	for i := range levels {
		levels[i] = l.level(m, n)
	}
	if levels[0].right == theLane { // x ^ x
		levels[0].right = aConstant
	}
	return func(k int, _ ir.Int) ir.Expr {
		e := x(k, m.c)
		for _, v := range levels {
			e = l.apply(m, v, k, e, x, y)
		}
		return e
	}
}

// apply returns what a level makes of lane k.
func (l *lanes) apply(m *mixture, v *level, k int, e ir.Expr, x, y lane) ir.Expr {
	op := m.ops[v.of[k]]
	constant := func(i int) ir.Expr {
		if v.same[i] != nil {
			return duplicate(v.same[i])
		}
		return l.constantFor(m, m.ops[i])
	}
	switch v.right {
	case theLane:
		return m.apply(op, e, m.variable(op, x(k, m.c)))
	case theOther:
		return m.apply(op, e, m.variable(op, y(k, m.c)))
	case theShifted:
		return m.apply(m.ops[1], e, m.variable(m.ops[1], m.apply(m.ops[0], x(k, m.c), constant(0))))
	}
	return m.apply(op, e, constant(v.of[k]))
}

// funnel is (x << c) | (x >> w - c), a rotation, or the same of two values.
func (l *lanes) funnel(m *mixture, x, y lane) lane {
	if l.s.Chance(2, 3) {
		y = x
	}
	op := m.ops[1]
	if !op.Bitwise() && op != ir.Add {
		op = ir.Or
	}
	w, u, c := m.t.Bits, unsigned(m.t), unsigned(promote(m.t))
	count, same := l.s.Intn(w), l.s.Chance(1, 4)
	return func(k int, _ ir.Int) ir.Expr {
		if !same {
			count = int(l.laneCount(m.t, m.t))
		}
		rest := (w - count) % w
		if l.s.Chance(1, 8) {
			rest = l.s.Intn(w)
		}
		part := func(op ir.Op, x lane, n int) ir.Expr {
			return bin(op, convert(c, x(k, u)), constantOf(c, int64(n)))
		}
		return convert(m.c, bin(op, part(ir.Shl, x, count), part(ir.Shr, y, rest)))
	}
}

// block returns the groups of a block.
func (l *lanes) block() []ir.Stmt {
	var list []ir.Stmt
	for range l.s.Weighted(0, 2, 1) {
		list = append(list, l.group()...)
	}
	return list
}

// group returns lanes that are computed, kept, and used twice or more.
func (l *lanes) group() []ir.Stmt {
	if l.s.Chance(2, 3) {
		return l.mixedGroup()
	}
	n := choice.Pick(l.s, []int{4, 4, 8, 8, 8, 16, 16, l.s.Range(minLanes, maxLanes)})
	l.newKinds()
	from := l.row()
	if l.s.Chance(1, 2) {
		from = choice.Pick(l.s, l.rows[:2])
	}
	x, y := l.lanesOf(from, n), l.lanesOf(l.row(), n)
	t := from.t
	if l.s.Chance(1, 2) {
		t = l.t
	}
	m := l.mixture(t)
	keep, at := l.temps, placing(nil)
	if l.s.Chance(1, 4) {
		keep = l.row()
		at = l.spread(keep, n)
	} else {
		at = func(k int) ir.Place { return keep.at(constantOf(ir.I32, int64(k))) }
	}
	list := l.store(at, keep.t, l.values(m, x, y, n), m.c, n)
	kept := func(k int, c ir.Int) ir.Expr { return convert(c, &ir.Load{Place: at(k)}) }
	for range l.s.Weighted(0, 1, 4, 2) {
		list = append(list, l.use(kept, keep.t, n)...)
	}
	return list
}

// store assigns lanes that are computed in type c.
func (l *lanes) store(to placing, t ir.Int, value lane, c ir.Int, n int) []ir.Stmt {
	var list []ir.Stmt
	for k := range n {
		list = append(list, &ir.Assign{Dst: to(k), Src: convert(t, value(k, c))})
	}
	return list
}

// use makes something of lanes that are kept: stores them, in their order or another,
// computes others from them, or folds them.
func (l *lanes) use(kept lane, t ir.Int, n int) []ir.Stmt {
	form := l.s.Weighted(3, 1, 1, 2, 2, 4)
	if form == 5 {
		return l.fold(kept, t, n)
	}
	r := l.row()
	to := l.spread(r, n)
	by := 1 + l.s.Intn(n-1)
	other := func(k int, c ir.Int) ir.Expr { return kept((k+by)%n, c) }
	c := promote(t)
	switch form {
	case 0:
		return l.store(to, r.t, kept, c, n)
	case 1:
		return l.store(to, r.t, other, c, n)
	case 3: // and lanes that are not of the group
		other = l.lanesOf(l.row(), n)
	case 4: // each with itself
		other = kept
	}
	m := l.mixture(t)
	return l.store(to, r.t, l.values(m, kept, other, n), m.c, n)
}

// fold is x = x ⊗ lane 0 ⊗ lane 1 ..., or the same as a tree, or statement by
// statement.
func (l *lanes) fold(kept lane, t ir.Int, n int) []ir.Stmt {
	acc := choice.Pick(l.s, l.counts)
	for range 4 {
		if acc.writable() && acc.leaves[0].t != ir.Bool {
			break
		}
		acc = choice.Pick(l.s, l.counts)
	}
	if !acc.writable() {
		acc = l.vars[0] // a parameter
	}
	c := promote(t)
	ops := []ir.Op{ir.And, ir.Or, ir.Xor, ir.Xor, ir.Add, ir.Add}
	if l.p.Select > 0 {
		ops = append(ops, ir.Lt, ir.Gt)
	}
	op := choice.Pick(l.s, ops)
	if own := l.ops[1]; own == ir.Add || own.Bitwise() {
		op = choice.Pick(l.s, []ir.Op{op, own})
	}
	if op == ir.Add || l.s.Chance(1, 2) {
		c.Signed = false
	}
	dst := func() ir.Place { return &ir.VarRef{Var: acc.v} }
	if op.Compares() || l.s.Chance(1, 4) {
		var list []ir.Stmt
		for k := range n {
			x := scalar(c, acc)
			e := ir.Expr(bin(op, x, kept(k, c)))
			if op.Compares() {
				e = &ir.Select{If: e, X: scalar(c, acc), Y: kept(k, c)}
			}
			list = append(list, &ir.Assign{Dst: dst(), Src: convert(acc.leaves[0].t, e)})
		}
		return list
	}
	var tree func(from, to int) ir.Expr
	tree = func(from, to int) ir.Expr {
		if to-from == 1 {
			return kept(from, c)
		}
		mid := (from + to) / 2
		return bin(op, tree(from, mid), tree(mid, to))
	}
	e := ir.Expr(nil)
	if l.s.Chance(1, 3) {
		e = bin(choice.Pick(l.s, []ir.Op{ir.Xor, op}), scalar(c, acc), tree(0, n))
	} else {
		e = scalar(c, acc)
		if l.s.Chance(1, 3) { // the lanes alone
			e = kept(n-1, c)
			n--
		}
		for k := range n {
			e = bin(op, e, kept(k, c))
		}
	}
	return []ir.Stmt{&ir.Assign{Dst: dst(), Src: convert(acc.leaves[0].t, e)}}
}
