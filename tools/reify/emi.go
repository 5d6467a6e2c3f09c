package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/mutate"
	"goreify/reify/oracle"
	"goreify/reify/pool"
	"goreify/reify/source/function"
	"goreify/reify/source/text"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
)

func emiCommand() *cli.Command {
	return &cli.Command{
		Name:                      "emi",
		DisableSliceFlagSeparator: true, // an input may have commas
		Usage:                     "write variants of reproducers, and of C: programs that do the same for the inputs there are, and are others for a compiler",
		ArgsUsage:                 "FILE...",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Value: 8, Usage: "`NUMBER` of variants of each program; a reproducer has one as it was found, and mostly one that is reduced"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that decides the variants"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
			&cli.StringFlag{Name: "passes", Usage: "`PASSES` to use, of " + strings.Join(mutate.Passes(), ",") + "; by default all"},
			&cli.BoolFlag{Name: "check", Usage: "ask the compilers about each variant; the exit status is 1 if one is wrong"},
			cflagsFlag(), inputFlag(), boxFlag(),
			&cli.IntFlag{Name: "edits", Usage: fmt.Sprintf("`NUMBER` of edits of a variant; by default 1 to %d, drawn for each", mutate.MaxEdits)},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if !c.Args().Present() {
				return errors.New("emi wants the names of reproducers, or of C files")
			}
			if n := c.Int("n"); n < 0 {
				return fmt.Errorf("-n is %d, want 0 or more", n)
			}
			o := mutate.Options{Edits: c.Int("edits")}
			if c.IsSet("passes") {
				for name := range strings.SplitSeq(c.String("passes"), ",") {
					o.Only = append(o.Only, strings.TrimSpace(name))
				}
			}
			if err := o.Validate(); err != nil {
				return err
			}
			if err := os.MkdirAll(c.String("o"), 0o755); err != nil {
				return err
			}
			e := &emitter{command: c, out: destination{c.Root().Writer, c.String("o"), "variant", false}, options: o}
			defer e.close()
			var wrong error // a file that there are no variants of does not keep the others from having theirs
			for _, path := range c.Args().Slice() {
				wrong = errors.Join(wrong, e.emi(ctx, path))
				if ctx.Err() != nil {
					break
				}
			}
			fmt.Fprintf(e.out.says, "%d variants are in %s\n", e.made, e.out.dir)
			if e.found > 0 {
				wrong = errors.Join(wrong, errFinding)
			}
			return wrong
		},
	}
}

// An emitter writes variants. Compilers, which say what of C is executed and, with the
// flag -check, whether they are right, are looked for when the first is asked.
type emitter struct {
	command *cli.Command
	out     destination
	options mutate.Options
	change  func(p *pool.Profile, suffix string, s *choice.Stream) (*text.Text, error) // of C; nil for a variant like any
	oracle  *oracle.Oracle
	closer  func()

	made, found int // variants, and compilers that are wrong about one
}

func (e *emitter) close() {
	if e.closer != nil {
		e.closer()
	}
}

// open looks for the compilers.
func (e *emitter) open(ctx context.Context) (err error) {
	if e.oracle == nil {
		e.oracle, e.closer, err = openOracle(ctx, e.command)
	}
	return err
}

// emi writes variants of what is in a file.
func (e *emitter) emi(ctx context.Context, path string) error {
	switch filepath.Ext(path) {
	case ".c":
		return e.ofText(ctx, path, nil)
	case corpus.Ext:
		return e.ofReproducer(ctx, path)
	}
	return fmt.Errorf("%s: want a reproducer, whose name ends in %s, or C", path, corpus.Ext)
}

