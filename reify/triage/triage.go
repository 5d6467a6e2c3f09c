// Package triage makes a bug report's worth of a finding: it names the pass to
// blame, reduces the program, asks every compiler about the result, and says
// which bucket the finding belongs in.
//
//	blame     compilers/bisect: the pass, and the flags that mend it
//	reduce    reify/reduce, with the compiler that failed as the predicate
//	matrix    every compiler at every level, about the original and the reduced test
//	clean     sanitizers and valgrind about the reduced test
//	bucket    FAMILY/VERDICT/CULPRIT/DETAIL
//
// The reduced program shows the same bug: the same compiler fails at the same
// levels with the same verdict, and for gcc what mended the original mends it: the
// flags, and leaving out the pass to blame. (How many passes clang may run means
// nothing for another program, so of clang -fwrapv and -fno-strict-aliasing alone
// are asked about.) All this is asked on the way, of every few steps, and once
// more in the end, by the command that users type; where it does not hold then,
// the reduction goes back to where it did.
//
// A reduction that is interrupted leaves no trace: it takes seconds, and is done
// again. What Blame has found out before is kept.
package triage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/reduce"
)

// What Finding fails with. They come wrapped.
var (
	// ErrUntested says that the entry is no finding.
	ErrUntested = errors.New("no compiler is known to fail")
	// ErrNoCompiler says that the compiler that failed is not here.
	ErrNoCompiler = errors.New("the compiler that failed is not here")
	// ErrNotReduced says that the entry has no reduced test, and why. What has
	// been found out otherwise holds.
	ErrNotReduced = errors.New("not reduced")
	// ErrUndefined says that the reduced test has undefined behaviour in the eyes
	// of a sanitizer: the interpreter, or what writes the C, is wrong.
	ErrUndefined = errors.New("THE REDUCED TEST IS UNDEFINED, WHICH IS A BUG OF THIS PROGRAM")
)

// Options say how a finding is looked into. The zero value is valid.
type Options struct {
	// Workers is how many candidates of a reduction are compiled at a time. Zero
	// means one. It does not change the result.
	Workers int
	// Again has the pass named anew that the entry names already.
	Again bool
	// SearchCPU is the time that the search for the pass may take. Zero means
	// bisect.DefaultCPU.
	SearchCPU time.Duration
	// Save, if not nil, is called with the entry when there is something in it
	// that is worth keeping if what comes next is interrupted.
	Save func(*corpus.Entry) error
	// Progress, if not nil, gets lines that say what is going on.
	Progress func(string)
}

func (o Options) progress(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// A Result is what became of a finding.
type Result struct {
	Entry *corpus.Entry // a copy of the one given, with what was found out
	// Blame is nil if it was in the entry already.
	Blame *bisect.Blame
	// Reduced is nil if nothing could be reduced.
	Reduced *reduce.Result
	// Form is the way in which the reduced test is written, in a few words.
	Form string
	// Clean is who finds nothing undefined in the reduced test.
	Clean []string
	// Before and After are the lines of function bodies, main's not counted, of
	// the C as it was found and as reduced.
	Before, After int
	// What the parts cost: CPU time of this process and its children. Where
	// something else runs at the same time, it is in there.
	BlameCPU, ReduceCPU, OtherCPU time.Duration
}

// Finding looks into the failure that an entry shows, which it leaves alone. The
// toolchains of o are asked; the one that the entry names must be among them,
// with or without the entry's flags.
//
// The error wraps ErrUntested, ErrNoCompiler, bisect.ErrGone if the compiler
// does not fail any more, ErrNotReduced or ErrUndefined, or is that of ctx. With
// ErrNotReduced the Result is of use: all but the reduced test is in it.
// Otherwise there is none.
func Finding(ctx context.Context, o *oracle.Oracle, e *corpus.Entry, opt Options) (*Result, error) {
	s, err := newSubject(ctx, o, e)
	if err != nil {
		return nil, err
	}
	r := &Result{Entry: s.entry}
	clock := stopwatch()
	if err := s.blame(ctx, opt, r); err != nil {
		return nil, err
	}
	r.BlameCPU = clock.lap()
	if opt.Save != nil {
		if err := opt.Save(s.entry); err != nil {
			return nil, err
		}
	}
	if _, s.entry.Good, err = s.matrix(ctx, s.job(), s.patient()); err != nil {
		return nil, err
	}
	r.OtherCPU = clock.lap()
	reduceErr := s.reduce(ctx, opt, r)
	r.ReduceCPU = clock.lap()
	if reduceErr != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if s.cut {
			s.fill(r.Blame)
		}
		return r, fmt.Errorf("%w: %w", ErrNotReduced, reduceErr)
	}
	if s.cut {
		opt.progress("looks for the pass to blame in the reduced test")
		switch again, err := s.blameReduced(ctx); {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err == nil:
			r.Blame = again
		}
		s.fill(r.Blame)
		r.BlameCPU += clock.lap()
	}
	opt.progress("asks all compilers about the reduced test")
	if err := s.conclude(ctx, r); err != nil {
		return nil, err
	}
	r.OtherCPU += clock.lap()
	if err := s.entry.Check(); err != nil {
		return nil, fmt.Errorf("triage: an entry that cannot be written: %w", err)
	}
	return r, nil
}

