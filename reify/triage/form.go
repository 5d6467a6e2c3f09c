package triage

import (
	"errors"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
)

// A form is a form of text in which a reduced test is written, to a file of a name.
type form struct {
	language.Form
	main string
}

// job returns what a compiler is asked about a program.
func (f form) job(p *ir.Program, mode compilers.Mode) compilers.Job {
	source, want := f.Write(p)
	return compilers.Job{Files: []compilers.File{{Name: f.main, Content: []byte(source)}}, Want: []byte(want), Mode: mode}
}

// formsOf returns the forms for the program of an entry, from the plainest to that in which
// it was found. The error says which case has its answer by the rules of another language
// than the entry's, under which it may have none, or which word of a style is not known.
func formsOf(e *corpus.Entry, p *ir.Program) (list []form, err error) {
	lang := language.Find(e.Language)
	for i, k := range p.Claims {
		if k.Under != ir.C && k.Under != lang.Under {
			return nil, fmt.Errorf("case %d, of @%s, is under %s in an entry of %s", i, k.Func.Name, k.Under, e.Language)
		}
	}
	all, err := lang.Forms(p, e.AllNotes(corpus.NoteStyle))
	for _, f := range all {
		list = append(list, form{f, e.Main})
	}
	return list, err
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
