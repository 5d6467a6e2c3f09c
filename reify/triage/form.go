package triage

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
)

// A form is a form of text in which a reduced test is written: the test checks itself,
// and makes the calls of a program's cases.
type form struct {
	name string
	main string // the name of the file
	// write returns the text, and exactly what it prints if the answer is right.
	write func(p *ir.Program) (source, want string)
	// job returns the job of a compiler that is asked about a program.
	aborts bool
}

// job returns what a compiler is asked about a program.
func (f form) job(p *ir.Program, mode compilers.Mode) compilers.Job {
	source, want := f.write(p)
	return compilers.Job{Files: []compilers.File{{Name: f.main, Content: []byte(source)}}, Want: []byte(want), Mode: mode}
}

// formsOf returns the forms for the program of an entry, from the plainest to that
// in which it was found.
func formsOf(e *corpus.Entry, p *ir.Program) []form {
	list := formsOfC
	if language.Find(e.Language) != nil {
		list = formsIn
	}
	forms := list(e, p)
	for i := range forms {
		forms[i].main = e.Main
	}
	return forms
}

// checkRules returns an error if a case has its answer by the rules of another language
// than its entry's: under its own it may have no answer. Nor may a style have words
// that the language does not know.
func checkRules(e *corpus.Entry, p *ir.Program) error {
	lang := language.Find(e.Language)
	for i, k := range p.Claims {
		if k.Under != ir.C && (lang == nil || k.Under != lang.Under) {
			return fmt.Errorf("case %d, of @%s, is under %s in an entry of %s", i, k.Func.Name, k.Under, e.Language)
		}
	}
	if lang != nil {
		for _, style := range e.AllNotes(corpus.NoteStyle) {
			if err := lang.CheckStyle(style); err != nil {
				return err
			}
		}
	}
	return nil
}

// formsIn is formsOf for another language than C.
func formsIn(e *corpus.Entry, p *ir.Program) []form {
	lang := language.Find(e.Language)
	for _, f := range p.Funcs {
		if lang.Supports(f) != nil {
			return nil
		}
	}
	var list []form
	for _, style := range lang.Forms(e.Note(corpus.NoteStyle)) {
		list = append(list, form{name: "in " + string(lang.Name) + ", " + style, write: func(p *ir.Program) (string, string) {
			text := lang.Write([]language.Unit{{Claim: p.Claims[0], Style: style}})
			return string(text.Files()[0].Content), string(text.Want())
		}})
	}
	if styles := e.AllNotes(corpus.NoteStyle); len(p.Funcs) > 1 && len(styles) == len(p.Funcs) {
		list = append(list, originalIn(lang, p, styles))
	}
	return list
}

// originalIn returns the form in which a whole program was written in a language other than
// C: each function in its own style, or in that of the first if its name is new.
func originalIn(lang *language.Language, p *ir.Program, styles []string) form {
	named := map[string]string{}
	for i, f := range p.Funcs {
		named[f.Name] = styles[i]
	}
	return form{name: "as found: a whole program", write: func(p *ir.Program) (string, string) {
		of := map[*ir.Function]string{}
		for _, f := range p.Funcs {
			of[f] = cmp.Or(named[f.Name], styles[0])
		}
		k := p.Claims[0]
		text := lang.Write([]language.Unit{{Claim: k, Style: of[k.Func], Called: of}})
		return string(text.Files()[0].Content), string(text.Want())
	}}
}

// formsOfC is formsOf for C.
func formsOfC(e *corpus.Entry, p *ir.Program) []form {
	styles := stylesOf(e)
	tests := c.TestForms()
	if len(styles) == 1 {
		tests = c.TestFormsOf(styles[0].Style)
	}
	var list []form
	for _, test := range tests {
		list = append(list, form{name: test.String(), aborts: !test.Print, write: func(p *ir.Program) (string, string) {
			return c.EmitTest(p, test), c.WantTest(p, test)
		}})
	}
	if len(styles) != len(p.Funcs) {
		return list
	}
	return append(list, originalForm(p, styles))
}

// stylesOf returns the styles of an entry's functions, or nothing if they are of a
// later version. A function that was declared pure or const need not be so after a
// change, and is not declared so.
func stylesOf(e *corpus.Entry) []c.FuncStyle {
	var styles []c.FuncStyle
	for _, text := range e.AllNotes(corpus.NoteStyle) {
		style, err := c.ParseFuncStyle(text)
		if err != nil {
			return nil
		}
		style.Purity = c.Impure
		styles = append(styles, style)
	}
	return styles
}

// originalForm returns the form in which a program was written when it was found:
// as a case, or as a whole program, but all in one file. Its functions have the styles that
// those of the same names had, or else the first.
func originalForm(p *ir.Program, styles []c.FuncStyle) form {
	index := map[string]int{}
	for i, f := range p.Funcs {
		index[f.Name] = i
	}
	name, alone := "as found: a whole program", len(p.Funcs) == 1
	if alone {
		name = "as found: " + styles[0].String()
	}
	return form{name: name, write: func(p *ir.Program) (string, string) {
		if alone && len(p.Funcs) == 1 { // else it has calls of all cases: see together
			units := []c.Unit{c.Unit{Claim: p.Claims[0], Style: styles[0].Style}.Watched(interp.Stored)}
			return c.Emit(units), c.Want(units)
		}
		var all c.ProgramStyle
		for _, f := range p.Funcs {
			all.Funcs = append(all.Funcs, styles[index[f.Name]])
		}
		files := c.EmitProgram(p, nil, all)
		if len(files) != 1 {
			panic("triage: a program in one file is written to several")
		}
		return files[0].Text, c.WantProgram(p)
	}}
}

