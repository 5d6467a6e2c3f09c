package triage

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// Errors of Finding. They come wrapped.
var (
	// ErrUntested says that the entry is no finding.
	ErrUntested = errors.New("no compiler is known to fail")
	// ErrNoCompiler says that the compiler that failed is not here.
	ErrNoCompiler = errors.New("the compiler that failed is not here")
	// ErrNotReduced says that the entry has no reduced test, and why. All other results
	// hold.
	ErrNotReduced = errors.New("not reduced")
	// ErrUndefined says that a sanitizer reports undefined behaviour in the reduced
	// test: the interpreter, or the writer of C, is wrong.
	ErrUndefined = errors.New("THE REDUCED TEST IS UNDEFINED, WHICH IS A BUG OF THIS PROGRAM")
)

// Options say how a finding is looked into. The zero value is valid.
type Options struct {
	// Workers is how many candidates of a reduction are compiled at a time. Zero
	// means one. It does not change the result.
	Workers int
	// Cvise is the time that cvise, if it is installed, gets to reduce a text further.
	// Zero turns it off.
	Cvise time.Duration
	// Again says to look for the pass even if the entry names one.
	Again bool
	// SearchCPU is the time that the search for the pass may take. Zero means
	// bisect.DefaultCPU.
	SearchCPU time.Duration
	// Save, if not nil, is called with the entry as soon as the culprit is known,
	// so that it is kept if the reduction is interrupted.
	Save func(*corpus.Entry) error
	// Load, if not nil, reads the entry that File looks into, in place of corpus.Load.
	Load func(path string) (*corpus.Entry, error)
	// Others, if not nil, returns the findings that File compares with its own.
	Others func() []Named
	// Progress, if not nil, gets a line for each step.
	Progress func(string)
}

func (o Options) progress(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// A Result is the outcome of the triage of a finding.
type Result struct {
	Entry *corpus.Entry // a copy of the one given, with the results
	// Blame is nil if it was in the entry already.
	Blame *bisect.Blame
	// Reduced is nil if nothing could be reduced.
	Reduced *Reduction
	// Clean lists the checkers that find nothing undefined in the reduced test.
	Clean []string
	// Before and After are the lines of function bodies, main's not counted, of
	// the C as it was found and as reduced.
	Before, After int
	// CPU times of the parts, of this process and its children. They include everything
	// that runs at the same time.
	BlameCPU, ReduceCPU, OtherCPU time.Duration
}

// Finding does triage of the failure that an entry shows. The entry itself does not
// change. The targets of o are asked; the one that the entry names must be among them,
// with or without the entry's flags.
//
// The error wraps ErrUntested, ErrNoCompiler, ErrNotReduced or ErrUndefined;
// bisect.ErrGone if the compiler does not fail any more; compilers.ErrMachine if a
// question got no answer; or that of ctx. Else it names the line of the entry that is
// refused: a reproducer brings no compiler, and only flags that change how it is
// compiled. With ErrNotReduced the Result holds everything except the reduced test.
// With other errors there is no Result.
func Finding(ctx context.Context, o *oracle.Oracle, e *corpus.Entry, opt Options) (*Result, error) {
	f, err := newFailure(ctx, o, e)
	if err != nil {
		return nil, err
	}
	if e.Note(corpus.NoteUntriaged) != "" {
		opt.Again = true
	}
	r := &Result{Entry: f.entry}
	clock := stopwatch(o.Space)
	if opt.Again || e.Bucket == "" || e.Reduced == "" {
		if err := f.blame(ctx, opt, r); err != nil {
			return nil, err
		}
	}
	r.BlameCPU = clock.lap()
	if opt.Save != nil {
		if err := opt.Save(f.entry); err != nil {
			return nil, err
		}
	}
	bad, good, err := f.matrix(ctx, f.job())
	if err != nil {
		return nil, err
	}
	_, f.entry.Good = corpus.Merge(e.Bad, e.Good, bad, good) // Bad stays: the bug is known by it
	f.bad = bad
	r.OtherCPU = clock.lap()
	reduceErr := f.reduce(ctx, opt, r)
	r.ReduceCPU = clock.lap()
	if reduceErr != nil {
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case errors.Is(reduceErr, compilers.ErrMachine):
			return nil, reduceErr
		}
		if f.cut {
			f.fill(r.Blame)
		}
		return r, fmt.Errorf("%w: %w", ErrNotReduced, reduceErr)
	}
	opt.progress("looks for the pass to blame in the reduced test")
	if err := f.locate(ctx, r); err != nil {
		return nil, err
	}
	r.BlameCPU += clock.lap()
	opt.progress("asks all compilers about the reduced test")
	if err := f.conclude(ctx, r, e.Reduced); err != nil {
		return nil, err
	}
	if err := f.llvm(ctx, opt, r.Reduced.job); err != nil {
		return nil, err
	}
	f.entry.Bucket = Bucket(f.entry, f.first.Crash)
	r.OtherCPU += clock.lap()
	if err := f.entry.Check(); err != nil {
		return nil, fmt.Errorf("triage: an entry that cannot be written: %w", err)
	}
	return r, nil
}

