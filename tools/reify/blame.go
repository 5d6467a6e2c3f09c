package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
)

func blameCommand() *cli.Command {
	return &cli.Command{
		Name:      "blame",
		Usage:     "say which pass or flags of the compiler are to blame for reproducers (REIFY_CC names another compiler to ask)",
		ArgsUsage: "FILE...",
		Flags:     []cli.Flag{&cli.BoolFlag{Name: "w", Usage: "write it to the files, too, if the compiler is the one that they name"}},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return errors.New("blame takes at least one file")
			}
			ws, err := compilers.NewWorkspace(os.TempDir())
			if err != nil {
				return err
			}
			defer func() { _ = ws.Close() }() // the next one sweeps what is left
			var errs []error
			for _, file := range c.Args().Slice() {
				if err := blame(ctx, ws, file); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", file, err))
				}
			}
			return errors.Join(errs...)
		},
	}
}

// blame prints what is to blame for the failure that a reproducer shows under
// the compiler it was found with.
func blame(ctx context.Context, ws *compilers.Workspace, file string) error {
	e, err := corpus.Load(file)
	if err != nil {
		return err
	}
	if e.Verdict == corpus.Untested {
		return errors.New("no compiler is known to fail")
	}
	env := compilers.EnvFrom(os.Environ())
	if env.CC == "" {
		env.CC = strings.Join(append([]string{e.Compiler}, e.Flags...), " ")
	}
	found, err := compilers.Find(ctx, env)
	if err != nil {
		return err
	}
	job := oracle.Job(e, e.Level)
	// What does not end is asked about dozens of times; what ends takes a
	// millisecond.
	limits := compilers.DefaultLimits()
	limits.RunCPU = 200 * time.Millisecond
	for _, tc := range found {
		first := tc.Test(ctx, ws, job, limits)
		b, err := bisect.Find(ctx, bisect.NewTest(tc, ws, job, limits, first))
		if b == nil {
			return err
		}
		if err != nil {
			fmt.Printf("%s: %v %s: %v\n", file, tc, e.Level, err)
		} else {
			fmt.Printf("%s: %v %s: %v\n", file, tc, e.Level, b)
		}
		fmt.Printf("  -fwrapv mends it: %v; -fno-strict-aliasing: %v; %d compilations, %.1f s of CPU\n", b.Wrapv, b.NoStrictAliasing, b.Tests, b.CPU.Seconds())
	}
	return nil
}
