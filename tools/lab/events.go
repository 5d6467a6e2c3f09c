package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/language"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
	"goreify/tools/cmdline"
)

func eventsCommand() *cli.Command {
	return &cli.Command{
		Name:      "events",
		Usage:     "print what passes of compilers did with programs at each level, and what of that is rare",
		ArgsUsage: "FILE...",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "corpus", Value: "corpus", Usage: "`DIR` of the reproducers to compare with; empty for none, which is quicker"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return errors.New("events takes at least one file, txtar or C")
			}
			r, closer, err := newEventReader(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			return printEvents(ctx, c.Root().Writer, r, c.Args().Slice(), c.String("corpus"))
		},
	}
}

// An eventReader compiles files to learn what the compilers do with them.
type eventReader struct {
	toolchains []events.Reporter
	space      *compilers.Workspace
	limits     compilers.Limits // of a single function
}

// newEventReader returns one with the compilers of the environment, and what
// closes it. It prints which compilers are not used.
func newEventReader(ctx context.Context, c *cli.Command) (r eventReader, closer func(), err error) {
	r.limits = compilers.DefaultLimits()
	env, closer, err := cmdline.OpenEnv(ctx, c)
	if err != nil {
		return r, nil, err
	}
	r.space = env.Space
	found, _, err := targets.Find(ctx, env)
	if err != nil {
		closer()
		return r, nil, err
	}
	usable, unusable := compilers.ProbeAll(ctx, r.space, found, r.limits)
	if len(usable) == 0 {
		closer()
		return r, nil, fmt.Errorf("no usable compiler: %w", unusable)
	}
	if unusable != nil {
		fmt.Fprintln(os.Stderr, "reify: not used:", unusable)
	}
	for _, t := range usable {
		if t, ok := t.(events.Reporter); ok {
			r.toolchains = append(r.toolchains, t)
		}
	}
	return r, closer, nil
}

// An eventSource is something to compile.
type eventSource struct {
	name      string
	language  compilers.Language
	job       compilers.Job // of no mode
	functions int           // for the limits; 0 counts as one
	flags     []string      // for toolchains of family that have none of their own
	family    string
}

// A compilation is what one compiler did at one level.
type compilation struct {
	toolchain events.Reporter
	level     compilers.Mode
	counts    events.Counts // nil if there is an error
	err       error         // it was not compiled, or what the compiler said was not understood
}

// takes tells whether a toolchain is to get the flags of a source.
func (s eventSource) takes(t compilers.Target) bool {
	id := t.ID()
	return t.Language() == s.language && len(id.Args) == 0 && id.Family == s.family
}

// admit returns an error if a source brings flags that it may not. A target that takes
// no flags does not matter.
func (r eventReader) admit(s eventSource) error {
	for _, t := range r.toolchains {
		if _, ok := t.(compilers.Configurable); !ok || !s.takes(t) {
			continue
		}
		if err := compilers.Screen(t, s.flags...); err != nil {
			return fmt.Errorf("%s: flags: %w", s.name, err)
		}
	}
	return nil
}

// compile compiles a source with all toolchains for its language at all levels,
// levels varying fastest. It ends early if the context does. The source is admitted.
func (r eventReader) compile(ctx context.Context, s eventSource) []compilation {
	var list []compilation
	limits := r.limits.ForFunctions(s.functions)
	for _, t := range r.toolchains {
		if t.Language() != s.language {
			continue
		}
		if s.takes(t) {
			with, ok := compilers.With(t, s.flags...)
			reporter, same := with.(events.Reporter)
			if !ok || !same {
				continue // without them it would be asked about something else
			}
			t = reporter
		}
		for _, level := range t.Modes() {
			if ctx.Err() != nil {
				return list
			}
			job := s.job
			job.Mode = level
			counts, err := t.Optimisations(ctx, r.space, job, limits)
			list = append(list, compilation{t, level, counts, err})
		}
	}
	return list
}

// printEvents prints the tables of the files. An event is counted in the
// reproducers of dir other than the file itself.
func printEvents(ctx context.Context, w io.Writer, r eventReader, files []string, dir string) error {
	var sources []eventSource
	for _, file := range files {
		s, err := loadEventSource(r.space, file)
		if err != nil {
			return err
		}
		sources = append(sources, s)
	}
	known := map[string]eventSet{}
	if dir != "" {
		for _, file := range corpus.LoadDir(dir) {
			if strange := r.space.Strangers(); strange != nil && !file.Own && file.Err == nil {
				file.Err = fmt.Errorf("%s: %w", file.Path, strange)
			}
			if file.Err != nil {
				return fmt.Errorf("-corpus: %w", file.Err)
			}
			s := entryEventSource(file.Path, file.Entry)
			if err := r.admit(s); err != nil {
				return fmt.Errorf("-corpus: %w", err)
			}
			if done := r.compile(ctx, s); len(done) > 0 {
				known[file.Path] = allEvents(done)
			}
		}
	}
	var errs []error
	for i, s := range sources {
		if err := r.admit(s); err != nil {
			errs = append(errs, err)
			continue
		}
		if len(sources) > 1 {
			fmt.Fprintf(w, "== %s\n", s.name)
		}
		var others []eventSet
		for path, set := range known {
			if !sameFile(path, files[i]) {
				others = append(others, set)
			}
		}
		done := r.compile(ctx, s)
		errs = append(errs, ctx.Err(), printEventTables(w, done, others))
		failed := func(c compilation) bool { return c.counts == nil }
		if len(slices.DeleteFunc(done, failed)) == 0 {
			errs = append(errs, fmt.Errorf("%s: no compiler for %s says what it optimised", s.name, s.language))
		}
	}
	return errors.Join(errs...)
}

func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	two, err := os.Stat(b)
	return err == nil && os.SameFile(one, two)
}

// loadEventSource reads a reproducer or a C file.
func loadEventSource(space *compilers.Workspace, file string) (eventSource, error) {
	if filepath.Ext(file) == corpus.Ext {
		e, err := cmdline.Load(space, file)
		if err != nil {
			return eventSource{}, err
		}
		return entryEventSource(file, e), nil
	}
	if err := space.Strangers(); err != nil {
		return eventSource{}, fmt.Errorf("%s: %w", file, err)
	}
	text, err := safefile.Read(file, safefile.Most)
	return eventSource{name: file, language: language.C.Name, job: compilers.Job{Files: compilers.Single(text)}}, err
}

func entryEventSource(name string, e *corpus.Entry) eventSource {
	return eventSource{name, e.Language, oracle.Job(e, ""), e.Weight, e.Flags, e.Family}
}
