package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/solve"
)

// A Program is a whole program, of functions that call each other.
type Program struct {
	Recipe reify.Recipe
	IR     *ir.Program // with one case, the call that main makes
	Linked *link.Linked
	Style  c.ProgramStyle
	Files  []compilers.File // the C; main's file is first
	Want   string           // what it prints
}

// ProgramSize returns how many functions the program of a recipe has: mostly
// ten, as in the paper.
func ProgramSize(r reify.Recipe) int {
	s := choice.Named("config", r.Config).Fork("program")
	if s.Chance(1, 2) {
		return 10
	}
	return s.Range(2, 20)
}

// MakeProgram returns the program that a recipe stands for: functions of the
// recipes Nth, all of one configuration but for what they return, linked. There are fewer than n if some
// cannot be solved; if none can, the error wraps solve.ErrUnknown. It is a
// *reify.GeneratorBug if what was made is wrong.
func MakeProgram(r reify.Recipe, n int, conf reify.Config, solver solve.Solver) (*Program, error) {
	var leaves []*link.Leaf
	for i := range n {
		one := r.Nth(i)
		of := conf
		// Some return their variables' sum: without a checksum they may be pure.
		of.Sketch.Sum = of.Sketch.Sum || choice.Named("config", one.Config).Fork("sum").Chance(1, 3)
		k, err := reify.Make("f"+strconv.Itoa(i), one, of, solver)
		switch {
		case solve.Unsolved(err):
			continue
		case err != nil:
			return nil, err
		}
		l, err := link.NewLeaf(k.Cases()...)
		if err != nil {
			return nil, &reify.GeneratorBug{Program: k.Program().String(), Err: err}
		}
		leaves = append(leaves, l)
	}
	if len(leaves) == 0 {
		return nil, fmt.Errorf("none of %d functions: %w", n, solve.ErrUnknown)
	}
	s := choice.Named("body", r.Body).Fork("link")
	linked, err := link.Link(leaves, link.DefaultOptions(), s)
	var wrong *link.Wrong
	if errors.As(err, &wrong) {
		return nil, &reify.GeneratorBug{Program: wrong.Program, Err: wrong.Err}
	}
	if err != nil {
		return nil, err
	}
	p := NewProgram(linked, s.Fork("style"))
	p.Recipe = r
	return p, nil
}

// NewProgram returns a linked program as C, in the style that s decides.
func NewProgram(linked *link.Linked, s *choice.Stream) *Program {
	style := c.DrawProgramStyle(s, linked.IR)
	for i, pure := range linked.Purity {
		style.Funcs[i].Purity = purity(pure)
	}
	p := &Program{IR: linked.IR, Linked: linked, Style: style, Want: c.WantProgram(linked.IR)}
	p.Files = p.emit(style)
	return p
}

// Bundle returns programs as one that costs less to compile; see link.Join. A
// compiler that gets the bundle wrong is to be asked about each program alone.
func Bundle(programs []*Program) *Program {
	var list []*link.Linked
	style := c.ProgramStyle{Order: 1}
	for _, p := range programs {
		list = append(list, p.Linked)
		style.Funcs = append(style.Funcs, p.Style.Funcs...)
	}
	all := link.Join(list)
	b := &Program{IR: all.IR, Linked: all, Style: style, Want: c.WantProgram(all.IR)}
	b.Files = b.emit(style)
	return b
}

func purity(p link.Purity) c.Purity {
	switch p {
	case link.Impure:
		return c.Impure
	case link.Pure:
		return c.Pure
	case link.Const:
		return c.Const
	}
	panic(fmt.Sprintf("oracle: unknown purity %d", int(p)))
}

// Debug returns the files of the same program with an assertion at every call,
// so that it ends at the first one that returns something wrong and prints the
// name of the function.
func (p *Program) Debug() []compilers.File {
	style := p.Style
	style.Debug = true
	return p.emit(style)
}

// undeclared returns the same program without a function declared pure or
// const, or false if none is.
func (p *Program) undeclared() (*Program, bool) {
	style := p.Style
	style.Funcs = slices.Clone(style.Funcs)
	declared := false
	for i := range style.Funcs {
		declared = declared || style.Funcs[i].Purity != c.Impure
		style.Funcs[i].Purity = c.Impure
	}
	return &Program{IR: p.IR, Linked: p.Linked, Style: style, Files: p.emit(style), Want: p.Want}, declared
}

func (p *Program) emit(style c.ProgramStyle) []compilers.File {
	files := c.EmitProgram(p.IR, p.Linked.Answers, style)
	last := len(files) - 1 // main's
	list := []compilers.File{{Name: corpus.Main, Content: []byte(files[last].Text)}}
	for _, f := range files[:last] {
		list = append(list, compilers.File{Name: f.Name, Content: []byte(f.Text)})
	}
	return list
}

// Job returns what a compiler is asked at a level.
func (p *Program) Job(level string) compilers.Job { return p.batch().job(level) }

func (p *Program) batch() *batch {
	return &batch{program: p, source: string(p.Files[0].Content), more: p.Files[1:], want: p.Want}
}

// mostTraced bounds the calls of a program whose trace is written down.
const mostTraced = 200

// Entry returns a reproducer of a program that no compiler has seen, with the
// recipe of all its functions, the program and its files, the answer and, if
// it is short, the trace. The title, the verdict and the command are the
// caller's to fill in.
func (p *Program) Entry() *corpus.Entry {
	e := &corpus.Entry{
		Tool:    reify.Version,
		Sources: map[string]string{},
		Want:    p.Want,
		Recipe: map[string][]byte{
			"config": p.Recipe.Config, "graph": p.Recipe.Graph, "path": p.Recipe.Path, "body": p.Recipe.Body,
		},
		Program: p.IR.String(),
		Notes: []corpus.Note{
			{Key: "x-functions", Value: strconv.Itoa(len(p.IR.Funcs))},
			{Key: "x-calls", Value: strconv.Itoa(p.Linked.Calls)},
		},
	}
	for _, f := range p.Files {
		e.Sources[f.Name] = string(f.Content)
	}
	for _, f := range p.Style.Funcs {
		e.Notes = append(e.Notes, corpus.Note{Key: "x-style", Value: f.String()})
	}
	if p.Linked.Calls <= mostTraced {
		main := p.IR.Cases[0]
		text, err := interp.Trace(main.Func, main.Args, interp.Options{})
		if err != nil {
			panic("oracle: a program that does not run: " + err.Error())
		}
		e.Trace = text
	}
	return e
}

// Command returns the shell command that builds and runs the program of an
// entry with a compiler, and compares what it prints.
func Command(e *corpus.Entry, compiler, level string) string {
	return command(compilers.Toolchain{Name: compiler}, level, e, compilers.WrongAnswer)
}
