package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

// runAdopt moves the reproducers of a command line to newer compilers.
func runAdopt(ctx context.Context, c *cli.Command, opt triageOptions) error {
	a := adoption{heard: opt.Again, triageOptions: opt}
	a.Again = false
	var closer func()
	var err error
	if a.oracle, a.to, closer, err = openTo(ctx, c); err != nil {
		return err
	}
	defer closer()
	return adopt(ctx, a, c.Args().Slice())
}

// openTo returns an oracle, and the targets among its own that the flag to names, or all.
func openTo(ctx context.Context, c *cli.Command) (o *oracle.Oracle, to []compilers.Target, closer func(), err error) {
	env, closer, err := cmdline.OpenEnv(ctx, c)
	if err != nil {
		return nil, nil, nil, err
	}
	if cc := c.String("to"); cc != "" {
		named := env
		named.CC = cc
		if to, _, err = targets.Find(ctx, named); err != nil {
			closer()
			return nil, nil, nil, fmt.Errorf("-to: %w", err)
		}
	}
	if o, closer, err = cmdline.OpenIn(ctx, env, closer, to...); err != nil {
		return nil, nil, nil, err
	}
	if to == nil {
		to = o.Targets
	}
	return o, to, closer, nil
}

// An adoption is what adopt works with.
type adoption struct {
	oracle *oracle.Oracle
	to     []compilers.Target // of which one takes over; among the oracle's
	heard  bool               // also write to what is not adopted
	triageOptions
}

// adopt moves one file after the other, and prints a line for each. A file that
// nobody adopts is no error. One whose adoption fails stays as it was, and the
// others are taken up all the same.
func adopt(ctx context.Context, a adoption, files []string) error {
	var errs []error
	progress := cmdline.NewProgress(len(files), "files")
	defer progress.Close()
	for _, file := range files {
		progress.Now(file)
		a.Progress = func(step string) { progress.Now(file + ": " + step) }
		said, err := a.move(ctx, file)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", file, err))
		}
		if said != "" {
			progress.Line(a.out, file+": "+said)
		}
		progress.Next()
		if errors.Is(err, compilers.ErrMachine) {
			break // nor has the next one an answer
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// move moves one file, and says in a line what became of it. It may have moved with
// an error, too: of the reduction.
func (a adoption) move(ctx context.Context, file string) (string, error) {
	e, err := cmdline.Load(a.oracle.Space, file)
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
		return "stays where it is: " + err.Error(), a.update(file, r.Entry)
	}
	if failed := a.update(file, r.Entry); failed != nil {
		return "", errors.Join(err, failed)
	}
	return fmt.Sprintf("from %s %s to %s %s: %v", e.Family, e.Version, r.Entry.Family, r.Entry.Version, r), err
}
