package function

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// A Batch is a subject: cases in one file.
type Batch struct {
	Cases    []*reify.Case
	list     []Member
	lang     *language.Language
	text     language.Text
	styles   [][]language.Style // of the functions of each member
	units    [][]language.Unit  // of each member, which are proved and lowered once for all parts of a batch
	others   Others
	artefact subject.Artefact
	members  func() []subject.Subject
}

// A Member is a case of a batch, with the notes of its reproducer.
type Member struct {
	Case  *reify.Case
	Style language.Style // nil for the one that the recipe draws
	Notes []corpus.Note
	Cell  subject.Cell // of a matrix, if it is one
	// Foreign holds the functions of others that it calls.
	Foreign Others
	// In a language that does not link programs a member may be a whole one: More are cases
	// of its other functions, each tested by itself, and Helpers are functions without
	// cases. These functions and the one of Case call each other.
	More    []*reify.Case
	Helpers []*ir.Function
}

// cases returns the cases of all functions.
func (m Member) cases() []*reify.Case { return append([]*reify.Case{m.Case}, m.More...) }

// whole reports whether the member is a program of several functions.
func (m Member) whole() bool { return len(m.More)+len(m.Helpers) > 0 }

// funcs returns the functions of the member, those of others not included.
func (m Member) funcs() []*ir.Function {
	var list []*ir.Function
	for _, k := range m.cases() {
		list = append(list, k.Func)
	}
	return append(list, m.Helpers...)
}

// claims returns the claims about all functions.
func (m Member) claims() []*ir.Claim {
	var list []*ir.Claim
	for _, k := range m.cases() {
		list = append(list, k.Claims()...)
	}
	return list
}

// In returns a batch of cases, at least one, in a language that supports them. Their
// functions have names of their own, and are written as their recipes say.
func In(lang *language.Language, cases ...*reify.Case) *Batch {
	var list []Member
	for _, k := range cases {
		list = append(list, MemberOf(k))
	}
	return Of(lang, list)
}

// MemberOf returns a case in the form that its recipe decides.
func MemberOf(k *reify.Case) Member {
	return Member{Case: k, Notes: []corpus.Note{{Key: corpus.NoteConfig, Value: k.Config.String()}}}
}

// StyleIn returns the style of the case in a language.
func (m Member) StyleIn(lang *language.Language) language.Style {
	if m.Style != nil {
		return m.Style
	}
	return lang.DrawStyle(m.Case.Recipe.Style(), &m.Case.Config)
}

// Of returns a batch of members, at least one, in a language that supports them. All
// functions have names of their own.
func Of(lang *language.Language, list []Member) *Batch {
	b := &Batch{list: list, lang: lang}
	var units []language.Unit
	for _, m := range list {
		b.styles = append(b.styles, m.stylesIn(lang))
		units = append(units, m.units(b.styles[len(b.styles)-1])...)
	}
	units = lang.Ready(units)
	for _, m := range list {
		n := 1 + len(m.More)
		b.units, units = append(b.units, units[:n]), units[n:]
	}
	b.write()
	return b
}

// write makes the artefact.
func (b *Batch) write() {
	for _, m := range b.list {
		b.Cases = append(b.Cases, m.Case)
		for _, f := range m.Foreign {
			if !slices.Contains(b.others, f) {
				b.others = append(b.others, f)
			}
		}
	}
	b.artefact.Language, b.artefact.Needs = b.lang.Name, b.others.Needs()
	b.text = b.lang.Write(slices.Concat(b.units...))
	b.artefact.Files, b.artefact.Want = b.text.Files(), b.text.Want()
	b.members = sync.OnceValue(func() (all []subject.Subject) {
		for i := range b.list {
			all = append(all, b.only(i))
		}
		return all
	})
}

// stylesIn draws the styles of the functions in a language.
func (m Member) stylesIn(lang *language.Language) []language.Style {
	styles := []language.Style{m.StyleIn(lang)}
	for _, k := range m.More {
		styles = append(styles, lang.DrawStyle(k.Recipe.Style(), &k.Config))
	}
	s := m.Case.Recipe.Style().Fork("helpers")
	for range m.Helpers {
		styles = append(styles, lang.DrawStyle(s, &m.Case.Config))
	}
	return styles
}

// Name returns the names of the functions, or of the first of each program.
func (b *Batch) Name() string {
	var names []string
	for _, k := range b.Cases {
		names = append(names, k.Func.Name)
	}
	return strings.Join(names, " ")
}

// Execute executes the text, if its language can be.
func (b *Batch) Execute(big bool) (right, known bool) {
	if b.lang.Execute == nil {
		return false, false
	}
	output, ends, known := b.lang.Execute(string(b.artefact.Files[0].Content), big)
	return ends && output == string(b.artefact.Want), known
}

// Translations returns the batch in the language that vouches for its own, if there is
// one, with the inputs that it has answers for.
func (b *Batch) Translations() []subject.Artefact {
	in := b.lang.Voucher
	if in == nil {
		return nil
	}
	var list []Member
	var p ir.Program
	for i, k := range b.Cases {
		claims := slices.DeleteFunc(k.Claims(), func(c *ir.Claim) bool { return c.Under != in.Under })
		if len(claims) == 0 || in.Supports(k.Func) != nil {
			continue
		}
		if b.list[i].whole() { // globals that other calls leave changed would be found by the calls in C
			p.Funcs, p.Claims = append(p.Funcs, b.list[i].funcs()...), append(p.Claims, claims[0])
			continue
		}
		one := *k
		one.Claim, one.More = claims[0], claims[1:]
		list = append(list, MemberOf(&one))
	}
	var all []subject.Artefact
	if list != nil {
		all = append(all, Of(in, list).Artefact())
	}
	if p.Claims != nil {
		files := c.EmitProgram(&p, nil, c.ProgramStyle{Funcs: make([]c.FuncStyle, len(p.Funcs))})
		all = append(all, subject.Artefact{Language: in.Name, Files: compilers.Single([]byte(files[0].Text)), Want: []byte(c.WantProgram(&p))})
	}
	return all
}

