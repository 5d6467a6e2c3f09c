package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/reify/choice"
	"goreify/reify/others"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
)

// injectCalls writes functions and programs of ours that call functions of others, or
// variants of files that do.
func injectCalls(ctx context.Context, c *cli.Command, files []string) error {
	refused := []string{"profile"}
	if len(files) == 0 {
		refused = []string{"cflags", "input", "check"}
	}
	for _, flag := range refused {
		if c.IsSet(flag) {
			return fmt.Errorf("-%s means nothing to others inject with %d files", flag, len(files))
		}
	}
	how := others.How(cmp.Or(c.String("how"), string(others.Fixed)))
	if err := how.Check(); err != nil {
		return fmt.Errorf("-how is %w", err)
	}
	if len(files) == 0 {
		return injectOurs(ctx, c, how)
	}
	if how != others.Fixed {
		return fmt.Errorf("-how is %q, want fixed for files", how)
	}
	v, err := others.NewVarier(functionsOf(c))
	if err != nil {
		return err
	}
	return varyFiles(ctx, c, files, &emitter{of: v, calls: true})
}

// injectOurs writes functions and programs of ours that call functions of others.
func injectOurs(ctx context.Context, c *cli.Command, how others.How) error {
	n, err := number(c, 10, 0)
	if err != nil {
		return err
	}
	o := function.Options{Size: 60}
	o.Profile, o.Features = cmdline.SplitProfile(cmp.Or(c.String("profile"), "focus"))
	if how.Whole() {
		o.Size = 6
	}
	if err := o.Check(); err != nil {
		return err
	}
	s := others.Files{Functions: functionsOf(c)}.Callers(o, how)
	if err := source.Ready(s); err != nil {
		return err
	}
	if !how.Whole() {
		o, closer, err := cmdline.OpenForStrangers(ctx, c)
		if err != nil {
			return err
		}
		defer closer()
		others.AskFor(ctx, o, s)
	}
	what, _, _ := strings.Cut(string(how), ":")
	out := destination{says: c.Root().Writer, dir: c.String("o"), what: what, many: how.Whole()}
	return injectSome(ctx, s, n, o.Size, c.Uint64("seed"), out)
}

// injectSome writes n tests of a source whose batches have seeds of so many functions or
// programs.
func injectSome(ctx context.Context, s source.Source, n, size int, seed uint64, out destination) error {
	if err := out.make(); err != nil {
		return err
	}
	progress := cmdline.NewProgress(n, "tests")
	defer progress.Close()
	made := 0
	for batch := 0; made < n && batch <= n && ctx.Err() == nil; batch++ {
		first := seed + uint64(batch*size)
		m, err := s.Make(ctx, s.Draw(choice.From(first)))
		if errors.Is(err, source.ErrNone) {
			continue
		}
		if err != nil {
			return err
		}
		members := []subject.Subject{m}
		if g, ok := m.(subject.Group); ok {
			members = g.Members()
		}
		for _, one := range members[:min(len(members), n-made)] {
			if err := out.write(fmt.Sprintf("%s-%d", out.what, made), one); err != nil {
				return err
			}
			made++
			progress.Next()
		}
	}
	progress.Close()
	fmt.Fprintf(out.says, "%d tests are in %s\n", made, out.dir)
	return ctx.Err()
}
