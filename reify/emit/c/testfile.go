package c

import (
	"bytes"
	"slices"

	"goreify/reify/ir"
)

// EmitTest returns a translation unit for a bug report: the functions that the one case
// of p needs, callees first, and a main that makes its call. It includes no headers. If the
// answer is wrong it aborts; with Print, it prints the answer. The program
//
//	func @f(%a i32) i32 {
//	    local %i i32 = 0
//	  entry:
//	    goto head
//	  head:
//	    if %i < %a goto body else exit
//	  body:
//	    %i = %i + 3
//	    goto head
//	  exit:
//	    return %i
//	}
//	case f(a = 7) = 9 path entry head body head body head body head exit
//
// is in the plainest form
//
//	static int f(int a)
//	{
//	    int i = 0;
//
//	    while (i < a)
//	        i += 3;
//	    return i;
//	}
//
//	int main(void)
//	{
//	    if (f(7) != 9)
//	        __builtin_abort();
//	}
//
// The program has passed Check and is concrete, and is left as it is. Cases after the
// first are ignored, and so are functions that it does not need. Names stay unless C
// forbids them. Without Labels, blocks that cannot be reached are left out, empty ones
// are skipped, and those that only follow one another are merged. Equal arguments give
// equal text. EmitTest panics if p has no case or a function holds a symbol.
func EmitTest(p *ir.Program, form TestForm) string {
	w := newTest(p, form)
	for i, f := range w.program.Funcs {
		if f.Foreign != nil {
			w.printer.foreign(f, w.units[i].Style, form.NoClone)
		}
	}
	if form.Print {
		w.str("int printf(const char *, ...);\n")
	}
	if sums(w.units) {
		w.define([]macro{{noipaMacro, "noinline", "noipa"}})
		w.crc("static ", w.units)
	}
	w.testGlobals()
	w.str("\n")
	for i, wanted := range w.prototypes() {
		if wanted {
			w.function(i).signature()
			w.str(";\n")
		}
	}
	for i := range w.units {
		f := w.function(i)
		if f.unit.Claim.Func.Foreign != nil {
			continue
		}
		w.str("\n")
		f.signature()
		w.str("\n{\n")
		f.locals()
		f.body()
		f.end(0)
		w.str("\n")
	}
	w.testMain()
	for two := []byte("\n\n"); bytes.Contains(w.buf, []byte("\n\n\n")); {
		w.buf = bytes.ReplaceAll(w.buf, []byte("\n\n\n"), two)
	}
	text := string(bytes.TrimLeft(w.buf, "\n"))
	return w.guard().around(text, true, func() string { return WantTest(p, form) })
}

// WantTest returns the output of the program of EmitTest if the answer is right: with
// Print the answer, and with Compare 1 behind it, else nothing.
func WantTest(p *ir.Program, form TestForm) string {
	if !form.Print {
		return ""
	}
	want := p.Claims[0].Func.Result.Format(p.Claims[0].Want)
	if form.Compare {
		want += " 1"
	}
	return want + "\n"
}

func newTest(p *ir.Program, form TestForm) *whole {
	if len(p.Claims) == 0 {
		panic("emit/c: a test without a case")
	}
	q := p.Clone()
	q.Claims = q.Claims[:1]
	q.Funcs = calleesFirst(q.Claims[0].Func)
	style := form.Style
	style.ParamsAsGlobals = false
	if !form.Labels {
		style = Style{
			Structured: !form.Goto, Cond: FallThrough, Compound: true, ImplicitCasts: true, Arrows: true,
			Linkage: style.Linkage, NoInline: style.NoInline, VolatileArgs: style.VolatileArgs,
			ComputedGoto: style.ComputedGoto, ParamStruct: style.ParamStruct,
			ResultStruct: style.ResultStruct, PointerParams: style.PointerParams, ArraySums: style.ArraySums,
			Declared: style.Declared,
		}
	}
	w := &whole{
		printer: new(printer), program: q, test: &form, files: 1,
		units: make([]Unit, len(q.Funcs)), index: make(map[*ir.Function]int, len(q.Funcs)),
	}
	for i, f := range q.Funcs {
		w.index[f] = i
		w.units[i] = Unit{Claim: &ir.Claim{Func: f}, Style: style}
		var short *shortForm
		if f.Foreign != nil {
			w.units[i].Style = foreignStyle(style)
		} else if !form.Labels {
			simplify(f)
			if !form.Goto && form.Print {
				declareFirst(f)
			}
			short = newShortForm(f)
		}
		w.shorts = append(w.shorts, short)
	}
	w.nameTest()
	return w
}

