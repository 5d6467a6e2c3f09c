package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/tools/reify/feedback"
)

func feedbackCommand() *cli.Command {
	return &cli.Command{
		Name:  "feedback",
		Usage: "fuzz with and without the compilers' feedback, in the module's directory, and count the optimisation events reached; or measure what listening costs (REIFY_CC chooses)",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "cost", Usage: "only print what listening adds to the CPU time of each compiler"},
			&cli.IntFlag{Name: "batches", Value: 12, Usage: "`NUMBER` of batches that -cost compiles both ways, at -O2 and -O3"},
			&cli.IntFlag{Name: "turns", Value: 5, Usage: "`NUMBER` of times that it does so; the quickest counts"},
			&cli.DurationFlag{Name: "time", Value: 30 * time.Minute, Usage: "`DURATION` of CPU of each run"},
			&cli.IntFlag{Name: "repeats", Value: 3, Usage: "`NUMBER` of runs of each mode"},
			&cli.StringFlag{Name: "only", Usage: "`MODE` of all runs, on or off; by default both"},
			&cli.IntFlag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first repetition"},
			&cli.StringFlag{Name: "o", Usage: "`DIR` of results: those that are there are not measured again, so that runs may be shared out with -only and -seed, and interrupted; by default none are kept"},
			&cli.StringFlag{Name: "target", Value: "FuzzReify", Usage: "`NAME` of the fuzz target"},
			&cli.StringFlag{Name: "tags", Usage: "build `TAGS`, as go test takes them"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			switch {
			case c.Args().Present():
				return fmt.Errorf("feedback takes no arguments, got %q", c.Args().First())
			case c.Duration("time") <= 0 || c.Int("repeats") <= 0 || c.Int("seed") <= 0:
				return fmt.Errorf("-time is %v, -repeats %d and -seed %d, want more than 0", c.Duration("time"), c.Int("repeats"), c.Int("seed"))
			case c.Int("batches") <= 0 || c.Int("turns") <= 0:
				return fmt.Errorf("-batches is %d and -turns %d, want more than 0", c.Int("batches"), c.Int("turns"))
			case c.Bool("cost") && (c.IsSet("seed") || c.IsSet("only") || c.IsSet("o")):
				return errors.New("-seed, -only and -o say nothing for -cost")
			case c.String("only") != "" && c.String("only") != "on" && c.String("only") != "off":
				return fmt.Errorf("-only is %q, want on or off", c.String("only"))
			case c.Bool("cost"):
				return printCost(ctx, c.Int("batches"), c.Int("turns"))
			}
			module, err := os.Getwd()
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "feedback-*")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			opt := feedback.Options{
				Module: module, Binary: filepath.Join(dir, "fuzz.test"), Target: c.String("target"),
				Time: c.Duration("time"), Repeats: c.Int("repeats"), Seed: c.Int("seed"), Dir: cmp.Or(c.String("o"), dir), Log: os.Stderr,
			}
			if err := os.MkdirAll(opt.Dir, 0o755); err != nil {
				return err
			}
			if only := c.String("only"); only != "" {
				opt.Modes = []bool{only == "on"}
			}
			if err := feedback.Build(ctx, module, opt.Target, opt.Binary, strings.Split(c.String("tags"), ",")...); err != nil {
				return err
			}
			results, err := feedback.Measure(ctx, opt)
			if err != nil {
				return err
			}
			return feedback.Table(os.Stdout, results)
		},
	}
}

// printCost measures what listening costs, and prints it.
func printCost(ctx context.Context, batches, turns int) error {
	o, closer, err := openOracle(ctx)
	if err != nil {
		return err
	}
	defer closer()
	opt := feedback.CostOptions{
		Toolchains: o.Toolchains, Levels: feedback.CostLevels, Turns: turns, Space: o.Space, Limits: o.Limits, Log: os.Stderr,
	}
	// What is slow is to be measured, too.
	opt.Limits.CompileCPU, opt.Limits.CompileWall = time.Minute, 10*time.Minute
	if opt.Jobs, err = feedback.CostJobs(batches); err != nil {
		return err
	}
	costs, err := feedback.MeasureCost(ctx, opt)
	if err != nil {
		return err
	}
	return feedback.CostTable(os.Stdout, costs)
}
