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
	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/mutate"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
	"goreify/reify/solve"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
)

func genCommand() *cli.Command {
	return &cli.Command{
		Name:  "gen",
		Usage: "write functions or programs, each as source and as txtar",
		Flags: []cli.Flag{
			cmdline.ProfileFlag("default"),
			&cli.BoolFlag{Name: "profiles", Usage: "list profiles and features; with -profile, what that one draws from"},
			&cli.StringFlag{Name: "what", Value: whatFunctions, Usage: "`WHAT` to write: functions, programs"},
			&cli.StringFlag{Name: "lang", Value: "c", Usage: "`LANGUAGE` of it: " + strings.Join(language.Shorts(), ", ")},
			&cli.IntFlag{Name: "n", Value: 10, Usage: "`NUMBER` of recipes"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first recipe; the same seed gives the same files"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
			&cli.IntFlag{Name: "inputs", Usage: fmt.Sprintf("`NUMBER` of further inputs to look for, 0 to %d", reify.MaxInputs)},
			&cli.IntFlag{Name: "variants", Usage: "`NUMBER` of variants to write beside each function"},
			&cli.BoolFlag{Name: "debug", Usage: "assert the answer of each call of a program where it is made"},
			cmdline.EngineFlag(),
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
	switch n, what := c.Int("variants"), c.String("what"); {
	case c.Bool("profiles"):
		return listProfiles(c)
	case c.Int("n") < 0:
		return fmt.Errorf("-n is %d, want 0 or more", c.Int("n"))
	case what != whatFunctions && what != whatPrograms:
		return fmt.Errorf("-what is %q, want functions or programs", what)
	case n < 0 || n > mostVariants:
		return fmt.Errorf("-variants is %d, want 0 to %d", n, mostVariants)
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
		usual := configure
		configure = func(r reify.Recipe) reify.Config {
			conf := usual(r)
			conf.Inputs = c.Int("inputs")
			return conf
		}
		if err := configure(reify.Recipe{}).Validate(); err != nil {
			return err
		}
	}
	lang, err := language.Named(c.String("lang"))
	if err != nil {
		return err
	}
	if !lang.Linked && (c.IsSet("variants") || c.Bool("debug")) {
		return fmt.Errorf("-variants and -debug are not for %s", lang.Name)
	}
	engine, err := cmdline.NewEngine(c.String("engine"))
	if err != nil {
		return err
	}
	whole := c.String("what") == whatPrograms
	out := destination{says: c.Root().Writer, dir: c.String("o"), what: "case"}
	a := &author{configure: configure, engine: engine, lang: lang, variants: c.Int("variants")}
	make := a.function
	switch {
	case whole && c.IsSet("variants"):
		return errors.New("-variants is for functions, not for programs")
	case !whole && c.Bool("debug"):
		return errors.New("-debug is for -what programs")
	case whole:
		out.what, out.many, out.debug = program.Name, lang.Linked, c.Bool("debug")
		make = a.program
	}
	return generate(ctx, c.Int("n"), c.Uint64("seed"), out, make)
}

// mostVariants bounds the variants of a function in one file.
const mostVariants = 1000

// An author makes what the flags ask for of recipes. The error of its methods wraps
// source.ErrNone or solve.ErrUnknown if nothing comes of a recipe.
type author struct {
	configure func(reify.Recipe) reify.Config
	engine    solve.Solver
	lang      *language.Language
	variants  int // of each function of C
}

// function makes a function, with its variants.
func (a *author) function(r reify.Recipe) (subject.Subject, error) {
	k, err := reify.Make("f", r, a.configure(r), a.engine)
	if err != nil {
		return nil, err
	}
	if err := a.lang.Supports(k.Func); err != nil {
		return nil, fmt.Errorf("%w: %w", source.ErrNone, err)
	}
	m := function.MemberOf(k)
	more, err := variant.Several(m, a.variants, mutate.Options{}, choice.Named("body", r.Body).Fork("variants"))
	if err != nil {
		return nil, err
	}
	return function.Of(a.lang, append([]function.Member{m}, more...)), nil
}

// program makes a whole program.
func (a *author) program(r reify.Recipe) (subject.Subject, error) {
	if !a.lang.Linked {
		m, err := program.MakeIn(a.lang, 0, r, a.configure(r), a.engine)
		if err != nil {
			return nil, err
		}
		return function.Of(a.lang, []function.Member{m}), nil
	}
	return program.Make(r, program.Size(r), a.configure(r), a.engine, program.Foreign{})
}

// A destination is where tests are written to, under which names, and how: what is
// of several files gets a directory of its own.
type destination struct {
	says  io.Writer // how many there are
	dir   string
	what  string // "case", or "program"
	many  bool
	debug bool // files of programs assert the answer of each call where it is made
}

// generate writes the tests of n recipes.
func generate(ctx context.Context, n int, seed uint64, out destination, make func(reify.Recipe) (subject.Subject, error)) error {
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
		s, err := make(reify.FromSeed(seed + uint64(i)))
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
			if err := out.write(fmt.Sprintf("%s-%d", out.what, seed+uint64(i)), s); err != nil {
				return err
			}
			made++
		}
		progress.Next()
	}
	progress.Close()
	fmt.Fprintf(out.says, "%d of %d recipes ended in a %s; %ss are in %s\n", made, n, strings.Replace(out.what, "case", "function", 1), out.what, out.dir)
	if made == 0 && why != nil {
		fmt.Fprintf(out.says, "why the last one did not: %v\n", why)
	}
	return ctx.Err()
}

// commands returns the lines that build and run an artefact.
func commands(a subject.Artefact) []string {
	return language.Find(a.Language).Commands(a.Files)
}

// write writes the files of a subject, and its reproducer as name.txtar beside them.
func (o destination) write(name string, s subject.Subject) error {
	e, err := s.Entry()
	if err != nil {
		return err
	}
	a := s.Artefact()
	files := a.Files
	if p, ok := s.(*program.Program); ok && o.debug {
		files = p.Debug().Files
	}
	e.Title = name
	e.Verdict = corpus.Untested
	e.Sources = subject.Sources(files)
	e.Command = oracle.Command(compilers.Outcome{Verdict: compilers.WrongAnswer, Command: commands(a)})
	if err := e.Check(); err != nil {
		return err
	}
	members := language.Find(e.Language).Members(name, e.Sources[e.Main])
	if members == nil {
		members = e.Members
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
		main, content := e.Main, files[0].Content
		if binary := language.Find(e.Language).Binary; binary != nil {
			main = strings.TrimSuffix(main, filepath.Ext(main))
			if content, err = binary(content); err != nil {
				return err
			}
		}
		if err := d.Put(name+filepath.Ext(main), content, 0o644); err != nil {
			return err
		}
		return d.Put(name+corpus.Ext, e.Format(), 0o644)
	}
	sources, err := d.MakeSub(name)
	if err != nil {
		return err
	}
	defer sources.Close() // written files are closed
	for _, f := range files {
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