// declareFirst makes initial values of the assignments that the function begins with.
func declareFirst(f *ir.Function) {
	entry := f.Blocks[0]
	if slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { return slices.Contains(b.Succs(), entry) }) {
		return
	}
	var first []*ir.Var
	for len(entry.Stmts) > 0 {
		a, ok := entry.Stmts[0].(*ir.Assign)
		if !ok {
			break
		}
		dst, ok := a.Dst.(*ir.VarRef)
		if !ok || dst.Var.Kind != ir.Local || dst.Var.Init != nil || dst.Var.Volatile || slices.Contains(first, dst.Var) {
			break
		}
		if _, scalar := dst.Var.Type.(ir.Int); !scalar || !ir.IsInt(a.Src) {
			break
		}
		if _, sum := a.Src.(*ir.Checksum); sum {
			break
		}
		dst.Var.Init = []ir.Expr{a.Src}
		first = append(first, dst.Var)
		entry.Stmts = entry.Stmts[1:]
	}
	f.Vars = append(slices.DeleteFunc(f.Vars, func(v *ir.Var) bool { return slices.Contains(first, v) }), first...)
	for i, v := range f.Vars {
		v.Index = i
	}
}

// calleesFirst returns the functions that f needs, each after those that it
// calls unless they call it as well. The last one is f.
func calleesFirst(f *ir.Function) []*ir.Function {
	var list []*ir.Function
	seen := map[*ir.Function]bool{}
	var visit func(f *ir.Function)
	visit = func(f *ir.Function) {
		seen[f] = true
		for c := range f.Calls() {
			if !seen[c.Func] {
				visit(c.Func)
			}
		}
		list = append(list, f)
	}
	visit(f)
	return list
}

// prototypes returns, by function, whether it is called before it is defined.
func (w *whole) prototypes() []bool {
	wanted := make([]bool, len(w.units))
	for i, f := range w.program.Funcs {
		for c := range f.Calls() {
			if k := w.index[c.Func]; k > i {
				wanted[k] = true
			}
		}
	}
	return wanted
}

// nameTest names everything. Names at file scope are written without the function's
// name before them, and no local name hides them.
func (w *whole) nameTest() {
	file, tags := scope{}, scope{}
	w.names = make([]names, len(w.units))
	reserveForeign(file, w.program.Funcs)
	for i, u := range w.units {
		if f := u.Claim.Func; f.Foreign != nil {
			w.names[i].fn = f.Name
			continue
		}
		w.names[i].fn = file.add(functionName(u.Claim.Func.Name))
	}
	for i, u := range w.units {
		n, f := &w.names[i], u.Claim.Func
		for _, r := range f.Types {
			n.records = append(n.records, tags.add(r.Name))
		}
		if packs(u) {
			n.params = tags.add(n.fn + "_params")
		}
		if u.Style.ResultStruct {
			n.result = tags.add(n.fn + "_result")
		}
		n.vars = make([]string, len(f.Vars))
		for _, v := range f.Vars {
			if v.Kind.Lasts() {
				n.vars[v.Index] = file.add(globalName(v.Name))
			}
		}
	}
	for i, u := range w.units {
		w.names[i].nameLocals(u, file)
	}
	w.atFile = file
}

// globalName is functionName for a variable, whose name must not be that of a function
// that compilers know.
func globalName(name string) string {
	switch name {
	case "j0", "j1", "y0", "y1":
		return name + "_"
	}
	return functionName(name)
}

// testGlobals writes the types and the variables at file scope.
func (w *whole) testGlobals() {
	var all declarations
	for i := range w.units {
		f := w.function(i)
		f.structs()
		f.types()
		if plain(f.unit.Claim.Func) { // its expressions may name types
			f.definitions()
		}
	}
	w.str("\n")
	for i, u := range w.units {
		f, declared := w.function(i), map[*ir.Var]bool{}
		for _, v := range u.Claim.Func.Vars {
			if v.Kind.Lasts() {
				f.forward(v, declared)
				all.add(f, v, 0)
			}
		}
	}
	all.write(w.printer, 0)
}

// testSignature writes the specifiers before the type of a function's result.
func (w *whole) testSignature(style Style) {
	switch {
	case w.test.NoClone && style.NoInline:
		w.str("__attribute__((noinline, noclone)) ")
	case w.test.NoClone:
		w.str("__attribute__((noclone)) ")
	case style.NoInline:
		w.str("__attribute__((noinline)) ")
	}
}
