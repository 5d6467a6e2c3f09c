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

// blame prints what is to blame for the failure that a reproducer shows: under the compiler
// that it was found with if that is among those asked or none are named, else under each of
// them. The file is told only of that one, and of the answers of all about its reduced test.
func blame(ctx context.Context, o *oracle.Oracle, asked []compilers.Target, w io.Writer, file string, opt triageOptions) error {
	e, err := cmdline.Load(o.Space, file)
	if err != nil {
		return err
	}
	if e.Verdict == corpus.Untested {
		return triage.ErrUntested
	}
	t, err := triage.Target(ctx, o, e)
	switch {
	case err == nil && t.ID().Version == e.Version:
		r, err := triage.Blame(ctx, o, e)
		if err != nil {
			return err
		}
		tellBlame(w, file, t, r)
		return opt.update(file, r.Entry)
	case err != nil && asked == nil:
		return err
	case asked == nil:
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
		tellBlame(w, file, t, r)
	}
	return nil
}

// tellBlame prints what came of a search under a compiler.
func tellBlame(w io.Writer, file string, t compilers.Target, r *triage.Result) {
	b := r.Blame
	fmt.Fprintf(w, "%s: %s: %v\n", file, compilers.Name(t, r.Entry.Mode), b)
	fmt.Fprint(w, "  ")
	for _, flag := range bisect.MethodsOf(t.ID().Family).Alone {
		fmt.Fprintf(w, "%s mends it: %v; ", flag, slices.Contains(b.Alone, flag))
	}
	fmt.Fprintf(w, "%d compilations, %.1f s of CPU\n", b.Tests, b.CPU.Seconds())
	if b.Cut {
		fmt.Fprintln(w, "  the search was cut short: what is named may not be all")
	}
}
