package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

// runReduce makes the smallest tests of the files of a command line.
func runReduce(ctx context.Context, c *cli.Command, opt triageOptions) error {
	files := c.Args().Slice()
	env, closer, err := cmdline.OpenEnv(ctx, c)
	if err != nil {
		return err
	}
	failing := env.CC
	if slices.ContainsFunc(files, func(file string) bool { return filepath.Ext(file) != corpus.Ext }) {
		if failing == "" {
			closer()
			return errors.New("-cc must name the compiler that fails on a file of C")
		}
		env.CC = "" // the witnesses of C are all that are here
		if c.IsSet("cc") {
			env.CC = os.Getenv("REIFY_CC")
		}
		env.Modes = ""
	}
	o, closer, err := cmdline.OpenIn(ctx, env, closer)
	if err != nil {
		return err
	}
	defer closer()
	env.CC = failing
	return eachFile(files, func(progress *cmdline.Progress, file string) error {
		if filepath.Ext(file) == corpus.Ext {
			return reduceEntry(ctx, o, progress, file, opt)
		}
		if err := o.Space.Strangers(); err != nil {
			return err
		}
		return reduceC(ctx, c, o, env, progress, file, opt)
	})
}

// reduceEntry reduces a reproducer and prints what came of it.
func reduceEntry(ctx context.Context, o *oracle.Oracle, progress *cmdline.Progress, file string, opt triageOptions) error {
	e, err := cmdline.Load(o.Space, file)
	if err != nil {
		return err
	}
	opt.Cvise = opt.time
	opt.Progress = func(step string) { progress.Now(file + ": " + step) }
	r, err := triage.Finding(ctx, o, e, opt.Options)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := opt.update(file, r.Entry); err != nil {
		return err
	}
	progress.Line(cmdline.Errors(), file+": "+r.String())
	progress.Line(opt.out, strings.TrimSuffix(r.Entry.Reduced, "\n"))
	return nil
}
