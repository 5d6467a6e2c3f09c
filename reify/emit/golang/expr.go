package golang

import (
	"fmt"
	"math"
	"strconv"

	"goreify/reify/ir"
)

// Precedences of Go's operators.
const (
	anyPrec = iota
	lorPrec
	landPrec
	comparePrec
	addPrec
	mulPrec
	unaryPrec
)

func precedence(op ir.Op) int {
	switch op {
	case ir.LOr:
		return lorPrec
	case ir.LAnd:
		return landPrec
	case ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne:
		return comparePrec
	case ir.Add, ir.Sub, ir.Or, ir.Xor:
		return addPrec
	case ir.Mul, ir.Div, ir.Rem, ir.And, ir.Shl, ir.Shr:
		return mulPrec
	}
	panic(fmt.Sprintf("emit/golang: unknown operator %v", op))
}

func open(text []byte, own, prec int) []byte {
	if own < prec {
		return append(text, '(')
	}
	return text
}

func shut(text []byte, own, prec int) []byte {
	if own < prec {
		return append(text, ')')
	}
	return text
}

// truth tells whether an expression, which is no vector, is a truth value in Go.
func truth(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Binary:
		return e.Op.Yields01()
	case *ir.Unary:
		return e.Op == ir.LNot
	case *ir.Builtin:
		return e.Fn.Hints() && truth(e.Args[0])
	}
	return false
}

// appendExpr appends e, a scalar of its type or a record, in parentheses if its operator
// binds more loosely than prec. A constant has no type of its own.
func (f *function) appendExpr(text []byte, e ir.Expr, prec int) []byte {
	if truth(e) {
		return f.appendBit(text, boolFunc, e)
	}
	switch e := e.(type) {
	case *ir.Const:
		return f.appendConst(text, e, prec)
	case *ir.FloatConst:
		if e.V < 0 {
			return append(append(append(text, '('), floatLiteral(e)...), ')')
		}
		return append(text, floatLiteral(e)...)
	case *ir.Load:
		return f.appendPlace(text, e.Place)
	case *ir.Binary:
		return f.appendBinary(text, e, prec)
	case *ir.Unary:
		text = open(text, unaryPrec, prec)
		text = append(text, map[ir.UnOp]byte{ir.Neg: '-', ir.Not: '^'}[e.Op])
		text = f.appendOpaque(text, e.X, unaryPrec+1)
		return shut(text, unaryPrec, prec)
	case *ir.Select:
		return f.appendSelect(text, e)
	case *ir.Convert:
		if f.narrow {
			if text, ok := f.appendNarrow(text, e, prec); ok {
				return text
			}
		}
		return f.appendConvert(text, e)
	case *ir.Builtin:
		return f.appendBuiltin(text, e, prec)
	case *ir.Call:
		return f.appendCall(text, e)
	case *ir.AddrOf:
		return f.appendAddr(text, e.Place)
	case *ir.Null, *ir.PtrAdd, *ir.Cast:
		return f.appendPtr(text, e)
	}
	panic(fmt.Sprintf("emit/golang: expression %v", e))
}

// appendBit appends a truth value as a number.
func (f *function) appendBit(text []byte, helper string, e ir.Expr) []byte {
	if f.hoistsBits() && f.hoistable() {
		t := ir.I32
		if helper == byteFunc {
			t = ir.Bool
		}
		name := f.temporary(t)
		cond := string(f.appendCond(nil, e, anyPrec, false))
		f.before = append(f.before, name+" = 0", "if "+cond+" {", "\t"+name+" = 1", "}")
		return append(text, name...)
	}
	f.helpers[helper] = true
	text = append(append(text, helper...), '(')
	return append(f.appendCond(text, e, anyPrec, false), ')')
}

// appendConst appends a constant. A negative constant cannot be the operand of a unary
// minus.
func (f *function) appendConst(text []byte, e *ir.Const, prec int) []byte {
	if f.unit.Style.Consts == Hidden {
		return append(text, f.variable(e)...)
	}
	if e.T.Signed && e.V < 0 && prec > addPrec {
		return append(append(append(text, '('), e.T.Format(e.V)...), ')')
	}
	return append(text, e.T.Format(e.V)...)
}

// variable returns a variable of the type and value of a constant, from which Go
// computes nothing at compile time.
func (f *function) variable(e *ir.Const) string {
	for _, k := range f.constants {
		if k.T == e.T && k.V == e.V {
			return k.name
		}
	}
	name := "k" + strconv.Itoa(len(f.constants)+1)
	if f.unit.Style.Consts == Hidden {
		name = f.names.ofPackage(f.names.fn + "_" + name)
	} else {
		name = f.names.local.add(name)
	}
	f.constants = append(f.constants, constant{*e, name})
	return name
}

