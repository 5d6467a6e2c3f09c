package llvm

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// expr writes an expression and returns its value.
func (f *function) expr(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Const:
		return constant(e.T, e.V)
	case *ir.FloatConst:
		return floatConstant(e.V)
	case *ir.Null:
		return "null"
	case *ir.Load:
		l := f.locate(e.Place)
		if t, ok := l.t.(ir.Int); ok && l.whole == nil && l.union == nil {
			l.metadata = f.metadata(e, t)
		}
		return f.loadFrom(l)
	case *ir.Select:
		if x, ok := f.idiom(e); ok {
			return x
		}
		return f.choose(e, func(e ir.Expr) string { return f.expr(e) }, typ(e.Type()), e.If, e.X, e.Y)
	case *ir.Checksum:
		return f.checksum(e.Of)
	case *ir.Call:
		var args []string
		for i, a := range e.Args {
			args = append(args, value(e.Func.Vars[i].Type.(ir.Int))+f.parameter(e.Func, i)+" "+f.expr(a))
		}
		return f.def("call %s%s @%s(%s)", f.result(e.Func), value(e.Func.Result), f.names[e.Func], strings.Join(args, ", "))
	case *ir.AddrOf:
		return f.locate(e.Place).ptr
	case *ir.PtrAdd:
		x := f.expr(e.X)
		return f.def("getelementptr %s%s, ptr %s, i64 %s", f.promise("inbounds ", true), f.mem(pointer(e.X).Elem), x, f.index(e.Index))
	case *ir.VecOf:
		x := "poison"
		for i, lane := range e.Lanes {
			x = f.def("insertelement %s %s, %s %s, i32 %d", typ(e.T), x, value(e.T.Elem), f.expr(lane), i)
		}
		return x
	case *ir.VecCall:
		return f.vecCall(e)
	case *ir.Binary:
		if e.Op.Yields01() && ir.FamilyOf(e) == ir.Integers {
			return f.def("zext i1 %s to i32", f.cond(e))
		}
		if x, ok := f.rotation(e); ok {
			return x
		}
		if x, ok := f.idiom(e); ok {
			return x
		}
		if c, x, y, ok := choiceOf(e); ok && f.style.Selects && !f.touches(e) {
			return f.lanewise(c.(*ir.Binary), x, y)
		}
	case *ir.Unary:
		if e.Op == ir.LNot {
			return f.def("zext i1 %s to i32", f.cond(e))
		}
	}
	var parts []string
	ir.Parts(e, func(part ir.Node) bool {
		parts = append(parts, f.expr(part.(ir.Expr)))
		return true
	})
	return f.apply(e, parts)
}

// frozen returns a value that is frozen, if the style says so.
func (f *function) frozen(t, x string) string {
	if !f.style.Freeze {
		return x
	}
	return f.def("freeze %s %s", t, x)
}

// cond writes an integer expression and returns whether it is other than zero, an i1.
func (f *function) cond(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.Unary:
		if e.Op == ir.LNot {
			return f.def("xor i1 %s, true", f.cond(e.X))
		}
	case *ir.Binary:
		switch {
		case e.Op == ir.LAnd:
			return f.choose(e, f.cond, "i1", e.X, e.Y, nil)
		case e.Op == ir.LOr:
			return f.choose(e, f.cond, "i1", e.X, nil, e.Y)
		case e.Op.Compares() && ir.FamilyOf(e) == ir.Integers:
			if flag, ok := f.carry(e); ok {
				return flag
			}
			x, y := f.expr(e.X), f.expr(e.Y)
			t := typ(e.X.Type())
			if ir.FamilyOf(e.X) == ir.Floats {
				return f.def("fcmp o%s %s %s, %s", comparisons[e.Op], t, f.frozen(t, x), y)
			}
			same := f.promises(e, 0, ir.SameSign)
			if ir.FamilyOf(e.X) == ir.Pointers {
				same = ""
			}
			return f.def("icmp %s%s %s %s, %s", same, comparison(e.Op, e.X.Type()), t, f.frozen(t, x), y)
		}
	}
	t := ir.IntOf(e)
	x := f.expr(e)
	if t.Bits == 1 {
		return x
	}
	return f.def("icmp ne %s %s, 0", value(t), f.frozen(value(t), x))
}

