package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An Exprs writes expressions from the variables in scope.
type Exprs struct {
	scope
	context *context // of the region at hand; nil for any
	pilot   *Source  // of the block at hand; nil for none
	parts   []Part   // the shapes of the function
	Idioms  []IdiomFunc
	buffer  []ir.Expr     // subtrees without symbols or volatile reads
	usual   [numForms]int // weights of the forms of terms if there is no context
	forms   []int         // these, up to the last that has any
}

// sum returns ε for an assignment: terms and a symbol at the end.
func (w *Exprs) sum(t ir.Int, first *Source, terms int, moves bool) ir.Expr {
	e := w.terms(t, first, terms, moves)
	c := w.Region()
	if moves {
		c = &everything
	}
	return w.join(c, e, t, w.Symbol(t))
}

// terms returns n terms of type t, joined. The first is over the variable
// first and, if it moves, does not come to a standstill when it is computed
// from itself again and again.
func (w *Exprs) terms(t ir.Int, first *Source, n int, moves bool) ir.Expr {
	c := w.Region()
	var e ir.Expr
	if moves {
		op := ir.Mul
		if !w.S.Chance(w.Options.Multiply, 100) {
			op = AdditiveOp(w.S)
		}
		e = w.Bin(op, w.Load(t, first), w.operand(op, t))
	} else {
		e = w.oneTerm(c, t, first)
	}
	for range n - 1 {
		e = w.join(c, e, t, w.oneTerm(c, t, choice.Pick(w.S, w.Vars)))
	}
	return e
}

// join joins e and y as a context does. Operators that can be undefined for some y are
// left to operators on symbols.
func (w *Exprs) join(c *context, e ir.Expr, t ir.Int, y ir.Expr) ir.Expr {
	op := choice.Pick(w.S, c.join)
	if _, free := y.(*ir.Sym); !free && op.Divides() {
		op = ir.Sub
	}
	if op == ir.Mul && t.Signed && w.S.Chance(3, 4) {
		// A product of two variables hardly ever fits.
		return Wrapped(op, t, e, y)
	}
	return w.Bin(op, e, y)
}

// Wrapped returns x op y, computed in the unsigned type.
func Wrapped(op ir.Op, t ir.Int, x, y ir.Expr) ir.Expr {
	u := Unsigned(t)
	return Convert(t, Bin(op, Convert(u, x), Convert(u, y)))
}

// operand returns the symbol or constant on the right of op.
func (w *Exprs) operand(op ir.Op, t ir.Int) ir.Expr {
	switch op {
	case ir.Mul, ir.Div, ir.Rem:
		return w.factorOf(t)
	case ir.Shl, ir.Shr:
		return w.count(t)
	case ir.Add, ir.Sub:
		if t.Signed {
			return w.Symbol(t) // a constant would leave no way to keep the sum in range
		}
	}
	return w.Leaf(t)
}

// oneTerm returns a term of type t over the variable v.
func (w *Exprs) oneTerm(c *context, t ir.Int, v *Source) ir.Expr {
	if v != w.pilot {
		for _, p := range w.parts {
			if e := p.Term(t, v); e != nil {
				return e
			}
		}
	}
	weights := w.forms
	if c != &everything {
		of := w.weights(c)
		weights = of[:]
	}
	switch form(w.weigh(weights)) {
	case bitwise:
		op := BitwiseOp(w.S)
		return w.Bin(op, w.Load(t, v), w.Leaf(t))
	case shift:
		return w.shift(t, v)
	case unary:
		return w.unary(c, t, v)
	case compare:
		return w.flag(t, w.Compare(v))
	case logic:
		op := choice.Pick(w.S, []ir.Op{ir.LAnd, ir.LOr})
		return w.flag(t, w.Bin(op, w.Compare(v), w.Compare(choice.Pick(w.S, w.Vars))))
	case selection:
		if len(w.Structs) > 0 && w.S.Chance(1, 3) {
			return neighbours(w, t, v)
		}
		cond := w.Compare(choice.Pick(w.S, w.Vars))
		return Select(cond, w.Simple(c, t, v), w.Simple(c, t, choice.Pick(w.S, w.Vars)))
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
		return choice.Pick(w.S, w.Idioms)(w, t, v)
	}
	return w.Simple(c, t, v)
}

