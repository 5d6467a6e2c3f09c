package jvm

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/emit/structure"
	"goreify/reify/ir"
)

// SourceClass is the name of the class that Source writes.
const SourceClass = "Reduced"

// hot is how often main calls the function: more often than takes it to be compiled.
const hot = 20000

// Source returns a program in Java with the function of a claim and those that it calls, and
// a main that calls it until it is hot and ends with an error that shows the answer, unless
// that is right. With others it makes calls with other inputs between these, since a machine
// that has seen one way of a branch alone compiles no other. The error wraps ErrUnsupported if the function cannot be said in Java, or not
// shortly: graphs that need a goto, floating-point numbers, pointers that move.
func Source(c *ir.Claim, others bool) (text string, err error) {
	defer func() {
		if e, ok := recover().(sourceError); ok {
			text, err = "", fmt.Errorf("in Java: %s: %w", string(e), ErrUnsupported)
		}
	}()
	if c.Trap != "" {
		return "", fmt.Errorf("in Java: a trap: %w", ErrUnsupported)
	}
	w := &sourceWriter{}
	for _, f := range c.Func.Reached() {
		for _, v := range f.Vars {
			if v.Kind.Lasts() {
				w.line("static " + w.declaration(f, v))
			}
		}
	}
	for _, f := range c.Func.Reached() {
		w.function(f)
	}
	var args, other []string
	for i, v := range c.Func.Params() {
		t := v.Type.(ir.Int)
		args = append(args, javaConst(&ir.Const{T: t, V: c.Args[i]}))
		other = append(other, javaConst(&ir.Const{T: t, V: t.Wrap(^c.Args[i])}))
	}
	call, want := c.Func.Name+"("+strings.Join(args, ", ")+")", javaConst(&ir.Const{T: c.Func.Result, V: c.Want})
	w.line("public static void main(String[] args) {")
	w.line("    for (int i = 0; i < " + strconv.Itoa(hot) + "; i++) {")
	if others {
		w.line("        " + c.Func.Name + "(" + strings.Join(other, ", ") + ");")
	}
	w.line("        " + javaType(c.Func.Result) + " r = " + call + ";")
	w.line("        if (r != " + want + ")")
	w.line("            throw new AssertionError(r);")
	w.line("    }")
	w.line("}")
	text = "class " + SourceClass + " {\n"
	for _, line := range w.lines {
		if line != "" {
			line = "    " + line
		}
		text += line + "\n"
	}
	return text + "}\n", nil
}

// A sourceError says what cannot be said in Java.
type sourceError string

func unsaid(n any) { panic(sourceError(fmt.Sprint(n))) }

type sourceWriter struct {
	lines  []string
	indent string
	fn     *ir.Function
	boxed  map[*ir.Var]bool // scalars whose address is taken: arrays of one element
	fresh  map[*ir.Var]bool // declared by the first assignment, in the entry
	nodes  []structure.Node
	used   map[string]bool // labels
}

func (w *sourceWriter) line(text string) { w.lines = append(w.lines, w.indent+text) }

func javaType(t ir.Int) string {
	if t.Bits > 32 {
		return "long"
	}
	return "int"
}

// element returns the type of an element of an array.
func element(t ir.Int) string {
	switch {
	case t.Bits <= 8:
		return "byte"
	case t.Bits <= 16 && t.Signed:
		return "short"
	case t.Bits <= 16:
		return "char"
	}
	return javaType(t)
}

// typeOf returns the type of a variable.
func (w *sourceWriter) typeOf(v *ir.Var) string {
	switch t := v.Type.(type) {
	case ir.Int:
		if w.boxed[v] {
			return element(t) + "[]"
		}
		return javaType(t)
	case ir.Array:
		if e, ok := t.Elem.(ir.Int); ok {
			return element(e) + "[]"
		}
	case ir.Pointer:
		if e, ok := t.Elem.(ir.Int); ok {
			return element(e) + "[]"
		}
	}
	unsaid(v.Type)
	return ""
}

