package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An exprWriter writes expressions from the variables in scope.
type exprWriter struct {
	scope
	context *context // of the region at hand; nil for any
	pilot   *source  // of the block at hand; nil for none
	parts   []Part   // the shapes of the function
	idioms  []idiomFunc
	buffer  []ir.Expr // subtrees without symbols or volatile reads
}

// sum returns ε for an assignment: terms and a symbol at the end.
func (w *exprWriter) sum(t ir.Int, first *source, terms int, moves bool) ir.Expr {
	e := w.terms(t, first, terms, moves)
	c := w.in()
	if moves {
		c = &everything
	}
	return w.join(c, e, t, w.symbol(t))
}

// terms returns n terms of type t, joined. The first is over the variable
// first and, if it moves, does not come to a standstill when it is computed
// from itself again and again.
func (w *exprWriter) terms(t ir.Int, first *source, n int, moves bool) ir.Expr {
	c := w.in()
	var e ir.Expr
	if moves {
		op := ir.Mul
		if !w.s.Chance(w.o.Multiply, 100) {
			op = additiveOp(w.s)
		}
		e = bin(op, w.load(t, first), w.operand(op, t))
	} else {
		e = w.oneTerm(c, t, first)
	}
	for range n - 1 {
		e = w.join(c, e, t, w.oneTerm(c, t, choice.Pick(w.s, w.vars)))
	}
	return e
}

// join joins e and y as a context does. Operators that can be undefined for some y are
// left to operators on symbols.
func (w *exprWriter) join(c *context, e ir.Expr, t ir.Int, y ir.Expr) ir.Expr {
	op := choice.Pick(w.s, c.join)
	if _, free := y.(*ir.Sym); !free && op.Divides() {
		op = ir.Sub
	}
	if op == ir.Mul && t.Signed && w.s.Chance(3, 4) {
		// A product of two variables hardly ever fits.
		return wrapped(op, t, e, y)
	}
	return bin(op, e, y)
}

// wrapped returns x op y, computed in the unsigned type.
func wrapped(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	u := unsigned(t)
	return convert(t, bin(op, convert(u, x), convert(u, y)))
}

// operand returns the symbol or constant on the right of op.
func (w *exprWriter) operand(op ir.Op, t ir.Int) ir.Expr {
	switch op {
	case ir.Mul, ir.Div, ir.Rem:
		return w.factorOf(t)
	case ir.Shl, ir.Shr:
		return w.count(t)
	case ir.Add, ir.Sub:
		if t.Signed {
			return w.symbol(t) // a constant would leave no way to keep the sum in range
		}
	}
	return w.leaf(t)
}

// oneTerm returns a term of type t over the variable v.
func (w *exprWriter) oneTerm(c *context, t ir.Int, v *source) ir.Expr {
	if v != w.pilot {
		for _, p := range w.parts {
			if e := p.Term(t, v); e != nil {
				return e
			}
		}
	}
	weights := w.weights(c)
	switch form(w.weigh(weights[:])) {
	case bitwise:
		op := bitwiseOp(w.s)
		return bin(op, w.load(t, v), w.leaf(t))
	case shift:
		return w.shift(t, v)
	case unary:
		return w.unary(c, t, v)
	case compare:
		return w.flag(t, w.compare(v))
	case logic:
		op := choice.Pick(w.s, []ir.Op{ir.LAnd, ir.LOr})
		return w.flag(t, bin(op, w.compare(v), w.compare(choice.Pick(w.s, w.vars))))
	case selection:
		if len(w.structs) > 0 && w.s.Chance(1, 3) {
			return neighbours(w, t, v)
		}
		cond := w.compare(choice.Pick(w.s, w.vars))
		return nodeSelect(cond, w.simple(c, t, v), w.simple(c, t, choice.Pick(w.s, w.vars)))
	case builtin:
		return w.builtin(t, v)
	case nest:
		return w.nest(c, t, v, 2)
	case reuse:
		if e := w.reuse(t); e != nil {
			return e
		}
		return w.nest(c, t, v, 2)
	case near:
		return w.near(t, v)
	case idiom:
		return choice.Pick(w.s, w.idioms)(w, t, v)
	}
	return w.simple(c, t, v)
}