// appendVariable appends an expression that is not a constant of Go, or in the short form
// one that has a type.
func (f *function) appendVariable(text []byte, e ir.Expr, prec int) []byte {
	if c, ok := constantOf(e); ok && f.unit.Style.Short && f.unit.Style.Consts == Untyped && c.T.Standard() {
		return append(append(append(append(text, intName(c.T)...), '('), c.T.Format(c.V)...), ')')
	}
	return f.appendOpaque(text, e, prec)
}

// appendOpaque appends an expression that is not a constant of Go.
func (f *function) appendOpaque(text []byte, e ir.Expr, prec int) []byte {
	if c, ok := constantOf(e); ok {
		return append(text, f.variable(c)...)
	}
	if c, ok := e.(*ir.FloatConst); ok {
		return append(text, f.floatVariable(c)...)
	}
	return f.appendExpr(text, e, prec)
}

// constantOf returns the value of an expression that is a constant for Go: hints to
// compilers are not written.
func constantOf(e ir.Expr) (*ir.Const, bool) {
	for {
		hint, ok := e.(*ir.Builtin)
		if !ok || !hint.Fn.Hints() {
			break
		}
		e = hint.Args[0]
	}
	c, ok := e.(*ir.Const)
	return c, ok
}

func isConst(e ir.Expr) bool {
	_, ok := constantOf(e)
	return ok
}

// appendBinary appends an operator that yields no truth value. Each floating-point result
// is converted, so that no processor fuses it with another operation.
func (f *function) appendBinary(text []byte, e *ir.Binary, prec int) []byte {
	of, own := ir.FamilyOf(e.Y), precedence(e.Op)
	switch of {
	case ir.Pointers:
		text = f.appendDistance(open(text, mulPrec, prec), e.X, e.Y)
		text = append(append(append(text, " / int64("...), f.size(ir.TypeOf[ir.Pointer](e.X).Elem)...), ')')
		return shut(text, mulPrec, prec)
	case ir.Floats:
		text = append(append(text, f.typeName(e.Type())...), '(')
	default:
		text = open(text, own, prec)
	}
	switch {
	case of == ir.Floats || isConst(e.Y):
		text = f.appendOpaque(text, e.X, own)
	case e.Op.Shifts():
		text = f.appendVariable(text, e.X, own)
	default:
		text = f.appendExpr(text, e.X, own)
	}
	text = append(append(append(text, ' '), e.Op.String()...), ' ')
	y, constant := constantOf(e.Y)
	float, _ := e.Y.(*ir.FloatConst)
	switch {
	case constant && rejected(e.Op, y), float != nil && float.V == 0:
		text = f.appendOpaque(text, e.Y, own+1)
	case e.Op.Shifts() && f.unit.Style.Counts && !constant && f.masked(e.Y):
		text = append(append(append(text, "uint32("...), f.expr(e.Y)...), ')')
	default:
		text = f.appendExpr(text, e.Y, own+1)
	}
	if of == ir.Floats {
		return append(text, ')')
	}
	return shut(text, own, prec)
}

// rejected tells whether Go rejects a constant as a right operand: a divisor that is
// zero, or a count that no uint of 32 bits holds.
func rejected(op ir.Op, y *ir.Const) bool {
	return op.Divides() && y.V == 0 || op.Shifts() && uint64(y.V) > math.MaxUint32
}

// masked tells whether a uint32 surely holds a count.
func (f *function) masked(e ir.Expr) bool {
	if !ir.IntOf(e).Signed {
		return ir.IntOf(e).Bits <= 32
	}
	b, ok := e.(*ir.Binary)
	if !ok || b.Op != ir.And {
		return false
	}
	y, ok := constantOf(b.Y)
	return ok && 0 <= y.V && y.V <= math.MaxUint32
}