// declaration returns the declaration of a variable with its initial value.
func (w *sourceWriter) declaration(f *ir.Function, v *ir.Var) string {
	text := w.typeOf(v) + " " + w.name(f, v)
	var values []string
	zeros := true
	for _, e := range v.Init {
		if e == nil {
			unsaid(v.Type)
		}
		k, ok := e.(*ir.Const)
		if !ok {
			unsaid(e)
		}
		zeros = zeros && k.V == 0
		value := javaConst(k)
		if element(k.T) == "byte" && !k.T.Signed && k.V > 127 {
			value = "(byte) " + value
		}
		values = append(values, value)
	}
	switch t := v.Type.(type) {
	case ir.Array:
		if zeros {
			return text + " = new " + element(t.Elem.(ir.Int)) + "[" + strconv.Itoa(t.Len) + "];"
		}
		return text + " = {" + strings.Join(values, ", ") + "};"
	case ir.Int:
		if w.boxed[v] && zeros {
			return text + " = new " + element(t) + "[1];"
		}
		if w.boxed[v] {
			return text + " = {" + values[0] + "};"
		}
		if len(values) > 0 {
			return text + " = " + strings.TrimPrefix(values[0], "(byte) ") + ";"
		}
		return text + " = 0;"
	case ir.Pointer:
		if len(v.Ptrs) > 0 {
			unsaid(v.Type)
		}
		return text + " = null;"
	}
	unsaid(v.Type)
	return ""
}

var javaWords = map[string]bool{"do": true, "if": true, "int": true, "for": true, "new": true, "try": true, "args": true, "byte": true, "char": true, "long": true, "main": true, "short": true}

func (w *sourceWriter) name(f *ir.Function, v *ir.Var) string {
	name := v.Name
	if v.Kind.Lasts() && f.Name != "f" {
		name = f.Name + "_" + name
	}
	if javaWords[name] {
		return name + "_"
	}
	return name
}

func (w *sourceWriter) function(f *ir.Function) {
	w.fn, w.boxed, w.fresh, w.used = f, map[*ir.Var]bool{}, map[*ir.Var]bool{}, map[string]bool{}
	if f.Foreign != nil {
		unsaid("text of others")
	}
	for e := range f.Exprs() {
		if a, ok := (*e).(*ir.AddrOf); ok {
			w.box(a)
		}
	}
	for n := range f.Nodes() {
		ir.Any(n, func(n ir.Node) bool {
			if a, ok := n.(*ir.AddrOf); ok {
				w.box(a)
			}
			return false
		})
	}
	var params []string
	for _, v := range f.Params() {
		if w.boxed[v] {
			unsaid("the address of a parameter")
		}
		params = append(params, javaType(v.Type.(ir.Int))+" "+w.name(f, v))
	}
	w.line("static " + javaType(f.Result) + " " + f.Name + "(" + strings.Join(params, ", ") + ") {")
	w.indent = "    "
	w.nodes = structure.Of(f.Graph(), structure.Dispatch, nil)
	if structure.Dispatchers(w.nodes) > 0 {
		unsaid("a graph that needs a goto")
	}
	if !w.nodes[0].Loop && len(w.nodes[0].Joins) == 0 {
		w.findFresh(f.Blocks[0])
	}
	for _, v := range f.Vars {
		if v.Kind == ir.Local && !w.fresh[v] {
			w.line(w.declaration(f, v))
		}
	}
	w.node(0, -1)
	w.indent = ""
	w.line("}")
	w.lines = append(w.lines, "")
}

// box notes that a scalar has an address.
func (w *sourceWriter) box(a *ir.AddrOf) {
	ref, ok := a.Place.(*ir.VarRef)
	if !ok {
		unsaid(a)
	}
	if _, ok := ref.Var.Type.(ir.Int); !ok || ref.Var.Kind.Lasts() {
		unsaid(a)
	}
	w.boxed[ref.Var] = true
}