// Simple returns v ⊗ s.
func (w *Exprs) Simple(c *context, t ir.Int, v *Source) ir.Expr {
	op := AdditiveOp(w.S)
	if c.op != nil {
		op = choice.Pick(w.S, c.op)
	} else if w.S.Chance(w.Options.Multiply, 100) {
		op = choice.Pick(w.S, Multiplicatives[:])
	}
	switch {
	case op.Compares():
		return w.flag(t, w.Bin(op, w.Load(t, v), w.Leaf(t)))
	case op.Shifts():
		return w.shift(t, v)
	}
	return w.Bin(op, w.Load(t, v), w.operand(op, t))
}

// shift returns v << s or v >> s. Mostly unsigned values are shifted to the left:
// signed ones must be positive, and small enough.
func (w *Exprs) shift(t ir.Int, v *Source) ir.Expr {
	if w.S.Chance(1, 2) {
		return w.Bin(ir.Shr, w.Load(t, v), w.count(t))
	}
	u := t
	if t.Signed && w.S.Chance(7, 8) {
		u.Signed = false
	}
	return Convert(t, w.Bin(ir.Shl, w.Load(u, v), w.count(u)))
}

func (w *Exprs) unary(c *context, t ir.Int, v *Source) ir.Expr {
	switch w.S.Weighted(3, 2, 1) {
	case 0:
		return w.Bin(w.opOf(c), Unary(ir.Not, w.Load(t, v)), w.Symbol(t))
	case 1:
		return w.Bin(AdditiveOp(w.S), Unary(ir.Neg, w.Load(t, v)), w.Symbol(t))
	}
	return w.flag(t, Unary(ir.LNot, w.Load(t, v)))
}

// opOf returns an operator of a context that is defined for all operands, except signed
// ones that are too large.
func (w *Exprs) opOf(c *context) ir.Op {
	for range 4 {
		ops := c.op
		if ops == nil {
			ops = c.join
		}
		switch op := choice.Pick(w.S, ops); op {
		case ir.Add, ir.Sub, ir.And, ir.Or, ir.Xor:
			return op
		}
	}
	return AdditiveOp(w.S)
}

// Compare returns a comparison of v with a symbol or constant, now and then of
// two variables.
func (w *Exprs) Compare(v *Source) ir.Expr {
	if len(w.Ptrs) > 0 && w.S.Chance(1, 4) {
		if e := w.ComparePointers(); e != nil {
			return e
		}
	}
	t := Promote(v.Leaves[0].T)
	op := ComparisonOp(w.S)
	x := w.Load(t, v)
	if w.S.Chance(1, 4) {
		return w.Bin(op, x, w.Any(t))
	}
	return w.Bin(op, x, w.Leaf(t))
}

// flag returns a 0 or 1 as a value of type t, and now and then another value than 1.
func (w *Exprs) flag(t ir.Int, e ir.Expr) ir.Expr {
	e = Convert(t, e)
	switch w.S.Weighted(3, 1, 1) {
	case 1:
		return w.Bin(ir.Mul, e, w.Symbol(t))
	case 2:
		return Unary(ir.Neg, e) // a mask
	}
	return e
}

// builtin returns a builtin of v.
func (w *Exprs) builtin(t ir.Int, v *Source) ir.Expr {
	fn := choice.Pick(w.S, []ir.Fn{ir.Popcount, ir.Parity, ir.Clz, ir.Ctz, ir.Ffs, ir.Bswap, ir.Abs, ir.Expect})
	of := Promote(v.Leaves[0].T)
	of.Signed = fn.Signed()
	if fn == ir.Expect {
		of = ir.I32
	}
	x := w.Load(of, v)
	args := []ir.Expr{x}
	switch fn {
	case ir.Expect:
		args[0] = w.Bin(ir.And, x, Const(of, 1))
		args = append(args, Const(of, int64(w.S.Intn(2))))
	case ir.Clz, ir.Ctz: // undefined for 0
		if w.S.Chance(7, 8) {
			args[0] = w.Bin(ir.Or, x, Const(of, int64(1)<<w.S.Intn(of.Bits)))
		}
	}
	return Convert(t, &ir.Builtin{Fn: fn, Args: args})
}

