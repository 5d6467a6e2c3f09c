package triage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
)

// matrix asks all compilers at all levels about a job. What fails must do so
// twice; what neither fails nor is right is in neither list.
func (s *subject) matrix(ctx context.Context, job compilers.Job, limits compilers.Limits) (bad, good []corpus.Bad, err error) {
	for _, t := range s.oracle.Toolchains {
		t = t.Plain()
		if len(t.Args) == 0 && t.Family == s.tool.Family {
			t.Args = s.tool.Args
		}
		for _, level := range s.oracle.Levels {
			job.Level = level
			o := t.Test(ctx, s.oracle.Space, job, limits)
			if o.Verdict.Finding() {
				if _, same := t.Confirm(ctx, s.oracle.Space, job, limits, o); !same {
					o.Verdict = compilers.Discarded
				}
			}
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			switch {
			case o.Verdict.Finding():
				bad = addLevel(bad, t, level)
			case o.Verdict == compilers.OK:
				good = addLevel(good, t, level)
			}
		}
	}
	return bad, good, nil
}

// addLevel adds a configuration to a list. Two names of one version are one.
func addLevel(list []corpus.Bad, t compilers.Toolchain, level string) []corpus.Bad {
	for i, b := range list {
		if b.Family == string(t.Family) && b.Version == t.Version && slices.Equal(b.Args, t.Args) {
			if !slices.Contains(b.Levels, level) {
				list[i].Levels = append(b.Levels, level)
			}
			return list
		}
	}
	return append(list, corpus.Bad{Family: string(t.Family), Version: t.Version, Args: append([]string(nil), t.Args...), Levels: []string{level}})
}

// noteClean is the key of the note that says who finds nothing undefined in the
// reduced test.
const noteClean = "x-reduced-clean"

// conclude asks everyone about the reduced test: all compilers, the sanitizers,
// and valgrind.
func (s *subject) conclude(ctx context.Context, r *Result) (err error) {
	e := s.entry
	job := s.way.job(s.reduced, e.Level)
	if e.ReducedBad, e.ReducedGood, err = s.matrix(ctx, job, s.patient()); err != nil {
		return err
	}
	if r.Clean, err = s.clean(ctx, job); err != nil {
		return err
	}
	e.Notes = slices.DeleteFunc(slices.Clone(e.Notes), func(n corpus.Note) bool { return n.Key == noteClean })
	if len(r.Clean) > 0 {
		e.Notes = append(e.Notes, corpus.Note{Key: noteClean, Value: corpus.OneLine(strings.Join(r.Clean, "; "))})
	}
	return nil
}

// Undefined has the sanitizers of o, and valgrind if it is here, look at a C
// program that checks itself. The error wraps ErrUndefined if one complains.
func Undefined(ctx context.Context, o *oracle.Oracle, source string) error {
	s := &subject{oracle: o}
	job := compilers.Job{Source: []byte(source), Level: "-O0"}
	for _, t := range o.Toolchains {
		binary, built := t.Plain().Build(ctx, o.Space, job, o.Limits)
		if binary == "" {
			continue
		}
		ran := compilers.Run(ctx, binary, nil, nil, o.Limits)
		_ = o.Space.Remove(binary) // what stays goes with the workspace
		job.Want = ran.Stdout
		if built.Verdict == compilers.OK {
			break
		}
	}
	_, err := s.clean(ctx, job)
	return err
}

// clean has the sanitizers, and valgrind if it is here, look at the reduced test,
// and returns who did. The error wraps ErrUndefined if one complains.
func (s *subject) clean(ctx context.Context, job compilers.Job) ([]string, error) {
	var who []string
	job.Level = compilers.SanitizerLevel
	limits := s.oracle.Limits.ForSanitizers()
	for _, t := range s.oracle.Sanitizers {
		o := t.Test(ctx, s.oracle.Space, job, limits)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case o.Report:
			return nil, fmt.Errorf("%v: %s: %w\n%s", t, o.Message, ErrUndefined, job.Source)
		case o.Verdict == compilers.OK:
			who = append(who, t.String()+" "+job.Level)
		}
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		return who, nil
	}
	name, err := s.uninitialised(ctx, valgrind, job)
	if name != "" {
		who = append(who, name)
	}
	return who, err
}

// valgrindTime is how long valgrind may take, by the clock: it starts in a
// second, and what it looks at takes a millisecond.
const valgrindTime = time.Minute

// complained is the exit status by which valgrind tells of an error: no program
// of ours has it.
const complained = 99

// uninitialised has valgrind look at the program at -O0, where nothing has been
// optimised away that reads what it should not. It returns who looked, or
// nothing if nobody could.
func (s *subject) uninitialised(ctx context.Context, valgrind string, job compilers.Job) (string, error) {
	job.Level = "-O0"
	for _, t := range s.oracle.Toolchains {
		if t.Family != compilers.GCC {
			continue
		}
		t = t.Plain()
		binary, o := t.Build(ctx, s.oracle.Space, job, s.oracle.Limits)
		if o.Verdict != compilers.OK {
			continue
		}
		o = compilers.Run(ctx, binary, nil, job.Want, s.oracle.Limits)
		if o.Verdict == compilers.OK {
			looked, err := memcheck(ctx, valgrind, binary)
			_ = s.oracle.Space.Remove(binary) // what stays goes with the workspace
			switch {
			case err != nil:
				return "", fmt.Errorf("%w\n%s", err, job.Source)
			case !looked:
				return "", context.Cause(ctx)
			}
			return fmt.Sprintf("valgrind (%v -O0)", t), nil
		}
		_ = s.oracle.Space.Remove(binary)
	}
	return "", nil
}

// memcheck runs a binary that exits with 0 under valgrind, and tells whether
// that could be done to the end. The error wraps ErrUndefined if valgrind complains.
func memcheck(ctx context.Context, valgrind, binary string) (looked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, valgrindTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, valgrind, "-q", fmt.Sprintf("--error-exitcode=%d", complained), "--leak-check=no", binary)
	cmd.Dir = filepath.Dir(binary)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMPDIR=" + cmd.Dir}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == complained {
		line, _, _ := strings.Cut(stderr.String(), "\n")
		return false, fmt.Errorf("valgrind: %s: %w", line, ErrUndefined)
	}
	return err == nil, nil
}
