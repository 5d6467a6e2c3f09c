package jvm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Text returns a class in the language of jasm, the assembler of OpenJDK's asmtools, which jtreg
// has, too. The lists of the class are a comment. The error is that of a class which is
// malformed, or has parts that Emit does not write.
func Text(class []byte) (string, error) {
	d, err := read(class)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(d.text) {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight("// "+strings.TrimSuffix(line, "\n"), " "))
	}
	fmt.Fprintf(&b, "super public final class %s extends %s implements %s version %d:0\n{\n", d.this, d.super, strings.Join(d.interfaces, ", "), d.major)
	for _, f := range d.fields {
		fmt.Fprintf(&b, "  %sField %s:%q;\n", words(f.flags), f.name, f.descriptor)
	}
	for _, m := range d.methods {
		fmt.Fprintf(&b, "\n  %sMethod %s:%q\n    stack %d locals %d\n  {\n", words(m.flags), m.name, m.descriptor, m.stack, m.locals)
		d.code(&b, m)
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	return b.String(), nil
}

func words(flags int) string {
	text := ""
	for _, w := range []struct {
		flag int
		word string
	}{{accPublic, "public "}, {accPrivate, "private "}, {accStatic, "static "}, {accFinal, "final "}, {accSynchronized, "synchronized "}, {accVolatile, "volatile "}} {
		if flags&w.flag != 0 {
			text += w.word
		}
	}
	return text
}

// code writes instructions, with labels where a jump leads to.
func (d *decoded) code(b *strings.Builder, m member) {
	named := map[int]bool{}
	for _, i := range m.code {
		switch operations[i.op].operand {
		case jumpOperand, farJump:
			named[i.a] = true
		}
		for _, t := range i.table {
			named[t] = true
		}
	}
	for _, h := range m.handlers {
		named[h.target] = true
	}
	// traps writes where the parts begin and end that handlers are for.
	traps := func(at int) {
		for n, h := range m.handlers {
			if h.to == at {
				fmt.Fprintf(b, "    endtry t%d;\n", n)
			}
		}
		for n, h := range m.handlers {
			if h.from == at {
				fmt.Fprintf(b, "    try t%d;\n", n)
			}
		}
	}
	label := func(at int) string { return "L" + strconv.Itoa(at) }
	end := 0
	for _, i := range m.code {
		traps(i.at)
		if named[i.at] {
			fmt.Fprintf(b, "  %s:\n", label(i.at))
			delete(named, i.at)
		}
		for n, h := range m.handlers {
			if h.target == i.at {
				caught := "#0" // whatever it is
				if h.catch != 0 {
					caught = d.class(h.catch)
				}
				fmt.Fprintf(b, "    catch t%d %s;\n", n, caught)
			}
		}
		end = i.at
		o := operations[i.op]
		text := o.name
		if wide := i.a > math.MaxUint8 || i.b != int(int8(i.b)); wide && (o.operand == localOperand || o.operand == iincOperand) {
			text += "_w"
		}
		switch o.operand {
		case byteOperand, shortOperand, localOperand:
			text += " " + strconv.Itoa(i.a)
		case iincOperand:
			text += fmt.Sprintf(" %d, %d", i.a, i.b)
		case smallConstant, constant:
			text += " " + d.constant(i.a)
		case multiOperand:
			text += fmt.Sprintf(" %s, %d", d.constant(i.a), i.b)
		case arrayOperand:
			text += " " + elements[arrayCodes[byte(i.a)]]
		case jumpOperand, farJump:
			text += " " + label(i.a)
		case tableOperand, lookupOperand:
			text += " {"
			for k, v := range i.values {
				text += fmt.Sprintf(" %d: %s;", v, label(i.table[k]))
			}
			text += " default: " + label(i.table[len(i.values)]) + " }"
		}
		fmt.Fprintf(b, "    %s;\n", text)
	}
	var rest []int
	for at := range named { // behind the last instruction, or invalid
		rest = append(rest, at)
	}
	slices.Sort(rest)
	for _, at := range rest {
		if at > end {
			fmt.Fprintf(b, "  %s:\n", label(at))
		}
	}
	for n, h := range m.handlers {
		if h.to > end {
			fmt.Fprintf(b, "    endtry t%d;\n", n)
		}
	}
}

// elements are the types of newarray by their descriptors.
var elements = map[string]string{"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int", "J": "long"}
