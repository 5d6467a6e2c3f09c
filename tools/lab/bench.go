package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"goreify/reify"
	"goreify/tools/cmdline"
	"goreify/tools/lab/measure"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:     "bench",
		Usage:    "measure the generator: functions per CPU second, success, what functions are like",
		Metadata: cmdline.Takes(cmdline.JSON, engineFlag, seedFlag),
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
			if o.Solver, err = cmdline.NewEngine(c.String(engineFlag)); err != nil {
				return err
			}
			progress := cmdline.NewProgress(o.Recipes, "recipes")
			defer progress.Close()
			o.Progress = progress.Next
			report, err := measure.Run(ctx, o)
			if err != nil {
				return err
			}
			progress.Close()
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