// choose returns x if c is not zero, else y, of some type. The other one is not evaluated
// unless that can do no harm. nil stands for the truth value that decides: x is true, y is
// false.
func (f *function) choose(of ir.Expr, eval func(ir.Expr) string, t string, c, x, y ir.Expr) string {
	on := f.cond(c)
	operand := func(e ir.Expr, truth string) string {
		if e == nil {
			return truth
		}
		return eval(e)
	}
	if f.style.Selects && ir.Harmless(of) && !f.touches(of) {
		f.eager++
		defer func() { f.eager-- }()
		a := operand(x, "true")
		return f.def("select i1 %s, %s %s, %s %s", on, t, a, t, operand(y, "false"))
	}
	then, other, end := f.within("then"), f.within("other"), f.within("end")
	f.line("br i1 %s, label %%%s, label %%%s", on, then, other)
	f.begin(then)
	a := operand(x, "true")
	from := f.label
	f.line("br label %%%s", end)
	f.begin(other)
	b := operand(y, "false")
	last := f.label
	f.line("br label %%%s", end)
	f.begin(end)
	return f.def("phi %s [ %s, %%%s ], [ %s, %%%s ]", t, a, from, b, last)
}

// touches reports whether an expression reads what is volatile.
func (f *function) touches(e ir.Expr) bool {
	return ir.Any(e, func(n ir.Node) bool {
		v, ok := n.(*ir.VarRef)
		return ok && v.Var.Volatile
	})
}

// rotation writes x << k | y >> (width - k), with a constant k, as a funnel shift.
func (f *function) rotation(e *ir.Binary) (string, bool) {
	if !f.style.Idioms || e.Op != ir.Or || !isNumber(e) || signed(e.Type()) {
		return "", false
	}
	l, ok := bare(e.X).(*ir.Binary)
	r, also := bare(e.Y).(*ir.Binary)
	if !ok || !also || l.Op == r.Op || !l.Op.Shifts() || !r.Op.Shifts() {
		return "", false
	}
	k, ok := constantOf(l.Y)
	j, also := constantOf(r.Y)
	t := e.Type()
	if !ok || !also || k <= 0 || j <= 0 || k+j != int64(width(t)) || !ir.Harmless(e) || f.touches(e) {
		return "", false
	}
	x, y := f.expr(l.X), f.expr(r.X)
	if l.Op == ir.Shr { // the high bits come from the other one
		return f.intrinsic("fshr", t, y, x, splat(t, k)), true
	}
	return f.intrinsic("fshl", t, x, y, splat(t, k)), true
}

// intrinsic calls a function of LLVM whose arguments and result are of one type.
func (f *function) intrinsic(name string, of ir.Type, args ...string) string {
	t := typ(of)
	name = "llvm." + name + "." + suffix(of)
	types := strings.TrimSuffix(strings.Repeat(t+", ", len(args)), ", ")
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = t + " " + a
	}
	return f.def("call %s %s(%s)", t, f.need(name, fmt.Sprintf("declare %s @%s(%s)", t, name, types)), strings.Join(list, ", "))
}

// The names of comparisons: of floating-point numbers behind an o, of integers behind
// their sign, except eq and ne.
var comparisons = [...]string{ir.Lt: "lt", ir.Le: "le", ir.Gt: "gt", ir.Ge: "ge", ir.Eq: "eq", ir.Ne: "ne"}

func comparison(op ir.Op, t ir.Type) string {
	if op == ir.Eq || op == ir.Ne {
		return comparisons[op]
	}
	return sign(signed(t)) + comparisons[op]
}

