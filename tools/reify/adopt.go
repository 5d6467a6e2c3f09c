package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
)

func adoptCommand() *cli.Command {
	return &cli.Command{
		Name:      "adopt",
		Usage:     "move reproducers to a newer compiler that fails on them too, and look into them there; what is known of others is kept",
		ArgsUsage: "FILE...",
		Flags: []cli.Flag{
			boxFlag(),
			&cli.StringFlag{Name: "cc", Usage: "`COMPILERS`, as in REIFY_CC, of which the newest that fails takes a file over; by default all that are asked"},
			&cli.BoolFlag{Name: "heard", Usage: "also write to files that stay where they are who failed and who was right"},
			workersFlag(),
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			files := c.Args().Slice()
			if len(files) == 0 {
				return errors.New("adopt takes at least one file")
			}
			if err := someWorkers(c); err != nil {
				return err
			}
			a := adoption{heard: c.Bool("heard"), Options: triage.Options{Workers: c.Int("workers")}}
			env, closer, err := openEnvForFiles(ctx, c, files)
			if err != nil {
				return err
			}
			if cc := c.String("cc"); cc != "" {
				named := env
				named.CC = cc
				if a.to, _, err = targets.Find(ctx, named); err != nil {
					closer()
					return fmt.Errorf("-cc: %w", err)
				}
			}
			if a.oracle, closer, err = openIn(ctx, env, closer, a.to...); err != nil {
				return err
			}
			defer closer()
			if a.to == nil {
				a.to = a.oracle.Targets
			}
			return adopt(ctx, c.Root().Writer, a, files)
		},
	}
}

// An adoption is what adopt works with.
type adoption struct {
	oracle *oracle.Oracle
	to     []compilers.Target // of which one takes over; among the oracle's
	heard  bool               // also write to what is not adopted
	triage.Options
}

// adopt moves one file after the other, and prints a line for each. A file that
// nobody adopts is no error. One whose adoption fails stays as it was, and the
// others are taken up all the same.
func adopt(ctx context.Context, w io.Writer, a adoption, files []string) error {
	var errs []error
	for _, file := range files {
		a.Progress = func(line string) { fmt.Fprintln(os.Stderr, file+":", line) }
		said, err := a.move(ctx, file)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
		}
		if said != "" {
			fmt.Fprintf(w, "%s: %s\n", file, said)
		}
		if errors.Is(err, compilers.ErrMachine) {
			break // nor has the next one an answer
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// move moves one file, and says in a line what became of it. It may have moved with
// an error, too: of the reduction.
func (a adoption) move(ctx context.Context, file string) (string, error) {
	e, err := corpus.Load(file)
	if err != nil {
		return "", err
	}
	r, err := triage.Adopt(ctx, a.oracle, a.to, e, a.Options)
	stays := errors.Is(err, triage.ErrNoHome) || errors.Is(err, triage.ErrAtHome)
	switch {
	case r == nil:
		return "", err
	case stays && !a.heard:
		return "stays as it is: " + err.Error(), nil
	case stays:
		return "stays where it is: " + err.Error(), corpus.Update(file, r.Entry)
	}
	if failed := corpus.Update(file, r.Entry); failed != nil {
		return "", errors.Join(err, failed)
	}
	return fmt.Sprintf("from %s %s to %s %s: %v", e.Family, e.Version, r.Entry.Family, r.Entry.Version, r), err
}
