package wasm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Text returns a module in the text format. The calls, which that form cannot hold, are
// a comment. The error is that of a module which is malformed, or has parts that Emit
// does not write.
func Text(module []byte) (string, error) {
	d, err := read(module)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(d.calls) {
		fmt.Fprintf(&b, ";; %s\n", strings.TrimSuffix(line, "\n"))
	}
	b.WriteString("(module\n")
	if d.pages >= 0 {
		fmt.Fprintf(&b, "  (memory %d)\n", d.pages)
	}
	for _, g := range d.globals {
		kind := typeName(g.t)
		if g.mutable {
			kind = "(mut " + kind + ")"
		}
		fmt.Fprintf(&b, "  (global %s (%s))\n", kind, g.init.text())
	}
	for i := range d.bodies {
		d.function(&b, i)
	}
	for _, s := range d.data {
		b.WriteString("  (data ")
		if s.active {
			fmt.Fprintf(&b, "(%s) ", s.offset.text())
		}
		fmt.Fprintf(&b, "%s)\n", quoted(s.bytes))
	}
	b.WriteString(")\n")
	return b.String(), nil
}

func quoted(data []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range data {
		if c >= ' ' && c <= '~' && c != '"' && c != '\\' {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, `\%02x`, c)
	}
	b.WriteByte('"')
	return b.String()
}

func typeName(t byte) string {
	switch t {
	case typeI32:
		return "i32"
	case typeI64:
		return "i64"
	case typeF32:
		return "f32"
	case typeF64:
		return "f64"
	case typeV128:
		return "v128"
	}
	return fmt.Sprintf("type%#x", t)
}

func typeNames(list []byte) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(" " + typeName(t))
	}
	return b.String()
}

func (d *decoded) function(b *strings.Builder, at int) {
	fmt.Fprintf(b, "  (func (;%d;)", at)
	for _, e := range d.exports {
		if e.kind == 0 && e.index == at {
			fmt.Fprintf(b, " (export %s)", quoted([]byte(e.name)))
		}
	}
	t := d.types[d.funcs[at]]
	if len(t.params) > 0 {
		fmt.Fprintf(b, " (param%s)", typeNames(t.params))
	}
	if len(t.results) > 0 {
		fmt.Fprintf(b, " (result%s)", typeNames(t.results))
	}
	b.WriteString("\n")
	if locals := d.bodies[at].locals; len(locals) > 0 {
		fmt.Fprintf(b, "    (local%s)\n", typeNames(locals))
	}
	code := d.bodies[at].code
	depth := 2
	for _, i := range code[:max(0, len(code)-1)] { // the last one is the end
		if i.op == opEnd || i.op == opElse {
			depth--
		}
		fmt.Fprintf(b, "%s%s\n", strings.Repeat("  ", max(depth, 2)), i.text())
		switch i.op {
		case opBlock, opLoop, opIf, opElse:
			depth++
		}
	}
	b.WriteString("  )\n")
}

// text returns an instruction as the text format has it.
func (i instr) text() string {
	o := operations[i.op]
	switch o.imm {
	case immBlock:
		if i.x != typeNone {
			return o.name + " (result " + typeName(byte(i.x)) + ")"
		}
	case immIndex:
		return o.name + " " + strconv.FormatUint(i.x, 10)
	case immTable:
		words := o.name
		for _, l := range i.table {
			words += " " + strconv.Itoa(l)
		}
		return words
	case immMemory:
		text := o.name
		if i.y != 0 {
			text += " offset=" + strconv.FormatUint(i.y, 10)
		}
		if i.x < 32 {
			text += " align=" + strconv.FormatUint(1<<i.x, 10)
		}
		return text
	case immInit:
		return o.name + " " + strconv.FormatUint(i.x, 10)
	case immI32, immI64:
		return o.name + " " + strconv.FormatInt(int64(i.x), 10)
	case immV128:
		return fmt.Sprintf("%s i64x2 %#x %#x", o.name, i.x, i.y)
	case immShuffle:
		words := o.name
		for k := range 16 {
			half := i.x
			if k >= 8 {
				half = i.y
			}
			words += " " + strconv.Itoa(int(half>>(k%8*8)&0xff))
		}
		return words
	case immF32, immF64:
		v := i.float()
		switch {
		case math.IsNaN(v):
			return o.name + " nan"
		case math.IsInf(v, 0):
			return o.name + " " + strings.ToLower(strconv.FormatFloat(v, 'f', -1, 64))
		}
		return o.name + " " + strconv.FormatFloat(v, 'g', -1, 64)
	}
	return o.name
}

// Instructions returns how many instructions the functions of a module have whose calls
// it lists, or 0 if it is malformed.
func Instructions(module []byte) int {
	d, err := read(module)
	if err != nil {
		return 0
	}
	called := map[string]bool{}
	for line := range strings.Lines(d.calls) {
		if words := strings.Fields(line); len(words) > 1 {
			called[words[1]] = true
		}
	}
	n := 0
	for _, e := range d.exports {
		if e.kind == 0 && e.index < len(d.bodies) && called[e.name] {
			n += len(d.bodies[e.index].code)
		}
	}
	return n
}
