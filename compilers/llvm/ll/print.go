package ll

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// String returns the text of the module.
func (m *Module) String() string {
	var b strings.Builder
	if m.Layout != "" {
		fmt.Fprintf(&b, "target datalayout = %q\n", m.Layout)
	}
	if m.Triple != "" {
		fmt.Fprintf(&b, "target triple = %q\n", m.Triple)
	}
	for _, g := range m.Globals {
		b.WriteString(g.String() + "\n")
	}
	for _, f := range m.Funcs {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.String())
	}
	return b.String()
}

// String returns the line that defines the variable, or declares it.
func (g *Global) String() string {
	words := []string{"@" + name(g.Name), "="}
	switch {
	case g.Init == nil:
		words = append(words, "external")
	case g.Internal:
		words = append(words, "internal")
	}
	if g.Constant {
		words = append(words, "constant")
	} else {
		words = append(words, "global")
	}
	words = append(words, g.Type.String())
	if g.Init != nil {
		words = append(words, g.Init.text())
	}
	return strings.Join(words, " ") + align(g.Align)
}

func align(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", align %d", n)
}

var plain = regexp.MustCompile(`^[-a-zA-Z$._0-9]+$`)

// name returns a name as it stands behind % and @.
func name(n string) string {
	if plain.MatchString(n) {
		return n
	}
	return strconv.Quote(n)
}

// Head returns the words of a function up to its body, with those that begin it.
func (f *Func) head(words ...string) string {
	if head := spaced(append(append([]string{f.CC}, f.Promise.words(f.Result)...), f.Attr, f.Result.String())...); head != "" {
		words = append(words, head[1:])
	}
	var params []string
	for _, p := range f.Params {
		text := p.Type.String() + spaced(append(p.Promise.words(p.Type), p.Attr)...)
		if len(f.Blocks) > 0 {
			text += " %" + name(p.Name)
		}
		params = append(params, text)
	}
	if f.VarArg {
		params = append(params, "...")
	}
	text := fmt.Sprintf("%s @%s(%s)", strings.Join(words, " "), name(f.Name), strings.Join(params, ", "))
	return strings.Join(append([]string{text}, f.Attrs...), " ")
}

// Declaration returns the line that declares the function.
func (f *Func) Declaration() string {
	d := *f
	d.Blocks, d.Attrs = nil, nil
	return d.head("declare") + "\n"
}

