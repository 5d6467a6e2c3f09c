package main

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	"goreify/reify/safefile"
	"goreify/reify/solve"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/inject"
	"goreify/reify/source/program"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
)

func genCommand() *cli.Command {
	return &cli.Command{
		Name:                      "gen",
		Usage:                     "write functions, programs, or variants of files, each as source and as txtar",
		ArgsUsage:                 "[FILE...]",
		DisableSliceFlagSeparator: true, // an input may have commas
		Description:               "Variants of FILEs, which are reproducers or C, do the same for the inputs that are known.",
		Flags: []cli.Flag{
			cmdline.ProfileFlag("default"),
			&cli.BoolFlag{Name: "profiles", Usage: "list profiles and features; with -profile, what that one draws from"},
			&cli.StringFlag{Name: "what", Value: whatFunctions, Usage: "`WHAT` to write: functions, programs"},
			&cli.StringFlag{Name: "lang", Value: "c", Usage: "`LANGUAGE` of it: " + strings.Join(languages(), ", ")},
			&cli.IntFlag{Name: "n", Value: 10, Usage: "`NUMBER` of recipes, or of variants of each file"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first recipe; the same seed gives the same files"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
			&cli.IntFlag{Name: "inputs", Usage: fmt.Sprintf("`NUMBER` of further inputs to look for, 0 to %d", reify.MaxInputs)},
			&cli.IntFlag{Name: "variants", Usage: "`NUMBER` of variants to write beside each function"},
			&cli.StringFlag{Name: "edits", Usage: "`EDITS` of variants: how many, the passes, or both, as 3, insert,tg, 3:insert,tg"},
			&cli.StringFlag{Name: "inject", Usage: "`HOW` functions of others are called: fixed (fixed:30: by 30 %), rows, free"},
			&cli.StringFlag{Name: "functions", Usage: "`FILE` of functions of others that programs call, or " + cmdline.FunctionsFile + " with -inject"},
			&cli.BoolFlag{Name: "debug", Usage: "assert the answer of each call of a program where it is made"},
			&cli.BoolFlag{Name: "check", Usage: "ask the compilers about each variant of a file; status 1 if one is wrong"},
			cflagsFlag(), inputFlag(), cmdline.EngineFlag(),
		},
		Action: gen,
	}
}

// The kinds of output of gen.
const (
	whatFunctions = "functions"
	whatPrograms  = "programs"
)

// gen does what the flags say.
func gen(ctx context.Context, c *cli.Command) error {
	what, files := c.String("what"), c.Args().Present()
	switch n := c.Int("variants"); {
	case c.Bool("profiles"):
		return listProfiles(c)
	case c.Int("n") < 0:
		return fmt.Errorf("-n is %d, want 0 or more", c.Int("n"))
	case what != whatFunctions && what != whatPrograms:
		return fmt.Errorf("-what is %q, want functions or programs", what)
	case n < 0 || n > mostVariants:
		return fmt.Errorf("-variants is %d, want 0 to %d", n, mostVariants)
	case files:
		for _, flag := range []string{"profile", "what", "lang", "inputs", "variants", "debug", "engine"} {
			if c.IsSet(flag) {
				return fmt.Errorf("-%s is for programs of ours, not for files", flag)
			}
		}
		return vary(ctx, c)
	}
	for _, flag := range []string{"edits", "check", "cflags", "input"} {
		if c.IsSet(flag) {
			return fmt.Errorf("-%s is for files, and no file is named", flag)
		}
	}
	if c.IsSet("inject") {
		return injectOurs(ctx, c)
	}
	return genOurs(ctx, c)
}

// genOurs writes functions, or programs.
func genOurs(ctx context.Context, c *cli.Command) error {
	configure, err := cmdline.Configured(c)
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
	engine, err := cmdline.NewEngine(c.String("engine"))
	if err != nil {
		return err
	}
	whole := c.String("what") == whatPrograms
	out := destination{c.Root().Writer, c.String("o"), "case", false}
	if whole {
		out.what, out.many = program.Name, lang == nil
	}
	run := func(m maker) error { return generate(ctx, c.Int("n"), c.Uint64("seed"), out, m) }
	switch {
	case whole && c.IsSet("variants"):
		return errors.New("-variants is for functions, not for programs")
	case !whole && (c.Bool("debug") || c.IsSet("functions")):
		return errors.New("-debug and -functions are for -what programs")
	case whole && lang != nil:
		return run(programMakerIn(lang, configure, engine))
	case lang != nil:
		return run(languageMaker(lang, configure, engine))
	case !whole:
		return run(caseMaker(configure, engine, c.Int("variants")))
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
	return run(programMaker(configure, engine, others, c.Bool("debug")))
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
		p, err := program.Make(r, program.Size(r), configure(r), engine, them)
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
	if err := out.make(); err != nil {
		return err
	}
	progress := cmdline.NewProgress(n, out.what+"s")
	defer progress.Close()
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
			return errors.Join(err, safefile.Write(path, []byte(bug.Program), 0o644))
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
		progress.Next()
	}
	progress.Close()
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
	d, err := safefile.Open(o.dir)
	if err != nil {
		return err
	}
	defer d.Close() // written files are closed
	for member, text := range members {
		if err := d.Put(member, []byte(text), 0o644); err != nil {
			return err
		}
	}
	if !o.many {
		if err := d.Put(name+filepath.Ext(e.Main), t.files[0].Content, 0o644); err != nil {
			return err
		}
		return d.Put(name+corpus.Ext, e.Format(), 0o644)
	}
	sources, err := d.MakeSub(name)
	if err != nil {
		return err
	}
	defer sources.Close() // written files are closed
	for _, f := range t.files {
		if err := sources.Put(f.Name, f.Content, 0o644); err != nil {
			return err
		}
	}
	return d.Put(name+corpus.Ext, e.Format(), 0o644)
}

// make makes the directory that is written to.
func (o destination) make() error {
	d, err := safefile.Make(o.dir)
	if err != nil {
		return err
	}
	return d.Close()
}
