package wasm

import (
	"fmt"

	"goreify/reify/ir"
)

// expr pushes the value of an expression.
func (w *function) expr(e ir.Expr) {
	c := &w.code
	switch e := e.(type) {
	case *ir.Const:
		c.number(valueType(e.T), e.V)
	case *ir.Load:
		w.load(e.Place)
	case *ir.Unary:
		w.unary(e)
	case *ir.Binary:
		w.binary(e)
	case *ir.Convert:
		w.expr(e.X)
		w.convert(ir.IntOf(e.X), e.T)
	case *ir.Select:
		w.choice(valueType(ir.IntOf(e)), e.If, func() { w.expr(e.X) }, func() { w.expr(e.Y) }, ir.Harmless(e.X) && ir.Harmless(e.Y))
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
	case *ir.PtrCompare:
		w.pointer(e.X)
		w.pointer(e.Y)
		c.op(compareInts(e.Op, ir.U32))
	case *ir.PtrDiff:
		w.pointer(e.X)
		w.pointer(e.Y)
		c.op(opI32Sub)
		if n, _ := w.m.size(ir.TypeOf[ir.Pointer](e.X).Elem); n > 1 {
			c.i32(int64(n))
			c.op(opI32DivS)
		}
		c.op(opI64ExtendS)
	case *ir.FloatToInt:
		w.floatToInt(e)
	case *ir.FloatCompare:
		w.float(e.X)
		w.float(e.Y)
		// eq ne lt gt le ge
		order := [...]opcode{ir.Eq: 0, ir.Ne: 1, ir.Lt: 2, ir.Gt: 3, ir.Le: 4, ir.Ge: 5}
		first := opcode(0x5b)
		if ir.TypeOf[ir.Float](e.X).Bits == 64 {
			first = 0x61
		}
		c.op(first + order[e.Op])
	default:
		panic(fmt.Sprintf("wasm: unknown expression %T", e))
	}
}

// cond pushes an i32 that is not zero if e is not zero or, with not, if it is.
func (w *function) cond(e ir.Expr, not bool) {
	c := &w.code
	if not {
		if b, ok := e.(*ir.Binary); ok && b.Op.Compares() {
			w.binary(&ir.Binary{Op: b.Op.Negated(), X: b.X, Y: b.Y})
			return
		}
		if u, ok := e.(*ir.Unary); ok && u.Op == ir.LNot {
			w.cond(u.X, false)
			return
		}
		w.expr(e)
		c.op(of(valueType(ir.IntOf(e)), opI32Eqz, opI64Eqz))
		return
	}
	w.expr(e)
	if valueType(ir.IntOf(e)) == typeI64 {
		c.i64(0)
		c.op(opI64Ne)
	}
}

// truth pushes 1 if e is not zero, else 0.
func (w *function) truth(e ir.Expr) {
	switch x := e.(type) {
	case *ir.Binary:
		if x.Op.Yields01() {
			w.expr(e)
			return
		}
	case *ir.Unary:
		if x.Op == ir.LNot {
			w.expr(e)
			return
		}
	}
	w.expr(e)
	t := valueType(ir.IntOf(e))
	w.code.number(t, 0)
	w.code.op(of(t, opI32Ne, opI64Ne))
}

// convert turns a value of one type into one of another.
func (w *function) convert(from, to ir.Int) {
	c := &w.code
	wide := from.Bits > 32
	switch {
	case to == ir.Bool:
		if from == ir.Bool {
			return
		}
		t := valueType(from)
		c.number(t, 0)
		c.op(of(t, opI32Ne, opI64Ne))
	case to.Bits > 32:
		if !wide {
			if from.Signed {
				c.op(opI64ExtendS)
			} else {
				c.op(opI64ExtendU)
			}
		}
		if to.Bits < 64 && !within(from, to) {
			w.narrow64(to)
		}
	default:
		if wide {
			c.op(opI32WrapI64)
		}
		if wide || !within(from, to) {
			w.narrow(to)
		}
	}
}

