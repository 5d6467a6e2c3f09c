package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
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
			var errs []error
			for _, file := range c.Args().Slice() {
				if err := blame(ctx, c.Root().Writer, file, c.Bool("w")); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", file, err))
				}
			}
			return errors.Join(errs...)
		},
	}
}

// blame prints what is to blame for the failure that a reproducer shows under
// the compiler it was found with, or those that REIFY_CC names. It is written
// down only of the former.
func blame(ctx context.Context, w io.Writer, file string, write bool) error {
	e, err := corpus.Load(file)
	if err != nil {
		return err
	}
	if e.Verdict == corpus.Untested {
		return triage.ErrUntested
	}
	env := compilers.EnvFrom(os.Environ())
	found, _, err := targets.Find(ctx, env)
	if err != nil {
		return err
	}
	ws, err := compilers.NewWorkspace(os.TempDir())
	if err != nil {
		return err
	}
	defer func() { _ = ws.Close() }() // the next one sweeps what is left
	if env.CC == "" {
		own, err := triage.Target(ctx, &oracle.Oracle{Targets: found, Space: ws, Limits: compilers.DefaultLimits()}, e)
		if err != nil {
			return err
		}
		found = []compilers.Target{own}
	}
	for _, t := range found {
		own, id := *e, t.ID()
		own.Compiler, own.Family, own.Version, own.Flags = id.Name, id.Family, id.Version, id.Args
		o := &oracle.Oracle{Targets: []compilers.Target{t}, Space: ws, Limits: compilers.DefaultLimits()}
		r, err := triage.Blame(ctx, o, &own)
		if err != nil {
			return err
		}
		b := r.Blame
		fmt.Fprintf(w, "%s: %s: %v\n", file, compilers.Name(t, e.Mode), b)
		fmt.Fprint(w, "  ")
		for _, flag := range bisect.MethodsOf(id.Family).Alone {
			fmt.Fprintf(w, "%s mends it: %v; ", flag, slices.Contains(b.Alone, flag))
		}
		fmt.Fprintf(w, "%d compilations, %.1f s of CPU\n", b.Tests, b.CPU.Seconds())
		if b.Cut {
			fmt.Fprintln(w, "  the search was cut short: what is named may not be all")
		}
		if write && own.Version == e.Version && slices.Equal(own.Flags, e.Flags) {
			triage.CopyBlame(e, r.Entry)
			if err := corpus.Update(file, e); err != nil {
				return err
			}
		}
	}
	return nil
}