// give writes a variant and, with -check, asks the compilers about it. One that is wrong
// is said, and the reproducer tells of it.
func (e *emitter) give(ctx context.Context, name string, s subject.Subject) error {
	if err := e.out.write(name, test{s, s.Artefact().Files}); err != nil {
		return err
	}
	e.made++
	if !e.command.Bool("check") {
		return nil
	}
	if err := e.open(ctx); err != nil {
		return err
	}
	r, err := e.oracle.Check(ctx, s, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range r.Suspicions {
		fmt.Fprintf(e.out.says, "%s: not for sure: %v\n", name, f)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case r.Finding == nil:
		fmt.Fprintf(e.out.says, "%s: %d configurations are right, %d gave no answer\n", name, r.Asked, r.Discarded)
		return nil
	}
	e.found++
	fmt.Fprintf(e.out.says, "%s: %v\n", name, r.Finding)
	entry, err := r.Finding.Entry()
	if err != nil {
		return err
	}
	entry.Date = time.Now().Format(time.DateOnly)
	if err := entry.Check(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(e.out.dir, name+corpus.Ext), entry.Format(), 0o644)
}

// ofReproducer writes variants of each program of a reproducer. One that holds no
// program in the text form of package ir that there are variants of is C.
func (e *emitter) ofReproducer(ctx context.Context, path string) error {
	if e.command.IsSet("input") {
		return fmt.Errorf("%s: -input is for C, and a reproducer has its inputs in it", path)
	}
	entry, err := corpus.Load(path)
	if err != nil {
		return err
	}
	c := e.command
	texts, err := variant.Texts(filepath.Base(path), entry)
	if err != nil && entry.Language == compilers.C && len(entry.Sources) == 1 {
		text := entry.Sources[entry.Main]
		if seed := entry.Members[corpus.SeedFile]; seed != "" {
			text = seed
		}
		if wrong := e.ofText(ctx, path, []byte(text)); wrong != nil {
			return errors.Join(err, wrong)
		}
		return nil
	}
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i, t := range texts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := choice.New(choice.Derive(c.Uint64("seed"), fmt.Sprint("emi ", i)))
		m, err := t.Member("f", s)
		if err != nil {
			return err
		}
		list, err := variant.Several(m, c.Int("n"), e.options, s)
		if err != nil {
			return err
		}
		for _, v := range list {
			name := fmt.Sprintf("%s-%d-%s", base, i+1, strings.TrimPrefix(v.Case.Func.Name, "f"))
			if err := e.give(ctx, name, function.Of([]function.Member{v})); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofText writes variants of C that others wrote, which must be what a pool would
// admit: of a file, or of a text that was in it.
func (e *emitter) ofText(ctx context.Context, path string, content []byte) error {
	c := e.command
	if c.IsSet("passes") || c.IsSet("edits") {
		return fmt.Errorf("%s: -passes and -edits are for reproducers of programs that we made", path)
	}
	dirs, err := includeDirs(c.String("cflags"))
	if err != nil {
		return err
	}
	inputs, err := readInputs(c.StringSlice("input"))
	if err != nil {
		return err
	}
	k := &pool.Candidate{Name: path, Text: content}
	if content == nil {
		if k, err = fileCandidate(path, dirs, inputs); err != nil {
			return err
		}
	}
	if err := e.open(ctx); err != nil {
		return err
	}
	judge, err := pool.NewJudge(e.oracle.Targets, e.oracle.Sanitizers, e.oracle.Space)
	if err != nil {
		return err
	}
	seed, err := judge.Admit(ctx, *k)
	if err != nil {
		return err
	}
	p, err := seed.Profile()
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	change := e.change
	if change == nil {
		change = func(p *pool.Profile, suffix string, s *choice.Stream) (*text.Text, error) {
			return text.Variant(p, suffix, s), nil
		}
	}
	for i := range c.Int("n") {
		v, err := change(p, fmt.Sprintf("v%d", i+1), choice.New(choice.Derive(c.Uint64("seed"), fmt.Sprint("emi ", i))))
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		if err := e.give(ctx, fmt.Sprintf("%s-v%d", base, i+1), v); err != nil {
			return err
		}
	}
	return nil
}
