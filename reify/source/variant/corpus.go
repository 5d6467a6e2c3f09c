package variant

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/mutate"
	"goreify/reify/source"
)

// A Corpus is a source of variants of the reproducers in a directory. Its inputs hold
// the programs, so that changes of the directory do not affect them.
type Corpus struct {
	Source
	dir   string
	texts func() []Text
}

// NewCorpus returns the source of variants of the reproducers in a directory, which is
// read when the first input is drawn. A batch has size reproducers, and as many
// variants of each as given.
func NewCorpus(dir string, size, variants int) Corpus {
	c := Corpus{dir: dir, texts: sync.OnceValue(func() []Text { return texts(dir, false) })}
	c.Size, c.Variants = size, variants
	return c
}

// Own returns the source of variants of those of the reproducers alone that are this
// repository's own, by their content.
func (c Corpus) Own() Corpus {
	c.texts = sync.OnceValue(func() []Text { return texts(c.dir, true) })
	return c
}

// Draw spends one number of the stream. It decides the reproducers and the variants. An
// input of a directory without suitable reproducers yields no program.
func (c Corpus) Draw(st *choice.Stream) source.Input {
	in := input{Variant: st.Uint64(), Variants: c.Variants, Texts: []Text{}}
	if all := c.texts(); len(all) > 0 {
		s := choice.New(choice.Derive(in.Variant, "texts"))
		for range c.Size {
			in.Texts = append(in.Texts, choice.Pick(s, all))
		}
	}
	return in.encode()
}

// Check returns an error unless the directory has a reproducer with a program.
func (c Corpus) Check() error {
	if len(c.texts()) == 0 {
		return fmt.Errorf("%s: no reproducer that there can be variants of", c.dir)
	}
	return nil
}

// texts returns the programs of the reproducers in dir, or of our own alone, that can have
// variants. A file that is malformed is left out.
func texts(dir string, own bool) []Text {
	var list []Text
	for _, r := range corpus.LoadDir(dir) {
		if r.Err != nil || own && !r.Own {
			continue
		}
		of, _ := Texts(filepath.Base(r.Path), r.Entry)
		list = append(list, of...)
	}
	return list
}

// Texts returns the programs of a reproducer that can have variants: as it was found,
// and reduced. The error says why it has none.
func Texts(name string, e *corpus.Entry) (list []Text, err error) {
	for i, program := range []string{e.Program, e.ReducedProgram} {
		if program == "" {
			continue
		}
		t := Text{Name: name, Program: program}
		if styles := e.AllNotes(corpus.NoteStyle); i == 0 && len(styles) == 1 {
			if _, err := c.ParseStyle(styles[0]); err == nil { // else it is one of another language
				t.Style = styles[0]
			}
		}
		p, wrong := t.parse()
		if wrong == nil {
			_, wrong = mutate.NewSeed(p.Claims)
		}
		if wrong == nil {
			list = append(list, t)
			continue
		}
		err = errors.Join(err, fmt.Errorf("%s: %w", [...]string{"as it was found", "reduced"}[i], wrong))
	}
	switch {
	case len(list) > 0:
		return list, nil
	case err == nil:
		err = errors.New("no program in the text form of package ir, only C")
	}
	return nil, fmt.Errorf("%s: %w", name, err)
}