// units returns the cases as writers take them.
func (m Member) units(styles []language.Style) (units []language.Unit) {
	var called map[*ir.Function]language.Style
	if m.whole() {
		called = map[*ir.Function]language.Style{}
		for n, f := range m.funcs() {
			called[f] = styles[n]
		}
	}
	for n, k := range m.cases() {
		units = append(units, language.Unit{Claim: k.Claim, More: k.More, Style: styles[n], Called: called, Foreign: m.Foreign})
	}
	return units
}

// Artefact returns the text, which prints a line for each case.
func (b *Batch) Artefact() subject.Artefact { return b.artefact }

// Trust returns Proved, or Recorded if functions of others are called.
func (b *Batch) Trust() subject.Trust { return b.others.Trust() }

// Weight returns the number of functions, helpers not counted.
func (b *Batch) Weight() int {
	n := 0
	for _, m := range b.list {
		n += 1 + len(m.More)
	}
	return n
}

// Members returns a batch of each case.
func (b *Batch) Members() []subject.Subject { return b.members() }

// Cell returns the cell that a case is.
func (b *Batch) Cell(member int) subject.Cell { return b.list[member].Cell }

// Only returns the batch of some of the cases.
func (b *Batch) Only(members ...int) (subject.Subject, error) { return b.only(members...), nil }

func (b *Batch) only(members ...int) *Batch {
	if len(members) == len(b.list) {
		return b
	}
	part := &Batch{lang: b.lang}
	for _, i := range members {
		part.list, part.styles, part.units = append(part.list, b.list[i]), append(part.styles, b.styles[i]), append(part.units, b.units[i])
	}
	part.write()
	return part
}

// Guilty returns the cases whose functions a compiler named as it gave up, or
// whose lines are wrong in an output that has all of them.
func (b *Batch) Guilty(o compilers.Outcome) (list []int) {
	units := b.text.Guilty(o)
	if !slices.ContainsFunc(b.list, Member.whole) {
		return units
	}
	var owners []int // by unit
	for i, m := range b.list {
		for range 1 + len(m.More) {
			owners = append(owners, i)
		}
	}
	for _, unit := range units {
		list = subject.AddMember(list, owners[unit])
	}
	return list
}

// Select returns the arguments that have the program test one case. A case that tests
// several functions has none.
func (b *Batch) Select(member int) []string {
	if slices.ContainsFunc(b.list, Member.whole) {
		return nil
	}
	return b.text.Select(member)
}

// Entry returns a reproducer of the cases: recipes, program, text, answer and, except
// for whole programs, trace, each with all inputs.
func (b *Batch) Entry() (*corpus.Entry, error) {
	e := source.Entry(Name, b)
	e.Recipe = map[string][]byte{}
	var p ir.Program
	var trace strings.Builder
	for _, f := range b.others {
		p.Funcs = append(p.Funcs, f)
		e.Notes = append(e.Notes, corpus.Note{Key: corpus.NoteStyle, Value: c.Style{}.String()})
	}
	for i, m := range b.list {
		suffix := ""
		if len(b.list) > 1 {
			suffix = fmt.Sprintf("-%d", i)
		}
		for stream, data := range m.Case.Recipe.Streams() {
			if data != nil { // as in a case that was read from text
				e.Recipe[stream+suffix] = data
			}
		}
		for _, style := range b.styles[i] {
			e.Notes = append(e.Notes, corpus.Note{Key: corpus.NoteStyle, Value: style.String()})
		}
		e.Notes = append(e.Notes, m.Notes...)
		p.Funcs = append(p.Funcs, m.funcs()...)
		for _, one := range m.claims() {
			p.Claims = append(p.Claims, one)
			if m.whole() {
				e.Source = corpus.ProgramSource
				continue
			}
			text, err := interp.Trace(one.Func, one.Args, interp.Options{Under: one.Under})
			if trap := new(interp.Trap); err != nil && !errors.As(err, &trap) {
				return nil, &reify.GeneratorBug{Program: m.Case.Program().String(), Err: err}
			}
			trace.WriteString(text)
		}
	}
	if len(b.others) > 0 {
		e.Notes = append(e.Notes, b.others.Notes()...)
		q := p.Clone()
		asked, err := interp.Asked(q)
		if err != nil {
			return nil, &reify.GeneratorBug{Program: p.String(), Err: err}
		}
		for _, f := range q.Funcs[:len(b.others)] { // the needs of other members are dropped
			if asked[f] == nil {
				f.Foreign = f.Foreign.With() // it is called off the path
				f.Foreign.Answers = nil
				continue
			}
			f.Foreign = asked[f]
		}
		p = *q
	}
	e.Program, e.Trace = p.String(), trace.String()
	e.Members = b.lang.Members("repro", e.Sources[e.Main])
	return e, nil
}
