package others

import (
	"context"
	"fmt"

	"goreify/corpus"
	"goreify/reify/others/csource"
)

// A Variant is a program of others in a reproducer, as edits of its seed.
type Variant struct {
	seed  *csource.Program
	edits []csource.Edit
}

// VariantOf returns the program of a reproducer. One without a seed is a seed itself. The
// error says that it cannot be parsed, or that seed and edits are another program.
func VariantOf(e *corpus.Entry) (*Variant, error) {
	found := e.Sources[e.Main]
	seed, record := e.Members[corpus.SeedFile], e.Members[corpus.EditsFile]
	if seed == "" || record == "" {
		seed, record = found, ""
	}
	edits, err := csource.ReadRecord(record, len(seed))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", corpus.EditsFile, err)
	}
	if err := csource.Try(corpus.SeedFile, []byte(seed), csource.LP64); err != nil {
		return nil, err
	}
	p, err := csource.Parse(corpus.SeedFile, []byte(seed), csource.LP64)
	if err != nil {
		return nil, err
	}
	if string(p.Apply(edits)) != found {
		return nil, fmt.Errorf("%s with %s is not %s", corpus.SeedFile, corpus.EditsFile, e.Main)
	}
	return &Variant{p, edits}, nil
}

// Edits is the number of edits.
func (v *Variant) Edits() int { return len(v.edits) }

// A Rest is what a reduction leaves of a variant.
type Rest struct {
	Text   []byte
	Edits  int
	Passes string // "guard 2, prune 13": which edits are left
	Record string // of these edits, as Diff reads it
}

// Reduce makes a variant smaller while holds is true of its text, which it must be of the
// variant itself: edits are undone, then the text is cut.
func (v *Variant) Reduce(ctx context.Context, holds func(text []byte) bool) Rest {
	text, left := csource.Reduce(ctx, v.seed, v.edits, holds)
	return Rest{Text: text, Edits: len(left), Passes: csource.Passes(left), Record: csource.Record(left)}
}

// Diff returns recorded edits of a seed as a diff, or nothing if they are malformed.
func Diff(seed, record string) string {
	edits, err := csource.ReadRecord(record, len(seed))
	if err != nil {
		return ""
	}
	return csource.Diff([]byte(seed), edits)
}