// nest returns a subtree of variables and, as the policy says, constants, which is kept
// for reuse if it can be. It holds no symbols, so operators that can be undefined are
// rare.
func (w *Exprs) nest(c *context, t ir.Int, v *Source, depth int) ir.Expr {
	if w.Roll(w.Policy.Subtree) {
		if own := w.drawContext(); own != nil {
			c = own
		}
	}
	before := len(w.read)
	syms := w.Func.Syms
	e := w.subtree(c, t, v, depth)
	if len(w.read) == before && w.Func.Syms == syms {
		w.keep(e)
	}
	return e
}

func (w *Exprs) subtree(c *context, t ir.Int, v *Source, depth int) ir.Expr {
	x, y := w.Load(t, v), ir.Expr(nil)
	switch {
	case w.Roll(w.Policy.Fixed):
		y = w.Constant(t)
	case depth > 1 && w.S.Chance(1, 3):
		y = w.subtree(c, t, choice.Pick(w.S, w.Vars), depth-1)
	default:
		y = w.Any(t)
	}
	ops := c.op
	if ops == nil {
		ops = []ir.Op{ir.Add, ir.Sub, ir.Mul}
		if w.Policy.Bitwise > 0 {
			ops = append(ops, ir.And, ir.Or, ir.Xor)
		}
	}
	op := choice.Pick(w.S, ops)
	switch {
	case op.Compares():
		return Convert(t, w.Bin(op, x, y))
	case op.Shifts():
		y = w.Bin(ir.And, y, Const(t, int64(t.Bits-1)))
		if op == ir.Shl && t.Signed {
			return Wrapped(op, t, x, y)
		}
	case op.Divides():
		y = w.Nonzero(t, y)
	case op == ir.Mul && t.Signed && w.S.Chance(7, 8), op.Additive() && t.Signed && w.S.Chance(1, 3):
		return Wrapped(op, t, x, y)
	}
	return w.Bin(op, x, y)
}

// Nonzero returns y or a similar value that is neither 0 nor -1.
func (w *Exprs) Nonzero(t ir.Int, y ir.Expr) ir.Expr {
	if c, ok := y.(*ir.Const); ok && c.V != 0 && c.V != -1 {
		return y
	}
	return w.Bin(ir.Add, w.Bin(ir.And, y, Const(t, int64(w.S.Range(1, 255)))), Const(t, int64(w.S.Range(1, 9))))
}

// count returns a shift count for values of type t: a symbol, a constant, or
// a variable with a mask.
func (w *Exprs) count(t ir.Int) ir.Expr {
	switch w.S.Weighted(4, 3, 2) {
	case 0:
		if !w.Roll(w.Policy.Fixed) {
			return w.Symbol(t)
		}
	case 1:
		return w.Bin(ir.And, w.Any(t), Const(t, int64(t.Bits-1)))
	}
	return Const(t, int64(w.S.Range(1, t.Bits-1)))
}

// near returns a value that is near to an end of a type with a sign, whatever
// the variable is.
func (w *Exprs) near(t ir.Int, v *Source) ir.Expr {
	m := int64(1)<<w.S.Range(1, 8) - 1
	x := w.Bin(ir.And, w.Load(t, v), Const(t, m))
	end := ir.Int{Bits: t.Bits, Signed: true}
	if w.S.Chance(1, 4) {
		end.Bits = choice.Pick(w.S, []int{8, 16, 32})
	}
	if w.S.Chance(1, 2) {
		return w.Bin(ir.Add, x, Const(t, end.Max()-m))
	}
	return w.Bin(ir.Sub, Const(t, end.Min()+m), x)
}

// An IdiomFunc makes a form of code that some pass looks for: a value of type t
// computed from the variable v.
type IdiomFunc func(w *Exprs, t ir.Int, v *Source) ir.Expr
