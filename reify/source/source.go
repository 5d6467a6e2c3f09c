// Package source is what all sources of test programs have in common. A source
// draws inputs and makes subjects of them:
//
//	stream ─Draw→ Input ─Make→ subject.Subject
//
// Each source is a package beside this file:
//
//	function   batches of functions, each with a known answer
//	program    whole programs of functions that call each other
//	variant    variants of functions, and of those in reproducers
//	text       variants of C programs that others wrote
//
// An input is opaque to whoever stores it. Draw and Make read no clock and no
// global state: the same bytes make the same program on every machine.
package source

import (
	"context"
	"errors"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/subject"
)

// An Input is what a subject is made of.
type Input struct {
	Source  string // the name of the source that drew it
	Version string // of the source: another one may make another program of Data
	Data    []byte
}

// A Source makes test programs. It may be used concurrently.
type Source interface {
	Name() string // a word, which entries and hunts store
	Draw(s *choice.Stream) Input
	// Make makes the subject of an input, which this source has drawn. The error
	// is ErrNone, a *reify.GeneratorBug if what was made is wrong, or a *BadSeed.
	Make(ctx context.Context, in Input) (subject.Subject, error)
}

// A Doubter is a source whose subjects rest on what nobody has proved. Discard is
// called when the witnesses contradicted the subject of an input, and says why: what
// the input rests on is not to be drawn again.
type Doubter interface {
	Source
	Discard(in Input, why string) error
}

// ErrNone says that no program comes of an input: what it asks for could not be
// solved. That is no failure. It comes wrapped.
var ErrNone = errors.New("no program comes of this input")

// A BadSeed says that an input rests on what does not hold: a seed with
// undefined behaviour, or a function that changes its answers. The input is not
// to be used again.
type BadSeed struct{ Err error }

// Error says what is wrong with the seed.
func (b *BadSeed) Error() string { return "bad seed: " + b.Err.Error() }

// Unwrap returns the reason.
func (b *BadSeed) Unwrap() error { return b.Err }

// OurBug tells whether an error says that a program of ours was wrong: making it
// went wrong, or witnesses contradicted one that was proved.
func OurBug(err error) bool {
	var made *reify.GeneratorBug
	var ours interface{ Ours() bool } // an oracle's Contradiction
	return errors.As(err, &made) || errors.As(err, &ours) && ours.Ours()
}
