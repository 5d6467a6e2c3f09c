package llvm

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// idiom writes an expression as an intrinsic, if it is one and the style says so. Other than
// the operands of the expression, all those of the intrinsic are evaluated.
func (f *function) idiom(e ir.Expr) (string, bool) {
	if !f.style.Idioms {
		return "", false
	}
	for _, i := range idioms {
		var holes [4]ir.Expr
		if !i.p.begins(e) || !isNumber(e) || i.compare && i.p.kind == aChoice && ir.FamilyOf(e) == ir.Vectors || !i.p.matches(e, i.bits(e), &holes) {
			continue
		}
		if call, ok := i.of(e, holes); ok && ir.Harmless(e) && !f.touches(e) {
			return f.called(call), true
		}
	}
	if ir.Harmless(e) && !f.touches(e) {
		if call, ok := f.whole(e); ok {
			return call, true
		}
	}
	return f.reduction(e)
}

// begins reports whether the pattern may be of e.
func (p pattern) begins(e ir.Expr) bool {
	b, binary := e.(*ir.Binary)
	if p.kind == aChoice {
		_, ok := e.(*ir.Select)
		return ok || binary && b.Op == ir.Or
	}
	return binary && b.Op == p.op
}

// bits returns the width of the operands of e.
func (i idiom) bits(e ir.Expr) int {
	if s, ok := e.(*ir.Select); ok && i.count {
		if c, ok := s.If.(*ir.Binary); ok && isNumber(c.X) {
			return width(c.X.Type())
		}
	}
	return width(e.Type())
}

// A call is an idiom with its operands, which are of type t.
type call struct {
	idiom
	e       ir.Expr
	t       ir.Type
	holes   [4]ir.Expr
	narrows bool // the operands are those that are converted to a wider type
}

// of returns the call of the intrinsic for an expression, unless the types are others.
func (i idiom) of(e ir.Expr, holes [4]ir.Expr) (c call, ok bool) {
	if !isNumber(holes[1]) || i.below && !modulo(x).matches(holes[2], width(e.Type()), new([4]ir.Expr)) {
		return c, false
	}
	c = call{idiom: i, e: e, t: holes[1].Type(), holes: holes}
	var args []ir.Expr
	for _, n := range i.args {
		if args = append(args, holes[n]); holes[n].Type() != c.t {
			return c, false
		}
	}
	if !i.compare && !i.count && c.t != e.Type() {
		return c, false
	}
	if narrow, ok := narrower(args); ok && i.narrow != "-" {
		c.t, c.narrows = narrow, true
	}
	return c, i.sign == "" || i.sign == sign(signed(c.t))
}

// called calls an intrinsic.
func (f *function) called(c call) string {
	t := c.t
	var values []string
	for n, k := range c.args {
		switch a := c.holes[k]; {
		case n > 0 && k == c.args[0]:
			values = append(values, values[0])
		case c.narrows:
			values = append(values, f.expr(a.(*ir.Convert).X))
		default:
			values = append(values, f.expr(a))
		}
	}
	name := c.name
	switch name {
	case "min", "max":
		name = sign(signed(t)) + name
		if values[0][0] != '%' { // constants come last
			values[0], values[1] = values[1], values[0]
		}
	case "cmp":
		name = sign(signed(t)) + name
		if ir.FamilyOf(c.e) == ir.Vectors { // whose truth is -1
			values[0], values[1] = values[1], values[0]
		}
		result := typ(c.e.Type())
		name = "llvm." + name + "." + suffix(c.e.Type()) + "." + suffix(t)
		return f.def("call %s %s(%s %s, %s %s)", result, f.need(name, fmt.Sprintf("declare %s @%s(%s, %[3]s)", result, name, typ(t))), typ(t), values[0], typ(t), values[1])
	}
	var got string
	if c.more == "" {
		got = f.intrinsic(name, t, values...)
	} else {
		more := c.more
		if c.narrows || f.wraps[f.fn] { // the result may be one of the wider type alone
			more = "false"
		}
		name = "llvm." + name + "." + suffix(t)
		got = f.def("call %s %s(%s %s, i1 %s)", typ(t), f.need(name, fmt.Sprintf("declare %s @%s(%[1]s, i1)", typ(t), name)), typ(t), values[0], more)
	}
	if c.narrows || c.count {
		return f.resize(got, width(t), width(c.e.Type()), signed(t) && c.narrow != "u")
	}
	return got
}

