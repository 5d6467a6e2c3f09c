package c

import (
	"fmt"
	"hash/crc32"
	"maps"
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A File is one source file of a program. All of them have to be compiled and linked;
// they include no headers.
type File struct {
	Name string // without a directory, ending in ".c"
	Text string
}

// EmitProgram returns the source files of a program that checks itself. Main makes the
// calls of p's cases in order: each call finds globals and statics as the call before
// left them, as in interp.RunProgram. The program prints one line, the checksum of all
// answers in decimal, and exits with status 0 if that is right and 1 if not.
//
// With Debug, the program ends at the first call whose result is not that in answers,
// and its line is the one that Blamed reads. Calls that are not in answers, which may
// be nil, are not asserted.
//
// The answers are folded into the checksum by the function that Checksum expressions
// call as well. No optimiser can look into it: it is noipa, or for clang noinline,
// reads a volatile variable, and is in the file of main.
//
// The program has passed Check. Functions keep their names as with Emit. Equal
// arguments give equal files. EmitProgram panics if p has no case or a function holds a
// symbol.
func EmitProgram(p *ir.Program, answers map[*ir.Call]int64, style ProgramStyle) []File {
	w := newWhole(p, style)
	w.answers = answers
	files := make([]File, w.files)
	var all guard
	for i := range files {
		files[i] = File{Name: w.fileName(i), Text: w.file(i)}
		g := w.guard()
		all = guard{max(all.bits, g.bits), all.lanes || g.lanes}
	}
	for i := range files {
		files[i].Text = all.around(files[i].Text, i == w.main, func() string { return WantProgram(p) })
	}
	return files
}

// WantProgram returns the output of the program that EmitProgram makes if every answer
// is right.
func WantProgram(p *ir.Program) string {
	return strconv.FormatUint(uint64(fold(p.Claims)), 10) + "\n"
}

// fold returns the checksum of the answers of cases.
func fold(cases []*ir.Claim) uint32 {
	crc := uint32(0)
	for _, c := range cases {
		var data []byte
		for i := range c.Func.Result.Bytes() {
			data = append(data, byte(c.Want>>(8*i)))
		}
		crc = crc32.Update(crc, crc32.IEEETable, data)
	}
	return crc
}

// A whole is a program while it is written.
type whole struct {
	*printer // of the current file
	program  *ir.Program
	answers  map[*ir.Call]int64 // of EmitProgram
	style    ProgramStyle
	units    []Unit // by function
	names    []names
	written  []function // by function: how far it has been written; see function
	index    map[*ir.Function]int
	files    int
	main     int // the file of main

	test   *TestForm    // or nil; the other fields are of EmitTest, too
	shorts []*shortForm // by function, nil for one that is not written in the short form
	atFile scope        // the names at file scope
}

func newWhole(p *ir.Program, style ProgramStyle) *whole {
	if len(p.Claims) == 0 {
		panic("emit/c: a program without cases")
	}
	n := len(p.Funcs)
	w := &whole{program: p, style: style, units: make([]Unit, n), index: make(map[*ir.Function]int, n)}
	for i, f := range p.Funcs {
		w.index[f] = i
		w.units[i] = Unit{Claim: &ir.Claim{Func: f}, Style: style.of(i).Style}
		w.units[i].Style.ParamsAsGlobals = false
		if f.Foreign != nil {
			w.units[i].Style = foreignStyle(w.units[i].Style)
		}
	}
	for i := len(p.Claims) - 1; i >= 0; i-- {
		c := p.Claims[i]
		u := &w.units[w.index[c.Func]]
		if u.Claim.Path != nil {
			u.More = append([]*ir.Claim{u.Claim}, u.More...)
		}
		u.Claim = c
	}
	switch style.Split {
	case OneFile:
		w.files = 1
	case DriverApart:
		w.files = 2
	case FilePerFunction:
		w.files = n + 1
	default:
		panic(fmt.Sprintf("emit/c: unknown split %d", int(style.Split)))
	}
	w.main = w.files - 1
	w.nameAll()
	w.link()
	return w
}

// Names at file scope of programs besides ours.
const (
	expectFunc   = "expect"
	runFunc      = "run_cases"
	nocloneMacro = "NOCLONE"
)

func (w *whole) nameAll() {
	used := make(scope, 2*len(w.units))
	for _, name := range []string{expectFunc, runFunc, nocloneMacro, "exit"} {
		used[name] = true
	}
	file := make(scope, 8*len(w.units)) // a guess: functions, their tests, and a few variables of each
	reserveForeign(used, w.program.Funcs)
	maps.Copy(file, used)
	w.names = nameFile(w.units, file)
	for _, n := range w.names {
		used[n.fn] = true
	}
	for i, u := range w.units {
		w.names[i].nameLocals(u, used)
	}
}

// fileOf returns the file that function i is defined in.
func (w *whole) fileOf(i int) int {
	if w.style.Split == FilePerFunction {
		return i
	}
	return 0
}

func (w *whole) fileName(file int) string {
	switch {
	case file == w.main && w.files > 1:
		return "main.c"
	case w.style.Split == FilePerFunction:
		return w.names[file].fn + ".c"
	case w.style.Split == DriverApart:
		return "functions.c"
	}
	return "program.c"
}

// link makes functions extern that are called from another file.
func (w *whole) link() {
	call := func(from int, f *ir.Function) {
		if i := w.index[f]; w.fileOf(i) != from {
			w.units[i].Style.Linkage = Extern
		}
	}
	if w.style.Split == FilePerFunction { // else the functions are all in one file
		for i, f := range w.program.Funcs {
			for c := range f.Calls() {
				call(w.fileOf(i), c.Func)
			}
		}
	}
	for _, c := range w.program.Claims {
		call(w.main, c.Func)
	}
}

// file returns the text of one file.
func (w *whole) file(file int) string {
	n := len(w.units)
	declared := make([]bool, n)
	for i := range n {
		if w.fileOf(i) != file {
			continue
		}
		declared[i] = true
		if w.style.Split == FilePerFunction {
			for c := range w.program.Funcs[i].Calls() {
				declared[w.index[c.Func]] = true
			}
		}
	}
	w.printer = newPrinter()
	defer printers.Put(w.printer)
	for i, f := range w.program.Funcs {
		if f.Foreign != nil && w.fileOf(i) == file {
			w.printer.foreign(f, w.units[i].Style, w.style.of(i).NoClone)
		}
	}
	if f := w.program.Funcs; w.style.Split == FilePerFunction && file < len(f) && f[file].Foreign != nil {
		return string(w.buf)
	}
	w.head(file)
	if file == w.main {
		for _, c := range w.program.Claims {
			declared[w.index[c.Func]] = true
		}
	}
	for i, is := range declared {
		if is {
			w.function(i).structs()
		}
	}
	w.str("\n")
	for i, is := range declared {
		if is && !(w.program.Funcs[i].Foreign != nil && w.fileOf(i) == file) {
			w.function(i).signature()
			w.str(";\n")
		}
	}
	for _, i := range w.order() {
		if w.fileOf(i) == file && w.program.Funcs[i].Foreign == nil {
			f := w.function(i)
			f.globals()
			f.define()
		}
	}
	if file == w.main {
		w.driver()
	}
	return string(w.buf)
}

// function returns function i, to be written to the current file.
func (w *whole) function(i int) *function {
	if w.written == nil {
		w.written = make([]function, len(w.units))
		for k := range w.written {
			w.written[k] = *newFunction(w.printer, w.units[k], w.names[k])
			w.written[k].whole = w
			if w.shorts != nil {
				w.written[k].short = w.shorts[k]
			}
		}
	}
	f := &w.written[i]
	f.printer = w.printer
	return f
}

// order returns the functions in the order in which they are defined.
func (w *whole) order() []int {
	order := make([]int, len(w.units))
	for i := range order {
		order[i] = i
	}
	if seed := w.style.Order; seed != 0 {
		s := choice.New(choice.Derive(uint64(seed), "C function order"))
		s.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	return order
}

// attributes writes the attributes that only programs have.
func (w *whole) attributes(fn *ir.Function) {
	style := w.style.of(w.index[fn])
	if style.NoClone {
		w.str(nocloneMacro + " ")
	}
	if style.AlwaysInline && w.style.Split != FilePerFunction {
		w.str("__attribute__((always_inline)) ")
	}
	if w.style.Debug {
		return // a function that ends the program is neither
	}
	switch style.Purity {
	case Pure:
		w.str("__attribute__((pure)) ")
	case Const:
		w.str("__attribute__((const)) ")
	}
}

// appendCall appends a call, and with Debug the assertion of its answer.
func (f *function) appendCall(text []byte, e *ir.Call) []byte {
	if f.whole == nil {
		return f.appendForeignCall(text, e)
	}
	want, known := f.whole.answers[e]
	known = known && f.whole.style.Debug
	callee := f.whole.function(f.whole.index[e.Func])
	if known {
		text = append(text, '(')
		text = append(text, typeName(e.Func.Result)...)
		text = append(text, ')')
		text = append(text, expectFunc+"("...)
	}
	text = callee.appendInvocation(text, func(text []byte, i int) []byte {
		return f.appendExpr(text, f.assigned(e.Args[i], e.Func.Vars[i].Type.(ir.Int)), anyPrec)
	})
	if known {
		text = appendExpected(text, want, callee.names.fn)
	}
	return text
}

// appendExpected appends the end of an assertion.
func appendExpected(text []byte, want int64, callee string) []byte {
	text = append(text, ", "...)
	text = appendConst(text, ir.U64, want)
	text = append(text, `, "`...)
	text = append(text, callee...)
	return append(text, `")`...)
}
