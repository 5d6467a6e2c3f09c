package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/tools/cmdline"
	"goreify/tools/lab/experiment"
)

func experimentCommand() *cli.Command {
	return &cli.Command{
		Name:      "experiment",
		Usage:     "measure what the paper's tables and figures show, as CSV and as plots",
		Metadata:  cmdline.Takes(engineFlag, seedFlag),
		ArgsUsage: "table3|table5|figures|all",
		Description: "table3    the default configuration beside the paper's Table 3\n" +
			"table5    the 70 configurations beside the paper's Table 5\n" +
			"figures   one parameter varied at a time: Figures 7 and 9 to 13, without #FUN\n" +
			"all       all of these",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Value: "out/experiments", Usage: "`DIR` to write to, made if need be"},
			&cli.IntFlag{Name: "n", Value: 100, Usage: "`NUMBER` of recipes for each configuration; the paper has 1000"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			names := experiment.Names()
			what := c.Args().First()
			switch {
			case c.NArg() != 1:
				return fmt.Errorf("experiment takes one of %s, all", strings.Join(names, ", "))
			case what == "all":
			case slices.Contains(names, what):
				names = []string{what}
			default:
				return fmt.Errorf("unknown experiment %q: want one of %s, all", what, strings.Join(names, ", "))
			}
			return runExperiments(ctx, c, names)
		},
	}
}

func runExperiments(ctx context.Context, c *cli.Command, names []string) error {
	engine, err := cmdline.NewEngine(c.String("engine"))
	if err != nil {
		return err
	}
	return experiment.Run(ctx, experiment.Options{
		Dir:     c.String("o"),
		Recipes: c.Int("n"),
		Seed:    c.Uint64("seed"),
		Solver:  engine,
		Command: fmt.Sprintf("go run ./tools/lab experiment %s -o %q -n %d -seed %d -engine %s",
			c.Args().First(), c.String("o"), c.Int("n"), c.Uint64("seed"), c.String("engine")),
		Announce: c.Root().Writer,
		Progress: func(steps int) (next, end func()) {
			p := cmdline.NewProgress(steps, "recipes")
			return p.Next, p.Close
		},
	}, names...)
}