// signed reports whether the numbers of a type have a sign.
func signed(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Int:
		return t.Signed
	case ir.Wide:
		return t.Signed
	case ir.Vector:
		return t.Elem.Signed
	}
	return false
}

// width returns the bits of a number, or of a lane.
func width(t ir.Type) int {
	switch t := t.(type) {
	case ir.Int:
		return t.Bits
	case ir.Wide:
		return t.Bits
	case ir.Vector:
		return t.Elem.Bits
	}
	panic(fmt.Sprintf("emit/llvm: %v has no width", t))
}

// splat returns a constant of a type: v, in each lane.
func splat(t ir.Type, v int64) string {
	v8, ok := t.(ir.Vector)
	if !ok {
		if width(t) == 1 {
			return strconv.FormatBool(v&1 != 0)
		}
		return strconv.FormatInt(v, 10)
	}
	lane := value(v8.Elem) + " " + strconv.FormatInt(v, 10)
	return "<" + strings.TrimSuffix(strings.Repeat(lane+", ", v8.Lanes), ", ") + ">"
}

// apply writes an operator whose operands have the given values.
func (f *function) apply(e ir.Expr, x []string) string {
	switch e := e.(type) {
	case *ir.Unary:
		return f.unary(e, x[0])
	case *ir.Binary:
		return f.binary(e, x[0], x[1])
	case *ir.Convert:
		return f.convert(e, x[0])
	case *ir.Cast:
		if to, ok := e.T.(ir.Vector); ok {
			return f.cast(to, ir.TypeOf[ir.Vector](e.X), x[0])
		}
		return x[0]
	case *ir.Builtin:
		return f.builtin(e, x)
	case *ir.Shuffle:
		of := ir.TypeOf[ir.Vector](e.X)
		if mask := compresses(of.Lanes, e.Index); f.style.Idioms && mask != "" {
			t := typ(of)
			name := "llvm.experimental.vector.compress." + suffix(of)
			lanes := fmt.Sprintf("<%d x i1>", of.Lanes)
			return f.def("call %s %s(%[1]s %[3]s, %[4]s %[5]s, %[1]s %[6]s)", t, f.need(name, fmt.Sprintf("declare %s @%s(%[1]s, %[3]s, %[1]s)", t, name, lanes)), x[0], lanes, mask, x[1])
		}
		return f.shuffle(of, x[0], x[1], e.Index)
	}
	panic(fmt.Sprintf("emit/llvm: unknown expression %T", e))
}

// bitcast casts the bits of a vector. The first lane has the low ones: where the high byte
// comes first in memory, the lanes are reversed before and after it.
func (f *function) bitcast(to, from ir.Vector, x string) string {
	reversed := func(t ir.Vector, x string) string {
		index := make([]int, t.Lanes)
		for k := range index {
			index[k] = t.Lanes - 1 - k
		}
		return f.shuffle(t, x, x, index)
	}
	cast := func(x string) string { return f.def("bitcast %s %s to %s", typ(from), x, typ(to)) }
	low := f.def("load i8, ptr %s", f.need("low", "@low = private constant i16 1"))
	big := f.def("icmp eq i8 %s, 0", low)
	return f.def("select i1 %s, %s %s, %[2]s %[4]s", big, typ(to), reversed(to, cast(reversed(from, x))), cast(x))
}

// compresses returns the mask of the lanes of the first of two vectors that come first in the result
// of a shuffle, if these are some in their order, and the rest are the lanes of the second one in
// their places; else nothing.
func compresses(lanes int, index []int) string {
	k, mask := 0, make([]string, lanes)
	for j := range mask {
		mask[j] = "i1 false"
		if k < len(index) && index[k] == j {
			mask[j] = "i1 true"
			k++
		}
	}
	for i := k; i < len(index); i++ {
		if index[i] != lanes+i {
			return ""
		}
	}
	if len(index) != lanes || k == 0 || k == lanes {
		return ""
	}
	return "<" + strings.Join(mask, ", ") + ">"
}

