package llvm

import (
	"slices"

	"goreify/reify/ir"
)

// A pattern is an expression with holes.
type pattern struct {
	hole  int                          // from 1 on, or 0
	is    func(v int64, bits int) bool // of a constant
	op    ir.Op
	unary ir.UnOp
	kind  patternKind
	of    []pattern
}

type patternKind int

const (
	aHole patternKind = iota
	aConstant
	aBinary
	aUnary
	aChoice  // a Select, or the same of vectors by masks
	aSign    // a conversion to the type of the other sign
	aMeasure // a Builtin that counts leading zeros
)

var (
	x, y, z = pattern{hole: 1}, pattern{hole: 2}, pattern{hole: 3}

	zero     = constantThat(func(v int64, _ int) bool { return v == 0 })
	one      = constantThat(func(v int64, _ int) bool { return v == 1 })
	minusOne = constantThat(func(v int64, _ int) bool { return v == -1 })
	greatest = constantThat(func(v int64, bits int) bool { return v == int64(^uint64(0)>>(64-min(bits, 64))) && bits <= 64 })
	widthOf  = constantThat(func(v int64, bits int) bool { return v == int64(bits) })
	last     = constantThat(func(v int64, bits int) bool { return v == int64(bits-1) && bits&(bits-1) == 0 })
)

func constantThat(is func(int64, int) bool) pattern { return pattern{kind: aConstant, is: is} }
func of(op ir.Op, a, b pattern) pattern             { return pattern{kind: aBinary, op: op, of: []pattern{a, b}} }
func unary(op ir.UnOp, a pattern) pattern           { return pattern{kind: aUnary, unary: op, of: []pattern{a}} }
func choose(c, a, b pattern) pattern                { return pattern{kind: aChoice, of: []pattern{c, a, b}} }
func otherSign(a pattern) pattern                   { return pattern{kind: aSign, of: []pattern{a}} }
func leading(a pattern) pattern                     { return pattern{kind: aMeasure, of: []pattern{a}} }

// modulo is a count of bits as what is masked has it, of a type whose width is a power of two.
func modulo(a pattern) pattern { return of(ir.And, a, last) }

// An idiom is an expression that is an intrinsic.
type idiom struct {
	name    string // behind s or u, if signed is not given: the sign is that of the operands
	args    []int  // holes
	more    string // a further argument, an i1
	sign    string // "s" or "u": the operands have it; "" for either
	compare bool   // the result is -1, 0 or 1 in an i32, or of the type of vectors
	count   bool   // the result is an i32
	below   bool   // the second operand is masked, so that it is below the width
	narrow  string // how the result is extended if operands are those of a narrower type: "s" or "u", "" for the sign of the operands, "-" for not
	p       pattern
}

