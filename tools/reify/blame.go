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
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
)

func blameCommand() *cli.Command {
	return &cli.Command{
		Name:      "blame",
		Usage:     "say which pass or flags of the compiler are to blame for reproducers (REIFY_CC names another compiler to ask)",
		ArgsUsage: "FILE...",
		Flags:     []cli.Flag{boxFlag(), &cli.BoolFlag{Name: "w", Usage: "write it to the files, too, if the compiler is the one that they name"}},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return errors.New("blame takes at least one file")
			}
			o, closer, err := openForFiles(ctx, c, c.Args().Slice())
			if err != nil {
				return err
			}
			defer closer()
			var errs []error
			for _, file := range c.Args().Slice() {
				if err := blame(ctx, o, c.Root().Writer, file, c.Bool("w")); err != nil {
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
func blame(ctx context.Context, o *oracle.Oracle, w io.Writer, file string, write bool) error {
	e, err := corpus.Load(file)
	if err != nil {
		return err
	}
	if e.Verdict == corpus.Untested {
		return triage.ErrUntested
	}
	asked := o.Targets
	if compilers.EnvFrom(os.Environ()).CC == "" {
		t, err := triage.Target(ctx, o, e)
		if err != nil {
			return err
		}
		asked = []compilers.Target{t}
	}
	for _, t := range asked {
		own, one, id := *e, *o, t.ID()
		own.Compiler, own.Family, own.Version, own.Flags = id.Name, id.Family, id.Version, id.Args
		one.Targets = []compilers.Target{t}
		r, err := triage.Blame(ctx, &one, &own)
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
