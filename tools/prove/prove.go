// Package prove asks compilers that have no reason to be wrong whether what the
// generator claims is true: without optimising and with sanitizers for C, in their
// reference modes for other languages. An objection is a bug of ours or of theirs.
//
// Function checks has the table of what can be proved.
//
// All checks except graphs and paths are one loop: a source makes a subject of seeds,
// each witness is asked about it, and where one objects, about each of its members
// alone.
package prove

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/reify/language"
	"goreify/reify/others"
)

// The things to prove, by the words of -what.
type What string

// The checks. The package comment says what each does.
const (
	Functions   What = "functions"
	Programs    What = "programs"
	Variants    What = "variants"
	Foreign     What = "foreign"
	Expressions What = "expressions"
	Graphs      What = "graphs"
	Paths       What = "paths"
	Engines     What = "engines"
)

// A Question says what is to be proved, and of how much.
type Question struct {
	What     What
	Language compilers.Language
	N        int    // as Usual counts them
	From     uint64 // the first seed
	// Profile and Features are those of function.Options. Without a profile those of a
	// language take turns; Plan is what each recipe draws.
	Profile, Features string
	Mutated           bool       // half of the functions of programs are variants
	Seeds             string     // a directory of reproducers to make variants of
	Functions         string     // a database of functions, for Foreign
	Inject            others.How // one alone, for Foreign
	// Step, if not nil, is told after each batch how far the check is.
	Step func(Result)
	// Note, if not nil, is told in a line what came to light beside objections.
	Note func(string)
	// Missing, if not nil, is told what is not tested, for want of a thing that
	// package need has a name for.
	Missing func(name, why string)
}

// Plan is the profile that leaves the choice to each recipe.
const Plan = "plan"

// A Result is what a check has done.
type Result struct {
	Done       int    // of Question.N
	Next       uint64 // the seed to go on from
	Counts     []Count
	Objections []Objection
	Unanswered []string // batches that a witness had no time or memory for
}

// A Count is how often something was met.
type Count struct {
	N  int
	Of string // "functions"
}

// Get returns how often something was met.
func (r *Result) Get(of string) int {
	for _, c := range r.Counts {
		if c.Of == of {
			return c.N
		}
	}
	return 0
}

func (r *Result) count(of string, n int) {
	for i := range r.Counts {
		if r.Counts[i].Of == of {
			r.Counts[i].N += n
			return
		}
	}
	r.Counts = append(r.Counts, Count{n, of})
}

// String returns the counts.
func (r *Result) String() string {
	var words []string
	for _, c := range r.Counts {
		words = append(words, fmt.Sprintf("%d %s", c.N, c.Of))
	}
	return strings.Join(append(words, fmt.Sprintf("%d objections", len(r.Objections))), ", ")
}

// An Objection is what witnesses have against a program.
type Objection struct {
	Seed    uint64
	Name    string   // of a function or program
	Said    []string // a line for each witness
	Program string
}

// String returns all of it, the program last.
func (o Objection) String() string {
	return fmt.Sprintf("seed %d, %s:\n%s\n%s", o.Seed, o.Name, strings.Join(o.Said, "\n"), o.Program)
}

// mostObjections is how many end a check.
const mostObjections = 20

// errEnough ends a check that has met so many objections.
var errEnough = errors.New("so many objections are enough")

// A check does its part of a run.
type check struct {
	what What
	of   func(*run, context.Context) error
	unit string // what N counts
	help string
}

// checks returns the table of what can be proved. How much of it is proved by default, a
// language says itself.
func checks() []check {
	return []check{
		{Functions, (*run).functions, "functions", "functions with known answers, many in a program"},
		{Programs, (*run).programs, "programs", "whole programs of functions that call each other"},
		{Variants, (*run).variants, "functions and variants", "functions and their variants by all passes, or variants of reproducers"},
		{Foreign, (*run).foreign, "programs", "programs that call functions of other people's C"},
		{Expressions, (*run).expressions, "expressions", "the interpreter's operators on all types, expression by expression"},
		{Graphs, (*run).graphs, "functions", "graphs that are read back from what is written, in languages that have a reader"},
		{Paths, (*run).paths, "functions", "how often each block is visited, as gcov counts it"},
		{Engines, (*run).engines, "functions and programs", "all processors, engines and modes that are here: functions, some programs"},
	}
}

// Explain returns a line for each kind of proof.
func Explain() string {
	var text strings.Builder
	for _, c := range checks() {
		fmt.Fprintf(&text, "  %-12s %s\n", c.what, c.help)
	}
	return text.String()
}

// usual returns how many things are proved by default of a language; 0 of one without them.
func usual(what What, of compilers.Language) int {
	if l := language.Find(of); l != nil {
		return l.Proved[string(what)]
	}
	return 0
}

// find returns the check of something. The error says that it is not one of the language.
func find(what What, of compilers.Language) (check, error) {
	var kinds []string
	for _, c := range checks() {
		switch {
		case c.what != what:
			kinds = append(kinds, string(c.what))
		case usual(what, of) == 0:
			return c, fmt.Errorf("there are no %s to prove in %s", what, of)
		default:
			return c, nil
		}
	}
	return check{}, fmt.Errorf("there is no proof of %q: want one of %s", what, strings.Join(kinds, ", "))
}

// Usual returns how many things a check counts by default, and what these are. The error
// says that it is not one of the language.
func Usual(what What, of compilers.Language) (n int, unit string, err error) {
	c, err := find(what, of)
	return usual(what, of), c.unit, err
}

// A run is a question that is being answered.
type run struct {
	Question
	Result
	bench  *Bench
	making time.Duration // CPU time of this process that making subjects took
}

// Prove answers a question. The error says why it could not, or not wholly: then the
// result says how far it came. Objections are no error.
func (b *Bench) Prove(ctx context.Context, q Question) (Result, error) {
	c, err := find(q.What, q.Language)
	if err != nil {
		return Result{}, err
	}
	r := &run{Question: q, bench: b, Result: Result{Next: q.From}}
	err = c.of(r, ctx)
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil && len(r.Unanswered) > 0 {
		err = fmt.Errorf("%d batches have not been answered: %s", len(r.Unanswered), r.Unanswered[0])
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	return r.Result, err
}

// object notes an objection. The error ends the run.
func (r *run) object(o Objection) error {
	r.Objections = append(r.Objections, o)
	r.note("%v", o)
	if len(r.Objections) >= mostObjections {
		return errEnough
	}
	return nil
}

func (r *run) note(format string, args ...any) {
	if r.Note != nil {
		r.Note(fmt.Sprintf(format, args...))
	}
}

func (r *run) missing(name, format string, args ...any) {
	if r.Missing != nil {
		r.Missing(name, fmt.Sprintf(format, args...))
	}
}

// step says that so many more are done, and that the next seed is the one to go on from.
func (r *run) step(n int, next uint64) {
	r.Done += n
	r.Next = next
	if r.Step != nil {
		r.Step(r.Result)
	}
}