var idioms = slices.Concat(extremes(), []idiom{
	{name: "abs", args: []int{1}, more: "true", sign: "s", narrow: "u", p: choose(of(ir.Lt, x, zero), unary(ir.Neg, x), x)},
	{name: "abs", args: []int{1}, more: "true", sign: "s", narrow: "u", p: choose(of(ir.Gt, x, zero), x, unary(ir.Neg, x))},
	{name: "abs", args: []int{1}, more: "true", sign: "s", narrow: "u", p: choose(of(ir.Ge, x, zero), x, unary(ir.Neg, x))},
	{name: "abs", args: []int{1}, more: "false", sign: "s", narrow: "-", p: choose(of(ir.Lt, x, zero), otherSign(of(ir.Sub, zero, otherSign(x))), x)},
	{name: "usub.sat", args: []int{1, 2}, sign: "u", p: choose(of(ir.Lt, x, y), zero, of(ir.Sub, x, y))},
	{name: "usub.sat", args: []int{1, 2}, sign: "u", p: choose(of(ir.Gt, x, y), of(ir.Sub, x, y), zero)},
	{name: "usub.sat", args: []int{1, 2}, sign: "u", p: choose(of(ir.Ge, x, y), of(ir.Sub, x, y), zero)},
	{name: "usub.sat", args: []int{1, 2}, sign: "u", p: of(ir.Sub, choose(of(ir.Gt, x, y), x, y), y)},
	{name: "usub.sat", args: []int{1, 2}, sign: "u", p: of(ir.Sub, x, choose(of(ir.Lt, x, y), x, y))},
	{name: "uadd.sat", args: []int{1, 2}, sign: "u", narrow: "-", p: choose(of(ir.Le, x, of(ir.Sub, greatest, y)), of(ir.Add, x, y), greatest)},
	{name: "uadd.sat", args: []int{1, 2}, sign: "u", narrow: "-", p: of(ir.Add, x, choose(of(ir.Lt, unary(ir.Not, x), y), unary(ir.Not, x), y))},
	{name: "ushl.sat", args: []int{1, 2}, sign: "u", narrow: "-", below: true, p: choose(of(ir.Eq, of(ir.Shr, of(ir.Shl, x, y), y), x), of(ir.Shl, x, y), greatest)},
	{name: "cmp", args: []int{1, 2}, compare: true, p: of(ir.Sub, of(ir.Gt, x, y), of(ir.Lt, x, y))},
	{name: "cmp", args: []int{1, 2}, compare: true, p: of(ir.Sub, of(ir.Ge, x, y), of(ir.Le, x, y))},
	{name: "cmp", args: []int{1, 2}, compare: true, p: choose(of(ir.Lt, x, y), minusOne, choose(of(ir.Eq, x, y), zero, one))},
	{name: "cmp", args: []int{1, 2}, compare: true, p: choose(of(ir.Eq, x, y), zero, choose(of(ir.Lt, x, y), minusOne, one))},
	{name: "cmp", args: []int{1, 2}, compare: true, p: choose(of(ir.Eq, x, y), zero, choose(of(ir.Gt, x, y), one, minusOne))},
	{name: "cmp", args: []int{1, 2}, compare: true, p: choose(of(ir.Lt, x, y), minusOne, of(ir.Gt, x, y))},
	{name: "cmp", args: []int{1, 2}, compare: true, p: choose(of(ir.Gt, x, y), one, unary(ir.Neg, of(ir.Lt, x, y)))},
	{name: "fshl", args: []int{1, 2, 3}, sign: "u", narrow: "-", p: of(ir.Or, of(ir.Shl, x, modulo(z)), of(ir.Shr, of(ir.Shr, y, one), modulo(unary(ir.Not, z))))},
	{name: "fshr", args: []int{1, 2, 3}, sign: "u", narrow: "-", p: of(ir.Or, of(ir.Shr, y, modulo(z)), of(ir.Shl, of(ir.Shl, x, one), modulo(unary(ir.Not, z))))},
	{name: "fshl", args: []int{1, 1, 2}, sign: "u", narrow: "-", p: of(ir.Or, of(ir.Shl, x, modulo(y)), of(ir.Shr, x, modulo(of(ir.Sub, zero, y))))},
	{name: "fshr", args: []int{1, 1, 2}, sign: "u", narrow: "-", p: of(ir.Or, of(ir.Shr, x, modulo(y)), of(ir.Shl, x, modulo(of(ir.Sub, zero, y))))},
	{name: "fshl", args: []int{1, 1, 2}, sign: "u", narrow: "-", p: of(ir.Or, of(ir.Shl, x, modulo(y)), of(ir.Shr, x, modulo(of(ir.Sub, zero, modulo(y)))))},
	{name: "fshr", args: []int{1, 1, 2}, sign: "u", narrow: "-", p: of(ir.Or, of(ir.Shr, x, modulo(y)), of(ir.Shl, x, modulo(of(ir.Sub, zero, modulo(y)))))},
	{name: "ctlz", args: []int{1}, more: "false", sign: "u", count: true, narrow: "-", p: choose(of(ir.Eq, x, zero), widthOf, leading(x))},
})

// extremes are the idioms of minimum and maximum.
func extremes() (list []idiom) {
	for _, op := range []ir.Op{ir.Lt, ir.Le} {
		list = append(list,
			idiom{name: "min", args: []int{1, 2}, p: choose(of(op, x, y), x, y)},
			idiom{name: "max", args: []int{1, 2}, p: choose(of(op, x, y), y, x)})
	}
	return list
}