// appendCond appends e as a truth value, or its opposite.
func (f *function) appendCond(text []byte, e ir.Expr, prec int, negate bool) []byte {
	switch e := e.(type) {
	case *ir.Const:
		return append(text, strconv.FormatBool((e.V != 0) != negate)...)
	case *ir.Binary:
		switch {
		case e.Op.Compares():
			return f.appendComparison(text, e, prec, negate)
		case e.Op.Logical():
			if negate {
				return append(f.appendCond(append(text, "!("...), e, anyPrec, false), ')')
			}
			own := precedence(e.Op)
			text = open(text, own, prec)
			text = f.appendCond(text, e.X, own, false)
			text = append(append(append(text, ' '), e.Op.String()...), ' ')
			f.lazy++
			text = f.appendCond(text, e.Y, own+1, false)
			f.lazy--
			return shut(text, own, prec)
		}
	case *ir.Unary:
		if e.Op == ir.LNot {
			return f.appendCond(text, e.X, prec, !negate)
		}
	case *ir.Builtin:
		if e.Fn.Hints() {
			return f.appendCond(text, e.Args[0], prec, negate)
		}
	}
	text = open(text, comparePrec, prec)
	text = f.appendVariable(text, e, addPrec)
	if negate {
		text = append(text, " == 0"...)
	} else {
		text = append(text, " != 0"...)
	}
	return shut(text, comparePrec, prec)
}

// appendComparison appends a comparison, or its opposite.
func (f *function) appendComparison(text []byte, e *ir.Binary, prec int, negate bool) []byte {
	op, of := e.Op, ir.FamilyOf(e.Y)
	switch {
	case negate && of == ir.Floats:
		text = append(text, '!')
		prec = unaryPrec
	case negate:
		op = op.Negated()
	}
	if f.narrow && of == ir.Integers {
		if _, list, ok := unpromoted(e.X, e.Y); ok {
			e = &ir.Binary{Op: e.Op, X: list[0], Y: list[1]}
		}
	}
	text = open(text, comparePrec, prec)
	if of == ir.Pointers && op != ir.Eq && op != ir.Ne {
		text = append(append(f.appendDistance(text, e.X, e.Y), ' '), op.String()...)
		return shut(append(text, " 0"...), comparePrec, prec)
	}
	if of == ir.Floats || isConst(e.Y) {
		text = f.appendVariable(text, e.X, addPrec)
	} else {
		text = f.appendExpr(text, e.X, addPrec)
	}
	text = append(append(append(text, ' '), op.String()...), ' ')
	text = f.appendExpr(text, e.Y, addPrec)
	return shut(text, comparePrec, prec)
}

// appendSelect appends ?:, of which one operand is evaluated. The style is for integers.
func (f *function) appendSelect(text []byte, e *ir.Select) []byte {
	style := f.unit.Style.Select
	if !ir.IsInt(e) {
		style = Literal
	}
	if style == If && f.hoistable() {
		name := f.temporary(ir.IntOf(e))
		if f.hoistsBits() && ir.Harmless(e.Y) {
			value := f.expr(e.Y)
			f.before = append(f.before, name+" = "+value)
			cond := string(f.appendCond(nil, e.If, anyPrec, false))
			f.before = append(f.before, "if "+cond+" {")
			f.arm(name, e.X)
			f.before = append(f.before, "}")
			return append(text, name...)
		}
		cond := string(f.appendCond(nil, e.If, anyPrec, false))
		f.before = append(f.before, "if "+cond+" {")
		f.arm(name, e.X)
		f.before = append(f.before, "} else {")
		f.arm(name, e.Y)
		f.before = append(f.before, "}")
		return append(text, name...)
	}
	x, y, negate := e.X, e.Y, false
	if style == Swapped {
		x, y, negate = y, x, true
	}
	f.lazy++
	text = append(append(append(text, "func() "...), f.typeName(e.Type())...), " { if "...)
	text = f.appendCond(text, e.If, anyPrec, negate)
	text = append(text, " { return "...)
	text = f.appendExpr(text, x, anyPrec)
	text = append(text, " }; return "...)
	text = f.appendExpr(text, y, anyPrec)
	f.lazy--
	return append(text, " }()"...)
}

// hoistsBits tells whether truth values become numbers by statements, where that can be.
func (f *function) hoistsBits() bool { return f.unit.Style.Short && f.unit.Style.Select == If }

// hoistable tells whether statements before the one at hand may do a part of it.
func (f *function) hoistable() bool {
	return f.unit.Style.Select == If && f.lazy == 0 && f.hoists == f.calls
}

// arm assigns an expression to a temporary, in a branch before the statement.
func (f *function) arm(name string, e ir.Expr) {
	value := f.expr(e) // may add statements, which are in the branch then
	f.before = append(f.before, "\t"+name+" = "+value)
}

// expr returns a whole expression.
func (f *function) expr(e ir.Expr) string { return string(f.appendExpr(nil, e, anyPrec)) }

