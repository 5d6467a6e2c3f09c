// Package variant makes variants of functions (equivalence modulo inputs): several
// of each function of a batch, beside it, or several of each of some reproducers.
//
//	Input ─reify.Make, or ir.Parse→ cases ─mutate→ cases of variants ─function.Of→ one C file
//
// A bug that was fixed for one form of a program often remains for the next form. Thus
// variants of reproducers are asked about first.
package variant

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/mutate"
	"goreify/reify/solve"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

// Name is the name of the source.
const Name = "variant"

// A Source makes functions and variants of them. Nearly every seed yields a function.
type Source struct {
	function.Options
	Variants int // of each function, from 1
}

// Name returns "variant".
func (s Source) Name() string { return Name }

// An input names the originals, and decides the variants.
type input struct {
	Seeds    function.Seeds
	Texts    []Text `json:",omitempty"` // instead of Seeds
	Variant  uint64 // decides the variants
	Variants int    // of each
}

// A Text is a function that was read.
type Text struct {
	Name    string // of the file
	Program string // of one function, in the text form of package ir
	Style   string // style of the function; empty for one that is drawn
}

func (in input) encode() source.Input { return source.Encode(Name, in) }

// mostVariants bounds a batch: a stranger's database of a hunt may ask for any.
const mostVariants = 100_000

func decode(in source.Input) (got input, err error) {
	if err := in.Decode(Name, &got); err != nil {
		return got, err
	}
	if got.Variants < 1 || got.Variants > mostVariants || got.Seeds.Count > mostVariants {
		return got, fmt.Errorf("input of source %s: %d variants of each of %d functions, want 1 to %d", Name, got.Variants, got.Seeds.Count, mostVariants)
	}
	return got, nil
}

// Draw spends one number of the stream: the first of Size seeds that follow each
// other, which also decides the variants.
func (s Source) Draw(st *choice.Stream) source.Input {
	first := st.Uint64()
	return input{
		Seeds:   function.Seeds{Profile: s.Profile, Features: s.Features, Single: s.Single, First: first, Count: s.Size},
		Variant: first, Variants: s.Variants,
	}.encode()
}

// Make makes the functions of an input, named f0, f1 and so on, and their
// variants, f0v1, f0v2 and so on. Of reproducers it makes the variants alone.
func (s Source) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	got, err := decode(in)
	if err != nil {
		return nil, err
	}
	var list []function.Member
	if got.Texts != nil {
		list, err = got.ofTexts(ctx)
	} else {
		list, err = got.ofSeeds(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, fmt.Errorf("no variants: %w", source.ErrNone)
	}
	return function.Of(language.C, list), nil
}

