package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/tools/reify/survey"
)

func eventsCommand() *cli.Command {
	return &cli.Command{
		Name:      "events",
		Usage:     "print what the compilers' passes did with programs, at each level, and what of that is rare in the corpus (REIFY_CC and REIFY_LEVELS choose)",
		ArgsUsage: "FILE...",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "corpus", Value: "corpus", Usage: "`DIR` of the reproducers to compare with; empty for none, which is quicker"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return errors.New("events takes at least one file, txtar or C")
			}
			s, closer, err := newSurveyor(ctx)
			if err != nil {
				return err
			}
			defer closer()
			return printEvents(ctx, s, c.Args().Slice(), c.String("corpus"))
		},
	}
}

// newSurveyor returns a surveyor of the compilers of the environment, and what
// closes it. It says which compilers are not used.
func newSurveyor(ctx context.Context) (s survey.Surveyor, closer func(), err error) {
	env := compilers.EnvFrom(os.Environ())
	s.Limits = compilers.DefaultLimits()
	if s.Levels, err = env.OptimisationLevels(); err != nil {
		return s, nil, err
	}
	found, err := compilers.Find(ctx, env)
	if err != nil {
		return s, nil, err
	}
	if s.Space, err = compilers.NewWorkspace(os.TempDir()); err != nil {
		return s, nil, err
	}
	closer = func() { _ = s.Space.Close() } // what stays is swept by the next
	var unusable error
	if s.Toolchains, unusable = compilers.ProbeAll(ctx, s.Space, found, s.Limits); len(s.Toolchains) == 0 {
		closer()
		return s, nil, fmt.Errorf("no usable compiler: %w", unusable)
	}
	if unusable != nil {
		fmt.Fprintln(os.Stderr, "reify: not used:", unusable)
	}
	return s, closer, nil
}

// printEvents prints the tables of the files. An event is counted in the
// reproducers of dir other than the file itself.
func printEvents(ctx context.Context, s survey.Surveyor, files []string, dir string) error {
	var programs []survey.Program
	for _, file := range files {
		p, err := loadProgram(file)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	known := map[string]survey.Set{}
	if dir != "" {
		for _, r := range corpus.LoadDir(dir) {
			if r.Err != nil {
				return fmt.Errorf("-corpus: %w", r.Err)
			}
			known[r.Path] = survey.Union(s.Ask(ctx, entryProgram(r.Path, r.Entry)))
		}
	}
	var errs []error
	for i, p := range programs {
		if len(programs) > 1 {
			fmt.Printf("== %s\n", p.Name)
		}
		var others []survey.Set
		for path, set := range known {
			if !sameFile(path, files[i]) {
				others = append(others, set)
			}
		}
		reaches := s.Ask(ctx, p)
		errs = append(errs, ctx.Err(), survey.Table(os.Stdout, reaches, others))
		compiled := false
		for _, r := range reaches {
			compiled = compiled || r.Counts != nil
		}
		if !compiled {
			errs = append(errs, fmt.Errorf("%s: no compiler was heard", p.Name))
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

// loadProgram reads a reproducer or a C file.
func loadProgram(file string) (survey.Program, error) {
	if filepath.Ext(file) == corpus.Ext {
		e, err := corpus.Load(file)
		if err != nil {
			return survey.Program{}, err
		}
		return entryProgram(file, e), nil
	}
	text, err := os.ReadFile(file)
	return survey.Program{Name: file, Job: compilers.Job{Source: text}}, err
}

func entryProgram(name string, e *corpus.Entry) survey.Program {
	p := survey.Program{Name: name, Job: oracle.Job(e, ""), Flags: e.Flags, Family: compilers.Family(e.Family)}
	if program, err := ir.Parse(e.Program); err == nil {
		p.Functions = len(program.Funcs)
	}
	return p
}
