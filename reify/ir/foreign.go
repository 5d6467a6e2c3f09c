package ir

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Foreign is a function that others wrote, in C: its text, and its answers for some
// arguments. Its meaning is known to compilers alone, so a call with other arguments
// has no answer. The function has parameters and a result of Standard types, no other
// variables, no blocks, no records.
//
// It reads and writes no memory but its own, and keeps nothing from one call to the
// next. A Foreign is not changed: copies of a function share it.
type Foreign struct {
	// C is preprocessed text of whole lines. It defines the function, without a storage
	// class, and all that the function needs. The names of these at file scope begin
	// with that of the function and an underscore. Check does not read it:
	// others.Check does.
	C       string
	Answers []Answer // by Args, ascending
	Models  Models
	Origin  string // origin: project, version and file; or empty
	Licence string // an SPDX expression, "unknown", or empty
}

// An Answer says that a foreign function, called with Args, returns Want and meets
// no undefined behaviour.
type Answer struct {
	Args  []int64 // one for each parameter, in the representation of Const
	Want  int64   // of the type of the result
	Steps int     // statements that it executes, or 0 if not counted
}

// Models are the data models in which a foreign function gives its answers.
type Models int

// The sets of models.
const (
	AnyModel Models = iota
	LP64            // where long and pointers have 64 bits
	ILP32           // where they have 32
)

var modelNames = [...]string{"any", "lp64", "ilp32"}

// String returns the word of the text form.
func (m Models) String() string {
	if m < 0 || int(m) >= len(modelNames) {
		return fmt.Sprintf("Models(%d)", int(m))
	}
	return modelNames[m]
}

// Bounds of foreign functions.
const (
	MaxForeignText = 1 << 17 // bytes
	MaxAnswers     = 1 << 16
)

// Answer returns the answer of the function to args.
func (f *Foreign) Answer(args []int64) (Answer, bool) {
	i, ok := slices.BinarySearchFunc(f.Answers, args, compareArgs)
	if !ok {
		return Answer{}, false
	}
	return f.Answers[i], true
}

// With returns a copy of f with more answers. An answer for known arguments is
// replaced.
func (f *Foreign) With(more ...Answer) *Foreign {
	g := *f
	g.Answers = slices.Clone(f.Answers)
	for _, a := range more {
		i, ok := slices.BinarySearchFunc(g.Answers, a.Args, compareArgs)
		if ok {
			g.Answers[i] = a
		} else {
			g.Answers = slices.Insert(g.Answers, i, a)
		}
	}
	return &g
}

func compareArgs(a Answer, args []int64) int { return slices.Compare(a.Args, args) }

// isForeignName reports whether a function of that name can be foreign: r and
// hexadecimal digits.
func isForeignName(name string) bool {
	return len(name) > 1 && name[0] == 'r' && strings.Trim(name[1:], "0123456789abcdef") == ""
}

// foreign checks a function that others wrote.
func (c *checker) foreign() error {
	f := c.fn
	switch {
	case len(f.Blocks) > 0 || len(f.Types) > 0 || f.Syms > 0:
		return errors.New("foreign, and has blocks, records or symbols")
	case !f.Result.Standard():
		return fmt.Errorf("foreign, and returns %s", f.Result)
	case !isForeignName(f.Name):
		return errors.New("foreign: the name is not r and hexadecimal digits")
	}
	for _, v := range f.Vars {
		if v.Kind != Param || v.Const || v.Volatile {
			return fmt.Errorf("foreign, and %s is not a parameter without qualifiers", v)
		}
	}
	if n := len(f.Foreign.Answers); n > MaxAnswers {
		return fmt.Errorf("%d answers, want at most %d", n, MaxAnswers)
	}
	for i, a := range f.Foreign.Answers {
		if err := f.checkAnswer(a); err != nil {
			return fmt.Errorf("answer %d: %w", i, err)
		}
		if i > 0 && slices.Compare(f.Foreign.Answers[i-1].Args, a.Args) >= 0 {
			return fmt.Errorf("answer %d: not in ascending order", i)
		}
	}
	if m := f.Foreign.Models; m < 0 || int(m) >= len(modelNames) {
		return fmt.Errorf("unknown models %d", int(m))
	}
	switch text := f.Foreign.C; {
	case len(text) > MaxForeignText:
		return fmt.Errorf("text in C: %d bytes, want at most %d", len(text), MaxForeignText)
	case !strings.HasSuffix(text, "\n"):
		return errors.New("text in C: does not end with a line")
	}
	return nil
}

func (f *Function) checkAnswer(a Answer) error {
	if len(a.Args) != len(f.Vars) {
		return fmt.Errorf("%d arguments for %d parameters", len(a.Args), len(f.Vars))
	}
	for i, v := range f.Vars {
		if t := paramInt(v); !t.Holds(a.Args[i]) {
			return fmt.Errorf("argument %s = %d does not fit %s", v.Name, a.Args[i], t)
		}
	}
	if !f.Result.Holds(a.Want) {
		return fmt.Errorf("result %d does not fit %s", a.Want, f.Result)
	}
	if a.Steps < 0 {
		return fmt.Errorf("%d steps", a.Steps)
	}
	return nil
}
