package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v3"

	"goreify/tools/reify/experiment"
)

func experimentCommand() *cli.Command {
	cmd := &cli.Command{
		Name:  "experiment",
		Usage: "measure what the paper's tables and figures show, as CSV and as plots",
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("unknown experiment %q; reify experiment -h lists them", c.Args().First())
			}
			return cli.ShowSubcommandHelp(c)
		},
	}
	for _, e := range []struct {
		name, usage string
		names       []string
	}{
		{"table3", "the default configuration beside the paper's Table 3", []string{"table3"}},
		{"table5", "the 70 configurations beside the paper's Table 5", []string{"table5"}},
		{"figures", "one parameter varied at a time: Figures 7 and 9 to 13, without #FUN", []string{"figures"}},
		{"all", "all of these", experiment.Names()},
	} {
		cmd.Commands = append(cmd.Commands, &cli.Command{
			Name:  e.name,
			Usage: e.usage,
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "o", Value: "out/experiments", Usage: "`DIR` to write to, made if need be"},
				&cli.IntFlag{Name: "n", Value: 100, Usage: "`NUMBER` of recipes for each configuration; the paper has 1000"},
				&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first recipe"},
				engineFlag(),
			},
			Action: func(ctx context.Context, c *cli.Command) error { return runExperiments(ctx, c, e.names) },
		})
	}
	return cmd
}

func runExperiments(ctx context.Context, c *cli.Command, names []string) error {
	if c.Args().Present() {
		return fmt.Errorf("experiment %s takes no arguments, got %q", c.Name, c.Args().First())
	}
	engine, err := newEngine(c.String("engine"))
	if err != nil {
		return err
	}
	return experiment.Run(ctx, experiment.Options{
		Dir:     c.String("o"),
		Recipes: c.Int("n"),
		Seed:    c.Uint64("seed"),
		Solver:  engine,
		Command: fmt.Sprintf("go run ./tools/reify experiment %s -o %q -n %d -seed %d -engine %s",
			c.Name, c.String("o"), c.Int("n"), c.Uint64("seed"), c.String("engine")),
		Announce: c.Root().Writer,
		Progress: func(steps int) (next, end func()) {
			b := newBar(steps, c.Name)
			return b.next, b.end
		},
	}, names...)
}