// String returns the text of the function.
func (f *Func) String() string {
	if len(f.Blocks) == 0 {
		return f.Declaration()
	}
	var b strings.Builder
	words := []string{"define"}
	if f.Internal {
		words = append(words, "internal")
	}
	b.WriteString(f.head(words...) + " {\n")
	for i, block := range f.Blocks {
		if i > 0 || len(f.Blocks) > 1 {
			b.WriteString(name(block.Name) + ":\n")
		}
		for _, in := range block.Instrs {
			b.WriteString("  " + in.String() + "\n")
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// text returns the operand without its type.
func (o Operand) text() string {
	switch {
	case o.Local != "":
		return "%" + name(o.Local)
	case o.Block != "":
		return fmt.Sprintf("blockaddress(@%s, %%%s)", name(o.Global), name(o.Block))
	case o.Global != "" && o.Offset != 0:
		return fmt.Sprintf("getelementptr (i8, ptr @%s, i64 %d)", name(o.Global), o.Offset)
	case o.Global != "":
		return "@" + name(o.Global)
	}
	return o.constant()
}

// String returns the type and the operand.
func (o Operand) String() string { return o.Type.String() + " " + o.text() }

func (o Operand) constant() string {
	switch o.Type.Kind {
	case Array, Struct:
		if len(o.Elems) == 0 {
			return "zeroinitializer"
		}
		var list []string
		zero := true
		for _, e := range o.Elems {
			list = append(list, e.String())
			zero = zero && (e.constant() == "0" || e.constant() == "zeroinitializer") && e.Global == ""
		}
		brackets := "[]"
		if o.Type.Kind == Struct {
			brackets = "{}"
		}
		if zero {
			return "zeroinitializer"
		}
		text := brackets[:1] + strings.Join(list, ", ") + brackets[1:]
		if o.Type.Packed {
			return "<" + text + ">"
		}
		return text
	case Vector:
		var list []string
		alike := true
		for _, l := range o.Const {
			list = append(list, o.Type.Elem.String()+" "+lane(o.Type.Elem, l))
			alike = alike && list[0] == list[len(list)-1]
		}
		switch {
		case alike && o.Const[0].Poison:
			return "poison"
		case alike && lane(o.Type.Elem, o.Const[0]) == "0":
			return "zeroinitializer"
		case alike:
			return "splat (" + list[0] + ")"
		}
		return "<" + strings.Join(list, ", ") + ">"
	}
	if len(o.Const) == 0 {
		return "poison"
	}
	return lane(o.Type, o.Const[0])
}

// lane returns a constant as LLVM prints it: signed, or a truth value.
func lane(t *Type, l Lane) string {
	switch {
	case l.Poison:
		return "poison"
	case t.Kind == Ptr:
		if l.object == nil {
			return "null"
		}
		return "@" + l.object.name
	case t.Kind == Float:
		return fmt.Sprintf("0x%016X", math.Float64bits(l.number(t.Bits)))
	case t.Bits == 1:
		return strconv.FormatBool(l.N.Sign() != 0)
	}
	return signed(l.N, t.Bits).String()
}

func signed(n *big.Int, bits int) *big.Int {
	if n.Bit(bits-1) == 0 {
		return n
	}
	return new(big.Int).Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(bits)))
}

// String returns the text of an instruction.
func (i *Instr) String() string {
	var b strings.Builder
	if i.Name != "" {
		fmt.Fprintf(&b, "%%%s = ", name(i.Name))
	}
	op := i.Op
	if i.Volatile {
		op += " volatile"
	}
	for _, f := range i.Flags {
		op += " " + f
	}
	b.WriteString(op)
	arg := func(n int) string { return i.Args[n].String() }
	switch i.Op {
	case "icmp", "fcmp":
		fmt.Fprintf(&b, " %s %s, %s", i.Pred, arg(0), i.Args[1].text())
	case "zext", "sext", "trunc", "bitcast", "ptrtoint", "fptrunc", "fpext", "fptosi", "fptoui", "sitofp", "uitofp":
		fmt.Fprintf(&b, " %s to %v", arg(0), i.Type)
	case "phi":
		fmt.Fprintf(&b, " %v", i.Type)
		for n, a := range i.Args {
			if n > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, " [ %s, %%%s ]", a.text(), name(i.Labels[n]))
		}
	case "br":
		if len(i.Args) > 0 {
			fmt.Fprintf(&b, " %s,", arg(0))
		}
		for n, l := range i.Labels {
			if n > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, " label %%%s", name(l))
		}
	case "indirectbr":
		for n, l := range i.Labels {
			fmt.Fprintf(&b, "%slabel %%%s", map[bool]string{true: " " + arg(0) + ", [", false: ", "}[n == 0], name(l))
		}
		b.WriteString("]")
	case "switch":
		fmt.Fprintf(&b, " %s, label %%%s [", arg(0), name(i.Labels[0]))
		for n, a := range i.Args[1:] {
			fmt.Fprintf(&b, " %s, label %%%s", a, name(i.Labels[n+1]))
		}
		b.WriteString(" ]")
	case "ret":
		if len(i.Args) == 0 {
			b.WriteString(" void")
		} else {
			b.WriteString(" " + arg(0))
		}
	case "alloca":
		fmt.Fprintf(&b, " %v%s", i.Elem, align(i.Align))
	case "load":
		fmt.Fprintf(&b, " %v, %s%s%s", i.Type, arg(0), align(i.Align), i.promised(0).metadata(i.Type))
	case "store":
		fmt.Fprintf(&b, " %s, %s%s", arg(0), arg(1), align(i.Align))
	case "getelementptr":
		fmt.Fprintf(&b, " %v", i.Elem)
		for n := range i.Args {
			b.WriteString(", " + arg(n))
		}
	case "shufflevector":
		fmt.Fprintf(&b, " %s, %s, %s", arg(0), arg(1), maskText(i.Index))
	case "extractvalue", "insertvalue":
		for n := range i.Args {
			if n > 0 {
				b.WriteByte(',')
			}
			b.WriteString(" " + arg(n))
		}
		for _, n := range i.Index {
			fmt.Fprintf(&b, ", %d", n)
		}
	case "call":
		var args []string
		for n, a := range i.Args {
			text := a.Type.String() + spaced(append(i.promised(n+1).words(a.Type), i.Attrs[n+2])...)
			args = append(args, text+" "+a.text())
		}
		b.WriteString(spaced(append(append(i.Attrs[:1:1], i.promised(0).words(i.Type)...), i.Attrs[1])...))
		if i.Elem != nil { // the type of a function with variable arguments
			fmt.Fprintf(&b, " %v (ptr, ...)", i.Type)
		} else {
			fmt.Fprintf(&b, " %v", i.Type)
		}
		fmt.Fprintf(&b, " @%s(%s)", name(i.Callee), strings.Join(args, ", "))
	case "select", "extractelement", "insertelement":
		for n := range i.Args {
			if n > 0 {
				b.WriteByte(',')
			}
			b.WriteString(" " + arg(n))
		}
	default:
		for n := range i.Args {
			if n == 0 {
				b.WriteString(" " + arg(n))
			} else {
				b.WriteString(", " + i.Args[n].text())
			}
		}
	}
	return b.String()
}

// maskText returns the mask of a shufflevector.
func maskText(mask []int) string {
	o := Operand{Type: &Type{Kind: Vector, N: len(mask), Elem: IntType(32)}}
	for _, n := range mask {
		o.Const = append(o.Const, Lane{Poison: n < 0, N: big.NewInt(int64(max(n, 0)))})
	}
	return o.String()
}