// A failure is the failure that an entry shows, while triage goes on.
type failure struct {
	oracle  *oracle.Oracle // that asks about the entry's language
	entry   *corpus.Entry  // gets the results
	target  compilers.Target
	verdict compilers.Verdict
	first   compilers.Outcome      // by the command that users type
	right   time.Duration          // that the right program takes
	bad     []corpus.Configuration // that fail on the original, of those that are here
	cut     bool                   // the search for the culprit took too long
	rough   []string               // flags that mend it all the same, maybe too many, or nothing
}

// newFailure finds the compiler of an entry and has it fail.
func newFailure(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (*failure, error) {
	if e.Verdict == corpus.Untested {
		return nil, ErrUntested
	}
	verdict, err := compilers.ParseVerdict(e.Verdict)
	if err != nil {
		return nil, err
	}
	copied := *e
	copied.SetNote(corpus.NoteUntriaged, "")
	f := &failure{entry: &copied, verdict: verdict}
	if f.oracle, f.target, err = find(ctx, o, e); err != nil {
		return nil, err
	}
	if err := f.screen(); err != nil {
		return nil, err
	}
	Introduce(ctx, o.Space, f.target, &copied)
	f.right = f.rightTime(ctx)
	if f.target.Traits().Emulated { // it may have been measured on this machine's own processor
		f.right = max(f.right, leastRun)
	}
	fails := func() compilers.Outcome { return f.control(ctx) }
	switch f.first, err = compilers.Answer(ctx, fails, fails); {
	case err != nil:
		return nil, err
	case f.first.Verdict != verdict:
		return nil, fmt.Errorf("%s: %v, not %v: %w", compilers.Name(f.target, e.Mode), f.first, verdict, bisect.ErrGone)
	}
	return f, nil
}

// Introduce keeps what a target says of itself in an entry of its version, or in one whose reduced
// test is known to fail with it if there are no words yet.
func Introduce(ctx context.Context, ws *compilers.Workspace, t compilers.Target, e *corpus.Entry) {
	id := t.ID()
	same := func(c corpus.Configuration) bool { return c.Family == id.Family && c.Version == id.Version }
	if id.Version != e.Version && (e.Members[corpus.CompilerFile] != "" || !slices.ContainsFunc(e.ReducedBad, same)) {
		return
	}
	if said := compilers.Words(ctx, ws, t); said != "" {
		e.Members = maps.Clone(e.Members)
		if e.Members == nil {
			e.Members = map[string]string{}
		}
		e.Members[corpus.CompilerFile] = said
	}
}

// screen returns an error unless the compiler may be given the flags that the entry has
// about the culprit, which may come from anywhere. The error names the key.
func (f *failure) screen() error {
	for _, line := range []struct {
		key  string
		args []string
	}{{"mended-by", f.entry.MendedBy}, {"mended-alone", f.entry.MendedAlone}, {"culprit", f.leaveOut()}} {
		if err := compilers.Screen(f.target, line.args...); err != nil {
			return fmt.Errorf("%s: %w", line.key, err)
		}
	}
	return nil
}

// leaveOut returns the arguments that leave out the culprit, if there are any.
func (f *failure) leaveOut() []string {
	leaveOut := bisect.MethodsOf(f.target.ID().Family).LeaveOut
	if leaveOut == nil || f.entry.Culprit == "" {
		return nil
	}
	return leaveOut(f.entry.Culprit)
}

// Target returns the target of o that an entry was found with: of its name or
// version, with its flags. The error wraps ErrNoCompiler, or says which line of the
// entry is refused.
func Target(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (compilers.Target, error) {
	_, t, err := find(ctx, o, e)
	return compilers.Plain(t), err
}

// find returns the oracle for an entry's language, and the target that the entry
// names: with its flags, and of its version if there is a choice.
func find(ctx context.Context, o *oracle.Oracle, e *corpus.Entry) (*oracle.Oracle, compilers.Target, error) {
	o, err := o.Of(e.Language)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrNoCompiler, err)
	}
	var best compilers.Target
	most := 0
	for _, t := range o.Targets {
		id, rank := t.ID(), 0
		if id.Version == e.Version {
			rank += 2
		}
		if id.Name == e.Compiler {
			rank++
		}
		if id.Family == e.Family && rank > most && (len(id.Args) == 0 || slices.Equal(id.Args, e.Flags)) {
			best, most = t, rank
		}
	}
	if best == nil {
		return nil, nil, fmt.Errorf("compiler: %s, %s %s: %w", e.Compiler, e.Family, e.Version, ErrNoCompiler)
	}
	// Modes that have names are no flags. To compilers for C such a word names a file
	// of flags.
	named := strings.HasPrefix(best.Reference(), "@") && strings.HasPrefix(e.Mode, "@")
	if !named && !slices.Contains(best.Modes(), e.Mode) {
		if err := compilers.Screen(best, e.Mode); err != nil {
			return nil, nil, fmt.Errorf("mode: %w", err)
		}
	}
	if len(best.ID().Args) > 0 || len(e.Flags) == 0 {
		return o, best, nil
	}
	t, err := o.Flagged(compilers.Plain(best), e)
	if err != nil {
		return nil, nil, err
	}
	if l, ok := t.(compilers.Linker); ok {
		t, _ = l.LinkDirectly(ctx, o.Space, o.Limits) // if that cannot be done, the target stays as it was
	}
	return o, t, nil
}

