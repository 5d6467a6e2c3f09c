package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/reify/choice"
	"goreify/reify/others/foreign"
	"goreify/reify/others/inject"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
)

// parseInject takes the flag inject apart: the mode, and of "fixed:PERCENTAGE" how many of
// the constants that are reached become calls.
func parseInject(flag string) (mode inject.Mode, live int, err error) {
	modes := []inject.Mode{inject.Fixed, inject.Rows, inject.Free}
	name, share, given := strings.Cut(flag, ":")
	mode, live = inject.Mode(name), inject.DefaultLive
	if given {
		if live, err = strconv.Atoi(share); err != nil || live < 0 || live > 100 || mode != inject.Fixed {
			return mode, 0, fmt.Errorf("-inject is %q, want fixed:PERCENTAGE, 0 to 100", flag)
		}
	}
	if !slices.Contains(modes, mode) {
		return mode, 0, fmt.Errorf("-inject is %q, want one of %q", flag, modes)
	}
	return mode, live, nil
}

// injectOurs writes functions and programs of ours that call functions of others.
func injectOurs(ctx context.Context, c *cli.Command) error {
	for _, flag := range []string{"what", "lang", "inputs", "variants", "debug", "engine"} {
		if c.IsSet(flag) {
			return fmt.Errorf("-%s does not go with -inject", flag)
		}
	}
	mode, live, err := parseInject(c.String("inject"))
	if err != nil {
		return err
	}
	profile := "focus"
	if c.IsSet("profile") {
		profile = c.String("profile")
	}
	o := function.Options{Size: 6}
	o.Profile, o.Features = cmdline.SplitProfile(profile)
	if mode != inject.Fixed {
		o.Size = 60
	}
	if err := o.Check(); err != nil {
		return err
	}
	s := inject.New(o, mode, func() (inject.Base, error) { return foreign.Read(functionsOf(c)) })
	s.Live = live
	if err := s.Check(); err != nil {
		return err
	}
	if mode != inject.Fixed {
		o, closer, err := cmdline.OpenForStrangers(ctx, c)
		if err != nil {
			return err
		}
		defer closer()
		cmdline.AskFor(ctx, o, []source.Source{s})
	}
	out := destination{says: c.Root().Writer, dir: c.String("o"), what: string(mode), many: mode == inject.Fixed}
	return injectSome(ctx, s, c.Int("n"), c.Uint64("seed"), out)
}

// injectSome writes n tests of a source.
func injectSome(ctx context.Context, s *inject.Source, n int, seed uint64, out destination) error {
	if err := out.make(); err != nil {
		return err
	}
	progress := cmdline.NewProgress(n, "tests")
	defer progress.Close()
	made := 0
	for batch := 0; made < n && batch <= n && ctx.Err() == nil; batch++ {
		first := seed + uint64(batch*s.Size)
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
