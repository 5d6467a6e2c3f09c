package main

import (
	"context"
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
		Usage: "fuzz with and without the compilers' feedback, in the module's directory, and count the optimisation events reached",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "time", Value: 30 * time.Minute, Usage: "`DURATION` of CPU of each run"},
			&cli.IntFlag{Name: "repeats", Value: 3, Usage: "`NUMBER` of runs with, and as many without"},
			&cli.StringFlag{Name: "target", Value: "FuzzReify", Usage: "`NAME` of the fuzz target"},
			&cli.StringFlag{Name: "tags", Usage: "build `TAGS`, as go test takes them"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			switch {
			case c.Args().Present():
				return fmt.Errorf("feedback takes no arguments, got %q", c.Args().First())
			case c.Duration("time") <= 0 || c.Int("repeats") <= 0:
				return fmt.Errorf("-time is %v and -repeats %d, want more than 0", c.Duration("time"), c.Int("repeats"))
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
				Time: c.Duration("time"), Repeats: c.Int("repeats"), Dir: dir, Log: os.Stderr,
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