// job returns the job of the original in the mode that it was found in.
func (f *failure) job() compilers.Job { return oracle.Job(f.entry, f.entry.Mode) }

// control asks about the failure itself, which had an answer before.
func (f *failure) control(ctx context.Context) compilers.Outcome {
	return compilers.Test(ctx, compilers.Plain(f.target), f.oracle.Space, f.job(), f.patient())
}

// ask builds and runs a job. The error is that of compilers.Answer.
func (f *failure) ask(ctx context.Context, t compilers.Target, job compilers.Job, limits compilers.Limits) (compilers.Outcome, error) {
	return f.answer(ctx, t, func() compilers.Outcome { return compilers.TestFor(ctx, f.verdict, t, f.oracle.Space, job, limits) })
}

// answer asks a target a question by compilers.Answer. The control is the failure
// and, since other targets may need more room, a trivial program of theirs.
func (f *failure) answer(ctx context.Context, t compilers.Target, question func() compilers.Outcome) (compilers.Outcome, error) {
	if f.target == nil { // Undefined has no failure
		return compilers.Answer(ctx, question, question)
	}
	return compilers.Answer(ctx, question, func() compilers.Outcome {
		o := f.control(ctx)
		if o.Verdict == compilers.Discarded || t.ID().Same(f.target.ID()) {
			return o
		}
		if err := compilers.Probe(ctx, t, f.oracle.Space, f.oracle.Limits.ForSanitizers()); err != nil {
			return compilers.Outcome{Verdict: compilers.Discarded, Message: err.Error()}
		}
		return o
	})
}

// run is ask, patiently.
func (f *failure) run(ctx context.Context, t compilers.Target, job compilers.Job) (compilers.Outcome, error) {
	return f.ask(ctx, t, job, f.patient())
}

// How much time programs get. An endless program costs all of it, each time; a right
// one takes a millisecond or so.
const (
	leastRun   = 30 * time.Millisecond
	patientRun = 200 * time.Millisecond
	slower     = 10 // a program that ends takes at most this many times as long as the right one
)

// hasty returns the limits for candidates.
func (f *failure) hasty() compilers.Limits {
	return f.runLimits(max(leastRun, slower*f.right))
}

// patient returns the limits for questions whose answer must be sure.
func (f *failure) patient() compilers.Limits {
	return f.runLimits(max(patientRun, 2*slower*f.right))
}

func (f *failure) runLimits(run time.Duration) compilers.Limits {
	l := f.oracle.Limits
	if l.RunCPU <= 0 || l.RunCPU > run { // 0 means no limit
		l.RunCPU = run
	}
	return l
}

// rightTime returns how long the program runs in a target's reference mode that gets it
// right: in that of the failing one, if it does, since an emulator takes longer than others.
func (f *failure) rightTime(ctx context.Context) time.Duration {
	for _, t := range append([]compilers.Target{f.target}, f.oracle.Targets...) {
		o := compilers.Test(ctx, t, f.oracle.Space, oracle.Job(f.entry, t.Reference()), f.oracle.Limits)
		if o.Verdict == compilers.OK {
			return o.RunCPU
		}
	}
	return 0
}

// String says in a line what triage found out, and its cost.
func (r *Result) String() string {
	text := r.Entry.Bucket
	if r.Reduced != nil {
		text += fmt.Sprintf(": %d lines of %d, %s; %d tests, %.1f CPU s", r.After, r.Before, r.Reduced.Form, r.Reduced.Tests, r.ReduceCPU.Seconds())
	}
	if r.Blame != nil {
		text += fmt.Sprintf("; blame %.1f CPU s", r.BlameCPU.Seconds())
	}
	return text
}