func (f *function) appendConvert(text []byte, e *ir.Convert) []byte {
	if t, ok := e.T.(ir.Int); ok && ir.IsInt(e.X) {
		switch {
		case t == ir.Bool:
			return f.appendBit(text, byteFunc, e.X)
		case !t.Standard():
			return f.appendField(text, t, e.X)
		}
	}
	text = append(append(text, f.typeName(e.T)...), '(')
	if c, ok := constantOf(e.X); ok && f.unit.Style.Short && f.unit.Style.Consts == Untyped {
		if t, ok := e.T.(ir.Int); ok && t.Holds(c.V) && c.V != 0 {
			return append(append(text, c.T.Format(c.V)...), ')')
		}
		return append(append(text, f.variable(c)...), ')')
	}
	return append(f.appendVariable(text, e.X, anyPrec), ')')
}

// appendField appends x converted to the type of a bit-field.
func (f *function) appendField(text []byte, t ir.Int, x ir.Expr) []byte {
	text = append(append(text, intName(t)...), '(')
	if t.Signed {
		shift := strconv.Itoa(64 - t.Bits)
		text = f.appendVariable(append(text, "int64("...), x, anyPrec)
		text = append(text, ") << "+shift+" >> "+shift...)
	} else {
		text = f.appendVariable(append(text, "uint64("...), x, anyPrec)
		text = append(text, ") & "+ir.U64.Format(t.Max())...)
	}
	return append(text, ')')
}

func (f *function) appendBuiltin(text []byte, e *ir.Builtin, prec int) []byte {
	x, t := e.Args[0], ir.IntOf(e.Args[0])
	call := func(name string, x ir.Expr) []byte {
		f.helpers[name] = true
		return append(f.appendVariable(append(text, name+"("...), x, anyPrec), ')')
	}
	width := strconv.Itoa(t.Bits)
	count := func(name string) []byte {
		f.helpers["bits"] = true
		text = append(text, "int32("...)
		return append(call("bits."+name+width, x), ')')
	}
	switch e.Fn {
	case ir.Popcount:
		return count("OnesCount")
	case ir.Parity:
		text = open(text, mulPrec, prec)
		text = append(count("OnesCount"), " & 1"...)
		return shut(text, mulPrec, prec)
	case ir.Clz:
		return count("LeadingZeros")
	case ir.Ctz:
		return count("TrailingZeros")
	case ir.Ffs:
		return call("ffs", &ir.Convert{T: ir.I64, X: x})
	case ir.Bswap:
		f.helpers["bits"] = true
		return call("bits.ReverseBytes"+width, x)
	case ir.Abs:
		return call("abs"+width, x)
	case ir.Expect, ir.ExpectProbably:
		return f.appendExpr(text, x, prec)
	case ir.MulHigh:
		f.helpers[mulHighFunc] = true
		text = append(f.appendExpr(append(text, mulHighFunc+"("...), x, anyPrec), ", "...)
		return append(f.appendExpr(text, e.Args[1], anyPrec), ')')
	}
	panic(fmt.Sprintf("emit/golang: builtin %v", e.Fn))
}

// appendPlace appends a place.
func (f *function) appendPlace(text []byte, p ir.Place) []byte {
	switch p := p.(type) {
	case *ir.VarRef:
		f.read[p.Var.Index] = true
		return append(text, f.names.vars[p.Var.Index]...)
	case *ir.Deref:
		return append(f.appendExpr(append(text, "(*"...), p.X, anyPrec), ')')
	case *ir.Elem:
		text = append(f.appendPlace(text, p.Base), '[')
		if c, ok := constantOf(p.Index); ok && (c.T.Signed && c.V < 0 || uint64(c.V) >= uint64(p.Base.Type().(ir.Array).Len)) {
			text = append(text, f.variable(c)...)
		} else {
			text = f.appendExpr(text, p.Index, anyPrec)
		}
		return append(text, ']')
	case *ir.Member:
		text = append(f.appendPlace(text, p.Base), '.')
		return append(text, fieldName(p.Base.Type().(*ir.Record), p.Field)...)
	}
	panic(fmt.Sprintf("emit/golang: place %v", p))
}

func floatLiteral(e *ir.FloatConst) string { return strconv.FormatFloat(e.V, 'g', -1, 64) }

// floatVariable returns a variable of the function that holds a constant.
func (f *function) floatVariable(e *ir.FloatConst) string {
	typ, literal := f.typeName(e.T), floatLiteral(e)
	for _, k := range f.floats {
		if k.typ == typ && k.literal == literal {
			return k.name
		}
	}
	k := floatConstant{typ, literal, f.names.local.add("d" + strconv.Itoa(len(f.floats)+1))}
	f.floats = append(f.floats, k)
	return k.name
}