// findFresh finds the variables that the first block assigns to before they are read.
func (w *sourceWriter) findFresh(b *ir.Block) {
	seen := map[*ir.Var]bool{}
	for _, s := range b.Stmts {
		var first *ir.Var
		if a, ok := s.(*ir.Assign); ok {
			if ref, ok := a.Dst.(*ir.VarRef); ok {
				first = ref.Var
				see(seen, a.Src)
			}
		}
		if first != nil && !seen[first] && first.Kind == ir.Local && first.Init == nil && !w.boxed[first] {
			w.fresh[first] = true
		}
		see(seen, s)
	}
}

func see(seen map[*ir.Var]bool, n ir.Node) {
	ir.Any(n, func(n ir.Node) bool {
		if ref, ok := n.(*ir.VarRef); ok {
			seen[ref.Var] = true
		}
		return false
	})
}

func labelOf(node int) string { return "L" + strconv.Itoa(node) }

// node writes a node with what is nested in it, where the end of the text leads to a node.
func (w *sourceWriter) node(i, fall int) {
	n := &w.nodes[i]
	if n.Loop {
		at := len(w.lines)
		w.line("for (;;) {")
		w.indented(func() { w.joins(i, n.Joins, i) })
		w.line("}")
		if w.used[labelOf(i)] {
			w.lines[at] = strings.Replace(w.lines[at], "for", labelOf(i)+": for", 1)
		}
		return
	}
	w.joins(i, n.Joins, fall)
}

// joins writes the block of a node inside of the blocks that the joins are behind.
func (w *sourceWriter) joins(i int, joins []int, fall int) {
	if len(joins) == 0 {
		w.block(i, fall)
		return
	}
	last := joins[0]
	before := w.lines
	w.lines = nil
	indent := w.indent
	w.indent += "    "
	w.joins(i, joins[1:], last)
	inside := w.lines
	w.indent, w.lines = indent, before
	name := labelOf(last)
	switch {
	case !w.used[name]:
		for _, line := range inside {
			w.lines = append(w.lines, strings.TrimPrefix(line, "    "))
		}
	default:
		w.line(name + ": {")
		w.lines = append(w.lines, inside...)
		w.line("}")
	}
	w.node(last, fall)
}

func (w *sourceWriter) indented(write func()) {
	before := w.indent
	w.indent += "    "
	write()
	w.indent = before
}

// edge writes the transfer of control along an edge.
func (w *sourceWriter) edge(e structure.Edge, fall int) {
	switch {
	case e.Nested:
		w.node(e.To, fall)
	case e.To == fall:
	case e.Back:
		w.used[labelOf(e.To)] = true
		w.line("continue " + labelOf(e.To) + ";")
	default:
		w.used[labelOf(e.To)] = true
		w.line("break " + labelOf(e.To) + ";")
	}
}

// body returns the lines of an edge.
func (w *sourceWriter) body(e structure.Edge, fall int) []string {
	before := w.lines
	w.lines = nil
	w.indented(func() { w.edge(e, fall) })
	lines := w.lines
	w.lines = before
	return lines
}

// block writes the statements of a node and its end.
func (w *sourceWriter) block(i, fall int) {
	n := &w.nodes[i]
	b := w.fn.Blocks[n.Block]
	for _, s := range b.Stmts {
		w.stmt(s)
	}
	switch t := b.Term.(type) {
	case *ir.Goto:
		w.edge(n.Succs[0], fall)
	case *ir.Return:
		w.line("return " + w.value(t.Val, w.fn.Result) + ";")
	case *ir.If:
		then, other := w.body(n.Succs[0], fall), w.body(n.Succs[1], fall)
		cond := w.cond(t.Cond, false)
		if len(then) == 0 {
			then, other, cond = other, nil, w.cond(t.Cond, true)
		}
		if len(then) == 0 {
			return
		}
		w.line("if (" + cond + ") {")
		w.lines = append(w.lines, then...)
		switch last := strings.TrimSpace(then[len(then)-1]); {
		case len(other) == 0:
			w.line("}")
		case strings.HasPrefix(last, "break") || strings.HasPrefix(last, "continue") || strings.HasPrefix(last, "return"):
			w.line("}")
			for _, line := range other {
				w.lines = append(w.lines, strings.TrimPrefix(line, "    "))
			}
		default:
			w.line("} else {")
			w.lines = append(w.lines, other...)
			w.line("}")
		}
	case *ir.Switch:
		w.choice(t, n, fall)
	}
}

