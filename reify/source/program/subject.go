package program

import (
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/link"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

// A Program is a subject: a whole program, in one or more files of C.
type Program struct {
	Linked *link.Linked // its program has one case, the call that main makes

	name   string
	recipe reify.Recipe
	cases  []*reify.Case // of the leaves that are ours, as they were before
	style  c.ProgramStyle
	files  []compilers.File
}

// New returns a linked program as C, in the style that s decides.
func New(linked *link.Linked, s *choice.Stream) *Program {
	style := c.DrawProgramStyle(s, linked.IR)
	for i, pure := range linked.Purity {
		style.Funcs[i].Purity = purities[pure]
	}
	first := len(linked.IR.Funcs) - linked.Helpers
	for i, f := range linked.IR.Funcs[first:] {
		helperStyle(&style.Funcs[first+i], f, s)
	}
	return styled(linked, style)
}

// helperStyle draws how a small function is inlined: as compilers like, never, or,
// if it does not call itself, always.
func helperStyle(style *c.FuncStyle, f *ir.Function, s *choice.Stream) {
	switch s.Weighted(3, 3, 1) {
	case 0:
		style.NoInline = false
	case 1:
		style.NoInline = true
	case 2:
		for call := range f.Calls() {
			if call.Func == f {
				return
			}
		}
		style.AlwaysInline, style.NoInline, style.NoClone, style.Linkage = true, false, false, c.StaticInline
	}
}

func styled(linked *link.Linked, style c.ProgramStyle) *Program {
	p := &Program{Linked: linked, name: "program", style: style}
	p.files = p.emit(style)
	return p
}

// purities are how functions are declared.
var purities = [...]c.Purity{link.Impure: c.Impure, link.Pure: c.Pure, link.Const: c.Const}

func (p *Program) emit(style c.ProgramStyle) []compilers.File {
	files := c.EmitProgram(p.Linked.IR, p.Linked.Answers, style)
	last := len(files) - 1 // main's
	list := compilers.Single([]byte(files[last].Text))
	for _, f := range files[:last] {
		list = append(list, compilers.File{Name: f.Name, Content: []byte(f.Text)})
	}
	return list
}

// Name returns "program", with a number if it is one of several.
func (p *Program) Name() string { return p.name }

// Artefact returns the C, which prints one line.
func (p *Program) Artefact() subject.Artefact {
	return subject.Artefact{Language: language.C.Name, Files: p.files, Want: []byte(c.WantProgram(p.Linked.IR)), Needs: p.others().Needs()}
}

// others returns the functions of others in the program.
func (p *Program) others() function.Others { return function.OthersIn(p.Linked.IR.Funcs) }

// Trust returns Proved, or Recorded if functions of others are called.
func (p *Program) Trust() subject.Trust { return p.others().Trust() }

// Weight returns the number of functions, helpers not counted.
func (p *Program) Weight() int { return len(p.Linked.IR.Funcs) - p.Linked.Helpers }

// Debug returns the artefact of the same program with an assertion at every call, so
// that the program ends at the first wrong result and prints the name of the function.
func (p *Program) Debug() subject.Artefact {
	style := p.style
	style.Debug = true
	a := p.Artefact()
	a.Files = p.emit(style)
	return a
}

// Clues asks which function is the first to return a wrong result, and whether the
// failure lasts if no function is declared pure or const.
func (p *Program) Clues() []subject.Clue {
	clues := []subject.Clue{{Artefact: p.Debug(), Note: firstWrong}}
	style := p.style
	style.Funcs = slices.Clone(style.Funcs)
	declared := false
	for i := range style.Funcs {
		declared = declared || style.Funcs[i].Purity != c.Impure
		style.Funcs[i].Purity = c.Impure
	}
	if declared {
		// If this mends the failure, its readers will look at the attributes first.
		a := p.Artefact()
		a.Files = p.emit(style)
		clues = append(clues, subject.Clue{Artefact: a, Witness: "without pure and const"})
	}
	return clues
}

func firstWrong(o compilers.Outcome) (corpus.Note, bool) {
	name := c.Blamed(o.Stdout)
	return corpus.Note{Key: corpus.NoteFirstWrong, Value: corpus.OneLine(name)}, name != ""
}

// mostTraced bounds the calls of a program whose trace is written down.
const mostTraced = 200

// Entry returns a reproducer with the recipe of all functions, the program and
// its files, the answer and, if it is short, the trace.
func (p *Program) Entry() (*corpus.Entry, error) {
	e := source.Entry(Name, p)
	e.Recipe, e.Program = p.recipe.Streams(), p.Linked.IR.String()
	e.Notes = []corpus.Note{
		{Key: corpus.NoteFunctions, Value: strconv.Itoa(p.Weight())},
		{Key: corpus.NoteCalls, Value: strconv.Itoa(p.Linked.Calls)},
	}
	for _, f := range p.style.Funcs {
		e.Notes = append(e.Notes, corpus.Note{Key: corpus.NoteStyle, Value: f.String()})
	}
	e.Notes = append(e.Notes, p.others().Notes()...)
	if p.Linked.Calls <= mostTraced {
		main := p.Linked.IR.Claims[0]
		text, err := interp.Trace(main.Func, main.Args, interp.Options{})
		if err != nil {
			return nil, &reify.GeneratorBug{Program: e.Program, Err: err}
		}
		e.Trace = text
	}
	return e, nil
}

// A Joined is a group of programs in one, which makes the call of each. A compiler that
// gets it wrong is asked about each program alone.
type Joined struct {
	*Program
	list []*Program
}

// join returns several programs as one; see link.Join.
func join(list []*Program) *Joined {
	var linked []*link.Linked
	style := c.ProgramStyle{Order: 1}
	for _, p := range list {
		linked = append(linked, p.Linked)
		style.Funcs = append(style.Funcs, p.style.Funcs...)
	}
	return &Joined{styled(link.Join(linked), style), list}
}

// Name returns the names of the programs.
func (j *Joined) Name() string {
	var names []string
	for _, p := range j.list {
		names = append(names, p.Name())
	}
	return strings.Join(names, " ")
}

// Members returns the programs.
func (j *Joined) Members() []subject.Subject {
	var list []subject.Subject
	for _, p := range j.list {
		list = append(list, p)
	}
	return list
}

// Only returns some of the programs.
func (j *Joined) Only(members ...int) (subject.Subject, error) {
	var list []*Program
	for _, i := range members {
		list = append(list, j.list[i])
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return join(list), nil
}

// Guilty returns the programs of the functions that a compiler named as it gave
// up. The output tells nothing: it is one checksum.
func (j *Joined) Guilty(o compilers.Outcome) []int {
	var list []int
	from := 0
	for i, p := range j.list {
		for _, f := range j.Linked.IR.Funcs[from : from+len(p.Linked.IR.Funcs)] {
			if slices.Contains(o.Named, f.Name) {
				list = subject.AddMember(list, i)
			}
		}
		from += len(p.Linked.IR.Funcs)
	}
	return list
}