// within reports whether a type holds all values of another.
func within(from, to ir.Int) bool {
	return from == to || from.Bits < to.Bits && (to.Signed || !from.Signed)
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
		c.i32(int64(32 - t.Bits))
		c.op(opI32Shl)
		c.i32(int64(32 - t.Bits))
		c.op(opI32ShrS)
	default:
		c.i32(1<<t.Bits - 1)
		c.op(opI32And)
	}
}

func (w *function) narrow64(t ir.Int) {
	c := &w.code
	if t.Signed {
		c.i64(int64(64 - t.Bits))
		c.op(opI64Shl)
		c.i64(int64(64 - t.Bits))
		c.op(opI64ShrS)
		return
	}
	c.i64(1<<t.Bits - 1)
	c.op(opI64And)
}

func (w *function) unary(e *ir.Unary) {
	c := &w.code
	t := valueType(ir.IntOf(e.X))
	switch e.Op {
	case ir.Neg:
		c.number(t, 0)
		w.expr(e.X)
		c.op(of(t, opI32Sub, opI64Sub))
	case ir.Not:
		w.expr(e.X)
		c.number(t, -1)
		c.op(of(t, opI32Xor, opI64Xor))
	case ir.LNot:
		w.expr(e.X)
		c.op(of(t, opI32Eqz, opI64Eqz))
	default:
		panic("wasm: unknown operator")
	}
}

func (w *function) binary(e *ir.Binary) {
	if e.Op.Logical() {
		w.logical(e)
		return
	}
	c := &w.code
	t := ir.IntOf(e.X)
	w.expr(e.X)
	if _, leaf := e.X.(*ir.Const); w.style.Spill && !leaf {
		k := valueType(t)
		tmp := w.temp(k)
		c.at(opLocalSet, tmp)
		w.expr(e.Y)
		other := w.temp(k)
		c.at(opLocalSet, other)
		c.at(opLocalGet, tmp)
		c.at(opLocalGet, other)
		w.release(k, tmp)
		w.release(k, other)
	} else {
		w.expr(e.Y)
	}
	c.op(arithmetic(e.Op, t))
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

// arithmetic returns the instruction of an operator on a type.
func arithmetic(op ir.Op, t ir.Int) opcode {
	if op.Compares() {
		return compareInts(op, t)
	}
	o := of(valueType(t), opI32Add, opI64Add) + numbers[op]
	if !t.Signed && (op.Divides() || op == ir.Shr) {
		o++
	}
	return o
}

func compareInts(op ir.Op, t ir.Int) opcode {
	o := of(valueType(t), opI32Eq, opI64Eq) + numbers[op]
	if !t.Signed && op != ir.Eq && op != ir.Ne {
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
			c.op(opI32And)
		} else {
			c.op(opI32Or)
		}
		return
	}
	w.cond(e.X, false)
	c.block(opIf, typeI32)
	w.labels = append(w.labels, label{node: -1})
	if e.Op == ir.LAnd {
		w.truth(e.Y)
		c.op(opElse)
		c.i32(0)
	} else {
		c.i32(1)
		c.op(opElse)
		w.truth(e.Y)
	}
	w.end()
}