func (w *sourceWriter) choice(t *ir.Switch, n *structure.Node, fall int) {
	of := ir.IntOf(t.X)
	if of.Bits > 32 {
		unsaid("a switch of 64 bits")
	}
	w.line("switch (" + w.expr(t.X) + ") {")
	arm := func(head string, e structure.Edge) {
		w.line(head)
		body := w.body(e, fall)
		w.lines = append(w.lines, body...)
		if e.To == fall && !e.Nested {
			w.line("    break;")
		} else if last := strings.TrimSpace(body[len(body)-1]); !strings.HasPrefix(last, "break") && !strings.HasPrefix(last, "continue") && !strings.HasPrefix(last, "return") {
			w.line("    break;")
		}
	}
	at := map[int]structure.Edge{}
	for _, e := range n.Succs {
		at[w.nodes[e.To].Block] = e
	}
	for _, c := range t.Cases {
		lo, ok := c.Lo.(*ir.Const)
		if !ok || c.Hi != nil {
			unsaid("a range of labels")
		}
		e := at[c.To.Index]
		if e.Nested && c.To == t.Default {
			unsaid("labels of one block")
		}
		arm("case "+javaConst(lo)+":", e)
	}
	arm("default:", at[t.Default.Index])
	w.line("}")
}

func (w *sourceWriter) stmt(s ir.Stmt) {
	a, ok := s.(*ir.Assign)
	if !ok {
		unsaid(s)
	}
	switch t := a.Dst.Type().(type) {
	case ir.Int:
		if ref, ok := a.Dst.(*ir.VarRef); ok && !w.boxed[ref.Var] {
			text := w.name(w.fn, ref.Var) + " = " + w.value(a.Src, t) + ";"
			if w.fresh[ref.Var] {
				w.fresh[ref.Var] = false
				text = javaType(t) + " " + text
			}
			w.line(text)
			return
		}
		value := w.expr(a.Src)
		if e := element(t); e != javaType(t) && !w.isElement(a.Src, t) {
			if k, ok := a.Src.(*ir.Const); !ok || !t.Signed && k.V > 127 {
				value = "(" + e + ") " + paren(value)
			}
		}
		w.line(w.place(a.Dst) + " = " + value + ";")
	case ir.Pointer:
		ref, ok := a.Dst.(*ir.VarRef)
		if !ok {
			unsaid(a.Dst)
		}
		text := w.name(w.fn, ref.Var) + " = " + w.pointer(a.Src) + ";"
		if w.fresh[ref.Var] {
			w.fresh[ref.Var] = false
			text = w.typeOf(ref.Var) + " " + text
		}
		w.line(text)
	default:
		unsaid(a)
	}
}

// isElement tells whether an expression reads an element of arrays of a type, so that no cast
// is needed to store it.
func (w *sourceWriter) isElement(e ir.Expr, t ir.Int) bool {
	load, ok := e.(*ir.Load)
	if !ok || ir.IntOf(e) != t || t.Bits <= 8 && !t.Signed {
		return false
	}
	ref, plain := load.Place.(*ir.VarRef)
	return !plain || w.boxed[ref.Var]
}

// value returns an expression as a value of a type.
func (w *sourceWriter) value(e ir.Expr, t ir.Int) string { return w.expr(e) }

