package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
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
			&cli.StringFlag{Name: against, Usage: "`COMPILER`: ask the first of -cc where this one makes other code; the rest are witnesses"},
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
				if err == nil && c.IsSet(against) {
					found, err = compare(ctx, env, c.String(against), &opt, found)
				}
				opt.Mix = slices.DeleteFunc(slices.Clone(opt.Kinds), func(k hunt.Kind) bool {
					return !slices.ContainsFunc(hunt.Only(opt.Only, found), func(t compilers.Target) bool { return t.Language() == k.Language })
				})
				return found, named, err
			})
		},
	}
}

// against is the flag that names a compiler to compare with.
const against = "against"

// matrixKinds returns the kinds of batches of cells that patterns select, for all languages
// that have some.
func matrixKinds(only string) ([]hunt.Kind, error) {
	kinds := hunt.Matrices(only)
	if err := kinds[0].Source.(matrix.Source).Check(); err != nil {
		return nil, fmt.Errorf("-only: %w", err)
	}
	kinds = slices.DeleteFunc(kinds, func(k hunt.Kind) bool { return k.Source.(matrix.Source).Blocks() == 0 })
	if len(kinds) == 0 {
		return nil, fmt.Errorf("-only: there is no cell %s", only)
	}
	return kinds, nil
}

// compare has the options ask the first compiler that the user named, about what another one
// makes other code of. It returns the targets with the other one, a witness.
func compare(ctx context.Context, env compilers.Env, name string, opt *hunt.Options, found []compilers.Target) ([]compilers.Target, error) {
	if env.Named() == nil {
		return nil, errors.New("-against: which compiler is compared? Name it first in -cc")
	}
	lister := func(name string) (compilers.Lister, error) {
		env.CC = name
		list, _, err := targets.Find(ctx, env)
		if err != nil {
			return nil, fmt.Errorf("-against: %w", err)
		}
		if l, ok := list[0].(compilers.Lister); ok && len(list) == 1 {
			return l, nil
		}
		return nil, fmt.Errorf("-against: %v cannot show the code that it makes: compare two of gcc and clang", list[0].ID())
	}
	own, err := lister(env.Named()[0])
	if err != nil {
		return nil, err
	}
	other, err := lister(name)
	switch {
	case err != nil:
		return nil, err
	case own.ID().Same(other.ID()):
		return nil, fmt.Errorf("-against: %v is the compiler itself", other.ID())
	case own.ID().Triple != other.ID().Triple || !own.Traits().Alike(other.Traits()):
		return nil, fmt.Errorf("-against: %v makes code for %s (%v), and %v for %s (%v)", own.ID(), own.ID().Triple, own.Traits(), other.ID(), other.ID().Triple, other.Traits())
	}
	opt.Only = own.ID().String()
	for i := range opt.Kinds {
		opt.Kinds[i].Name += "-" + against + "-" + noWord.ReplaceAllString(other.ID().String()+"-"+other.ID().Version, "-")
		opt.Kinds[i].Against = other
	}
	if !slices.ContainsFunc(found, func(t compilers.Target) bool { return t.ID().Same(other.ID()) }) {
		found = append(found, other)
	}
	return found, nil
}

// noWord matches what the name of a kind cannot have.
var noWord = regexp.MustCompile(`[^A-Za-z0-9_.=/-]+`)