// matches reports whether e is what the pattern says, of operands of so many bits, and notes
// what fills the holes.
func (p pattern) matches(e ir.Expr, bits int, holes *[4]ir.Expr) bool {
	e = bare(e)
	switch p.kind {
	case aHole:
		if holes[p.hole] == nil {
			holes[p.hole] = e
			return true
		}
		return alike(holes[p.hole], e)
	case aConstant:
		v, ok := constantOf(e)
		return ok && p.is(v, bits)
	case aUnary:
		u, ok := e.(*ir.Unary)
		if !ok && p.unary == ir.Neg {
			return of(ir.Sub, zero, p.of[0]).matches(e, bits, holes)
		}
		return ok && u.Op == p.unary && p.of[0].matches(u.X, bits, holes)
	case aSign:
		c, ok := e.(*ir.Convert)
		return ok && isNumber(c.X) && isNumber(c) && width(c.T) == width(c.X.Type()) && signed(c.T) != signed(c.X.Type()) && p.of[0].matches(c.X, bits, holes)
	case aMeasure:
		b, ok := e.(*ir.Builtin)
		return ok && b.Fn == ir.Clz && p.of[0].matches(b.Args[0], bits, holes)
	case aChoice:
		c, a, b, ok := choiceOf(e)
		return ok && p.of[0].matches(c, bits, holes) && p.of[1].matches(a, bits, holes) && p.of[2].matches(b, bits, holes)
	}
	b, ok := e.(*ir.Binary)
	if !ok {
		return false
	}
	before := *holes
	if b.Op == p.op && p.of[0].matches(b.X, bits, holes) && p.of[1].matches(b.Y, bits, holes) {
		return true
	}
	*holes = before
	commutes := b.Op == p.op && (b.Op.Bitwise() || b.Op == ir.Add || b.Op == ir.Eq || b.Op == ir.Ne)
	if commutes || p.op.Compares() && b.Op.Compares() && b.Op == p.op.Swapped() {
		if p.of[0].matches(b.Y, bits, holes) && p.of[1].matches(b.X, bits, holes) {
			return true
		}
	}
	*holes = before
	return false
}

// bare returns an expression without conversions to its own type.
func bare(e ir.Expr) ir.Expr {
	for {
		c, ok := e.(*ir.Convert)
		if !ok || c.T != c.X.Type() {
			return e
		}
		e = c.X
	}
}

// isNumber reports whether an expression is an integer, a wide one, or a vector of integers.
func isNumber(e ir.Expr) bool {
	f := ir.FamilyOf(e)
	return f == ir.Integers || f == ir.Wides || f == ir.Vectors
}

// constantOf returns the value of a constant, or that of all its lanes.
func constantOf(e ir.Expr) (v int64, ok bool) {
	switch e := e.(type) {
	case *ir.Const:
		return e.V, true
	case *ir.Convert:
		if c, ok := e.X.(*ir.Const); ok && (ir.FamilyOf(e) == ir.Wides && c.V >= 0 || ir.FamilyOf(e) == ir.Integers && e.T.(ir.Int).Wrap(c.V) == c.V) {
			return c.V, true
		}
	case *ir.VecOf:
		for i, lane := range e.Lanes {
			w, ok := constantOf(lane)
			if !ok || i > 0 && w != v {
				return 0, false
			}
			v = w
		}
		return v, true
	}
	return 0, false
}

// choiceOf returns the condition and the operands of a choice. That of vectors is a comparison.
func choiceOf(e ir.Expr) (c, a, b ir.Expr, ok bool) {
	if s, ok := e.(*ir.Select); ok {
		return s.If, s.X, s.Y, true
	}
	o, ok := e.(*ir.Binary)
	if !ok || o.Op != ir.Or || ir.FamilyOf(o) != ir.Vectors {
		return nil, nil, nil, false
	}
	l, ok := o.X.(*ir.Binary)
	r, also := o.Y.(*ir.Binary)
	if !ok || !also || l.Op != ir.And || r.Op != ir.And {
		return nil, nil, nil, false
	}
	not, ok := r.X.(*ir.Unary)
	if !ok || not.Op != ir.Not || !alike(not.X, l.X) {
		return nil, nil, nil, false
	}
	mask := l.X
	if m, ok := mask.(*ir.Convert); ok && width(m.T) == width(m.X.Type()) {
		mask = m.X
	}
	compared, ok := mask.(*ir.Binary)
	if !ok || !compared.Op.Compares() || ir.FamilyOf(compared.X) != ir.Vectors {
		return nil, nil, nil, false
	}
	return compared, l.Y, r.Y, true
}

// alike reports whether two expressions are the same text.
func alike(a, b ir.Expr) bool { return a == b || a.String() == b.String() }
