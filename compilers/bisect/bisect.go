package bisect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"goreify/compilers"
)

// A Blame is what is known of the cause of a failure.
type Blame struct {
	// Pass is the culprit: for gcc the name of its dump, such as "tree-vrp2" or
	// "rtl-combine"; for clang that of its log, such as "InstCombinePass". It is
	// empty if no pass could be named.
	Pass string
	// Uncovered is the pass that only shows what goes wrong elsewhere, in Pass or, if that is
	// empty, in what is not known; or empty.
	Uncovered string
	// Rule is that of Pass which goes wrong, in the compiler's own words, or empty.
	Rule string
	// Code is the instructions that the wrong code has and the right one has not, if code
	// generation is to blame, and Mends what makes it right, of what tells its parts apart.
	Code, Mends []string
	// Function is the one that the pass went wrong on, Module if the pass works on
	// all, or empty if that is not known.
	Function string
	// Flags is the smallest set of flags found that, added to the command,
	// makes the program right: none can be left out. They are sorted.
	Flags []string
	// Counter is gcc's debug counter (-fdbg-cnt) that narrows the failure down, such
	// as "ivopts_loop", and Count the number of the transformation, from 1, without
	// which and what follows it the program is right. Counters are few, so Counter
	// is often empty, and Count 0.
	Counter string
	Count   int
	// Seen means that the program was seen to be right before the pass, in the compiler's
	// own representation, and not right after it. With Overflows the pass computes a
	// signed integer that overflows, which the program does not; the mistake shows in the
	// conclusions of other passes.
	Seen, Overflows bool
	// Alone are those of Methods.Alone, and of what the method tries besides, of which
	// one makes the program right: the compiler drew a conclusion from what would be
	// undefined, or from types.
	Alone []string

	// Cut means that the search met its bound on CPU time: there may be fewer
	// flags that do, or a pass where none is named.
	Cut bool

	Tests int           // compilations made
	CPU   time.Duration // that they and the programs took
}

// Module stands for the function of a pass that works on all of them, as clang
// calls it.
const Module = "[module]"

// unknown is the culprit where nothing can be named.
const unknown = "unknown"

// mostNamed is how many flags may stand for a pass that has no name.
const mostNamed = 3

// Culprit returns the pass; if none could be named the flags as they are when they do
// harm, such as "-faggressive-loop-optimizations", for there is code of the optimiser
// that is in no pass of its own; and if there are none "unknown". The word serves to tell
// one bug from another.
func (b *Blame) Culprit() string {
	switch {
	case b.Pass != "":
		return b.Pass
	case len(b.Flags) == 0, len(b.Flags) > mostNamed:
		return unknown
	}
	var on []string
	for _, flag := range b.Flags {
		on = append(on, "-f"+strings.TrimPrefix(flag, "-fno-"))
	}
	return strings.Join(on, " ")
}

// Located tells whether it is known where in the compiler the fault is, and not only what
// shows it.
func (b *Blame) Located() bool {
	if strings.HasPrefix(b.Pass, CodeGeneration) {
		return b.Rule != "" || strings.HasSuffix(b.Pass, ")")
	}
	return b.Seen || b.Pass != "" && b.Uncovered != ""
}

// String returns the culprit and the flags in a line.
func (b *Blame) String() string {
	pass := b.Pass
	if pass == "" {
		pass = "unknown pass"
	}
	if b.Function != "" {
		pass += " on " + b.Function
	}
	if b.Rule != "" {
		pass += ", rule " + b.Rule
	}
	if len(b.Code) > 0 {
		pass += ", which makes " + strings.Join(b.Code, " ")
	}
	if b.Uncovered != "" {
		pass += ", uncovered by " + b.Uncovered
	}
	if len(b.Mends) > 0 {
		pass += ", right with " + strings.Join(b.Mends, ", ")
	}
	if b.Counter != "" {
		pass += fmt.Sprintf(", %s:%d", b.Counter, b.Count)
	}
	if len(b.Flags) > 0 {
		pass += ", mended by " + strings.Join(b.Flags, " ")
	}
	return pass
}

