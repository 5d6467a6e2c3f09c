package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/urfave/cli/v3"

	"goreify/reify/choice"
	"goreify/reify/foreign"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/inject"
	"goreify/reify/source/text"
	"goreify/reify/subject"
)

func injectCommand() *cli.Command {
	modes := []inject.Mode{inject.Fixed, inject.Rows, inject.Free}
	return &cli.Command{
		Name:                      "inject",
		DisableSliceFlagSeparator: true, // an input may have commas
		Usage:                     "write functions and programs of ours, or variants of C, that call functions of others, each as C and as txtar",
		ArgsUsage:                 "[FILE.c...]",
		Description: "fixed: whole programs, which pass what was recorded. rows: functions, which pass what their variables hold and return\n" +
			"what they did before. free: the same, and the answers change what they return. The last two ask gcc and clang.\n" +
			"With files: -n variants of each, which print what it prints. It must be what a pool admits.",
		Flags: append(profileFlags(),
			boxFlag(), functionsFlag(), cflagsFlag(), inputFlag(),
			&cli.BoolFlag{Name: "check", Usage: "ask the compilers about each variant of a file; the exit status is 1 if one is wrong"},
			&cli.IntFlag{Name: "n", Value: 10, Usage: "`NUMBER` of tests; there are fewer if no more could be made"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` that decides everything"},
			&cli.StringFlag{Name: "mode", Value: string(inject.Fixed), Usage: "`MODE`, of fixed, rows and free"},
			&cli.IntFlag{Name: "live", Value: inject.DefaultLive, Usage: "`PERCENTAGE` of the constants that are reached which become calls, with fixed"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` to write to, made if need be"},
		),
		Action: func(ctx context.Context, c *cli.Command) error {
			mode := inject.Mode(c.String("mode"))
			o := function.Options{Profile: c.String("profile"), Features: c.String("features"), Size: 6}
			if o.Profile == "" {
				o.Profile = "focus"
			}
			if mode != inject.Fixed {
				o.Size = 60
			}
			switch n, live := c.Int("n"), c.Int("live"); {
			case c.Args().Present() && (c.IsSet("mode") || c.IsSet("live") || c.IsSet("profile") || c.IsSet("features")):
				return errors.New("-mode, -live, -profile and -features are for programs of ours: they do not go with files")
			case n < 0:
				return fmt.Errorf("-n is %d, want 0 or more", n)
			case live < 0 || live > 100:
				return fmt.Errorf("-live is %d, want 0 to 100", live)
			case !slices.Contains(modes, mode):
				return fmt.Errorf("-mode is %q, want one of %q", mode, modes)
			}
			if c.Args().Present() {
				return injectFiles(ctx, c)
			}
			if err := o.Check(); err != nil {
				return err
			}
			s := inject.New(o, mode, func() (inject.Base, error) { return foreign.Read(c.String("functions")) })
			s.Live = c.Int("live")
			if err := s.Check(); err != nil {
				return err
			}
			if mode != inject.Fixed {
				oracle, closer, err := openOracle(ctx, c)
				if err != nil {
					return err
				}
				defer closer()
				h, err := foreign.NewHarvester(ctx, oracle.Targets, oracle.Sanitizers, oracle.Space)
				if err != nil {
					return err
				}
				s.Ask = func(list []*foreign.Function) (inject.Asker, error) { return h.Panel(list), nil }
			}
			out := destination{c.Root().Writer, c.String("o"), string(mode), mode == inject.Fixed}
			return injectSome(ctx, s, c.Int("n"), c.Uint64("seed"), out)
		},
	}
}

// injectFiles writes variants of files of C.
func injectFiles(ctx context.Context, c *cli.Command) error {
	s := text.NewInjected("", func() (text.Functions, error) { return foreign.Read(c.String("functions")) })
	if err := s.CheckFunctions(); err != nil {
		return err
	}
	if err := os.MkdirAll(c.String("o"), 0o755); err != nil {
		return err
	}
	e := &emitter{command: c, out: destination{c.Root().Writer, c.String("o"), "variant", false}, change: s.Inject}
	defer e.close()
	var wrong error
	for _, path := range c.Args().Slice() {
		if ctx.Err() != nil {
			break
		}
		wrong = errors.Join(wrong, e.ofText(ctx, path, nil))
	}
	fmt.Fprintf(e.out.says, "%d variants are in %s\n", e.made, e.out.dir)
	if e.found > 0 {
		wrong = errors.Join(wrong, errFinding)
	}
	return wrong
}

// injectSome writes n tests of a source.
func injectSome(ctx context.Context, s *inject.Source, n int, seed uint64, out destination) error {
	if err := os.MkdirAll(out.dir, 0o755); err != nil {
		return err
	}
	bar := newBar(max(n, 1), "tests")
	defer bar.end()
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
			if err := out.write(fmt.Sprintf("%s-%d", out.what, made), test{one, one.Artefact().Files}); err != nil {
				return err
			}
			made++
			bar.next()
		}
	}
	fmt.Fprintf(out.says, "%d tests are in %s\n", made, out.dir)
	return ctx.Err()
}