// choice pushes the value that x pushes if a condition is not zero, else that of y. If
// both are harmless both may be evaluated.
func (w *function) choice(t byte, cond ir.Expr, x, y func(), harmless bool) {
	c := &w.code
	if w.style.Select && harmless {
		x()
		y()
		w.cond(cond, false)
		c.op(opSelect)
		return
	}
	w.cond(cond, false)
	c.block(opIf, t)
	w.labels = append(w.labels, label{node: -1})
	x()
	c.op(opElse)
	y()
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
		c.op(of(t, opI32Popcnt, opI64Popcnt))
		if e.Fn == ir.Parity {
			c.number(t, 1)
			c.op(of(t, opI32And, opI64And))
		}
	case ir.Clz:
		c.op(of(t, opI32Clz, opI64Clz))
	case ir.Ctz:
		c.op(of(t, opI32Ctz, opI64Ctz))
	case ir.Ffs:
		tmp := w.temp(t)
		c.at(opLocalTee, tmp)
		c.op(of(t, opI32Ctz, opI64Ctz))
		c.number(t, 1)
		c.op(of(t, opI32Add, opI64Add))
		c.number(t, 0)
		c.at(opLocalGet, tmp)
		c.number(t, 0)
		c.op(of(t, opI32Ne, opI64Ne))
		c.op(opSelect)
		w.release(t, tmp)
	case ir.Bswap:
		w.swap(t)
		return
	case ir.Abs:
		tmp := w.temp(t)
		c.at(opLocalTee, tmp)
		c.at(opLocalGet, tmp)
		c.number(t, int64(kind.Bits-1))
		c.op(of(t, opI32ShrS, opI64ShrS))
		c.at(opLocalTee, tmp)
		c.op(of(t, opI32Xor, opI64Xor))
		c.at(opLocalGet, tmp)
		c.op(of(t, opI32Sub, opI64Sub))
		w.release(t, tmp)
		return
	case ir.Expect, ir.ExpectProbably:
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
		c.number(t, mask)
		c.op(of(t, opI32And, opI64And))
		c.number(t, n)
		c.op(of(t, opI32Shl, opI64Shl))
		c.at(opLocalGet, tmp)
		c.number(t, n)
		c.op(of(t, opI32ShrU, opI64ShrU))
		c.number(t, mask)
		c.op(of(t, opI32And, opI64And))
		c.op(of(t, opI32Or, opI64Or))
	}
	half(0x00ff00ff00ff00ff, 8)
	if t == typeI64 {
		half(0x0000ffff0000ffff, 16)
		c.i64(32)
		c.op(opI64Rotl)
	} else {
		c.i32(16)
		c.op(opI32Rotl)
	}
	w.release(t, tmp)
}

// float pushes the value of a floating-point expression.
func (w *function) float(e ir.Expr) {
	c := &w.code
	switch e := e.(type) {
	case *ir.FloatConst:
		c.constant(valueType(e.T), int64(floatBits(e.T, e.V)))
	case *ir.FloatLoad:
		w.load(e.Place)
	case *ir.FloatNeg:
		w.float(e.X)
		c.op(of32(ir.TypeOf[ir.Float](e), opF32Neg, opF64Neg))
	case *ir.FloatBinary:
		w.float(e.X)
		w.float(e.Y)
		order := [...]opcode{ir.Add: 0, ir.Sub: 1, ir.Mul: 2, ir.Div: 3}
		c.op(of32(ir.TypeOf[ir.Float](e), opF32Add, opF64Add) + order[e.Op])
	case *ir.FloatConvert:
		w.float(e.X)
		switch from := ir.TypeOf[ir.Float](e.X); {
		case from.Bits < e.T.Bits:
			c.op(opF64Promote)
		case from.Bits > e.T.Bits:
			c.op(opF32Demote)
		}
	case *ir.FloatOf:
		w.expr(e.X)
		o := of32(e.T, opF32FromI32S, opF64FromI32S)
		t := ir.IntOf(e.X)
		if t.Bits > 32 {
			o += 2
		}
		if !t.Signed {
			o++
		}
		c.op(o)
	default:
		panic(fmt.Sprintf("wasm: unknown expression %T", e))
	}
}

// of32 returns the instruction for f32 or that for f64.
func of32(t ir.Float, single, double opcode) opcode {
	if t.Bits == 64 {
		return double
	}
	return single
}

// floatToInt truncates. A value that i32 holds is truncated to that, with the sign that
// narrower types have there.
func (w *function) floatToInt(e *ir.FloatToInt) {
	w.float(e.X)
	n := opcode(0)
	if ir.TypeOf[ir.Float](e.X).Bits == 64 {
		n += 2
	}
	if !e.T.Signed && e.T.Bits >= 32 {
		n++
	}
	wide := e.T.Bits > 32
	if w.style.Saturate {
		if wide {
			n += 4
		}
		w.code.op(opI32TruncSat + n)
	} else if wide {
		w.code.op(opI64TruncF32S + n)
	} else {
		w.code.op(opI32TruncF32S + n)
	}
	if !wide {
		w.narrow(e.T)
	}
}