// simple returns v ⊗ s.
func (w *exprWriter) simple(c *context, t ir.Int, v *source) ir.Expr {
	op := additiveOp(w.s)
	if c.op != nil {
		op = choice.Pick(w.s, c.op)
	} else if w.s.Chance(w.o.Multiply, 100) {
		op = choice.Pick(w.s, multiplicatives[:])
	}
	switch {
	case op.Compares():
		return w.flag(t, bin(op, w.load(t, v), w.leaf(t)))
	case op.Shifts():
		return w.shift(t, v)
	}
	return bin(op, w.load(t, v), w.operand(op, t))
}

// shift returns v << s or v >> s. Mostly unsigned values are shifted to the left:
// signed ones must be positive, and small enough.
func (w *exprWriter) shift(t ir.Int, v *source) ir.Expr {
	if w.s.Chance(1, 2) {
		return bin(ir.Shr, w.load(t, v), w.count(t))
	}
	u := t
	if t.Signed && w.s.Chance(7, 8) {
		u.Signed = false
	}
	return convert(t, bin(ir.Shl, w.load(u, v), w.count(u)))
}

func (w *exprWriter) unary(c *context, t ir.Int, v *source) ir.Expr {
	switch w.s.Weighted(3, 2, 1) {
	case 0:
		return bin(w.opOf(c), nodeUnary(ir.Not, w.load(t, v)), w.symbol(t))
	case 1:
		return bin(additiveOp(w.s), nodeUnary(ir.Neg, w.load(t, v)), w.symbol(t))
	}
	return w.flag(t, nodeUnary(ir.LNot, w.load(t, v)))
}

// opOf returns an operator of a context that is defined for all operands, except signed
// ones that are too large.
func (w *exprWriter) opOf(c *context) ir.Op {
	for range 4 {
		ops := c.op
		if ops == nil {
			ops = c.join
		}
		switch op := choice.Pick(w.s, ops); op {
		case ir.Add, ir.Sub, ir.And, ir.Or, ir.Xor:
			return op
		}
	}
	return additiveOp(w.s)
}

// compare returns a comparison of v with a symbol or constant, now and then of
// two variables.
func (w *exprWriter) compare(v *source) ir.Expr {
	if len(w.ptrs) > 0 && w.s.Chance(1, 4) {
		if e := w.comparePointers(); e != nil {
			return e
		}
	}
	t := promote(v.leaves[0].t)
	op := comparisonOp(w.s)
	x := w.load(t, v)
	if w.s.Chance(1, 4) {
		return bin(op, x, w.any(t))
	}
	return bin(op, x, w.leaf(t))
}

// flag returns a 0 or 1 as a value of type t, and now and then another value than 1.
func (w *exprWriter) flag(t ir.Int, e ir.Expr) ir.Expr {
	e = convert(t, e)
	switch w.s.Weighted(3, 1, 1) {
	case 1:
		return bin(ir.Mul, e, w.symbol(t))
	case 2:
		return nodeUnary(ir.Neg, e) // a mask
	}
	return e
}

// builtin returns a builtin of v.
func (w *exprWriter) builtin(t ir.Int, v *source) ir.Expr {
	fn := choice.Pick(w.s, []ir.Fn{ir.Popcount, ir.Parity, ir.Clz, ir.Ctz, ir.Ffs, ir.Bswap, ir.Abs, ir.Expect})
	of := promote(v.leaves[0].t)
	of.Signed = fn.Signed()
	if fn == ir.Expect {
		of = ir.I32
	}
	x := w.load(of, v)
	args := []ir.Expr{x}
	switch fn {
	case ir.Expect:
		args[0] = bin(ir.And, x, constantOf(of, 1))
		args = append(args, constantOf(of, int64(w.s.Intn(2))))
	case ir.Clz, ir.Ctz: // undefined for 0
		if w.s.Chance(7, 8) {
			args[0] = bin(ir.Or, x, constantOf(of, int64(1)<<w.s.Intn(of.Bits)))
		}
	}
	return convert(t, &ir.Builtin{Fn: fn, Args: args})
}

