package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/reify/survey"
)

// synced are the targets whose inputs are compiled, what makes a program of an
// input, and how many seeds the target adds itself.
var synced = []struct {
	target  string
	seeds   uint64
	program func(reify.Recipe) (survey.Program, error)
}{
	{"FuzzReify", 12, batchProgram},
	{"FuzzProgram", 4, wholeProgram},
}

func syncCommand() *cli.Command {
	return &cli.Command{
		Name:  "corpus-sync",
		Usage: "copy from Go's fuzzing cache to testdata/fuzz the inputs that reach rare optimisation events (REIFY_CC and REIFY_LEVELS choose the compilers)",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "cache", Usage: "`DIR` with a directory a target (default: that of go test in this module)"},
			&cli.StringFlag{Name: "o", Value: filepath.Join("testdata", "fuzz"), Usage: "`DIR` to copy to"},
			&cli.IntFlag{Name: "n", Value: 12, Usage: "at most `NUMBER` inputs a target"},
			&cli.DurationFlag{Name: "cost", Value: 10 * time.Second, Usage: "at most `DURATION` of CPU, for each target, to compile those that are copied: plain go test does so each time"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("corpus-sync takes no arguments, got %q", c.Args().First())
			}
			cache := c.String("cache")
			if cache == "" {
				out, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
				if err != nil {
					return fmt.Errorf("go env GOCACHE: %w", err)
				}
				cache = filepath.Join(strings.TrimSpace(string(out)), "fuzz", "goreify")
			}
			s, closer, err := newSurveyor(ctx)
			if err != nil {
				return err
			}
			defer closer()
			for _, t := range synced {
				var seeds []survey.Input
				for i := range t.seeds {
					in, err := ask(ctx, s, fmt.Sprint("seed ", i), reify.FromSeed(i), t.program)
					if err != nil {
						return err
					}
					seeds = append(seeds, in)
				}
				to := filepath.Join(c.String("o"), t.target)
				if err := syncTarget(ctx, s, t.program, seeds, filepath.Join(cache, t.target), to, c.Int("n"), c.Duration("cost")); err != nil {
					return fmt.Errorf("%s: %w", t.target, err)
				}
			}
			return nil
		},
	}
}

// syncTarget copies inputs of the directory from to the directory to, until that
// holds most that are not named by people, and says what it did.
func syncTarget(ctx context.Context, s survey.Surveyor, program func(reify.Recipe) (survey.Program, error), seeds []survey.Input, from, to string, most int, cost time.Duration) error {
	there, err := askAll(ctx, s, to, program)
	if err != nil {
		return err
	}
	for _, in := range there {
		seeds = append(seeds, in)
		if isHash(in.Name) { // copied by an earlier call
			most--
			cost -= in.Cost
		}
	}
	cached, err := askAll(ctx, s, from, program)
	if err != nil {
		return err
	}
	var known []survey.Set
	for _, in := range seeds {
		known = append(known, in.Set)
	}
	var spent time.Duration
	chosen := survey.Cover(cached, known, most, cost)
	for _, in := range chosen {
		text, err := os.ReadFile(filepath.Join(from, in.Name))
		if err == nil {
			err = os.MkdirAll(to, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(to, in.Name), text, 0o644)
		}
		if err != nil {
			return err
		}
		spent += in.Cost
		fmt.Println(filepath.Join(to, in.Name))
	}
	fmt.Printf("%s: %d of %d inputs copied, which compile in %.1f s of CPU\n", to, len(chosen), len(cached), spent.Seconds())
	return nil
}

// isHash tells whether a file is named as the fuzzing engine names inputs.
func isHash(name string) bool {
	return len(name) == 16 && strings.Trim(name, "0123456789abcdef") == ""
}

// askAll compiles the inputs in a directory; there are none if it is missing.
func askAll(ctx context.Context, s survey.Surveyor, dir string, program func(reify.Recipe) (survey.Program, error)) ([]survey.Input, error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []survey.Input
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		args, err := survey.ParseInput(text)
		if err == nil && len(args) != 4 {
			err = fmt.Errorf("%d arguments, want 4", len(args))
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "reify: passed over: %s: %v\n", path, err)
			continue
		}
		in, err := ask(ctx, s, f.Name(), reify.Recipe{Config: args[0], Graph: args[1], Path: args[2], Body: args[3]}, program)
		if err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	return list, nil
}

// ask compiles the program of a recipe. One of which no path was solved reaches
// nothing.
func ask(ctx context.Context, s survey.Surveyor, name string, r reify.Recipe, program func(reify.Recipe) (survey.Program, error)) (survey.Input, error) {
	p, err := program(r)
	if solve.Unsolved(err) {
		return survey.Input{Name: name}, nil
	}
	if err != nil {
		return survey.Input{}, fmt.Errorf("%s: %w", name, err)
	}
	reaches := s.Ask(ctx, p)
	return survey.Input{Name: name, Set: survey.Union(reaches), Cost: survey.CPU(reaches)}, ctx.Err()
}

// batchProgram returns what FuzzReify makes of a recipe.
func batchProgram(r reify.Recipe) (survey.Program, error) {
	n, conf := r.Plan()
	var cases []*reify.Case
	for i := range n {
		k, err := reify.Make(fmt.Sprintf("f%d", i), r.Nth(i), conf, search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		if err != nil {
			return survey.Program{}, err
		}
		cases = append(cases, k)
	}
	if len(cases) == 0 {
		return survey.Program{}, solve.ErrUnknown
	}
	return survey.Program{Job: compilers.Job{Source: []byte(c.Emit(oracle.Units(cases)))}, Functions: len(cases)}, nil
}

// wholeProgram returns what FuzzProgram makes of a recipe.
func wholeProgram(r reify.Recipe) (survey.Program, error) {
	_, conf := r.Plan()
	p, err := oracle.MakeProgram(r, oracle.ProgramSize(r), conf, search.Engine{})
	if err != nil {
		return survey.Program{}, err
	}
	return survey.Program{Job: p.Job(""), Functions: len(p.IR.Funcs)}, nil
}
