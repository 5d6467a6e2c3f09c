package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/csource"
	"goreify/reify/mutate"
	"goreify/reify/pool"
	"goreify/reify/source/function"
	"goreify/reify/source/text"
	"goreify/reify/source/variant"
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
			out := destination{c.Root().Writer, c.String("o"), "variant", false}
			ofText := &textEmitter{command: c, out: out}
			defer ofText.close()
			made := 0
			var wrong error // a file that there are no variants of does not keep the others from having theirs
			for _, path := range c.Args().Slice() {
				var n int
				var err error
				if filepath.Ext(path) == ".c" {
					n, err = ofText.emi(ctx, path)
				} else {
					n, err = emi(ctx, path, c.Int("n"), o, c.Uint64("seed"), out)
				}
				made, wrong = made+n, errors.Join(wrong, err)
				if ctx.Err() != nil {
					break
				}
			}
			fmt.Fprintf(out.says, "%d variants are in %s\n", made, out.dir)
			return wrong
		},
	}
}

// emi writes n variants of each program of a file and returns how many there are.
func emi(ctx context.Context, path string, n int, o mutate.Options, seed uint64, out destination) (made int, err error) {
	if filepath.Ext(path) != corpus.Ext {
		return 0, fmt.Errorf("%s: want a reproducer, whose name ends in %s, or C", path, corpus.Ext)
	}
	e, err := corpus.Load(path)
	if err != nil {
		return 0, err
	}
	texts, err := variant.Texts(filepath.Base(path), e)
	if err != nil {
		return 0, err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i, t := range texts {
		if ctx.Err() != nil {
			return made, context.Cause(ctx)
		}
		s := choice.New(choice.Derive(seed, fmt.Sprint("emi ", i)))
		m, err := t.Member("f", s)
		if err != nil {
			return made, err
		}
		list, err := variant.Several(m, n, o, s)
		if err != nil {
			return made, err
		}
		for _, v := range list {
			b := function.Of([]function.Member{v})
			name := fmt.Sprintf("%s-%d-%s", base, i+1, strings.TrimPrefix(v.Case.Func.Name, "f"))
			if err := out.write(name, test{b, b.Artefact().Files}); err != nil {
				return made, err
			}
			made++
		}
	}
	return made, nil
}

// A textEmitter writes variants of C that others wrote. The compilers, which say what
// of a seed is executed, are looked for when the first is.
type textEmitter struct {
	command *cli.Command
	out     destination
	judge   *pool.Judge
	dirs    []fs.FS
	inputs  []csource.Input
	closer  func()
}

func (t *textEmitter) close() {
	if t.closer != nil {
		t.closer()
	}
}

// emi writes variants of a file, which must be one that a pool would admit, and
// returns how many.
func (t *textEmitter) emi(ctx context.Context, path string) (made int, err error) {
	c := t.command
	if c.IsSet("passes") || c.IsSet("edits") {
		return 0, fmt.Errorf("%s: -passes and -edits are for reproducers", path)
	}
	if t.judge == nil {
		if t.dirs, err = includeDirs(c.String("cflags")); err != nil {
			return 0, err
		}
		if t.inputs, err = readInputs(c.StringSlice("input")); err != nil {
			return 0, err
		}
		o, closer, err := openOracle(ctx, c)
		if err != nil {
			return 0, err
		}
		t.closer = closer
		if t.judge, err = pool.NewJudge(o.Targets, o.Sanitizers, o.Space); err != nil {
			return 0, err
		}
	}
	k, err := fileCandidate(path, t.dirs, t.inputs)
	if err != nil {
		return 0, err
	}
	seed, err := t.judge.Admit(ctx, *k)
	if err != nil {
		return 0, err
	}
	p, err := seed.Profile()
	if err != nil {
		return 0, err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i := range c.Int("n") {
		v := text.Variant(p, fmt.Sprintf("v%d", i+1), choice.New(choice.Derive(c.Uint64("seed"), fmt.Sprint("emi ", i))))
		if v == nil {
			continue
		}
		if err := t.out.write(fmt.Sprintf("%s-v%d", base, i+1), test{v, v.Artefact().Files}); err != nil {
			return made, err
		}
		made++
	}
	return made, nil
}
