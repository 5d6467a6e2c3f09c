package variant

import (
	"fmt"
	"path/filepath"
	"sync"

	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/mutate"
	"goreify/reify/source"
)

// A Corpus is a source of variants of the reproducers in a directory. Its inputs
// hold the programs, so that what becomes of the directory does not matter to them.
type Corpus struct {
	Source
	texts func() []text
}

// NewCorpus returns the source of variants of reproducers in a directory, which is
// read when the first input is drawn: size reproducers a batch, and so many
// variants of each.
func NewCorpus(dir string, size, variants int) Corpus {
	c := Corpus{texts: sync.OnceValue(func() []text { return texts(dir) })}
	c.Size, c.Variants = size, variants
	return c
}

// Draw spends one number of the stream. It decides which reproducers there are
// variants of, and which variants. Where there is no reproducer to make any of, no
// program comes of the input.
func (c Corpus) Draw(st *choice.Stream) source.Input {
	in := input{Variant: st.Uint64(), Variants: c.Variants, Texts: []text{}}
	if all := c.texts(); len(all) > 0 {
		s := choice.New(choice.Derive(in.Variant, "texts"))
		for range c.Size {
			in.Texts = append(in.Texts, choice.Pick(s, all))
		}
	}
	return in.encode()
}

// texts returns the programs of the reproducers in dir that there can be variants
// of: reduced ones and those that were found.
func texts(dir string) []text {
	var list []text
	for _, r := range corpus.LoadDir(dir) {
		if r.Err != nil {
			continue
		}
		list = append(list, Texts(filepath.Base(r.Path), r.Entry)...)
	}
	return list
}

// Texts returns the programs of a reproducer that there can be variants of: none
// if all make calls.
func Texts(name string, e *corpus.Entry) []text {
	var list []text
	for i, program := range []string{e.Program, e.ReducedProgram} {
		if t := (text{Name: name, Program: program}); t.check() == nil {
			if styles := e.AllNotes(corpus.NoteStyle); i == 0 && len(styles) == 1 {
				t.Style = styles[0]
			}
			list = append(list, t)
		}
	}
	return list
}

// check says why there can be no variants of t.
func (t text) check() error {
	if t.Program == "" {
		return fmt.Errorf("%s: no program", t.Name)
	}
	p, err := ir.Parse(t.Program)
	if err != nil {
		return err
	}
	if err := p.Check(); err != nil {
		return err
	}
	if len(p.Funcs) != 1 || len(p.Claims) == 0 {
		return fmt.Errorf("%s: %d functions and %d cases, want one function and some", t.Name, len(p.Funcs), len(p.Claims))
	}
	_, err = mutate.NewSeed(p.Claims)
	return err
}
