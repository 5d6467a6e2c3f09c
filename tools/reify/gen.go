package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/oracle"
	"goreify/reify/solve"
)

func genCommand() *cli.Command {
	return &cli.Command{
		Name:  "gen",
		Usage: "write generated cases or whole programs to a directory, each as C and as txtar",
		Flags: append(profileFlags(),
			&cli.IntFlag{Name: "n", Value: 10, Usage: "`NUMBER` of recipes, of which nearly all end in a function"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first recipe; the same seed gives the same files"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
			&cli.StringFlag{Name: "config", Value: "default", Usage: "#BBL,#VAR,#ASS,#TERA,#TERC such as `15,8,2,2,3`, or default (the paper's), or draw (each recipe draws its own)"},
			&cli.IntFlag{Name: "inputs", Usage: fmt.Sprintf("`NUMBER` of further inputs to look for, 0 to %d, in place of what the configuration says", reify.MaxInputs)},
			&cli.IntFlag{Name: "programs", Usage: "`NUMBER` of whole programs to write instead, each as a directory of C files and as txtar"},
			&cli.BoolFlag{Name: "debug", Usage: "with -programs: assert the answer of each call where it is made; a program that fails names the first wrong function"},
			engineFlag(),
		),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("gen takes no arguments, got %q", c.Args().First())
			}
			if c.Int("n") < 0 {
				return fmt.Errorf("-n is %d, want 0 or more", c.Int("n"))
			}
			configure, err := configured(c)
			if err != nil {
				return err
			}
			if c.IsSet("inputs") {
				configure = withInputs(configure, c.Int("inputs"))
				if err := configure(reify.Recipe{}).Validate(); err != nil {
					return err
				}
			}
			engine, err := newEngine(c.String("engine"))
			if err != nil {
				return err
			}
			if programs := c.Int("programs"); c.IsSet("programs") {
				if programs < 0 || c.IsSet("n") {
					return fmt.Errorf("-programs is %d, want 0 or more, and no -n beside it", programs)
				}
				return generatePrograms(ctx, programs, c.Uint64("seed"), c.String("o"), configure, engine, c.Bool("debug"))
			}
			if c.Bool("debug") {
				return errors.New("-debug is for -programs")
			}
			return generate(ctx, c.Int("n"), c.Uint64("seed"), c.String("o"), configure, engine)
		},
	}
}

// configuration returns what configures a recipe under the flag -config.
func configuration(flag string) (func(reify.Recipe) reify.Config, error) {
	switch flag {
	case "draw":
		return func(r reify.Recipe) reify.Config {
			_, c := r.Plan()
			return c
		}, nil
	case "default":
		return func(reify.Recipe) reify.Config { return reify.DefaultConfig() }, nil
	}
	conf, err := reify.ParseConfig(flag)
	return func(reify.Recipe) reify.Config { return conf }, err
}

// withInputs returns configure with another number of further inputs.
func withInputs(configure func(reify.Recipe) reify.Config, n int) func(reify.Recipe) reify.Config {
	return func(r reify.Recipe) reify.Config {
		conf := configure(r)
		conf.Inputs = n
		return conf
	}
}

// generate writes n cases to dir.
func generate(ctx context.Context, n int, seed uint64, dir string, configure func(reify.Recipe) reify.Config, engine solve.Solver) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	bar := progressbar.DefaultSilent(int64(max(n, 1))) // it does not take 0
	if n > 0 && term.IsTerminal(int(os.Stderr.Fd())) {
		bar = progressbar.Default(int64(n), "cases")
	}
	made := 0
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		k, err := reify.Make("f", reify.FromSeed(seed+uint64(i)), configure(reify.FromSeed(seed+uint64(i))), engine)
		var bug *reify.GeneratorBug
		switch {
		case errors.As(err, &bug):
			path := filepath.Join(dir, "generator-bug.ir")
			return errors.Join(err, os.WriteFile(path, []byte(bug.Program), 0o644))
		case solve.Unsolved(err):
		case err != nil:
			return err
		default:
			if err := write(dir, fmt.Sprintf("case-%d", seed+uint64(i)), k); err != nil {
				return err
			}
			made++
		}
		if err := bar.Add(1); err != nil {
			return err
		}
	}
	if err := bar.Finish(); err != nil {
		return err
	}
	fmt.Printf("%d of %d recipes ended in a function; cases are in %s\n", made, n, dir)
	return ctx.Err()
}

// write writes a case as name.c and name.txtar.
func write(dir, name string, k *reify.Case) error {
	e := oracle.Entry([]*reify.Case{k})
	e.Title = name
	e.Verdict = corpus.Untested
	e.Command = "gcc -O2 " + corpus.Main + " -o repro && { ./repro || echo \"exit status $?\"; } | diff want.txt -"
	if err := e.Check(); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, name+".c"), []byte(e.Sources[corpus.Main]), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+corpus.Ext), e.Format(), 0o644)
}

// generatePrograms writes n whole programs to dir, which assert their answers if
// debug is set.
func generatePrograms(ctx context.Context, n int, seed uint64, dir string, configure func(reify.Recipe) reify.Config, engine solve.Solver, debug bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	made := 0
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		r := reify.FromSeed(seed + uint64(i))
		p, err := oracle.MakeProgram(r, oracle.ProgramSize(r), configure(r), engine)
		var bug *reify.GeneratorBug
		switch {
		case errors.As(err, &bug):
			path := filepath.Join(dir, "generator-bug.ir")
			return errors.Join(err, os.WriteFile(path, []byte(bug.Program), 0o644))
		case solve.Unsolved(err):
			continue
		case err != nil:
			return err
		}
		if debug {
			p.Files = p.Debug()
		}
		if err := writeProgram(dir, fmt.Sprintf("program-%d", seed+uint64(i)), p); err != nil {
			return err
		}
		made++
	}
	fmt.Printf("%d of %d recipes ended in a program; programs are in %s\n", made, n, dir)
	return ctx.Err()
}

// writeProgram writes the files of a program to the directory name in dir, and
// its reproducer as name.txtar beside it.
func writeProgram(dir, name string, p *oracle.Program) error {
	e := p.Entry()
	e.Title = name
	e.Verdict = corpus.Untested
	e.Command = oracle.Command(e, "gcc", "-O2")
	if err := e.Check(); err != nil {
		return err
	}
	sources := filepath.Join(dir, name)
	if err := os.MkdirAll(sources, 0o755); err != nil {
		return err
	}
	for _, f := range p.Files {
		if err := os.WriteFile(filepath.Join(sources, f.Name), f.Content, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, name+corpus.Ext), e.Format(), 0o644)
}
