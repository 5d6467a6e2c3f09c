package main

import (
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"goreify/reify"
	"goreify/reify/solve"
	"goreify/tools/cmdline"
	"goreify/tools/lab/measure"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:        "bench",
		Usage:       "measure the generator: functions per CPU second, success, what functions are like",
		Description: "With -engine compare, search and z3 are measured on the same paths, one for each recipe.",
		Metadata:    cmdline.Takes(cmdline.JSON, engineFlag, seedFlag),
		Flags: []cli.Flag{
			cmdline.ProfileFlag("default"),
			&cli.IntFlag{Name: "n", Value: 1000, Usage: "`NUMBER` of recipes"},
			&cli.IntFlag{Name: "long", Usage: "ask for paths of at least that `NUMBER` of blocks, and count only those"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			o, err := benchOptions(c)
			if err != nil {
				return err
			}
			report, err := bench(ctx, o, c.String("engine"))
			if err != nil {
				return err
			}
			return cmdline.Print(c, report, report.Table)
		},
	}
}

// benchOptions returns the options of the flags, except for the engine.
func benchOptions(c *cli.Command) (measure.Options, error) {
	o := measure.Options{Recipes: c.Int("n"), Seed: c.Uint64("seed"), MinPath: c.Int("long"), Config: c.String("profile")}
	if o.Recipes < 1 {
		return o, fmt.Errorf("-n is %d, want 1 or more", o.Recipes)
	}
	if o.MinPath < 0 {
		return o, fmt.Errorf("-long is %d, want 0 or more", o.MinPath)
	}
	configure, err := cmdline.Configured(c)
	if err != nil {
		return o, err
	}
	o.Configure = configure
	if o.MinPath == 0 {
		return o, nil
	}
	o.Configure = func(r reify.Recipe) reify.Config { return measure.Long(configure(r), o.MinPath) }
	return o, o.Configure(reify.FromSeed(o.Seed)).Validate()
}

// A report is what a measurement came to.
type report interface{ Table(io.Writer) error }

// bench measures one engine, or two on the same paths.
func bench(ctx context.Context, o measure.Options, engine string) (report, error) {
	names := []string{engine}
	if engine == "compare" {
		if o.MinPath > 0 {
			return nil, fmt.Errorf("-long %d cannot be used with -engine compare", o.MinPath)
		}
		names = []string{"search", "z3"}
	}
	var engines []solve.Solver
	for _, name := range names {
		e, err := cmdline.NewEngine(name)
		if err != nil {
			return nil, err
		}
		engines = append(engines, e)
	}
	progress := cmdline.NewProgress(len(engines)*o.Recipes, "recipes")
	defer progress.Close()
	o.Solver, o.Progress = engines[0], progress.Next
	if len(engines) == 2 {
		return measure.Compare(ctx, o, engines[1])
	}
	return measure.Run(ctx, o)
}
