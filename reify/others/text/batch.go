package text

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/others/csource"
	"goreify/reify/others/pool"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// Variants of a small seed, of at most smallSeed bytes, share a translation unit: the
// start of a compiler and of a linker costs more than they do. For a large seed, the
// parsing of all variants for their names would cost as much. All together may execute
// mostExecuted statements, which takes about a tenth of a second without optimisation:
// their time limit is that of a single variant.
const (
	smallSeed    = 20 << 10
	perUnit      = 8
	mostExecuted = 50e6
)

// together returns how many variants of a seed can stand in one unit, at least one.
func together(p *pool.Profile) int {
	if len(p.Text) > smallSeed {
		return 1
	}
	executed := uint64(1)
	for _, n := range p.Hits {
		executed += uint64(n)
	}
	return int(min(perUnit, max(1, mostExecuted/executed)))
}

// A Batch is several variants of a seed in one translation unit. It is a
// subject.Group, and Selective.
type Batch struct {
	list     []*Text
	artefact subject.Artefact
}

// several returns up to n variants of a seed in one unit: a single variant if there is
// one, or nil. If they cannot share a unit it returns the first.
func several(p *pool.Profile, variant uint64, n int, change func(*pool.Profile, string, *choice.Stream) *Text) subject.Subject {
	var list []*Text
	for i := range n {
		suffix, label := fmt.Sprintf("v%x", variant), "edits"
		if i > 0 {
			suffix, label = fmt.Sprintf("%s-%d", suffix, i), label+strconv.Itoa(i)
		}
		if v := change(p, suffix, choice.New(choice.Derive(variant, label))); v != nil {
			list = append(list, v)
		}
	}
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	b, err := join(list)
	if err != nil {
		return list[0]
	}
	return b
}

// join returns the batch of some variants of one seed, at least two.
func join(list []*Text) (*Batch, error) {
	p := list[0].profile
	var texts, seeds []*csource.Program
	for _, t := range list {
		q, err := csource.Parse(t.name, t.text, csource.LP64)
		if err != nil {
			return nil, err
		}
		texts, seeds = append(texts, q), append(seeds, p.Program)
	}
	text, err := csource.Join(texts)
	if err != nil {
		return nil, err
	}
	seed, err := csource.Join(seeds)
	if err != nil {
		return nil, err
	}
	want := bytes.Repeat(p.Want, len(list))
	return &Batch{list, subject.Artefact{
		Language: compilers.C, Files: compilers.Single(text), Want: want, Needs: those(list[0].called).Needs(),
		Reference: &subject.Artefact{Language: compilers.C, Files: compilers.Single(seed), Want: want},
	}}, nil
}

// Name returns the names of the members.
func (b *Batch) Name() string {
	var names []string
	for _, t := range b.list {
		names = append(names, t.name)
	}
	return strings.Join(names, " ")
}

// Artefact returns the program that runs the members, one after the other. Its
// Reference is a program that runs the seed as often.
func (b *Batch) Artefact() subject.Artefact { return b.artefact }

// Trust returns Agreed.
func (b *Batch) Trust() subject.Trust { return subject.Agreed }

// Weight is the number of functions of all.
func (b *Batch) Weight() int { return min(len(b.list)*b.list[0].Weight(), corpus.MaxWeight) }

// Members returns the variants.
func (b *Batch) Members() []subject.Subject {
	var members []subject.Subject
	for _, t := range b.list {
		members = append(members, t)
	}
	return members
}

// Only returns a member, or the batch of some.
func (b *Batch) Only(members ...int) (subject.Subject, error) {
	var list []*Text
	for _, i := range members {
		list = append(list, b.list[i])
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return join(list)
}

// Guilty returns the members whose functions a compiler named as it gave up.
// Which answer is wrong is found by running each: see Select.
func (b *Batch) Guilty(o compilers.Outcome) []int {
	var guilty []int
	for i := range b.list {
		if slices.ContainsFunc(o.Named, func(name string) bool { return strings.HasPrefix(name, csource.Prefix(i)) }) {
			guilty = append(guilty, i)
		}
	}
	return guilty
}

// Select returns the argument with which a member runs alone.
func (b *Batch) Select(member int) []string { return []string{strconv.Itoa(member)} }

// Entry returns the reproducer of all, which holds the seed as often.
func (b *Batch) Entry() (*corpus.Entry, error) {
	p := b.list[0].profile
	e := source.Entry(Name, b)
	e.Members = map[string]string{corpus.SeedFile: string(b.artefact.Reference.Files[0].Content)}
	e.SetNote(corpus.NoteSeed, corpus.OneLine(fmt.Sprintf("%s %s, %d times", p.Name, p.Sum, len(b.list))))
	e.Notes = append(e.Notes, those(b.list[0].called).Notes()...)
	return e, nil
}