// A subject is a finding that is looked into.
type subject struct {
	oracle  *oracle.Oracle
	entry   *corpus.Entry // what is found out goes here
	tool    compilers.Toolchain
	verdict compilers.Verdict
	first   compilers.Outcome // by the command that users type
	crash   string            // crash line of an internal error, or empty
	right   time.Duration     // that the right program takes
	cut     bool              // the search for the culprit took too long
	rough   []string          // flags that mend it all the same, maybe too many, or nothing

	way     way         // that the reduced test is written in
	reduced *ir.Program // the program of the reduced test
}

// newSubject finds the compiler of an entry and has it fail.
func newSubject(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (*subject, error) {
	if e.Verdict == corpus.Untested {
		return nil, ErrUntested
	}
	verdict, err := compilers.ParseVerdict(e.Verdict)
	if err != nil {
		return nil, err
	}
	tool, err := toolchain(ctx, o, e)
	if err != nil {
		return nil, err
	}
	copied := *e
	s := &subject{oracle: o, entry: &copied, tool: tool, verdict: verdict}
	s.right = s.rightTime(ctx)
	s.first = tool.Plain().Test(ctx, o.Space, s.job(), s.patient())
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case s.first.Verdict != verdict:
		return nil, fmt.Errorf("%v %s: %v, not %v: %w", tool, e.Level, s.first, verdict, bisect.ErrGone)
	case verdict == compilers.InternalError:
		s.crash = compilers.CrashLine(s.first.Stderr)
	}
	return s, nil
}

// Toolchain returns the toolchain of o that an entry was found with: of its name
// or version, with its flags. The error wraps ErrNoCompiler.
func Toolchain(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (compilers.Toolchain, error) {
	t, err := toolchain(ctx, o, e)
	return t.Plain(), err
}

// toolchain returns the one that an entry names: with its flags, and of its
// version if there is a choice.
func toolchain(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (compilers.Toolchain, error) {
	var best *compilers.Toolchain
	rank := func(t *compilers.Toolchain) (n int) {
		if t.Version == e.Version {
			n += 2
		}
		if t.Name == e.Compiler {
			n++
		}
		return n
	}
	for i := range o.Toolchains {
		t := &o.Toolchains[i]
		if string(t.Family) != e.Family || t.Version != e.Version && t.Name != e.Compiler {
			continue
		}
		if len(t.Args) > 0 && !slices.Equal(t.Args, e.Flags) {
			continue
		}
		if best == nil || rank(t) > rank(best) {
			best = t
		}
	}
	if best == nil {
		return compilers.Toolchain{}, fmt.Errorf("%s, %s %s: %w", e.Compiler, e.Family, e.Version, ErrNoCompiler)
	}
	t := *best
	if len(t.Args) == 0 && len(e.Flags) > 0 {
		t = t.Plain()
		t.Args = e.Flags
		// If the linker cannot be called directly, the driver does it.
		t, _ = t.LinkDirectly(ctx, o.Space, o.Limits)
	}
	return t, nil
}

// job returns the job of the original at the level that it was found at.
func (s *subject) job() compilers.Job { return oracle.Job(s.entry, s.entry.Level) }

// How much time programs get. What fails by not ending costs all of it, each
// time; what is right takes a millisecond or so.
const (
	leastRun   = 30 * time.Millisecond
	patientRun = 200 * time.Millisecond
	slower     = 10 // how much slower than the right program none is that ends
)

// hasty returns the limits for candidates.
func (s *subject) hasty() compilers.Limits {
	return s.runLimits(max(leastRun, slower*s.right))
}

// patient returns the limits for what is to be sure.
func (s *subject) patient() compilers.Limits {
	return s.runLimits(max(patientRun, 2*slower*s.right))
}

func (s *subject) runLimits(run time.Duration) compilers.Limits {
	l := s.oracle.Limits
	if l.RunCPU <= 0 || l.RunCPU > run { // 0 is no limit
		l.RunCPU = run
	}
	return l
}

// rightTime returns how long the program runs where it is right, at -O0.
func (s *subject) rightTime(ctx context.Context) time.Duration {
	for _, t := range s.oracle.Toolchains {
		if o := t.Test(ctx, s.oracle.Space, oracle.Job(s.entry, "-O0"), s.oracle.Limits); o.Verdict == compilers.OK {
			return o.RunCPU
		}
	}
	return 0
}

// String says in a line what was found out, and what it cost.
func (r *Result) String() string {
	text := r.Entry.Bucket
	if r.Reduced != nil {
		text += fmt.Sprintf(": %d lines of %d, %s; %d tests, %.1f CPU s", r.After, r.Before, r.Form, r.Reduced.Tests+r.Reduced.Confirms, r.ReduceCPU.Seconds())
	}
	if r.Blame != nil {
		text += fmt.Sprintf("; blame %.1f CPU s", r.BlameCPU.Seconds())
	}
	return text
}
