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
// a main that calls it until it is hot and prints the answer. With others every second call has
// other inputs, since a machine that has seen one way of a branch alone compiles no other. The
// error wraps ErrUnsupported if the function cannot be said in Java, or not
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
	var args, hotArgs []string
	for i, v := range c.Func.Params() {
		t := v.Type.(ir.Int)
		arg := javaConst(&ir.Const{T: t, V: c.Args[i]})
		args = append(args, arg)
		if others {
			arg = "i % 2 == 0 ? " + arg + " : " + javaConst(&ir.Const{T: t, V: t.Wrap(^c.Args[i])})
		}
		hotArgs = append(hotArgs, arg)
	}
	w.line("public static void main(String[] args) {")
	w.line("    for (int i = 0; i < " + strconv.Itoa(hot) + "; i++) " + c.Func.Name + "(" + strings.Join(hotArgs, ", ") + ");")
	w.line("    System.out.println(" + c.Func.Name + "(" + strings.Join(args, ", ") + "));")
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
			w.declare(w.typeOf(v)+" ", w.declaration(f, v))
		}
	}
	w.node(0, -1)
	w.indent = ""
	w.line("}")
	w.lines = append(w.lines, "")
}

// declare writes a declaration, behind that of the line before if it has the same type.
func (w *sourceWriter) declare(of, text string) {
	last := len(w.lines) - 1
	if rest, ok := strings.CutPrefix(text, of); ok && strings.HasPrefix(w.lines[last], w.indent+of) && len(w.lines[last])+len(rest) < widest {
		w.lines[last] = strings.TrimSuffix(w.lines[last], ";") + ", " + rest
		return
	}
	w.line(text)
}

// widest is how long a line of declarations gets.
const widest = 80

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
