package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/foreign"
	"goreify/reify/language"
	"goreify/reify/mutate"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/inject"
	"goreify/reify/source/program"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
)

func genCommand() *cli.Command {
	return &cli.Command{
		Name:  "gen",
		Usage: "write generated cases or whole programs to a directory, each as C, or in another language, and as txtar",
		Flags: append(profileFlags(),
			&cli.IntFlag{Name: "n", Value: 10, Usage: "`NUMBER` of recipes, of which nearly all end in a function"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first recipe; the same seed gives the same files"},
			&cli.StringFlag{Name: "lang", Value: "c", Usage: "`LANGUAGE` to write functions and programs in: " + strings.Join(languages(), ", ")},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
			&cli.StringFlag{Name: "config", Value: "default", Usage: "#BBL,#VAR,#ASS,#TERA,#TERC such as `15,8,2,2,3`, or default (the paper's), or draw (each recipe draws its own)"},
			&cli.IntFlag{Name: "inputs", Usage: fmt.Sprintf("`NUMBER` of further inputs to look for, 0 to %d, in place of what the configuration says", reify.MaxInputs)},
			&cli.IntFlag{Name: "programs", Usage: "`NUMBER` of whole programs to write instead, each as a directory of C files, or as a file in another language, and as txtar"},
			&cli.IntFlag{Name: "variants", Usage: "`NUMBER` of variants to write beside each function, which do the same for its inputs, or for the first few of them"},
			&cli.StringFlag{Name: "functions", Usage: "with -programs: `FILE` of functions of others that they call; reify functions fills it"},
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
			lang, err := language.Named(c.String("lang"))
			if err != nil {
				return err
			}
			if lang != nil && (c.IsSet("variants") || c.IsSet("functions") || c.Bool("debug")) {
				return errors.New("-variants, -functions and -debug are for C")
			}
			engine, err := newEngine(c.String("engine"))
			if err != nil {
				return err
			}
			if programs := c.Int("programs"); c.IsSet("programs") {
				if c.IsSet("variants") {
					return errors.New("-variants is for functions, not for -programs")
				}
				if programs < 0 || c.IsSet("n") {
					return fmt.Errorf("-programs is %d, want 0 or more, and no -n beside it", programs)
				}
				if lang != nil {
					out := destination{c.Root().Writer, c.String("o"), program.Name, false}
					return generate(ctx, programs, c.Uint64("seed"), out, programMakerIn(lang, configure, engine))
				}
				others := func(reify.Recipe) (program.Foreign, error) { return program.Foreign{}, nil }
				if c.IsSet("functions") {
					s := inject.New(function.Options{}, inject.Fixed, func() (inject.Base, error) { return foreign.Read(c.String("functions")) })
					if err := s.Check(); err != nil {
						return err
					}
					others = func(r reify.Recipe) (program.Foreign, error) {
						return s.Others(choice.Named("body", r.Body).Fork("functions"))
					}
				}
				out := destination{c.Root().Writer, c.String("o"), program.Name, true}
				return generate(ctx, programs, c.Uint64("seed"), out, programMaker(configure, engine, others, c.Bool("debug")))
			}
			if c.Bool("debug") || c.IsSet("functions") {
				return errors.New("-debug and -functions are for -programs")
			}
			if n := c.Int("variants"); n < 0 || n > mostVariants {
				return fmt.Errorf("-variants is %d, want 0 to %d", n, mostVariants)
			}
			if lang != nil {
				return generate(ctx, c.Int("n"), c.Uint64("seed"), destination{c.Root().Writer, c.String("o"), "case", false}, languageMaker(lang, configure, engine))
			}
			return generate(ctx, c.Int("n"), c.Uint64("seed"), destination{c.Root().Writer, c.String("o"), "case", false}, caseMaker(configure, engine, c.Int("variants")))
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

// A maker makes the test of a recipe. The error wraps source.ErrNone or
// solve.ErrUnknown if there is none.
type maker func(reify.Recipe) (test, error)

// A test is what is written: a subject, and the files to show of it.
type test struct {
	subject.Subject
	files []compilers.File
}

// mostVariants bounds the variants of a function in one file.
const mostVariants = 1000

// caseMaker returns a maker of functions, each with so many variants.
func caseMaker(configure func(reify.Recipe) reify.Config, engine solve.Solver, variants int) maker {
	return func(r reify.Recipe) (test, error) {
		k, err := reify.Make("f", r, configure(r), engine)
		if err != nil {
			return test{}, err
		}
		m := function.MemberOf(k)
		more, err := variant.Several(m, variants, mutate.Options{}, choice.Named("body", r.Body).Fork("variants"))
		if err != nil {
			return test{}, err
		}
		b := function.Of(append([]function.Member{m}, more...))
		return test{b, b.Artefact().Files}, nil
	}
}

// languages returns the names that -lang takes.
func languages() []string {
	names := []string{"c"}
	for _, l := range language.All() {
		names = append(names, l.Short)
	}
	return names
}

// languageMaker returns a maker of functions in another language than C.
func languageMaker(lang *language.Language, configure func(reify.Recipe) reify.Config, engine solve.Solver) maker {
	return func(r reify.Recipe) (test, error) {
		k, err := reify.Make("f", r, configure(r), engine)
		if err != nil {
			return test{}, err
		}
		if err := lang.Supports(k.Func); err != nil {
			return test{}, fmt.Errorf("%w: %w", source.ErrNone, err)
		}
		b := function.In(lang, []*reify.Case{k})
		return test{b, b.Artefact().Files}, nil
	}
}

// programMakerIn returns a maker of whole programs in another language than C.
func programMakerIn(lang *language.Language, configure func(reify.Recipe) reify.Config, engine solve.Solver) maker {
	return func(r reify.Recipe) (test, error) {
		m, err := program.MakeIn(lang, 0, r, configure(r), engine)
		if err != nil {
			return test{}, err
		}
		b := function.ProgramsIn(lang, []function.Member{m})
		return test{b, b.Artefact().Files}, nil
	}
}

// programMaker returns a maker of whole programs, which may call functions of others, and whose
// files assert their answers if debug is set.
func programMaker(configure func(reify.Recipe) reify.Config, engine solve.Solver, others func(reify.Recipe) (program.Foreign, error), debug bool) maker {
	return func(r reify.Recipe) (test, error) {
		them, err := others(r)
		if err != nil {
			return test{}, err
		}
		p, err := program.MakeWith(r, program.Size(r), configure(r), engine, them)
		if err != nil {
			return test{}, err
		}
		if debug {
			return test{p, p.Debug().Files}, nil
		}
		return test{p, p.Artefact().Files}, nil
	}
}

// A destination is where tests are written to, under which names, and how: what is
// of several files gets a directory of its own.
type destination struct {
	says io.Writer // how many there are
	dir  string
	what string // "case", or "program"
	many bool
}

// generate writes the tests of n recipes.
func generate(ctx context.Context, n int, seed uint64, out destination, make maker) error {
	if err := os.MkdirAll(out.dir, 0o755); err != nil {
		return err
	}
	bar := newBar(max(n, 1), out.what+"s") // it does not take 0
	defer bar.end()
	made, why := 0, error(nil)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		t, err := make(reify.FromSeed(seed + uint64(i)))
		var bug *reify.GeneratorBug
		switch {
		case errors.As(err, &bug):
			path := filepath.Join(out.dir, "generator-bug.ir")
			return errors.Join(err, os.WriteFile(path, []byte(bug.Program), 0o644))
		case solve.Unsolved(err), errors.Is(err, source.ErrNone):
			why = err
		case err != nil:
			return err
		default:
			if err := out.write(fmt.Sprintf("%s-%d", out.what, seed+uint64(i)), t); err != nil {
				return err
			}
			made++
		}
		bar.next()
	}
	fmt.Fprintf(out.says, "%d of %d recipes ended in a %s; %ss are in %s\n", made, n, out.ended(), out.what, out.dir)
	if made == 0 && why != nil {
		fmt.Fprintf(out.says, "why the last one did not: %v\n", why)
	}
	return ctx.Err()
}

// ended says what a recipe ends in.
func (o destination) ended() string {
	if o.what == program.Name {
		return o.what
	}
	return "function"
}

// commands returns the lines that build and run an artefact.
func commands(a subject.Artefact) []string {
	if lang := language.Find(a.Language); lang != nil {
		return lang.Commands(a.Files[0].Name)
	}
	return native.Commands(a.Files)
}

// write writes the files of a test, and its reproducer as name.txtar beside them.
func (o destination) write(name string, t test) error {
	e, err := t.Entry()
	if err != nil {
		return err
	}
	e.Title = name
	e.Verdict = corpus.Untested
	e.Sources = subject.Sources(t.files)
	e.Command = oracle.Command(compilers.Outcome{Verdict: compilers.WrongAnswer, Command: commands(t.Artefact())})
	if err := e.Check(); err != nil {
		return err
	}
	members := e.Members
	if lang := language.Find(e.Language); lang != nil && lang.Members != nil {
		members = lang.Members(name, e.Sources[e.Main])
	}
	for member, text := range members {
		if err := os.WriteFile(filepath.Join(o.dir, member), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if !o.many {
		if err := os.WriteFile(filepath.Join(o.dir, name+filepath.Ext(e.Main)), t.files[0].Content, 0o644); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(o.dir, name+corpus.Ext), e.Format(), 0o644)
	}
	sources := filepath.Join(o.dir, name)
	if err := os.MkdirAll(sources, 0o755); err != nil {
		return err
	}
	for _, f := range t.files {
		if err := os.WriteFile(filepath.Join(sources, f.Name), f.Content, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(o.dir, name+corpus.Ext), e.Format(), 0o644)
}
