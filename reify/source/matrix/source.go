package matrix

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

// Name is the name of the source.
const Name = "matrix"

// Options say which cells a source has.
type Options struct {
	Only     string             // patterns of names as path.Match has them, with commas; empty for all
	Size     int                // cells of a block, from 1
	Language compilers.Language // of the functions
}

// A Source makes blocks of cells.
type Source struct{ Options }

// Name returns "matrix".
func (s Source) Name() string { return Name }

// input is what an Input holds.
type input struct {
	Options
	Block int64
	Cells []string `json:",omitempty"` // instead of a block of the enumeration
}

// Block returns the input of a block.
func (s Source) Block(n int64) source.Input {
	return source.Encode(Name, input{Options: s.Options, Block: n})
}

// Draw returns the input of a block that is drawn.
func (s Source) Draw(st *choice.Stream) source.Input {
	return s.Block(int64(st.Uint64() % uint64(max(s.Blocks(), 1))))
}

// Of returns the input of cells with the given names.
func Of(language compilers.Language, names ...string) source.Input {
	return source.Encode(Name, input{Options: Options{Size: len(names), Language: language}, Cells: names})
}

// mostCells bounds a block: a stranger's database of a hunt may ask for any.
const mostCells = 1 << 12

// decode returns what an input holds. The error is a *source.BadSeed.
func decode(in source.Input) (d input, err error) {
	if err := in.Decode(Name, &d); err != nil {
		return d, &source.BadSeed{Err: err}
	}
	switch {
	case d.Size < 1 || d.Size > mostCells || len(d.Cells) > mostCells || d.Block < 0:
		return d, bad("%d cells in block %d, want 1 to %d", max(d.Size, len(d.Cells)), d.Block, mostCells)
	case language.Find(d.Language) == nil:
		return d, bad("language %q is not supported", d.Language)
	}
	err = d.Check()
	for _, name := range d.Cells {
		_, unknown := Parse(name)
		err = errors.Join(err, unknown)
	}
	if err != nil {
		return d, bad("%w", err)
	}
	return d, nil
}

func bad(format string, args ...any) error {
	return &source.BadSeed{Err: fmt.Errorf("input of source "+Name+": "+format, args...)}
}

// SourceOf returns the source whose block an input is.
func SourceOf(in source.Input) (Source, error) {
	d, err := decode(in)
	return Source{d.Options}, err
}

// Cells returns the names of the cells of an input, in the order of the members of its
// subject; those without a function included.
func (s Source) Cells(in source.Input) ([]string, error) {
	d, err := decode(in)
	if err != nil {
		return nil, err
	}
	return d.names(), nil
}

func (d input) names() []string {
	if d.Cells != nil {
		return d.Cells
	}
	return Source{d.Options}.Names(d.Block)
}

// Make makes the cells of a block, with functions that are named by their place: c0, c1 and so on. Those that
// have none are left out.
func (s Source) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	d, err := decode(in)
	if err != nil {
		return nil, err
	}
	names, lang := d.names(), language.Find(d.Language)
	var list []function.Member
	for i, name := range names {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		m, err := member("c"+strconv.Itoa(i), name, lang)
		if errors.Is(err, errNone) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%d cells: %w", len(names), source.ErrNone)
	}
	return function.Of(lang, list), nil
}

// member makes a cell.
func member(fn, name string, lang *language.Language) (function.Member, error) {
	cell, err := Parse(name)
	if err != nil {
		return function.Member{}, err
	}
	k, err := cell.Make(fn, lang.Under)
	if err != nil {
		return function.Member{}, err
	}
	if err := lang.Supports(k.Func); err != nil {
		return function.Member{}, fmt.Errorf("%w: cell %s: %w", errNone, name, err)
	}
	return function.Member{Case: k, Style: lang.CellStyle, Cell: subject.Cell{Name: name, Key: cell.Key()}, Notes: []corpus.Note{{Key: corpus.NoteCell, Value: name}}}, nil
}
