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
			if c.Int("workers") < 1 {
				return fmt.Errorf("-workers is %d, want 1 or more", c.Int("workers"))
			}
			o, closer, err := openOracle(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			var errs []error
			for _, file := range files {
				if filepath.Ext(file) == corpus.Ext {
					err = reduceEntry(ctx, o, file, c.String("o"), c.Int("workers"))
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

// reduceEntry reduces a reproducer and prints what came of it.
func reduceEntry(ctx context.Context, o *oracle.Oracle, file, to string, workers int) error {
	e, err := corpus.Load(file)
	if err != nil {
		return err
	}
	opt := triage.Options{Workers: workers, Progress: func(line string) { fmt.Fprintln(os.Stderr, file+":", line) }}
	r, err := triage.Finding(ctx, o, e, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if to == "" {
		to = file
	}
	if err := corpus.Update(to, r.Entry); err != nil {
		return err
	}
	fmt.Print(r.Entry.Reduced)
	fmt.Fprintln(os.Stderr, file+":", r)
	return nil
}
