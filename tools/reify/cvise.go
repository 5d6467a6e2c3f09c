package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/compilers/targets"
	"goreify/reify/oracle"
	"goreify/reify/triage"
)

// cviseFlags say what is wrong with a C file that is no reproducer.
func cviseFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "cc", Usage: "`COMPILER` that fails on a C file, with its arguments: 'gcc-12 -m32'"},
		&cli.StringFlag{Name: "level", Value: native.UsualLevel, Usage: "`LEVEL` at which it fails"},
		&cli.DurationFlag{Name: "time", Usage: "`DURATION` for cvise, after which the smallest so far is the result; 0 is no limit for a C file, and no cvise for the reproducer of a text"},
	}
}

// reduceC reduces a C file that is no reproducer.
func reduceC(ctx context.Context, o *oracle.Oracle, c *cli.Command, file string) error {
	if c.String("cc") == "" {
		return fmt.Errorf("%s: -cc must say which compiler fails on a C file", file)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	f, err := cFile(o)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	env := compilers.EnvFrom(os.Environ())
	env.CC, env.Space = c.String("cc"), o.Space
	found, _, err := targets.Find(ctx, env)
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("-cc %q: want one compiler", env.CC)
	}
	f.Source, f.Target, f.Mode = source, found[0], c.String("level")
	r, err := triage.Cvise(ctx, o.Space, f, c.Duration("time"), c.Int("workers"))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	state := "finished"
	if !r.Finished {
		state = "stopped"
	}
	fmt.Fprintf(os.Stderr, "%s: %s: %d lines of %d, %.1f CPU s, %s\n", file, r.Failing,
		strings.Count(string(r.Source), "\n"), strings.Count(string(source), "\n"), r.CPU.Seconds(), state)
	if to := c.String("o"); to != "" {
		return os.WriteFile(to, r.Source, 0o644)
	}
	_, err = c.Root().Writer.Write(r.Source)
	return err
}