// starts returns programs of one case each: the cases of an entry's program, each as it
// is in a program of its own, and with the functions that it needs. Cases that cannot
// run alone are left out.
func starts(p *ir.Program) []*ir.Program {
	var list []*ir.Program
	for i := range p.Claims {
		one := &ir.Program{Funcs: p.Funcs, Claims: p.Claims[i : i+1]}
		one = one.Clone()
		k := one.Claims[0]
		r, err := interp.Run(k.Func, k.Args, interp.Options{Under: k.Under})
		trap := new(interp.Trap)
		if err != nil && !errors.As(err, &trap) {
			continue
		}
		k.Path, k.Want, k.Trap = r.Path, r.Value, trap.Kind
		list = append(list, one)
	}
	return list
}

// together returns programs with one case, of a function that makes the calls of the
// cases, one after another, and returns the checksum of their results. One program has
// constants as arguments. The other has volatile variables, which tell a compiler less.
// A call is left out if it cannot run, or cannot run after those before it, as globals
// keep the values that these left. It also returns how many calls are made. There are
// no programs for less than two calls.
func together(p *ir.Program) (list []*ir.Program, calls int, err error) {
	most := &ir.Program{Funcs: p.Funcs}
	for first := range p.Claims {
		if len(p.Claims)-first <= len(most.Claims) {
			break
		}
		run, err := runnable(p, first)
		if err != nil {
			return nil, 0, err
		}
		if len(run.Claims) > len(most.Claims) {
			most = run
		}
	}
	if len(most.Claims) < 2 {
		return nil, 0, nil
	}
	for _, volatile := range []bool{false, true} {
		q, ok, err := allCalls(most, volatile)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			list = append(list, q)
		}
	}
	return list, len(most.Claims), nil
}

// runnable returns p with those of its cases, from the first on, that each can
// run after those before it.
func runnable(p *ir.Program, first int) (*ir.Program, error) {
	run := &ir.Program{Funcs: p.Funcs}
	for _, k := range p.Claims[first:] {
		more := &ir.Program{Funcs: p.Funcs, Claims: append(slices.Clone(run.Claims), k)}
		_, ok, err := allCalls(more, false)
		if err != nil {
			return nil, err
		}
		if ok {
			run = more
		}
	}
	return run, nil
}

// allCalls returns a program of together that makes the calls of all cases of p,
// or false if they cannot run after one another.
func allCalls(p *ir.Program, volatile bool) (q *ir.Program, ok bool, err error) {
	q = uncheckedCalls(p, volatile)
	k := q.Claims[0]
	q.Claims = nil
	if err := q.Check(); err != nil {
		return nil, false, err
	}
	q.Claims = []*ir.Claim{k}
	runs, err := interp.RunProgram(q, interp.Options{})
	if err != nil {
		return nil, false, nil
	}
	k.Path, k.Want = runs[0].Path, runs[0].Value
	return q, true, nil
}

// uncheckedCalls is allCalls with a case that lacks path and answer.
func uncheckedCalls(p *ir.Program, volatile bool) *ir.Program {
	q := p.Clone()
	all := &ir.Function{Name: unusedName(q, "all"), Result: ir.U32}
	local := func(name string, t ir.Int, v int64) *ir.Var {
		x := &ir.Var{Name: name, Index: len(all.Vars), Kind: ir.Local, Type: t, Init: []ir.Expr{&ir.Const{T: t, V: v}}}
		all.Vars = append(all.Vars, x)
		return x
	}
	exit := &ir.Block{Name: "exit", Index: 1}
	entry := &ir.Block{Name: "entry", Term: &ir.Goto{To: exit}}
	var sum ir.Checksum
	for i, k := range q.Claims {
		call := &ir.Call{Func: k.Func}
		for n, v := range k.Func.Params() {
			t := v.Type.(ir.Int)
			if !volatile {
				call.Args = append(call.Args, &ir.Const{T: t, V: k.Args[n]})
				continue
			}
			x := local(fmt.Sprintf("a%d_%d", i, n), t, k.Args[n])
			x.Volatile = true
			call.Args = append(call.Args, &ir.Load{Place: &ir.VarRef{Var: x}})
		}
		r := local(fmt.Sprintf("r%d", i), k.Func.Result, 0)
		sum.Of = append(sum.Of, r)
		entry.Stmts = append(entry.Stmts, &ir.Assign{Dst: &ir.VarRef{Var: r}, Src: call})
	}
	exit.Term = &ir.Return{Val: &sum}
	all.Blocks = []*ir.Block{entry, exit}
	q.Funcs, q.Claims = append(q.Funcs, all), []*ir.Claim{{Func: all}}
	return q
}

// unusedName returns a name that no function of p has.
func unusedName(p *ir.Program, name string) string {
	for slices.ContainsFunc(p.Funcs, func(f *ir.Function) bool { return f.Name == name }) {
		name += "_"
	}
	return name
}
