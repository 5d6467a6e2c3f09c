package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/reify"
	"goreify/tools/reify/measure"
)

func benchCommand() *cli.Command {
	return &cli.Command{
		Name:  "bench",
		Usage: "measure the generator: functions per CPU second on one core, success, and what the functions are like",
		Flags: append(profileFlags(),
			&cli.StringFlag{Name: "engine", Value: "search", Usage: "`NAME` of the solver: search, z3, portfolio, or compare (search and z3 on the same paths, one for each recipe)"},
			configFlag(),
			&cli.IntFlag{Name: "n", Value: 1000, Usage: "`NUMBER` of recipes"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first recipe"},
			&cli.IntFlag{Name: "long", Usage: "ask for paths of at least that `NUMBER` of blocks, and count only those; not with compare"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		),
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("bench takes no arguments, got %q", c.Args().First())
			}
			o, err := benchOptions(c)
			if err != nil {
				return err
			}
			report, err := bench(ctx, o, c.String("engine"), configName(c))
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return printJSON(c.Root().Writer, report)
			}
			return report.Table(c.Root().Writer)
		},
	}
}

// configFlag selects the configuration; see function configuration.
func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Value: "default", Usage: "#BBL,#VAR,#ASS,#TERA,#TERC such as `15,8,2,2,3`, or default (the paper's), or draw (each recipe draws its own)"}
}

// configName says what the flags select.
func configName(c *cli.Command) string {
	name := c.String("config")
	if c.IsSet("profile") {
		name = c.String("profile")
	}
	if c.IsSet("features") {
		name += " " + c.String("features")
	}
	return name
}

// benchOptions returns what the flags say, but for the engine.
func benchOptions(c *cli.Command) (measure.Options, error) {
	o := measure.Options{Recipes: c.Int("n"), Seed: c.Uint64("seed"), MinPath: c.Int("long")}
	if o.Recipes < 1 {
		return o, fmt.Errorf("-n is %d, want 1 or more", o.Recipes)
	}
	if o.MinPath < 0 {
		return o, fmt.Errorf("-long is %d, want 0 or more", o.MinPath)
	}
	configure, err := configured(c)
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
func bench(ctx context.Context, o measure.Options, engine, config string) (report, error) {
	if engine != "compare" {
		solver, err := newEngine(engine)
		if err != nil {
			return nil, err
		}
		o.Solver = solver
		bar := newBar(o.Recipes, "recipes")
		defer bar.end()
		o.Progress = bar.next
		r, err := measure.Run(ctx, o)
		if err != nil {
			return nil, err
		}
		r.Config = config
		return r, nil
	}
	if o.MinPath > 0 {
		return nil, fmt.Errorf("-long %d cannot be used with -engine compare", o.MinPath)
	}
	search, err := newEngine("search")
	if err != nil {
		return nil, err
	}
	z3, err := newEngine("z3")
	if err != nil {
		return nil, err
	}
	o.Solver = search
	bar := newBar(2*o.Recipes, "recipes")
	defer bar.end()
	o.Progress = bar.next
	r, err := measure.Compare(ctx, o, z3)
	if err != nil {
		return nil, err
	}
	r.Config = config
	return r, nil
}

func printJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, string(text))
	return err
}

// A bar shows progress if standard error is a terminal.
type bar struct{ *progressbar.ProgressBar }

func newBar(steps int, what string) bar {
	if !term.IsTerminal(int(os.Stderr.Fd())) {
		return bar{progressbar.DefaultSilent(int64(steps))}
	}
	return bar{progressbar.Default(int64(steps), what)}
}

// next shows one more step. What cannot be shown is no reason to stop.
func (b bar) next() { _ = b.Add(1) }

// end leaves a bar that has not come to its end as it is.
func (b bar) end() {
	if !b.IsFinished() {
		_ = b.Exit()
	}
}
