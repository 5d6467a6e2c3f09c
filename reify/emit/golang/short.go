package golang

import (
	"go/format"
	"regexp"
	"strings"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// short tells whether the units are written as a program that prints the answer alone.
func short(units []Unit) bool {
	return len(units) == 1 && units[0].Style.Short && len(units[0].More) == 0
}

// shortHead returns the text before a function in the short form.
func (w *writer) shortHead() string {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, path := range w.imports() {
		b.WriteString("\nimport \"" + path + "\"\n")
	}
	b.WriteString(w.shared(runtime[:before]))
	return b.String()
}

// shortMain returns the main function of the short form. Where the call is to end in a trap,
// it prints whether it does.
func (w *writer) shortMain() string {
	u, n := w.file.units[0], w.file.named[0]
	args := n.inputs
	if args == nil {
		args = frame.Args(u.Claim)
	}
	call := n.fn + "(" + strings.Join(args, ", ") + ")"
	text := ""
	if t := u.Claim.Func.Result; u.Style.Wide && u.Claim.Trap == "" && t.Bits < 64 {
		name := intName(ir.Int{Bits: 64, Signed: t.Signed})
		text = "\n//go:noinline\nfunc " + wideFunc + "() " + name + " {\n\treturn " + name + "(" + call + ")\n}\n"
		call = wideFunc + "()"
	}
	text += "\nfunc main() {\n"
	for i := range w.file.units {
		for _, line := range w.function(i).lastingPointers() {
			text += "\t" + line + "\n"
		}
	}
	if u.Claim.Trap != "" {
		text += "\tdefer func() { println(recover() != nil) }()\n\t" + call + "\n"
	} else {
		text += "\tprintln(" + call + ")\n"
	}
	return text + "}\n"
}

// formatted returns a text as gofmt writes it.
func formatted(text string) string {
	out, err := format.Source([]byte(spaced(text)))
	if err != nil {
		panic("emit/golang: text that cannot be parsed: " + err.Error())
	}
	return string(out)
}

// shortWant returns what the short form prints if the answer is right.
func shortWant(u Unit) string {
	if u.Claim.Trap != "" {
		return "true\n"
	}
	return u.Claim.Answer() + "\n"
}

// conditional writes an assignment of ?:, or of a truth value, as a branch, and returns false if
// it is none or has to be an expression.
func (f *function) conditional(s *ir.Assign) bool {
	dst, ok := s.Dst.(*ir.VarRef)
	if !ok || !f.hoistable() {
		return false
	}
	cond, x, y := s.Src, ir.Expr(&ir.Const{T: ir.I32, V: 1}), ir.Expr(&ir.Const{T: ir.I32})
	switch e := s.Src.(type) {
	case *ir.Select:
		cond, x, y = e.If, e.X, e.Y
	case *ir.Convert:
		if e.T != ir.Type(ir.Bool) || !ir.IsInt(e.X) {
			return false
		}
		cond = e.X
	}
	if sel, ok := s.Src.(*ir.Select); ok && !ir.IsInt(sel) || !ok && cond == s.Src && !truth(cond) {
		return false
	}
	reads := func(e ir.Expr) bool {
		return ir.Any(e, func(n ir.Node) bool { ref, ok := n.(*ir.VarRef); return ok && ref.Var == dst.Var })
	}
	itself := func(e ir.Expr) bool {
		load, ok := e.(*ir.Load)
		ref, plain := ir.Place(nil), false
		if ok {
			ref = load.Place
			_, plain = ref.(*ir.VarRef)
		}
		return plain && ref.(*ir.VarRef).Var == dst.Var
	}
	name := f.target(dst)
	assign := func(e ir.Expr) {
		f.begin(e)
		value := f.expr(e)
		f.flush()
		f.line(name + " = " + value)
	}
	if !itself(y) && ir.Harmless(y) && !reads(cond) && !reads(x) {
		assign(y)
		f.begin(s)
		y = nil
	}
	negate := itself(x)
	text := string(f.appendCond(nil, cond, anyPrec, negate))
	f.flush()
	f.line("if " + text + " {")
	arm := func(e ir.Expr) {
		before := f.indent
		f.indent += "\t"
		assign(e)
		f.indent = before
	}
	switch {
	case negate:
		arm(y)
	default:
		arm(x)
		if y != nil && !itself(y) {
			f.line("} else {")
			arm(y)
		}
	}
	f.line("}")
	return true
}

// declare makes declarations of the first assignments to variables, at the outermost level
// of the body, which nothing jumps over. A variable that is never read gives way to the blank
// identifier.
func (f *function) declare() {
	f.declared = map[string]bool{}
	types := map[string]string{}
	var order []string
	for _, v := range f.fn.Vars {
		if v.Kind != ir.Local || f.names.arrays[v.Index] != "" {
			continue
		}
		name := f.own(v)
		if !f.read[v.Index] && v.Init == nil {
			f.discard(name)
			continue
		}
		if _, scalar := v.Type.(ir.Int); scalar && v.Init == nil {
			types[name] = f.typeName(v.Type)
			order = append(order, name)
		}
	}
	for _, declaration := range f.temporaries {
		name, typ, _ := strings.Cut(declaration, " ")
		types[name] = typ
		order = append(order, name)
	}
	for _, line := range f.lines {
		if strings.Contains(line, "goto ") {
			return
		}
	}
	for i, name := range order {
		f.declareFirst(name, types[name], i >= len(order)-len(f.temporaries))
	}
}

// declareFirst makes a declaration of the first assignment to a variable, if that is at the
// outermost level, or anywhere.
func (f *function) declareFirst(name, typ string, anywhere bool) {
	for i, line := range f.lines {
		indent := "\t"
		if anywhere {
			indent = line[:len(line)-len(strings.TrimLeft(line, "\t"))]
		}
		value, first := strings.CutPrefix(line, indent+name+" = ")
		if first && !mentions(value, name) {
			f.declared[name] = true
			f.lines[i] = indent + name + " := " + value
			if literal.MatchString(value) {
				f.lines[i] = indent + "var " + name + " " + typ + " = " + value
			}
		}
		if first || mentions(line, name) {
			return
		}
	}
}

// literal is a constant without a type.
var literal = regexp.MustCompile(`^-?\d+$`)

// discard assigns to the blank identifier in place of a variable, if all that the body does
// with it are plain assignments.
func (f *function) discard(name string) {
	var at []int
	for i, line := range f.lines {
		if !mentions(line, name) {
			continue
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), name+" = ")
		if !ok || mentions(value, name) {
			return
		}
		at = append(at, i)
	}
	for _, i := range at {
		f.lines[i] = strings.Replace(f.lines[i], name+" = ", "_ = ", 1)
	}
	f.declared[name] = true
}

// mentions tells whether a line has a name as a word.
func mentions(line, name string) bool {
	word := func(c byte) bool {
		return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || !word(line[i-1])) && (end == len(line) || !word(line[end])) {
			return true
		}
		from = end
	}
}