func (f *function) shuffle(of ir.Vector, x, y string, index []int) string {
	var mask []string
	for _, k := range index {
		lane := "i32 poison"
		if k >= 0 {
			lane = "i32 " + strconv.Itoa(k)
		}
		mask = append(mask, lane)
	}
	return f.def("shufflevector %s %s, %s %s, <%d x i32> <%s>", typ(of), x, typ(of), y, len(index), strings.Join(mask, ", "))
}

func (f *function) unary(e *ir.Unary, x string) string {
	of := e.X.Type()
	t := typ(of)
	switch {
	case e.Op == ir.Not:
		return f.def("xor %s %s, %s", t, x, splat(of, -1))
	case ir.FamilyOf(e.X) == ir.Floats:
		return f.def("fneg %s %s", t, x)
	}
	return f.def("sub %s%s %s, %s", f.promise("nsw ", signed(of) && !f.wraps[f.fn]), t, splat(of, 0), x)
}

// promise returns words that are promised where they hold.
func (f *function) promise(words string, holds bool) string {
	if f.style.Promises && holds {
		return words
	}
	return ""
}

// operators are the names of operators on integers, except those that depend on the sign.
var operators = map[ir.Op]string{
	ir.Add: "add", ir.Sub: "sub", ir.Mul: "mul", ir.And: "and", ir.Or: "or", ir.Xor: "xor", ir.Shl: "shl",
	ir.Div: "div",
}

func (f *function) binary(e *ir.Binary, x, y string) string {
	of := e.X.Type()
	t := typ(of)
	s := signed(of)
	switch family := ir.FamilyOf(e.X); {
	case family == ir.Floats:
		return f.def("f%s %s %s, %s", operators[e.Op], t, x, y)
	case family == ir.Pointers: // a distance
		a, b := f.def("ptrtoint ptr %s to i64", x), f.def("ptrtoint ptr %s to i64", y)
		return f.def("sdiv exact i64 %s, %s", f.def("sub i64 %s, %s", a, b), f.size(pointer(e.X).Elem))
	case e.Op.Compares(): // of vectors
		v := of.(ir.Vector)
		return f.def("sext <%d x i1> %s to %s", v.Lanes, f.def("icmp %s%s %s %s, %s", f.promises(e, 0, ir.SameSign), comparison(e.Op, of), t, x, y), t)
	}
	inC := promisedBy(e.Op, s)
	switch e.Op {
	case ir.Div:
		return f.def("%sdiv %s%s %s, %s", sign(s), f.promises(e, 0, ir.Exact), t, x, y)
	case ir.Rem:
		return f.def("%srem %s %s, %s", sign(s), t, x, y)
	case ir.Shr:
		op := "lshr"
		if s {
			op = "ashr"
		}
		return f.def("%s %s%s %s, %s", op, f.promises(e, 0, ir.Exact), t, x, y)
	case ir.Or:
		return f.def("or %s%s %s, %s", f.promises(e, 0, ir.Disjoint), t, x, y)
	case ir.Shl, ir.Add, ir.Sub, ir.Mul:
		return f.def("%s %s%s %s, %s", operators[e.Op], f.promises(e, inC, wraps), t, x, y)
	}
	return f.def("%s %s %s, %s", operators[e.Op], t, x, y)
}

