package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

// reduceC reduces a C file that is no reproducer, on which the compiler that an
// environment names fails in the mode of the flag modes.
func reduceC(ctx context.Context, c *cli.Command, o *oracle.Oracle, env compilers.Env, progress *cmdline.Progress, file string, opt triageOptions) error {
	source, err := safefile.Read(file, safefile.Most)
	if err != nil {
		return err
	}
	f, err := triage.Witnesses(o)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	found, _, err := targets.Find(ctx, env)
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("-cc %q: want one compiler", env.CC)
	}
	f.Source, f.Target, f.Mode = source, found[0], native.UsualLevel
	if modes := compilers.EnvFrom(cmdline.Environ(c)).Modes; modes != "" {
		f.Mode = modes
		if strings.Contains(modes, ",") {
			return errors.New("-modes names several, want the one in which the compiler fails")
		}
	}
	progress.Now(file + ": cvise is at work")
	r, err := triage.Cvise(ctx, o.Space, f, opt.time, opt.Workers)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	state := "finished"
	if !r.Finished {
		state = "stopped"
	}
	progress.Line(cmdline.Errors(), fmt.Sprintf("%s: %s: %d lines of %d, %.1f CPU s, %s", file, r.Failing,
		strings.Count(string(r.Source), "\n"), strings.Count(string(source), "\n"), r.CPU.Seconds(), state))
	if opt.to != "" && opt.to != nowhere {
		return safefile.Output(opt.to, r.Source, 0o644)
	}
	progress.Line(opt.out, strings.TrimSuffix(string(r.Source), "\n"))
	return nil
}
