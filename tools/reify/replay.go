package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/reify/oracle"
	"goreify/tools/cmdline"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "ask the compilers of this machine about reproducers again",
		ArgsUsage: "FILE...",
		Metadata:  cmdline.Takes(cmdline.CompileTime),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "v", Usage: "also list the targets and the configurations that pass"},
			&cli.BoolFlag{Name: "any", Usage: "exit with 1 for any failure, and not only for those that files do not list"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return errors.New("replay takes at least one file")
			}
			o, closer, err := cmdline.OpenOracle(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			return replay(ctx, c.Root().Writer, o, c.Args().Slice(), c.Bool("v"), c.Bool("any"))
		},
	}
}

// replay prints a line for each configuration that fails, or passes against
// expectation. The error wraps cmdline.ErrFinding if one fails that its file does not list
// as failing, or with any, if one fails, also when there are files that cannot be read, bring flags that are refused or have no compiler for
// their language.
func replay(ctx context.Context, w io.Writer, o *oracle.Oracle, files []string, verbose, any bool) error {
	failures := 0
	if verbose {
		for _, t := range o.Targets {
			fmt.Fprintf(w, "%v: %v\n", t.ID(), t.Traits())
		}
	}
	err := eachFile(files, func(progress *cmdline.Progress, file string) error {
		e, err := cmdline.Load(o.Space, file)
		if err != nil {
			return err
		}
		if err = o.Admit(e); err == nil {
			_, err = o.Of(e.Language)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		counts := map[oracle.Status]int{}
		for _, r := range o.Replay(ctx, e) {
			counts[r.Status]++
			if r.Outcome.Verdict.Finding() && (any || r.Status != oracle.Known) {
				failures++
			}
			if verbose || r.Status != oracle.Passes {
				progress.Line(w, strings.TrimSpace(fmt.Sprintf("%s: %v: %v: %v %s", file, r.Config, r.Status, r.Outcome.Verdict, r.Outcome.Message)))
			}
		}
		progress.Line(w, fmt.Sprintf("%s: %d pass, %d fail as listed, %d also fail, %s, %d fixed, %d unclear", file,
			counts[oracle.Passes], counts[oracle.Known], counts[oracle.AlsoFails], cmdline.Several(counts[oracle.Regression], "regression"), counts[oracle.Fixed], counts[oracle.Unclear]))
		return nil
	})
	if err = errors.Join(err, ctx.Err()); failures > 0 {
		err = errors.Join(err, cmdline.ErrFinding)
	}
	return err
}