func paren(text string) string {
	if strings.ContainsAny(text, " -") {
		return "(" + text + ")"
	}
	return text
}

// pointer returns an array whose first element a pointer leads to.
func (w *sourceWriter) pointer(e ir.Expr) string {
	switch e := e.(type) {
	case *ir.AddrOf:
		return w.name(w.fn, e.Place.(*ir.VarRef).Var)
	case *ir.Null:
		return "null"
	case *ir.Load:
		if ref, ok := e.Place.(*ir.VarRef); ok {
			return w.name(w.fn, ref.Var)
		}
	case *ir.Select:
		return w.cond(e.If, false) + " ? " + paren(w.pointer(e.X)) + " : " + paren(w.pointer(e.Y))
	}
	unsaid(e)
	return ""
}

// place returns a place of integers.
func (w *sourceWriter) place(p ir.Place) string {
	switch p := p.(type) {
	case *ir.VarRef:
		if w.boxed[p.Var] {
			return w.name(w.fn, p.Var) + "[0]"
		}
		return w.name(w.fn, p.Var)
	case *ir.Deref:
		return paren(w.pointer(p.X)) + "[0]"
	case *ir.Elem:
		if ref, ok := p.Base.(*ir.VarRef); ok {
			index := w.expr(p.Index)
			if ir.IntOf(p.Index).Bits > 32 {
				index = "(int) " + paren(index)
			}
			return w.name(w.fn, ref.Var) + "[" + index + "]"
		}
	}
	unsaid(p)
	return ""
}

func javaConst(k *ir.Const) string {
	switch {
	case k.T.Bits > 32 && k.V >= -1<<31 && k.V < 1<<31:
		return strconv.FormatInt(k.V, 10)
	case k.T.Bits > 32:
		return strconv.FormatInt(k.V, 10) + "L"
	case k.T.Bits == 32:
		return strconv.FormatInt(int64(int32(k.V)), 10)
	}
	return strconv.FormatInt(k.V, 10)
}

var boxes = map[string]string{"int": "Integer", "long": "Long"}

// expr returns an integer.
func (w *sourceWriter) expr(e ir.Expr) string {
	if !ir.IsInt(e) {
		unsaid(e)
	}
	t := ir.IntOf(e)
	switch e := e.(type) {
	case *ir.Const:
		text := javaConst(e)
		if t.Bits > 32 && !strings.HasSuffix(text, "L") {
			text += "L" // of operators, it decides the type
		}
		return text
	case *ir.Load:
		text := w.place(e.Place)
		if ref, plain := e.Place.(*ir.VarRef); t.Bits <= 8 && !t.Signed && t != ir.Bool && (!plain || w.boxed[ref.Var]) {
			text += " & 255"
		}
		return text
	case *ir.Unary:
		switch e.Op {
		case ir.Neg:
			return "-" + paren(w.expr(e.X))
		case ir.Not:
			return "~" + paren(w.expr(e.X))
		}
		return w.cond(e, false) + " ? 1 : 0"
	case *ir.Binary:
		if e.Op.Yields01() {
			return w.cond(e, false) + " ? 1 : 0"
		}
		return w.binary(e)
	case *ir.Select:
		return w.condOperand(e.If) + " ? " + paren(w.expr(e.X)) + " : " + paren(w.expr(e.Y))
	case *ir.Convert:
		return w.convert(e, t)
	case *ir.Call:
		var args []string
		for _, a := range e.Args {
			args = append(args, w.expr(a))
		}
		return e.Func.Name + "(" + strings.Join(args, ", ") + ")"
	case *ir.Builtin:
		x := ir.IntOf(e.Args[0])
		name, ok := map[ir.Fn]string{ir.Popcount: "bitCount", ir.Clz: "numberOfLeadingZeros", ir.Ctz: "numberOfTrailingZeros", ir.Bswap: "reverseBytes"}[e.Fn]
		if e.Fn == ir.Abs {
			return "Math.abs(" + w.expr(e.Args[0]) + ")"
		}
		if ok && x.Bits >= 32 {
			return boxes[javaType(x)] + "." + name + "(" + w.expr(e.Args[0]) + ")"
		}
	}
	unsaid(e)
	return ""
}