// narrower returns the type that all operands have been converted from, if it has fewer bits
// and the order of its values is kept.
func narrower(args []ir.Expr) (t ir.Int, ok bool) {
	for n, a := range args {
		c, is := a.(*ir.Convert)
		if !is || ir.FamilyOf(c) != ir.Integers || ir.FamilyOf(c.X) != ir.Integers {
			return t, false
		}
		of := ir.IntOf(c.X)
		if n > 0 && of != t || of.Bits == 1 || of.Bits >= width(c.T) || of.Signed && !signed(c.T) {
			return t, false
		}
		t = of
	}
	return t, true
}

// carried is a sum that has wrapped.
var carried = of(ir.Lt, of(ir.Add, x, y), x)

// carry writes whether a sum without a sign wraps as the second result of an intrinsic.
func (f *function) carry(e *ir.Binary) (string, bool) {
	var holes [4]ir.Expr
	if !f.style.Idioms || e.Op != ir.Lt && e.Op != ir.Gt || !isNumber(e.X) || ir.FamilyOf(e.X) == ir.Vectors || signed(e.X.Type()) || !carried.matches(e, 0, &holes) || !ir.Harmless(e) || f.touches(e) {
		return "", false
	}
	_, flag := f.withOverflow(ir.Add, typ(e.X.Type()), false, f.expr(holes[1]), f.expr(holes[2]))
	return flag, true
}

// lanewise writes a choice of each lane.
func (f *function) lanewise(c *ir.Binary, x, y ir.Expr) string {
	of := c.X.Type().(ir.Vector)
	a, b := f.expr(c.X), f.expr(c.Y)
	mask := f.def("icmp %s%s %s %s, %s", f.promises(c, 0, ir.SameSign), comparison(c.Op, of), typ(of), a, b)
	t := typ(x.Type())
	return f.def("select <%d x i1> %s, %s %s, %s %s", of.Lanes, mask, t, f.expr(x), t, f.expr(y))
}

// reductions are the operators that combine all lanes of a vector.
var reductions = map[ir.Op]string{ir.Add: "add", ir.Mul: "mul", ir.And: "and", ir.Or: "or", ir.Xor: "xor"}

// reduction writes an operator on all lanes of a vector.
func (f *function) reduction(e ir.Expr) (string, bool) {
	b, ok := e.(*ir.Binary)
	if !ok || reductions[b.Op] == "" || !isNumber(e) || ir.FamilyOf(e) == ir.Vectors {
		return "", false
	}
	bits := width(e.Type())
	var v *ir.Var
	seen := map[int64]bool{}
	var lanes func(x ir.Expr) bool
	lanes = func(x ir.Expr) bool {
		if o, ok := x.(*ir.Binary); ok && o.Op == b.Op {
			return lanes(o.X) && lanes(o.Y)
		}
		if c, ok := x.(*ir.Convert); ok && width(c.T) == elementBits(c.X) {
			x = c.X
		}
		l, ok := x.(*ir.Load)
		if !ok {
			return false
		}
		at, ok := l.Place.(*ir.Elem)
		if !ok {
			return false
		}
		base, ok := at.Base.(*ir.VarRef)
		k, fixed := at.Index.(*ir.Const)
		if !ok || !fixed || v != nil && v != base.Var || seen[k.V] {
			return false
		}
		v, seen[k.V] = base.Var, true
		return true
	}
	if !lanes(b.Y) || !lanes(b.X) || v.Volatile {
		return "", false
	}
	t, ok := v.Type.(ir.Vector)
	if !ok || len(seen) != t.Lanes || t.Elem.Bits != bits {
		return "", false
	}
	name := "llvm.vector.reduce." + reductions[b.Op] + "." + suffix(t)
	all := f.load(&ir.VarRef{Var: v})
	return f.def("call %s %s(%s %s)", value(t.Elem), f.need(name, fmt.Sprintf("declare %s @%s(%s)", value(t.Elem), name, typ(t))), typ(t), all), true
}

