package triage

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/language"
)

// matrix asks all targets, each in all its modes, about a job. A failure must happen
// twice. A configuration that neither fails nor is right is in neither list. Nor is a
// target of the family that cannot be used with the arguments of the failing one.
func (f *failure) matrix(ctx context.Context, job compilers.Job) (bad, good []corpus.Configuration, err error) {
	for _, t := range f.oracle.Targets {
		t, ok := f.flagged(t)
		if !ok {
			continue
		}
		id := t.ID()
		// Another version may not know the arguments.
		if own := f.target.ID(); len(own.Args) > 0 && id.Family == own.Family && slices.Equal(id.Args, own.Args) &&
			compilers.Probe(ctx, t, f.oracle.Space, f.oracle.Limits) != nil {
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			continue
		}
		for _, job.Mode = range t.Modes() {
			o, err := f.run(ctx, t, job)
			again := o
			if err == nil && o.Verdict.Finding() {
				again, err = f.run(ctx, t, job)
			}
			switch {
			case ctx.Err() != nil:
				return nil, nil, context.Cause(ctx)
			case err != nil:
				return nil, nil, err
			case o.Verdict.Finding() && again.Same(o):
				bad = corpus.Add(bad, id.Family, id.Version, id.Args, job.Mode)
			case o.Verdict == compilers.OK:
				good = corpus.Add(good, id.Family, id.Version, id.Args, job.Mode)
			}
		}
	}
	return bad, good, nil
}

// flagged returns a target in the form that its users know: of the family of the
// failing one with its arguments, unless it has some of its own. It returns false if
// the target does not take them.
func (f *failure) flagged(t compilers.Target) (compilers.Target, bool) {
	t = compilers.Plain(t)
	if id, own := t.ID(), f.target.ID(); len(id.Args) == 0 && id.Family == own.Family {
		return compilers.With(t, own.Args...)
	}
	return t, true
}

// conclude asks everyone about the reduced test: all compilers, the sanitizers, and
// valgrind. Answers of compilers that are not asked now stay in the entry if the test
// is unchanged.
func (f *failure) conclude(ctx context.Context, r *Result, before string) error {
	e, job := f.entry, r.Reduced.job
	f.target = r.Reduced.target
	if e.Reduced != before {
		e.ReducedBad, e.ReducedGood = nil, nil
	}
	if err := f.askAll(ctx, job); err != nil {
		return err
	}
	var err error
	if r.Clean, err = f.clean(ctx, job); err != nil {
		return err
	}
	e.SetClean(r.Clean)
	return f.versions(ctx, job)
}

// askAll notes which of all compilers fail on the reduced test, and which are right.
func (f *failure) askAll(ctx context.Context, job compilers.Job) error {
	e := f.entry
	bad, good, err := f.matrix(ctx, job)
	e.ReducedBad, e.ReducedGood = corpus.Merge(e.ReducedBad, e.ReducedGood, bad, good)
	return err
}

// versions notes which of the versions of the compiler that are here fail on a job in
// its mode, and which are right. Where no pass can be left out, these versions are all
// that is known of the cause.
func (f *failure) versions(ctx context.Context, job compilers.Job) error {
	t, ok := f.target.(compilers.Sibling)
	if !ok {
		return nil
	}
	said := map[compilers.Verdict][]string{f.verdict: {f.target.ID().Version}}
	for _, other := range t.Siblings() {
		if i, ok := other.(compilers.Installed); ok {
			f.oracle.Space.Show(i.Dirs()...)
		}
		if compilers.Probe(ctx, other, f.oracle.Space, f.oracle.Limits) != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			continue
		}
		o, err := f.run(ctx, other, job)
		if err != nil {
			return err
		}
		said[o.Verdict] = append(said[o.Verdict], other.ID().Version)
	}
	var list []corpus.Said
	for _, v := range compilers.Verdicts() {
		if v == compilers.Discarded || said[v] == nil {
			continue
		}
		slices.SortFunc(said[v], compilers.CompareVersions)
		list = append(list, corpus.Said{Verdict: v.String(), Versions: said[v]})
	}
	f.entry.SetVersions(list)
	return nil
}

