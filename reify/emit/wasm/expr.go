package wasm

import (
	"fmt"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// expr pushes the value of an integer, a pointer or a floating-point number.
func (w *function) expr(e ir.Expr) {
	c := &w.code
	switch e := e.(type) {
	case *ir.Const:
		c.number(valueType(e.T), e.V)
	case *ir.FloatConst:
		c.float(e.T, e.V)
	case *ir.Null:
		c.i32(0)
	case *ir.Load:
		w.load(e.Place)
	case *ir.AddrOf:
		w.add(w.address(e.Place))
	case *ir.PtrAdd:
		w.expr(e.X)
		w.scaled(e.Index, ir.TypeOf[ir.Pointer](e.X).Elem)
		c.op(opAdd)
	case *ir.Unary:
		w.unary(e)
	case *ir.Binary:
		w.binary(e)
	case *ir.Convert:
		w.expr(e.X)
		w.convert(e.X.Type(), e.T)
	case *ir.Cast: // of a pointer
		w.expr(e.X)
	case *ir.Select:
		w.choice(e)
	case *ir.Builtin:
		w.builtin(e)
	case *ir.Call:
		for _, a := range e.Args {
			w.expr(a)
		}
		c.at(opCall, w.m.index[e.Func])
	case *ir.Checksum:
		var list []*slot
		for _, v := range e.Of {
			list = append(list, &w.slots[v.Index])
		}
		w.checksum(list)
	default:
		panic(fmt.Sprintf("wasm: unknown expression %T", e))
	}
}

// cond pushes an i32 that is not zero if e is not zero or, with not, if it is.
func (w *function) cond(e ir.Expr, not bool) {
	c := &w.code
	if not {
		if b, ok := e.(*ir.Binary); ok && b.Op.Compares() && ir.IsInt(b.X) {
			w.binary(&ir.Binary{Op: b.Op.Negated(), X: b.X, Y: b.Y})
			return
		}
		if u, ok := e.(*ir.Unary); ok && u.Op == ir.LNot {
			w.cond(u.X, false)
			return
		}
		w.expr(e)
		c.op(opEqz.of(valueType(ir.IntOf(e))))
		return
	}
	w.expr(e)
	if valueType(ir.IntOf(e)) == typeI64 {
		c.i64(0, opNe)
	}
}

// truth pushes 1 if e is not zero, else 0.
func (w *function) truth(e ir.Expr) {
	w.expr(e)
	switch x := e.(type) {
	case *ir.Binary:
		if x.Op.Yields01() && ir.IsInt(x.X) {
			return
		}
	case *ir.Unary:
		if x.Op == ir.LNot {
			return
		}
	}
	w.nonZero(valueType(ir.IntOf(e)))
}

// nonZero replaces an integer on the stack by 1 if it is not zero, else 0.
func (w *function) nonZero(t byte) {
	w.code.number(t, 0, opNe)
}

// convert turns the scalar on the stack, of one type, into one of another.
func (w *function) convert(from, to ir.Type) {
	i, ofInt := from.(ir.Int)
	j, toInt := to.(ir.Int)
	switch {
	case ofInt && toInt:
		w.convertInt(i, j)
	case ofInt:
		o := opF32FromI32S.of(valueType(to))
		if i.Bits > 32 {
			o += 2
		}
		if !i.Signed {
			o++
		}
		w.code.op(o)
	case toInt:
		w.truncate(valueType(from), j)
	case valueType(from) != valueType(to):
		w.code.op(opF32Demote.of(valueType(to)))
	}
}

// convertInt is convert for integers.
func (w *function) convertInt(from, to ir.Int) {
	c := &w.code
	wide := from.Bits > 32
	switch {
	case to == ir.Bool:
		if from != ir.Bool {
			w.nonZero(valueType(from))
		}
	case to.Bits > 32:
		if !wide {
			if from.Signed {
				c.op(opI64ExtendS)
			} else {
				c.op(opI64ExtendU)
			}
		}
		if to.Bits < 64 && !frame.Within(from, to) {
			w.narrow64(to)
		}
	default:
		if wide {
			c.op(opI32WrapI64)
		}
		if wide || !frame.Within(from, to) {
			w.narrow(to)
		}
	}
}

// truncate turns a floating-point number of a value type into an integer. A value that
// i32 holds is truncated to that, with the sign that narrower types have there.
func (w *function) truncate(from byte, to ir.Int) {
	o := opcode(0)
	if from == typeF64 {
		o += 2
	}
	if !to.Signed && to.Bits >= 32 {
		o++
	}
	wide := to.Bits > 32
	switch {
	case w.style.Saturate && wide:
		o += opI32TruncSat + 4
	case w.style.Saturate:
		o += opI32TruncSat
	case wide:
		o += opI64TruncF32S
	default:
		o += opI32TruncF32S
	}
	w.code.op(o)
	if !wide {
		w.narrow(to)
	}
}

// narrow extends the low bits of an i32 as a type of at most 32 bits wants.
func (w *function) narrow(t ir.Int) {
	c := &w.code
	switch {
	case t.Bits == 32:
	case t.Signed && t.Bits == 8:
		c.op(opI32Extend8S)
	case t.Signed && t.Bits == 16:
		c.op(opI32Extend16S)
	case t.Signed:
		c.i32(int64(32-t.Bits), opShl)
		c.i32(int64(32-t.Bits), opShrS)
	default:
		c.i32(1<<t.Bits-1, opAnd)
	}
}

func (w *function) narrow64(t ir.Int) {
	c := &w.code
	if t.Signed {
		c.i64(int64(64-t.Bits), opShl)
		c.i64(int64(64-t.Bits), opShrS)
		return
	}
	c.i64(1<<t.Bits-1, opAnd)
}

func (w *function) unary(e *ir.Unary) {
	c := &w.code
	t := valueType(e.X.Type())
	x := func() { w.expr(e.X) }
	switch {
	case e.Op == ir.LNot:
		x()
		c.op(opEqz.of(t))
	case t == typeF32 || t == typeF64:
		x()
		c.op(opF32Neg.of(t))
	default:
		w.negative(e.Op, t, x)
	}
}

// negative pushes the negative or, for Not, the complement of the integer that x pushes.
func (w *function) negative(op ir.UnOp, t byte, x func()) {
	c := &w.code
	if op == ir.Neg {
		c.number(t, 0)
		x()
		c.op(opSub.of(t))
		return
	}
	x()
	c.number(t, -1, opXor)
}

func (w *function) binary(e *ir.Binary) {
	if e.Op.Logical() {
		w.logical(e)
		return
	}
	c := &w.code
	t := e.X.Type()
	_, integers := t.(ir.Int)
	w.expr(e.X)
	if _, leaf := e.X.(*ir.Const); w.style.Spill && integers && !leaf {
		k := valueType(t)
		tmp := w.stash(k)
		w.expr(e.Y)
		other := w.stash(k)
		c.at(opLocalGet, tmp)
		c.at(opLocalGet, other)
		w.release(k, tmp)
		w.release(k, other)
	} else {
		w.expr(e.Y)
	}
	c.op(arithmetic(e.Op, t))
	if t, ok := t.(ir.Pointer); ok && e.Op == ir.Sub { // a distance, in bytes
		if n, _ := w.m.size(t.Elem); n > 1 {
			c.i32(int64(n), opDivS)
		}
		c.op(opI64ExtendS)
	}
}

// numbers gives the instructions of integers by their distance from the first of their
// list:
//
//	add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u
//	eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u
var numbers = [...]opcode{
	ir.Add: 0, ir.Sub: 1, ir.Mul: 2, ir.Div: 3, ir.Rem: 5, ir.And: 7, ir.Or: 8, ir.Xor: 9, ir.Shl: 10, ir.Shr: 11,
	ir.Eq: 0, ir.Ne: 1, ir.Lt: 2, ir.Gt: 4, ir.Le: 6, ir.Ge: 8,
}

// numbersOfOne are those of types with one sign or none: add sub mul div, and eq ne lt gt
// le ge.
var numbersOfOne = [...]opcode{
	ir.Add: 0, ir.Sub: 1, ir.Mul: 2, ir.Div: 3,
	ir.Eq: 0, ir.Ne: 1, ir.Lt: 2, ir.Gt: 3, ir.Le: 4, ir.Ge: 5,
}

// arithmetic returns the instruction of an operator on a type of scalars.
func arithmetic(op ir.Op, t ir.Type) opcode {
	k := valueType(t)
	if _, ok := t.(ir.Float); ok {
		first := opF32Add.of(k)
		if op.Compares() {
			first = opF32Eq.of(k)
		}
		return first + numbersOfOne[op]
	}
	o := opAdd.of(k)
	compares := op.Compares()
	if compares {
		o = opEq.of(k)
	}
	o += numbers[op]
	if i, _ := t.(ir.Int); !i.Signed && (op.Divides() || op == ir.Shr || compares && op != ir.Eq && op != ir.Ne) {
		o++
	}
	return o
}

// logical pushes 0 or 1.
func (w *function) logical(e *ir.Binary) {
	c := &w.code
	if w.style.Select && ir.Harmless(e.Y) {
		w.truth(e.X)
		w.truth(e.Y)
		if e.Op == ir.LAnd {
			c.op(opAnd)
		} else {
			c.op(opOr)
		}
		return
	}
	w.cond(e.X, false)
	w.begin(opIf, typeI32, label{node: -1})
	if e.Op == ir.LAnd {
		w.truth(e.Y)
		c.op(opElse)
		c.i32(0)
	} else {
		c.i32(1, opElse)
		w.truth(e.Y)
	}
	w.end()
}

// choice pushes one of two values. If both are harmless both may be evaluated.
func (w *function) choice(e *ir.Select) {
	c := &w.code
	if w.style.Select && ir.Harmless(e.X) && ir.Harmless(e.Y) {
		w.expr(e.X)
		w.expr(e.Y)
		w.cond(e.If, false)
		c.op(opSelect)
		return
	}
	w.cond(e.If, false)
	w.begin(opIf, valueType(e.X.Type()), label{node: -1})
	w.expr(e.X)
	c.op(opElse)
	w.expr(e.Y)
	w.end()
}

func (w *function) builtin(e *ir.Builtin) {
	c := &w.code
	x := e.Args[0]
	kind := ir.IntOf(x)
	t := valueType(kind)
	w.expr(x)
	switch e.Fn {
	case ir.Popcount, ir.Parity:
		c.op(opPopcnt.of(t))
		if e.Fn == ir.Parity {
			c.number(t, 1, opAnd)
		}
	case ir.Clz:
		c.op(opClz.of(t))
	case ir.Ctz:
		c.op(opCtz.of(t))
	case ir.Ffs:
		tmp := w.temp(t)
		c.at(opLocalTee, tmp, opCtz.of(t))
		c.number(t, 1, opAdd)
		c.number(t, 0)
		c.at(opLocalGet, tmp)
		c.number(t, 0, opNe, opSelect)
		w.release(t, tmp)
	case ir.Bswap:
		w.swap(t)
		return
	case ir.Abs:
		tmp := w.temp(t)
		c.at(opLocalTee, tmp)
		c.at(opLocalGet, tmp)
		c.number(t, int64(kind.Bits-1), opShrS)
		c.at(opLocalTee, tmp, opXor.of(t))
		c.at(opLocalGet, tmp, opSub.of(t))
		w.release(t, tmp)
		return
	case ir.Expect, ir.ExpectProbably:
		return
	case ir.MulHigh:
		w.expr(e.Args[1])
		c.at(opCall, w.m.helper("mulhi"))
		return
	default:
		panic("wasm: unknown builtin")
	}
	if t == typeI64 {
		c.op(opI32WrapI64)
	}
}

// swap reverses the bytes of the value on the stack.
func (w *function) swap(t byte) {
	c := &w.code
	tmp := w.temp(t)
	// half pushes (x & mask) << n | x >> n & mask.
	half := func(mask int64, n int64) {
		c.at(opLocalTee, tmp)
		c.number(t, mask, opAnd)
		c.number(t, n, opShl)
		c.at(opLocalGet, tmp)
		c.number(t, n, opShrU)
		c.number(t, mask, opAnd, opOr)
	}
	half(0x00ff00ff00ff00ff, 8)
	if t == typeI64 {
		half(0x0000ffff0000ffff, 16)
		c.i64(32, opRotl)
	} else {
		c.i32(16, opRotl)
	}
	w.release(t, tmp)
}
