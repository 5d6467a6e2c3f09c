package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

// blameAll says what is to blame for the reproducers of a command line.
func blameAll(ctx context.Context, c *cli.Command, o *oracle.Oracle, opt triageOptions) error {
	asked := o.Targets
	if compilers.EnvFrom(cmdline.Environ(c)).CC == "" {
		asked = nil
	}
	return eachFile(c.Args().Slice(), func(progress *cmdline.Progress, file string) error {
		var said strings.Builder
		err := blame(ctx, o, asked, &said, file, opt)
		if said.Len() > 0 {
			progress.Line(opt.out, strings.TrimSuffix(said.String(), "\n"))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		return nil
	})
}

// blame prints what is to blame for the failure that a reproducer shows under some
// compilers; nil stands for the one that it was found with. The file is told only of
// that one.
func blame(ctx context.Context, o *oracle.Oracle, asked []compilers.Target, w io.Writer, file string, opt triageOptions) error {
	e, err := cmdline.Load(o.Space, file)
	if err != nil {
		return err
	}
	if e.Verdict == corpus.Untested {
		return triage.ErrUntested
	}
	if asked == nil {
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
		if own.Version == e.Version && slices.Equal(own.Flags, e.Flags) {
			triage.CopyBlame(e, r.Entry)
			if err := opt.update(file, e); err != nil {
				return err
			}
		}
	}
	return nil
}