func (w *sourceWriter) binary(e *ir.Binary) string {
	if e.Of() != ir.Integers {
		unsaid(e)
	}
	x, y, t := w.expr(e.X), w.expr(e.Y), ir.IntOf(e.X)
	op := e.Op.String()
	switch {
	case e.Op.Shifts():
		if !t.Signed && e.Op == ir.Shr {
			op = ">>>"
		}
	case e.Op.Divides() && !t.Signed:
		name := "divideUnsigned"
		if e.Op == ir.Rem {
			name = "remainderUnsigned"
		}
		return boxes[javaType(t)] + "." + name + "(" + x + ", " + y + ")"
	}
	if prior, ok := e.X.(*ir.Binary); ok && prior.Op == e.Op && (e.Op == ir.Add || e.Op == ir.Mul || e.Op == ir.And || e.Op == ir.Or || e.Op == ir.Xor) {
		return x + " " + op + " " + paren(y)
	}
	return paren(x) + " " + op + " " + paren(y)
}

func (w *sourceWriter) convert(e *ir.Convert, t ir.Int) string {
	if !ir.IsInt(e.X) {
		unsaid(e)
	}
	from, x := ir.IntOf(e.X), w.expr(e.X)
	if !t.Standard() || !from.Standard() {
		unsaid(e)
	}
	narrow := x
	if from.Bits > 32 && t.Bits <= 32 && t != ir.Bool {
		narrow = "(int) " + paren(x)
	}
	switch {
	case t == ir.Bool:
		return w.condOperand(e.X) + " ? 1 : 0"
	case t.Bits == 8 && t.Signed:
		return "(byte) " + paren(x)
	case t.Bits == 8:
		return paren(narrow) + " & 255"
	case t.Bits == 16 && t.Signed:
		return "(short) " + paren(x)
	case t.Bits == 16:
		return "(char) " + paren(x)
	case t.Bits == 64 && from == ir.U32:
		return paren(x) + " & 0xffffffffL"
	case t.Bits == 64 && from.Bits < 64:
		return "(long) " + paren(x)
	}
	return narrow
}

func (w *sourceWriter) condOperand(e ir.Expr) string {
	text := w.cond(e, false)
	if b, ok := e.(*ir.Binary); ok && b.Op.Logical() {
		return "(" + text + ")"
	}
	return text
}

// cond returns a truth value, or its opposite.
func (w *sourceWriter) cond(e ir.Expr, negate bool) string {
	switch e := e.(type) {
	case *ir.Binary:
		op := e.Op
		switch {
		case op.Compares():
			if e.Of() != ir.Integers {
				unsaid(e)
			}
			if negate {
				op = op.Negated()
			}
			t := ir.IntOf(e.X)
			x, y := w.expr(e.X), w.expr(e.Y)
			if !t.Signed && op != ir.Eq && op != ir.Ne {
				return boxes[javaType(t)] + ".compareUnsigned(" + x + ", " + y + ") " + op.String() + " 0"
			}
			if k, ok := e.Y.(*ir.Const); ok {
				y = javaConst(k)
				return paren(x) + " " + op.String() + " " + y
			}
			return paren(x) + " " + op.String() + " " + paren(y)
		case op.Logical():
			text := w.condOperand(e.X) + " " + op.String() + " " + w.condOperand(e.Y)
			if negate {
				return "!(" + text + ")"
			}
			return text
		}
	case *ir.Unary:
		if e.Op == ir.LNot {
			return w.cond(e.X, !negate)
		}
	}
	op := " != 0"
	if negate {
		op = " == 0"
	}
	return paren(w.expr(e)) + op
}