// clean has the sanitizers, and valgrind if it is installed, look at the reduced test,
// and returns the names of those that did. The error wraps ErrUndefined if one
// complains.
func (f *failure) clean(ctx context.Context, job compilers.Job) ([]string, error) {
	var who []string
	limits := f.oracle.Limits.ForSanitizers()
	for _, t := range f.oracle.Sanitizers {
		job.Mode = t.Reference()
		name := compilers.Name(t, job.Mode)
		o, err := f.ask(ctx, t, job, limits)
		switch {
		case err != nil:
			return nil, err
		case o.Report:
			return nil, fmt.Errorf("%s: %s: %w\n%s", name, o.Message, ErrUndefined, job.Files[0].Content)
		case o.Verdict == compilers.OK:
			who = append(who, name)
		}
	}
	if f.entry != nil && !language.Find(f.entry.Language).Unchecked {
		return who, nil // its runtime manages memory
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return who, nil
	}
	name, err := f.uninitialised(ctx, valgrind, job)
	if name != "" {
		who = append(who, name)
	}
	return who, err
}

// valgrindTime is how long valgrind may take, by the clock: it starts within a second,
// and the program takes it a millisecond.
const valgrindTime = time.Minute

// complained is the exit status by which valgrind reports an error: no program of ours
// has it.
const complained = 99

// uninitialised has valgrind look at the program in a reference mode, where no read of
// uninitialised memory has been optimised away. It returns the name of the check, or
// nothing if valgrind could not look.
func (f *failure) uninitialised(ctx context.Context, valgrind string, job compilers.Job) (string, error) {
	for _, t := range f.oracle.Targets {
		if t.Traits().Emulated {
			continue // valgrind would look at the emulator
		}
		t, job.Mode = compilers.Plain(t), t.Reference()
		var binary compilers.Built
		o, err := f.answer(ctx, t, func() (o compilers.Outcome) {
			binary.Remove()
			if binary, o = t.Build(ctx, f.oracle.Space, job, f.oracle.Limits); binary.Path == "" {
				return o
			}
			return t.Run(ctx, binary, nil, job.Want, f.oracle.Limits)
		})
		if err != nil {
			binary.Remove()
			return "", err
		}
		if binary.Root != "" { // the root directory has no valgrind
			binary.Remove()
			continue
		}
		looked := false
		if o.Verdict == compilers.OK {
			looked, err = memcheck(ctx, valgrind, binary)
		}
		binary.Remove()
		switch {
		case err != nil:
			return "", fmt.Errorf("%w\n%s", err, job.Files[0].Content)
		case looked:
			return fmt.Sprintf("valgrind (%s)", compilers.Name(t, job.Mode)), nil
		case o.Verdict == compilers.OK && f.target != nil:
			// valgrind does not work here, unless memory or disk is short.
			_, err := f.run(ctx, f.target, f.job())
			return "", err
		case o.Verdict == compilers.OK:
			return "", context.Cause(ctx)
		}
	}
	return "", nil
}

// memcheck runs the built program, which exits with 0, under valgrind, and tells
// whether that could be done to the end. The error wraps ErrUndefined if valgrind
// complains.
func memcheck(ctx context.Context, valgrind string, built compilers.Built) (looked bool, err error) {
	dir := filepath.Dir(built.Path)
	limits := compilers.DefaultLimits()
	limits.CompileCPU, limits.CompileWall, limits.CompileMemory = valgrindTime, valgrindTime, 0
	e := compilers.Child{
		Space: built.Space, Path: valgrind, Args: []string{"-q", fmt.Sprintf("--error-exitcode=%d", complained), "--leak-check=no", built.Path},
		Dir: dir, Env: compilers.FixedEnv(os.Getenv("PATH"), dir), Bounds: limits.Compile(),
	}.Run(ctx)
	if e.Err == nil && e.Status == complained {
		return false, fmt.Errorf("valgrind: %s: %w", compilers.FirstLine(e.Stderr), ErrUndefined)
	}
	return e.Failure() == nil, nil
}
