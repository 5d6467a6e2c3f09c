package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/mutate"
	"goreify/reify/source/function"
	"goreify/reify/source/variant"
)

func emiCommand() *cli.Command {
	return &cli.Command{
		Name:      "emi",
		Usage:     "write variants of reproducers: programs that do the same for the inputs there are, and are others for a compiler",
		ArgsUsage: "FILE...",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Value: 8, Usage: "`NUMBER` of variants of each program; a reproducer has one as it was found, and mostly one that is reduced"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that decides the variants"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
			&cli.StringFlag{Name: "passes", Usage: "`PASSES` to use, of " + strings.Join(mutate.Passes(), ",") + "; by default all"},
			&cli.IntFlag{Name: "edits", Usage: fmt.Sprintf("`NUMBER` of edits of a variant; by default 1 to %d, drawn for each", mutate.MaxEdits)},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if !c.Args().Present() {
				return errors.New("emi wants the names of reproducers")
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
			made := 0
			for _, path := range c.Args().Slice() {
				n, err := emi(ctx, path, c.Int("n"), o, c.Uint64("seed"), out)
				if err != nil {
					return err
				}
				made += n
			}
			fmt.Fprintf(out.says, "%d variants are in %s\n", made, out.dir)
			return nil
		},
	}
}

// seedReaders read the programs of a file, by its extension.
var seedReaders = map[string]func(path string) ([]variant.Text, error){
	corpus.Ext: func(path string) ([]variant.Text, error) {
		e, err := corpus.Load(path)
		if err != nil {
			return nil, err
		}
		return variant.Texts(filepath.Base(path), e)
	},
}

// emi writes n variants of each program of a file and returns how many there are.
func emi(ctx context.Context, path string, n int, o mutate.Options, seed uint64, out destination) (made int, err error) {
	read := seedReaders[filepath.Ext(path)]
	if read == nil {
		return 0, fmt.Errorf("%s: want a reproducer, whose name ends in %s", path, corpus.Ext)
	}
	texts, err := read(path)
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
