package golang

import (
	_ "embed"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"goreify/reify/ir"
)

// stateSuffix ends the name of a function that sums up the variables that another one
// leaves, and resetSuffix that of one that resets them. rowsSuffix ends that of a table
// of inputs.
const (
	stateSuffix = "_state"
	resetSuffix = "_reset"
	rowsSuffix  = "_rows"
)

// The names of functions that files share.
const (
	crcFunc    = "crc32"
	boolFunc   = "b2i"
	byteFunc   = "b2u"
	signedFunc = "signed"
	mainFunc   = "main"
)

//go:embed runtime.txtar
var runtimeText []byte

// runtime are the functions that files share, of which so many are before the units.
var (
	runtime = txtar.Parse(runtimeText).Files
	before  = len(runtime) - 2
)

// imports returns the imports of the helpers and functions.
func (w *writer) imports() []string {
	if w.helpers["ffs"] || w.helpers[mulHighFunc] {
		w.helpers["bits"] = true
	}
	var list []string
	if w.helpers["math"] {
		list = append(list, "math")
	}
	if w.helpers["bits"] {
		list = append(list, "math/bits")
	}
	if w.helpers["unsafe"] || w.helpers[distanceFunc] || w.helpers[fillFunc] {
		list = append(list, "unsafe")
	}
	return list
}

// shared returns the text of those of some functions that the file needs.
func (w *writer) shared(list []txtar.File) (text string) {
	for _, f := range list {
		if w.helpers[f.Name] {
			text += "\n" + string(f.Data)
		}
	}
	return text
}

// BodyLines returns the number of lines in the bodies of the functions of a text of
// this package, without the functions that all texts share, blank lines and lines of
// braces alone.
func BodyLines(text string) int {
	n, inside := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch name, found := strings.CutPrefix(line, "func "); {
		case found:
			name, _, _ = strings.Cut(name, "(")
			inside = !reserved[name] && !strings.HasSuffix(name, stateSuffix) && !strings.HasSuffix(name, resetSuffix) && !strings.HasSuffix(line, "}")
		case line == "}":
			inside = false
		case inside && strings.Trim(line, " \t{}") != "":
			n++
		}
	}
	return n
}

// head returns the text before the functions of the units.
func (w *writer) head(units []Unit) string {
	var b strings.Builder
	b.WriteString(`// A program that checks itself. It prints a line for each call of its functions: the name, the
// number of the call unless it is the first, the answer, and a checksum of the variables that
// last. It exits with status 0 if all answers are right, and 1 if one is wrong.
`)
	if len(units) > 1 {
		b.WriteString("// With an argument, a number from 0, it runs the function of that number alone.\n")
	}
	b.WriteString("package main\n\nimport (\n")
	paths := append(w.imports(), "os")
	slices.Sort(paths)
	for _, path := range paths {
		b.WriteString("\t\"" + path + "\"\n")
	}
	b.WriteString(")\n")
	b.WriteString(w.shared(runtime[:before]))
	return b.String()
}

// state writes the function of unit i that sums up variables.
func (w *writer) state(i int, of []*ir.Var) {
	var lines []string
	for _, k := range w.file.reach(i) {
		f := w.function(k)
		for _, v := range f.fn.Vars {
			if slices.Contains(of, v) {
				f.sum(f.own(v), v.Type, 0)
			}
		}
		lines = append(lines, f.lines...)
	}
	w.helpers[crcFunc] = true
	w.str("\nfunc " + w.file.named[i].state + "() uint32 {\n\tvar crc uint32\n\tcrc = 0\n" + strings.Join(lines, "\n") + "\n\treturn crc\n}\n")
}

// reset writes the function that gives variables with static lifetime their initial
// values.
func (f *function) reset() {
	f.str("\nfunc " + f.names.reset + "() {\n")
	for _, v := range f.fn.Vars {
		if v.Kind.Lasts() {
			f.str("\t" + f.own(v) + " = " + f.value(v) + "\n")
		}
	}
	for _, line := range f.lastingPointers() {
		f.str("\t" + line + "\n")
	}
	f.str("}\n")
}
