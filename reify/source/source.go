// Package source defines the interface of all sources of test programs. A source draws
// inputs and makes subjects of them:
//
//	stream ─Draw→ Input ─Make→ subject.Subject
//
// Each source is a package beside this file, or makes use of C that others wrote (package
// others):
//
//	function   batches of functions, each with a known answer
//	program    whole programs of functions that call each other
//	matrix     cells: each operation on each type, and compositions
//	variant    variants of functions, and of those in reproducers
//
// An input is opaque to the hunt that stores it. Draw and Make read no clock and no
// global state: the same bytes make the same program on every machine.
package source

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/subject"
)

// An Input is the data from which a source makes a subject.
type Input struct {
	Source  string // the name of the source that drew it
	Version string // of the source: another version may make another program of Data
	Data    []byte
}

// Encode returns the input of a source of that name with some contents, which have plain
// fields only.
func Encode(name string, contents any) Input {
	data, err := json.Marshal(contents)
	if err != nil {
		panic("source: encoding an input of " + name + ": " + err.Error())
	}
	return Input{Source: name, Version: reify.Version, Data: data}
}

// Decode reads the contents of an input of a source of that name. The error says that the
// input is another source's, or malformed.
func (in Input) Decode(name string, contents any) error {
	if in.Source != name {
		return fmt.Errorf("an input of source %q is not one of %q", in.Source, name)
	}
	if err := json.Unmarshal(in.Data, contents); err != nil {
		return fmt.Errorf("input of source %s: %w", name, err)
	}
	return nil
}

// A Source makes test programs. It may be used concurrently.
type Source interface {
	Name() string // a word, which entries and hunts store
	Draw(s *choice.Stream) Input
	// Make makes the subject of an input, which this source has drawn. The error is
	// ErrNone, a *reify.GeneratorBug if the program is wrong, or a *BadSeed.
	Make(ctx context.Context, in Input) (subject.Subject, error)
}

// A Finite source has so many inputs and no more, in an order that covers early.
type Finite interface {
	Source
	Blocks() int64
	Block(n int64) Input // from 0
}

// A Doubter is a source whose subjects rest on unproved programs. Discard is called
// with the reason when the witnesses contradicted the subject of an input. The basis of
// that input is not to be drawn again.
type Doubter interface {
	Source
	Discard(in Input, why string) error
}

// Ready returns an error if a source says that what it draws from is not there.
func Ready(s Source) error {
	if s, ok := s.(interface{ Check() error }); ok {
		return s.Check()
	}
	return nil
}

// ErrNone says that an input gives no program, because its problem could not be solved.
// This is not a failure. The error comes wrapped.
var ErrNone = errors.New("the input gives no program")

// A BadSeed says that an input has an invalid basis: a seed with undefined behaviour,
// or a function that changes its answers. The input is not to be used again.
type BadSeed struct{ Err error }

// Error says what is wrong with the seed.
func (b *BadSeed) Error() string { return "bad seed: " + b.Err.Error() }

// Unwrap returns the reason.
func (b *BadSeed) Unwrap() error { return b.Err }

// Entry returns the reproducer of a subject of the source of that name, with what all
// subjects have. A source adds what its own know of themselves.
func Entry(name string, s subject.Subject) *corpus.Entry {
	a := s.Artefact()
	return &corpus.Entry{
		Tool:     reify.Version,
		Language: a.Language,
		Source:   name,
		Trust:    s.Trust().String(),
		Main:     a.Files[0].Name,
		Weight:   s.Weight(),
		Sources:  subject.Sources(a.Files),
		Want:     string(a.Want),
	}
}

// OurBug tells whether an error says that a program of ours was wrong: its construction
// failed, or witnesses contradicted a proved program.
func OurBug(err error) bool {
	var made *reify.GeneratorBug
	var ours interface{ Ours() bool } // an oracle's Contradiction
	return errors.As(err, &made) || errors.As(err, &ours) && ours.Ours()
}
