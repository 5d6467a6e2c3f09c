package jvm

import (
	"fmt"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

const (
	integerClass = "java/lang/Integer"
	longClass    = "java/lang/Long"
	mathClass    = "java/lang/Math"
)

// of returns the instruction of a kind of numbers: o is that of int.
func of(kind string, o opcode) opcode { return o + kindIndex(kind) }

// invokeStatic calls a static method of Integer or Long, whose parameters are of the kind.
func (w *function) invokeStatic(k, name, descriptor string) {
	class := integerClass
	if k == "J" {
		class = longClass
	}
	w.m.invokeStatic(w.c, class, name, descriptor)
}

// expr pushes the value of an integer or a floating-point number: narrow types sign- or
// zero-extended, u32 as an int.
func (w *function) expr(e ir.Expr) {
	c := w.c
	switch e := e.(type) {
	case *ir.Const:
		c.number(kind(e.T), e.V)
	case *ir.FloatConst:
		c.float(kind(e.T), e.V)
	case *ir.Load:
		w.load(e.Place)
	case *ir.Unary:
		if e.Op == ir.LNot {
			w.truth(e)
			return
		}
		w.expr(e.X)
		w.negate(e.Op, kind(e.X.Type()))
	case *ir.Binary:
		if e.Op.Yields01() {
			w.truth(e)
			return
		}
		w.binary(e)
	case *ir.Convert:
		if e.T == ir.Bool {
			w.truth(e.X)
			return
		}
		w.expr(e.X)
		w.convert(e.X.Type(), e.T)
	case *ir.Select:
		w.choice(e, w.expr)
	case *ir.Builtin:
		w.builtin(e)
	case *ir.Call:
		w.call(e)
	case *ir.Checksum:
		var list []*variable
		for _, v := range e.Of {
			list = append(list, &w.vars[v.Index])
		}
		w.checksum(list)
	default:
		panic(fmt.Sprintf("jvm: unknown expression %T", e))
	}
}

// choice pushes one of two values.
func (w *function) choice(e *ir.Select, push func(ir.Expr)) {
	other, end := w.c.label(), w.c.label()
	w.cond(e.If, other, false)
	push(e.X)
	w.c.jump(opGoto, end)
	w.c.place(other)
	push(e.Y)
	w.c.place(end)
}

// call pushes the result of a function.
func (w *function) call(e *ir.Call) {
	switch {
	case !w.m.styles[e.Func].Instance:
	case w.style.Instance:
		w.this()
	default:
		w.m.object = true
		w.c.field(opGetstatic, className, objectField, thisType)
	}
	for _, arg := range e.Args {
		w.expr(arg)
	}
	w.m.invokeFunction(w.c, e.Func)
}

// number pushes the low bits of an integer as an int.
func (w *function) number(e ir.Expr) {
	w.expr(e)
	if kind(ir.IntOf(e)) == "J" {
		w.c.op(opL2i)
	}
}

// truth pushes 1 if e is not zero, else 0.
func (w *function) truth(e ir.Expr) {
	if _, ok := e.(*ir.Load); ok && ir.IntOf(e) == ir.Bool {
		w.expr(e)
		return
	}
	w.flag("I", 1, func(yes int) { w.cond(e, yes, true) })
}

// flag pushes a number of a kind if the code that jump writes goes to the label yes,
// else 0.
func (w *function) flag(k string, n int64, jump func(yes int)) {
	c := w.c
	yes, end := c.label(), c.label()
	jump(yes)
	c.number(k, 0)
	c.jump(opGoto, end)
	c.place(yes)
	c.number(k, n)
	c.place(end)
}

// conditions are what ifeq and if_icmpeq are followed by, by operator.
var conditions = map[ir.Op]opcode{ir.Eq: 0, ir.Ne: 1, ir.Lt: 2, ir.Ge: 3, ir.Gt: 4, ir.Le: 5}

// cond goes to a label if e is not zero, or with when false if it is; else it goes on.
func (w *function) cond(e ir.Expr, to int, when bool) {
	c := w.c
	switch e := e.(type) {
	case *ir.Binary:
		switch {
		case e.Op.Compares():
			op := e.Op
			if !when {
				op = op.Negated() // NaN does not occur
			}
			w.compare(op, e.X, e.Y, to)
			return
		case e.Op.Logical():
			// The left operand decides alone if it is not zero for ||, zero for &&.
			decides := e.Op == ir.LOr
			if decides == when {
				w.cond(e.X, to, when)
				w.cond(e.Y, to, when)
				return
			}
			skip := c.label()
			w.cond(e.X, skip, decides)
			w.cond(e.Y, to, when)
			c.place(skip)
			return
		}
	case *ir.Unary:
		if e.Op == ir.LNot {
			w.cond(e.X, to, !when)
			return
		}
	case *ir.Convert:
		if e.T == ir.Bool {
			w.cond(e.X, to, when)
			return
		}
	}
	w.expr(e)
	if kind(ir.IntOf(e)) == "J" {
		c.long(0, opLcmp)
	}
	if when {
		c.jump(opIfne, to)
	} else {
		c.jump(opIfeq, to)
	}
}

// compare goes to a label if x op y.
func (w *function) compare(op ir.Op, x, y ir.Expr, to int) {
	c := w.c
	switch t := x.Type().(type) {
	case ir.Pointer:
		w.comparePointers(op, x, y, to)
	case ir.Float:
		w.expr(x)
		w.expr(y)
		o := opFcmpl
		if t.Bits == 64 {
			o = opDcmpl
		}
		if op == ir.Lt || op == ir.Le {
			o++
		}
		c.op(o)
		c.jump(opIfeq+conditions[op], to)
	case ir.Int:
		if zero, ok := y.(*ir.Const); ok && zero.V == 0 && kind(t) == "I" && !byMethod(op, t) {
			w.expr(x)
			c.jump(opIfeq+conditions[op], to)
			return
		}
		w.compareOf(op, t, func() { w.expr(x) }, func() { w.expr(y) }, to)
	}
}

// byMethod reports whether a comparison has no instruction.
func byMethod(op ir.Op, t ir.Int) bool {
	return !t.Signed && t.Bits >= 32 && op != ir.Eq && op != ir.Ne
}

// compareOf goes to a label if x op y, of a type, which are pushed.
func (w *function) compareOf(op ir.Op, t ir.Int, x, y func(), to int) {
	c := w.c
	k := kind(t)
	x()
	switch {
	case byMethod(op, t) && w.style.Flip:
		low := int64(-1) << 63
		if k == "I" {
			low = -1 << 31
		}
		c.number(k, low, opIxor)
		y()
		c.number(k, low, opIxor)
	case byMethod(op, t):
		y()
		w.invokeStatic(k, "compareUnsigned", "("+k+k+")I")
		c.jump(opIfeq+conditions[op], to)
		return
	default:
		y()
	}
	if k == "J" {
		c.op(opLcmp)
		c.jump(opIfeq+conditions[op], to)
		return
	}
	c.jump(opIfIcmpeq+conditions[op], to)
}

// convert turns a number of one type into one of another, which is not bool.
func (w *function) convert(from, to ir.Type) {
	c := w.c
	i, ofInt := from.(ir.Int)
	j, toInt := to.(ir.Int)
	switch {
	case ofInt && toInt:
		w.convertInt(i, j)
	case ofInt:
		w.floatOf(i, kind(to))
	case toInt:
		w.floatToInt(kind(from), j)
	case kind(from) != kind(to) && kind(to) == "D":
		c.op(opF2d)
	case kind(from) != kind(to):
		c.op(opD2f)
	}
}

// convertInt is convert for integers.
func (w *function) convertInt(from, to ir.Int) {
	c := w.c
	if kind(from) == "J" {
		if kind(to) == "J" {
			if from.Bits != to.Bits || from.Signed != to.Signed {
				w.narrowLong(to)
			}
			return
		}
		c.op(opL2i)
		w.narrow(to)
		return
	}
	if kind(to) == "J" {
		w.extend(from)
		if to.Bits < 64 && !frame.Within(from, to) {
			w.narrowLong(to)
		}
		return
	}
	if !frame.Within(from, to) {
		w.narrow(to)
	}
}

// extend turns an int, which holds a value of a type, into a long.
func (w *function) extend(from ir.Int) {
	w.c.op(opI2l)
	if from == ir.U32 {
		w.c.long(0xffffffff, opLand)
	}
}

// narrow turns an int's low bits into a value of a type of at most 32 bits other than
// bool.
func (w *function) narrow(t ir.Int) {
	c := w.c
	switch {
	case t.Bits == 32:
	case t == ir.I8:
		c.op(opI2b)
	case t == ir.I16:
		c.op(opI2s)
	case t == ir.U16:
		c.op(opI2c)
	case t.Signed:
		c.int(int32(32-t.Bits), opIshl)
		c.int(int32(32-t.Bits), opIshr)
	default:
		c.int(1<<t.Bits-1, opIand)
	}
}

func (w *function) narrowLong(t ir.Int) {
	c := w.c
	switch {
	case t.Bits == 64:
	case t.Signed:
		c.int(int32(64-t.Bits), opLshl)
		c.int(int32(64-t.Bits), opLshr)
	default:
		c.long(1<<t.Bits-1, opLand)
	}
}

// negate replaces a number by its negative or, for Not, by its complement.
func (w *function) negate(op ir.UnOp, k string) {
	if op == ir.Neg {
		w.c.op(of(k, opIneg))
		return
	}
	w.c.number(k, -1, opIxor)
}

// instructions are those of operators on int; those on long, float and double come next.
var instructions = map[ir.Op]opcode{
	ir.Add: opIadd, ir.Sub: opIsub, ir.Mul: opImul, ir.Div: opIdiv, ir.Rem: opIrem,
	ir.And: opIand, ir.Or: opIor, ir.Xor: opIxor, ir.Shl: opIshl, ir.Shr: opIshr,
}

func (w *function) binary(e *ir.Binary) {
	t := e.X.Type()
	if _, ok := t.(ir.Pointer); ok {
		w.distance(e)
		return
	}
	y := func() { w.expr(e.Y) }
	if n, ok := e.Y.(*ir.Const); ok && e.Op.Shifts() {
		y = func() { w.c.int(int32(n.V)) }
	} else if e.Op.Shifts() {
		y = func() { w.number(e.Y) }
	}
	w.operate(e.Op, t, func() { w.expr(e.X) }, y)
}

// operate pushes x op y, of a type of numbers, which are pushed: the count of a shift as
// an int.
func (w *function) operate(op ir.Op, t ir.Type, x, y func()) {
	c := w.c
	k := kind(t)
	o := of(k, instructions[op])
	i, integers := t.(ir.Int)
	unsigned := integers && !i.Signed
	switch {
	case op.Divides() && unsigned && k == "I" && w.style.Widened:
		x()
		w.extend(ir.U32)
		y()
		w.extend(ir.U32)
		c.op(o+1, opL2i)
	case op.Divides() && unsigned:
		name := "divideUnsigned"
		if op == ir.Rem {
			name = "remainderUnsigned"
		}
		x()
		y()
		w.invokeStatic(k, name, "("+k+k+")"+k)
	default:
		x()
		y()
		if op == ir.Shr && unsigned {
			o = of(k, opIushr)
		}
		c.op(o)
	}
}

func (w *function) builtin(e *ir.Builtin) {
	c := w.c
	k := kind(ir.IntOf(e.Args[0]))
	to := "(" + k + ")"
	w.expr(e.Args[0])
	switch e.Fn {
	case ir.Popcount, ir.Parity:
		w.invokeStatic(k, "bitCount", to+"I")
		if e.Fn == ir.Parity {
			c.int(1, opIand)
		}
	case ir.Clz:
		w.invokeStatic(k, "numberOfLeadingZeros", to+"I")
	case ir.Ctz:
		w.invokeStatic(k, "numberOfTrailingZeros", to+"I")
	case ir.Ffs: // the width less the leading zeros of the lowest bit, which 0 has as many of
		w.invokeStatic(k, "lowestOneBit", to+k)
		w.invokeStatic(k, "numberOfLeadingZeros", to+"I")
		c.op(opIneg)
		c.int(int32(ir.IntOf(e.Args[0]).Bits), opIadd)
	case ir.Bswap:
		w.invokeStatic(k, "reverseBytes", to+k)
	case ir.Abs:
		w.m.invokeStatic(c, mathClass, "abs", to+k)
	case ir.Expect, ir.ExpectProbably:
	case ir.MulHigh:
		w.mulHigh(e.Args[1])
	default:
		panic("jvm: unknown builtin")
	}
}

// mulHigh replaces a long by the high half of its product with another, both without a
// sign. The method takes a number for less by 2^64 if its highest bit is set.
func (w *function) mulHigh(e ir.Expr) {
	c := w.c
	x, y := w.temp("J"), w.temp("J")
	c.store(x, "J")
	w.expr(e)
	c.store(y, "J")
	load := func(list ...int) {
		for _, at := range list {
			c.load(at, "J")
		}
	}
	load(x, y)
	w.m.invokeStatic(c, mathClass, "multiplyHigh", "(JJ)J")
	for _, at := range []int{x, y} {
		load(at)
		c.int(63, opLshr)
		load(x + y - at)
		c.op(opLand, opLadd)
	}
	w.release(y, "J")
	w.release(x, "J")
}

// floatOf converts an integer, which the kind of floating-point number holds.
func (w *function) floatOf(t ir.Int, k string) {
	c := w.c
	to := kindIndex(k) - 2 // from float on
	switch {
	case t == ir.U64:
		// The conversion is of half the value and the lost bit, doubled: exact if the
		// number is.
		large, end := c.label(), c.label()
		c.dup()
		c.long(0, opLcmp)
		c.jump(opIfeq+conditions[ir.Lt], large)
		c.op(opL2f + to)
		c.jump(opGoto, end)
		c.place(large)
		c.int(1, opLushr, opL2f+to)
		c.dup()
		c.op(of(k, opIadd))
		c.place(end)
	case t.Bits > 32:
		c.op(opL2f + to)
	case t == ir.U32:
		w.extend(t)
		c.op(opL2f + to)
	default:
		c.op(opI2f + to)
	}
}

// floatToInt truncates a kind of floating-point number, and saturates int and long.
func (w *function) floatToInt(k string, t ir.Int) {
	c := w.c
	toInt, toLong := opF2i, opF2l
	compare := opFcmpl
	if k == "D" {
		toInt, toLong, compare = opD2i, opD2l, opDcmpl
	}
	switch {
	case t == ir.U64:
		const half = 1 << 63
		large, end := c.label(), c.label()
		c.dup()
		c.float(k, half)
		c.op(compare)
		c.jump(opIfeq+conditions[ir.Ge], large)
		c.op(toLong)
		c.jump(opGoto, end)
		c.place(large)
		c.float(k, half)
		c.op(of(k, opIsub), toLong)
		c.long(-1<<63, opLxor)
		c.place(end)
	case t == ir.U32:
		c.op(toLong, opL2i)
	case t.Bits > 32:
		c.op(toLong)
		w.narrowLong(t)
	default:
		c.op(toInt)
		w.narrow(t)
	}
}