// ofSeeds returns functions, each with its variants behind it.
func (in input) ofSeeds(ctx context.Context) ([]function.Member, error) {
	plan, err := in.Seeds.Plan()
	if err != nil {
		return nil, err
	}
	var list []function.Member
	for i := range in.Seeds.Functions() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		k, err := plan.Make(i)
		switch {
		case solve.Unsolved(err):
			continue
		case err != nil:
			return nil, err
		}
		m := function.MemberOf(k)
		list = append(list, m)
		more, err := Several(m, in.Variants, mutate.Options{}, in.stream(i))
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// ofTexts returns variants of functions that were read.
func (in input) ofTexts(ctx context.Context) ([]function.Member, error) {
	var list []function.Member
	for i, t := range in.Texts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		s := in.stream(i)
		m, err := t.Member("f"+strconv.Itoa(i), s)
		if err != nil {
			return nil, &source.BadSeed{Err: err}
		}
		more, err := Several(m, in.Variants, mutate.Options{}, s)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// stream returns the stream that decides the variants of function i.
func (in input) stream(i int) *choice.Stream {
	return choice.New(choice.Derive(in.Variant, "variant"+strconv.Itoa(i)))
}

// Member returns the function of a text, under another name. A text without a style
// gets one from s. The error says why it can have no variants.
func (t Text) Member(name string, s *choice.Stream) (m function.Member, err error) {
	p, err := t.parse()
	if err != nil {
		return m, fmt.Errorf("%s: %w", t.Name, err)
	}
	style := c.DrawStyle(s)
	if t.Style != "" {
		if style, err = c.ParseStyle(t.Style); err != nil {
			return m, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	m.Style = style
	p.Funcs[0].Name = name
	m.Case = &reify.Case{Claim: p.Claims[0], More: p.Claims[1:]}
	if m.Case.Config, err = reify.DefaultConfig().With("+all"); err != nil {
		panic("variant: all features: " + err.Error())
	}
	m.Notes = []corpus.Note{{Key: corpus.NoteSeed, Value: t.Name}}
	return m, nil
}

// parse returns the program of a text, which has one function and some cases that hold
// in C.
func (t Text) parse() (*ir.Program, error) {
	p, err := ir.Parse(t.Program)
	if err != nil {
		return nil, err
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	p.Claims = slices.DeleteFunc(p.Claims, func(c *ir.Claim) bool { return c.Under != ir.C })
	if len(p.Funcs) != 1 || len(p.Claims) == 0 {
		return nil, fmt.Errorf("%d functions and %d cases, want one function and some", len(p.Funcs), len(p.Claims))
	}
	return p, nil
}

// Several returns n variants of a member as members, with v1, v2 and so on behind its
// name. Every second variant holds for the first few inputs alone, so that more of it
// is dead. Variants in which no pass could change anything are left out. Hostile
// statements have the features that the member was made with. The error is a
// *reify.GeneratorBug if the member or a variant is wrong.
func Several(of function.Member, n int, o mutate.Options, s *choice.Stream) ([]function.Member, error) {
	claims := of.Case.Claims()
	if s.Chance(1, 2) {
		claims = claims[:min(len(claims), choice.Pick(s, []int{1, 2, 4}))]
	}
	seed, err := mutate.NewSeed(claims)
	if err != nil {
		return nil, &reify.GeneratorBug{Program: of.Case.Program().String(), Err: err}
	}
	if of.Case.Recipe.Body != nil { // as in the reproducer of a generated member
		of.Notes = append(of.Notes[:len(of.Notes):len(of.Notes)], corpus.Note{Key: corpus.NoteSeed, Value: of.Case.Func.Name})
	}
	o.Policy = of.Case.Config.Sketch.Policy
	var list []function.Member
	for v := range n {
		m, err := one(seed, of, fmt.Sprintf("%sv%d", of.Case.Func.Name, v+1), o, s.Fork(strconv.Itoa(v)))
		switch {
		case err != nil:
			return nil, err
		case m != nil:
			list = append(list, *m)
		}
	}
	return list, nil
}

// one returns a variant of a member, or nil if nothing was changed. One in two
// variants is written in a style of its own.
func one(seed *mutate.Seed, of function.Member, name string, o mutate.Options, s *choice.Stream) (*function.Member, error) {
	claims, done, err := seed.Mutate(name, o, s)
	if err != nil || len(done) == 0 {
		return nil, err
	}
	var words []string
	for _, d := range done {
		words = append(words, d.String())
	}
	k := *of.Case
	k.Claim, k.More = claims[0], claims[1:]
	style := of.StyleIn(language.C).(c.Style)
	if s.Chance(1, 2) {
		declared := style.Declared
		style = c.DrawStyle(s)
		style.VolatileArgs = style.VolatileArgs || of.Case.Config.Opaque
		style.Declared = declared
	}
	m := function.Member{Case: &k, Style: style, Notes: slices.Clone(of.Notes)}
	m.Notes = append(m.Notes, corpus.Note{Key: corpus.NoteMutations, Value: corpus.OneLine(strings.Join(words, " "))})
	return &m, nil
}
