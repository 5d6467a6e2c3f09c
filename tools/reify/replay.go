package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/oracle"
)

func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "run the programs of reproducers under the compilers of this machine (REIFY_CC and REIFY_LEVELS choose)",
		ArgsUsage: "FILE...",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "v", Usage: "also list the configurations that pass"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() == 0 {
				return errors.New("replay takes at least one file")
			}
			o, closer, err := openOracle(ctx)
			if err != nil {
				return err
			}
			defer closer()
			return replay(ctx, c.Root().Writer, o, c.Args().Slice(), c.Bool("v"))
		},
	}
}

// openOracle returns an oracle that asks the compilers of this machine, and what
// closes it. It says which compilers are not used.
func openOracle(ctx context.Context) (o *oracle.Oracle, closer func(), err error) {
	found, named, err := targets.Find(ctx, compilers.EnvFrom(os.Environ()))
	if err != nil {
		return nil, nil, err
	}
	if o, closer, err = oracle.New(ctx, found, named, os.TempDir()); err != nil {
		return nil, nil, err
	}
	for _, u := range o.Unusable {
		fmt.Fprintln(os.Stderr, "reify: not used:", u)
	}
	return o, closer, nil
}

// replay prints a line for each configuration that fails, or passes against
// expectation. The error wraps errFinding if any fails, also when there are
// files that cannot be read.
func replay(ctx context.Context, w io.Writer, o *oracle.Oracle, files []string, verbose bool) error {
	var errs []error
	failures := 0
	for _, file := range files {
		e, err := corpus.Load(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		counts := map[oracle.Status]int{}
		for _, r := range o.Replay(ctx, e) {
			counts[r.Status]++
			if r.Outcome.Verdict.Finding() {
				failures++
			}
			if verbose || r.Status != oracle.Passes {
				fmt.Fprintln(w, strings.TrimSpace(fmt.Sprintf("%s: %v: %v: %v %s", file, r.Config, r.Status, r.Outcome.Verdict, r.Outcome.Message)))
			}
		}
		fmt.Fprintf(w, "%s: %d pass, %d known to fail, %d regressions, %d fixed, %d unclear\n", file,
			counts[oracle.Passes], counts[oracle.Known], counts[oracle.Regression], counts[oracle.Fixed], counts[oracle.Unclear])
	}
	errs = append(errs, ctx.Err())
	if failures > 0 {
		errs = append(errs, errFinding)
	}
	return errors.Join(errs...)
}