func (f *function) convert(e *ir.Convert, x string) string {
	from, to := e.X.Type(), e.T
	if isNumber(e) && isNumber(e.X) && width(from) > width(to) && to != ir.Type(ir.Bool) {
		if x, ok := f.saturated(x, to); ok {
			return x
		}
	}
	if c, ok := e.X.(*ir.Const); ok && f.style.Idioms && (c.T.Signed || c.V >= 0) && ir.FamilyOf(e) == ir.Wides && (c.V >= 0 || signed(to)) && width(to) >= c.T.Bits {
		return constantOfWide(to.(ir.Wide), c.V)
	}
	switch to := to.(type) {
	case ir.Float:
		switch from := from.(type) {
		case ir.Float:
			switch {
			case from == to:
				return x
			case from == ir.F64:
				return f.def("fptrunc double %s to float", x)
			}
			return f.def("fpext float %s to double", x)
		case ir.Int:
			return f.def("%sitofp %s %s to %s", sign(from.Signed), value(from), x, floatType(to))
		}
	case ir.Vector:
		v := from.(ir.Vector)
		return f.resized(x, typ(v), typ(to), v.Elem, to.Elem.Bits, e)
	case ir.Int, ir.Wide:
		if of, ok := from.(ir.Float); ok {
			return f.def("fpto%si %s %s to %s", sign(signed(to)), floatType(of), x, typ(to))
		}
		if to == ir.Type(ir.Bool) && width(from) > 1 {
			return f.def("icmp ne %s %s, 0", typ(from), x)
		}
		return f.resized(x, typ(from), typ(to), ir.Int{Bits: width(from), Signed: signed(from)}, width(to), e)
	}
	panic(fmt.Sprintf("emit/llvm: %v to %v", from, to))
}

// resized writes a conversion.
func (f *function) resized(x, from, to string, of ir.Int, bits int, e *ir.Convert) string {
	switch {
	case of.Bits == bits:
		return x
	case of.Bits > bits:
		return f.def("trunc %s%s %s to %s", f.promises(e, 0, wraps), from, x, to)
	case of.Signed:
		return f.def("sext %s %s to %s", from, x, to)
	}
	return f.def("zext %s%s %s to %s", f.promises(e, 0, ir.NonNegative), from, x, to)
}

// resizeAll converts lane by lane.
func (f *function) resizeAll(x string, from, to ir.Vector) string {
	switch {
	case from.Elem.Bits == to.Elem.Bits:
		return x
	case from.Elem.Bits > to.Elem.Bits:
		return f.def("trunc %s %s to %s", typ(from), x, typ(to))
	case from.Elem.Signed:
		return f.def("sext %s %s to %s", typ(from), x, typ(to))
	}
	return f.def("zext %s %s to %s", typ(from), x, typ(to))
}

// cast returns the lanes with the bits of others, the low one first on any processor.
func (f *function) cast(to, from ir.Vector, x string) string {
	switch {
	case from.Elem.Bits == to.Elem.Bits:
		return x
	case f.style.Idioms || !from.Elem.Standard() || !to.Elem.Standard():
		return f.bitcast(to, from, x)
	case from.Elem.Bits > to.Elem.Bits: // lanes that are cut
		n := from.Elem.Bits / to.Elem.Bits
		part := ir.Vector{Elem: to.Elem, Lanes: from.Lanes}
		var all string
		of := part
		for i := range n {
			low := x
			if i > 0 {
				low = f.def("lshr %s %s, %s", typ(from), x, splat(from, int64(i*to.Elem.Bits)))
			}
			low = f.def("trunc %s %s to %s", typ(from), low, typ(part))
			if i == 0 {
				all = low
				continue
			}
			index := make([]int, of.Lanes+part.Lanes)
			for k := range index {
				index[k] = k
			}
			all = f.shuffle(of, all, f.widened(part, of.Lanes, low), index)
			of.Lanes = len(index)
		}
		index := make([]int, to.Lanes)
		for k := range from.Lanes {
			for i := range n {
				index[k*n+i] = i*from.Lanes + k
			}
		}
		return f.shuffle(of, all, all, index)
	}
	n := to.Elem.Bits / from.Elem.Bits // lanes that are joined
	all := ""
	for i := range n {
		index := make([]int, to.Lanes)
		for k := range index {
			index[k] = k*n + i
		}
		narrow := ir.Vector{Elem: ir.Int{Bits: from.Elem.Bits}, Lanes: to.Lanes}
		part := f.resizeAll(f.shuffle(from, x, x, index), narrow, to)
		if i == 0 {
			all = part
			continue
		}
		part = f.def("shl %s %s, %s", typ(to), part, splat(to, int64(i*from.Elem.Bits)))
		all = f.def("or %s %s, %s", typ(to), all, part)
	}
	return all
}