// elementBits returns the width of an element that is read, or 0.
func elementBits(e ir.Expr) int {
	if l, ok := e.(*ir.Load); ok && ir.FamilyOf(l) == ir.Integers {
		return ir.IntOf(l).Bits
	}
	return 0
}

// suffix returns a type as the names of intrinsics have it.
func suffix(t ir.Type) string {
	if v, ok := t.(ir.Vector); ok {
		return fmt.Sprintf("v%d%s", v.Lanes, value(v.Elem))
	}
	return typ(t)
}

// Patterns of instructions: a value that is clamped to the limits of a narrower type, the sum,
// difference or product that it is of, and operands of that.
var (
	clamped  = regexp.MustCompile(`^call \S.* @llvm\.([su])(min|max)\.\w+\((.+?) (%\d+), (?:i\d+|<\d+ x i\d+>) (.+)\)$`)
	exactly  = regexp.MustCompile(`^(add|sub|mul) (?:n[us]w )*(?:i\d+|<.+?>) (%\d+), (%\d+)$`)
	extended = regexp.MustCompile(`^([sz])ext (?:nneg )?(i\d+|<\d+ x i\d+>) (\S+) to `)
)

// saturated writes the conversion of a value to a narrower type to whose limits a sum,
// difference or product of values of that type was brought.
func (f *function) saturated(x string, to ir.Type) (string, bool) {
	if !f.style.Idioms {
		return "", false
	}
	bits, letter := uint(width(to)), ""
	limits := map[string]bool{}
	for {
		m := clamped.FindStringSubmatch(f.texts[x])
		if m == nil {
			break
		}
		if letter = m[1]; m[4] == x {
			return "", false
		}
		limits[m[2]+" "+firstLane(m[5])] = true
		x = m[4]
	}
	op := exactly.FindStringSubmatch(f.texts[x])
	if op == nil {
		return "", false
	}
	a, b := extended.FindStringSubmatch(f.texts[op[2]]), extended.FindStringSubmatch(f.texts[op[3]])
	if a == nil || b == nil || a[2] != typ(to) || b[2] != typ(to) || a[1] != b[1] {
		return "", false
	}
	power := func(n uint, less int64) string {
		p := new(big.Int).Lsh(big.NewInt(1), n)
		return p.Sub(p, big.NewInt(less)).String()
	}
	least, most := "-"+power(bits-1, 0), power(bits-1, 1)
	name := "s"
	switch {
	case a[1] == "s" && letter == "s" && len(limits) == 2 && limits["max "+least] && limits["min "+most]:
	case a[1] == "z" && op[1] != "sub" && len(limits) == 1 && limits["min "+power(bits, 1)]:
		name = "u"
	default:
		return "", false
	}
	if op[1] == "mul" {
		name = "llvm." + name + "mul.fix.sat." + suffix(to)
		return f.def("call %s %s(%s %s, %s %s, i32 0)", a[2], f.need(name, fmt.Sprintf("declare %s @%s(%s, %[3]s, i32)", a[2], name, a[2])), a[2], a[3], a[2], b[3]), true
	}
	return f.intrinsic(name+op[1]+".sat", to, a[3], b[3]), true
}

// firstLane returns a constant, or the lane that all lanes are, without its type.
func firstLane(text string) string {
	list, vector := strings.CutPrefix(text, "<")
	if !vector {
		return text
	}
	lanes := strings.Split(strings.TrimSuffix(list, ">"), ", ")
	for _, l := range lanes {
		if l != lanes[0] {
			return ""
		}
	}
	_, lane, _ := strings.Cut(lanes[0], " ")
	return lane
}

// constantOfWide returns a value that the type holds.
func constantOfWide(t ir.Wide, v int64) string {
	if t.Bits == 1 {
		return strconv.FormatBool(v != 0)
	}
	return strconv.FormatInt(v, 10)
}