// The errors of Find. They come wrapped.
var (
	// ErrGone means that the program did not fail when it was run first, so that
	// nothing can be said about why.
	ErrGone = errors.New("the failure does not show any more")
	// ErrNoCulprit means that no limit, flag or pass makes the program right.
	ErrNoCulprit = errors.New("nothing that can be switched off is to blame")
)

// Find says which pass is to blame. With an error that wraps ErrNoCulprit the Blame
// still tells what has been tried; with others, which wrap ErrGone or
// compilers.ErrMachine or are of ctx, it is nil.
func Find(ctx context.Context, t *Test) (*Blame, error) {
	if t.confirm(ctx) != fails {
		if t.err != nil {
			return nil, t.err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("%s: %w", compilers.Name(t.tc, t.job.Mode), ErrGone)
	}
	m := MethodsOf(t.tc.ID().Family)
	if !m.Known() {
		return &Blame{}, fmt.Errorf("%v: passes of family %q cannot be told: %w", t.tc.ID(), t.tc.ID().Family, ErrNoCulprit)
	}
	t.hurry(ctx)
	// These tell one bug from another, so they come before the time is up.
	b := &Blame{}
	for _, flag := range m.Alone {
		if t.ask(ctx, flag) == right {
			b.Alone = append(b.Alone, flag)
		}
	}
	err := m.find(t, ctx, b)
	b.Tests, b.CPU, b.Cut = t.tests, t.cpu, t.cut
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if t.err != nil {
		return nil, t.err
	}
	return b, err
}

// Methods are how the passes of a family of compilers are told apart.
type Methods struct {
	find func(*Test, context.Context, *Blame) error
	// LeaveOut returns the arguments that leave out a pass, which mean the same for
	// every program. There are none for code generation. It is nil if there never are any.
	LeaveOut func(pass string) []string
	// Transferable tells whether Blame.Flags mean the same for another program.
	Transferable bool
	// Alone are the flags that are tried one by one, whatever the pass.
	Alone []string
}

// defined are flags that define what C leaves undefined.
var defined = []string{wraps, "-fno-strict-aliasing"}

const wraps = "-fwrapv"

// methods are those of the families that are known.
var methods = map[string]Methods{
	"gcc": {
		find:         (*Test).gcc,
		LeaveOut:     ofPasses(func(pass string) []string { return disable(pass) }),
		Transferable: true,
		Alone:        defined,
	},
	// How many passes clang may run means nothing for another program.
	"clang":   {find: (*Test).clang, Alone: defined},
	"llc":     {find: (*Test).clang},
	"opt":     {find: (*Test).clang},
	"v8":      {find: (*Test).switched, Transferable: true},
	"jsc":     {find: (*Test).switched, Transferable: true},
	"hotspot": {find: (*Test).switched, Transferable: true},
	"gc": {
		find:         (*Test).gcPhases,
		LeaveOut:     ofPasses(func(pass string) []string { return withoutPhases(strings.Split(pass, phaseSign)) }),
		Transferable: true,
	},
}

// ofPasses returns a function for culprits, of which only passes can be left out, of one for passes.
func ofPasses(leaveOut func(pass string) []string) func(string) []string {
	return func(culprit string) []string {
		if strings.HasPrefix(culprit, CodeGeneration) {
			return nil
		}
		return leaveOut(culprit)
	}
}

// Mending returns flags that make right what a culprit gets wrong, of which only the
// name is known that Blame.Culprit gives, or nil if the name does not tell.
func (m Methods) Mending(culprit string) []string {
	switch {
	case !m.Transferable || culprit == unknown:
		return nil
	case strings.HasPrefix(culprit, "-f"):
		var off []string
		for _, flag := range strings.Fields(culprit) {
			off = append(off, "-fno-"+strings.TrimPrefix(flag, "-f"))
		}
		return off
	case m.LeaveOut != nil:
		return m.LeaveOut(culprit)
	}
	return nil
}

// Known tells whether there are any.
func (m Methods) Known() bool { return m.find != nil }

// MethodsOf returns the methods of a family, or none.
func MethodsOf(family string) Methods { return methods[family] }