// widened returns a vector with further lanes, in which anything may be.
func (f *function) widened(of ir.Vector, lanes int, x string) string {
	if of.Lanes == lanes {
		return x
	}
	index := make([]int, lanes)
	for i := range index {
		index[i] = -1
		if i < of.Lanes {
			index[i] = i
		}
	}
	return f.shuffle(of, x, x, index)
}

func (f *function) builtin(e *ir.Builtin, x []string) string {
	of := e.Args[0].Type()
	t := typ(of)
	narrow := func(v string) string { return f.resize(v, width(of), 32, false) }
	flagged := func(name string, flag string) string {
		name = "llvm." + name + "." + t
		return f.def("call %s %s(%s %s, i1 %s)", t, f.need(name, fmt.Sprintf("declare %s @%s(%s, i1)", t, name, t)), t, x[0], flag)
	}
	if op, ok := e.Fn.Overflows(); ok {
		_, flag := f.withOverflow(op, t, signed(of), x[0], x[1])
		return f.resize(flag, 1, 32, false)
	}
	switch e.Fn {
	case ir.Popcount:
		return narrow(f.intrinsic("ctpop", of, x[0]))
	case ir.Parity:
		return f.def("and i32 %s, 1", narrow(f.intrinsic("ctpop", of, x[0])))
	case ir.Clz:
		return narrow(flagged("ctlz", f.undefined()))
	case ir.Ctz:
		return narrow(flagged("cttz", f.undefined()))
	case ir.Ffs:
		at := f.def("add i32 %s, 1", narrow(flagged("cttz", "false")))
		return f.def("select i1 %s, i32 0, i32 %s", f.def("icmp eq %s %s, 0", t, x[0]), at)
	case ir.Bswap:
		return f.intrinsic("bswap", of, x[0])
	case ir.Abs:
		return flagged("abs", f.undefined())
	case ir.Expect, ir.ExpectProbably:
		// No selector knows the intrinsic with a probability, which -O0 leaves.
		if _, ok := e.Args[1].(*ir.Const); ok {
			return f.intrinsic("expect", of, x...)
		}
		return x[0]
	}
	panic(fmt.Sprintf("emit/llvm: unknown builtin %v", e.Fn))
}

// undefined tells, as an i1, whether what C leaves undefined is poison.
func (f *function) undefined() string { return strconv.FormatBool(!f.wraps[f.fn]) }

// vecCall calls a function that computes an operator on vectors of its operands.
func (f *function) vecCall(e *ir.VecCall) string {
	g := newFunction(f.module, f.fn, f.style)
	g.begin("entry")
	var params, own, args []string
	ir.Parts(e.X, func(part ir.Node) bool {
		x := part.(ir.Expr)
		t := typ(x.Type())
		name := fmt.Sprintf("%%x%d", len(params))
		params, own = append(params, t+" "+name), append(own, name)
		args = append(args, t+" "+f.expr(x))
		return true
	})
	result := typ(e.X.Type())
	name := f.add(f.name + ".lanes")
	got := g.apply(e.X, own)
	f.helpers = append(f.helpers, fmt.Sprintf("define internal %s @%s(%s) noinline {\n%s\n  ret %s %s\n}\n\n", result, name, strings.Join(params, ", "), strings.Join(g.lines, "\n"), result, got))
	return f.def("call %s @%s(%s)", result, name, strings.Join(args, ", "))
}
