package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/reify/source/matrix"
	"goreify/tools/cmdline"
	"goreify/tools/reify/hunt"
)

func matrixCommand() *cli.Command {
	return &cli.Command{
		Name:  "matrix",
		Usage: "ask about each operation on each type, and about compositions, until all are asked",
		Description: "A cell is called rotl.u17.const31.narrow: operations, types, operands, context. Targets are those\n" +
			"of -cc, in all their modes. The page DIR/matrix/index.html has the cells of each target as squares.",
		Metadata: cmdline.Takes(cmdline.CompileTime, cmdline.JSON, cmdline.Workers, cmdline.Known),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Value: "out/matrix", Usage: "`DIR` of the hunt: its state and its findings"},
			&cli.DurationFlag{Name: "time", Usage: "`DURATION` after which nothing is begun, such as 10m; 0 is no limit"},
			&cli.StringFlag{Name: "only", Usage: "`PATTERNS` of cells: 'rot*.u8*,min*'; with a + of compositions, 'add.*+lt.*'"},
			&cli.BoolFlag{Name: "switch", Usage: "go on in DIR with other compilers than the last run had"},
			&cli.BoolFlag{Name: "triage", Usage: "blame and reduce each finding that is saved, when it is found"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			opt, err := runOptions(c)
			if err != nil {
				return err
			}
			if opt.Kinds, err = matrixKinds(c.String("only")); err != nil {
				return err
			}
			if opt.Plan, err = hunt.ParsePlan("all"); err != nil {
				return err
			}
			return hunting(ctx, c, &opt, func(ctx context.Context, env compilers.Env) ([]compilers.Target, bool, error) {
				found, named, err := huntTargets(ctx, env, &opt)
				if err != nil {
					return nil, named, err
				}
				opt.Mix = slices.DeleteFunc(slices.Clone(opt.Kinds), func(k hunt.Kind) bool {
					return !slices.ContainsFunc(found, func(t compilers.Target) bool { return t.Language() == k.Language })
				})
				return found, named, nil
			})
		},
	}
}

// matrixKinds returns the kinds of batches of cells that patterns select, for all languages.
func matrixKinds(only string) ([]hunt.Kind, error) {
	kinds := hunt.Matrices(only)
	of := kinds[0].Source.(matrix.Source) // which cells there are does not depend on the language
	if err := of.Check(); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	if of.Blocks() == 0 {
		return nil, fmt.Errorf("-only: there is no cell %s", only)
	}
	return kinds, nil
}
