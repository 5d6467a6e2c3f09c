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
	return append(list, corpus.Bad{Family: string(t.Family), Version: t.Version, Args: t.Args, Levels: []string{level}})
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
			err := memcheck(ctx, valgrind, binary)
			_ = s.oracle.Space.Remove(binary) // what stays goes with the workspace
			if err != nil {
				return "", fmt.Errorf("%w\n%s", err, job.Source)
			}
			return fmt.Sprintf("valgrind (%v -O0)", t), context.Cause(ctx)
		}
		_ = s.oracle.Space.Remove(binary)
	}
	return "", nil
}

// memcheck runs a binary under valgrind.
func memcheck(ctx context.Context, valgrind, binary string) error {
	ctx, cancel := context.WithTimeout(ctx, valgrindTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, valgrind, "-q", fmt.Sprintf("--error-exitcode=%d", complained), "--leak-check=no", binary)
	cmd.Dir = filepath.Dir(binary)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMPDIR=" + cmd.Dir}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == complained {
		line, _, _ := strings.Cut(stderr.String(), "\n")
		return fmt.Errorf("valgrind: %s: %w", line, ErrUndefined)
	}
	return nil // or it could not be run to an end
}