// nest returns a subtree of variables and, as the policy says, constants, which is kept
// for reuse if it can be. It holds no symbols, so operators that can be undefined are
// rare.
func (w *exprWriter) nest(c *context, t ir.Int, v *source, depth int) ir.Expr {
	if w.roll(w.p.Subtree) {
		if own := w.drawContext(); own != nil {
			c = own
		}
	}
	before := len(w.read)
	syms := w.f.Syms
	e := w.subtree(c, t, v, depth)
	if len(w.read) == before && w.f.Syms == syms {
		w.keep(e)
	}
	return e
}

func (w *exprWriter) subtree(c *context, t ir.Int, v *source, depth int) ir.Expr {
	x, y := w.load(t, v), ir.Expr(nil)
	switch {
	case w.roll(w.p.Fixed):
		y = w.constant(t)
	case depth > 1 && w.s.Chance(1, 3):
		y = w.subtree(c, t, choice.Pick(w.s, w.vars), depth-1)
	default:
		y = w.any(t)
	}
	ops := c.op
	if ops == nil {
		ops = []ir.Op{ir.Add, ir.Sub, ir.Mul}
		if w.p.Bitwise > 0 {
			ops = append(ops, ir.And, ir.Or, ir.Xor)
		}
	}
	op := choice.Pick(w.s, ops)
	switch {
	case op.Compares():
		return convert(t, bin(op, x, y))
	case op.Shifts():
		y = bin(ir.And, y, constantOf(t, int64(t.Bits-1)))
		if op == ir.Shl && t.Signed {
			return wrapped(op, t, x, y)
		}
	case op.Divides():
		y = w.nonzero(t, y)
	case op == ir.Mul && t.Signed && w.s.Chance(7, 8), op.Additive() && t.Signed && w.s.Chance(1, 3):
		return wrapped(op, t, x, y)
	}
	return bin(op, x, y)
}

// nonzero returns y or a similar value that is neither 0 nor -1.
func (w *exprWriter) nonzero(t ir.Int, y ir.Expr) ir.Expr {
	if c, ok := y.(*ir.Const); ok && c.V != 0 && c.V != -1 {
		return y
	}
	return bin(ir.Add, bin(ir.And, y, constantOf(t, int64(w.s.Range(1, 255)))), constantOf(t, int64(w.s.Range(1, 9))))
}

// count returns a shift count for values of type t: a symbol, a constant, or
// a variable with a mask.
func (w *exprWriter) count(t ir.Int) ir.Expr {
	switch w.s.Weighted(4, 3, 2) {
	case 0:
		if !w.roll(w.p.Fixed) {
			return w.symbol(t)
		}
	case 1:
		return bin(ir.And, w.any(t), constantOf(t, int64(t.Bits-1)))
	}
	return constantOf(t, int64(w.s.Range(1, t.Bits-1)))
}

// near returns a value that is near to an end of a type with a sign, whatever
// the variable is.
func (w *exprWriter) near(t ir.Int, v *source) ir.Expr {
	m := int64(1)<<w.s.Range(1, 8) - 1
	x := bin(ir.And, w.load(t, v), constantOf(t, m))
	end := ir.Int{Bits: t.Bits, Signed: true}
	if w.s.Chance(1, 4) {
		end.Bits = choice.Pick(w.s, []int{8, 16, 32})
	}
	if w.s.Chance(1, 2) {
		return bin(ir.Add, x, constantOf(t, end.Max()-m))
	}
	return bin(ir.Sub, constantOf(t, end.Min()+m), x)
}

// An idiomFunc makes a form of code that some pass looks for: a value of type t
// computed from the variable v.
type idiomFunc func(w *exprWriter, t ir.Int, v *source) ir.Expr
