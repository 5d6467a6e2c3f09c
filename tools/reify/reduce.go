package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
)

func reduceCommand() *cli.Command {
	return &cli.Command{
		Name:      "reduce",
		Usage:     "make the smallest test of reproducers; of other C files with cvise, if that is installed",
		ArgsUsage: "FILE...",
		Flags: append(cviseFlags(), boxFlag(),
			&cli.StringFlag{Name: "o", Usage: "`FILE` to write the result to; by default a reproducer is written in place, and C to standard output"},
			workersFlag(),
		),
		Action: func(ctx context.Context, c *cli.Command) error {
			files := c.Args().Slice()
			if len(files) == 0 {
				return errors.New("reduce takes at least one file")
			}
			if c.IsSet("o") && len(files) > 1 {
				return errors.New("-o is for one file")
			}
			if err := notNegative(c, "time"); err != nil {
				return err
			}
			if err := someWorkers(c); err != nil {
				return err
			}
			o, closer, err := openForFiles(ctx, c, files)
			if err != nil {
				return err
			}
			defer closer()
			var errs []error
			for _, file := range files {
				if filepath.Ext(file) == corpus.Ext {
					err = reduceEntry(ctx, o, c, file)
				} else {
					err = reduceC(ctx, o, c, file)
				}
				errs = append(errs, err)
			}
			return errors.Join(errs...)
		},
	}
}

func workersFlag() cli.Flag {
	return &cli.IntFlag{Name: "workers", Value: runtime.NumCPU(), Usage: "`NUMBER` of candidates that are compiled at a time"}
}

// someWorkers returns an error unless there is one worker or more.
func someWorkers(c *cli.Command) error {
	if n := c.Int("workers"); n < 1 {
		return fmt.Errorf("-workers is %d, want 1 or more", n)
	}
	return nil
}

// notNegative returns an error if one of the flags, a number or a duration, is
// less than 0.
func notNegative(c *cli.Command, names ...string) error {
	for _, name := range names {
		if c.Int(name) < 0 || c.Duration(name) < 0 {
			return fmt.Errorf("-%s is %v, want 0 or more", name, c.Value(name))
		}
	}
	return nil
}

// reduceEntry reduces a reproducer and prints what came of it.
func reduceEntry(ctx context.Context, o *oracle.Oracle, c *cli.Command, file string) error {
	e, err := corpus.Load(file)
	if err != nil {
		return err
	}
	opt := triage.Options{Workers: c.Int("workers"), Cvise: c.Duration("time"), Progress: func(line string) { fmt.Fprintln(os.Stderr, file+":", line) }}
	r, err := triage.Finding(ctx, o, e, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	to := c.String("o")
	if to == "" {
		to = file
	}
	if err := corpus.Update(to, r.Entry); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, file+":", r)
	_, err = fmt.Fprint(c.Root().Writer, r.Entry.Reduced)
	return err
}
