package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"

	"goreify/reify/others/foreign"
	"goreify/reify/others/pool"
	"goreify/tools/cmdline"
	"goreify/tools/reify/hunt"
)

func othersCommand() *cli.Command {
	return &cli.Command{
		Name:                      "others",
		Usage:                     "keep programs and functions of other people's C, to make variants of and to be called",
		ArgsUsage:                 "[FILE|DIR...]",
		DisableSliceFlagSeparator: true, // an input may have commas
		Metadata:                  cmdline.Takes(cmdline.JSON, cmdline.Workers),
		Description: "add      programs that stand alone; functions, with the answers that sanitizers agree on\n" +
			"csmith   -n programs that csmith makes\n" +
			"status   what is kept, and why what was refused\n" +
			"show     a function by its NAME: text, pairs, origin\n" +
			"check    ask all compilers about the functions again, in all modes; status 1 if one differs",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "what", Value: whatPrograms, Usage: "`WHAT` is kept: programs, functions"},
			&cli.StringFlag{Name: "do", Value: "status", Usage: "`WHAT` to do: add, csmith, status, show, check"},
			&cli.StringFlag{Name: "o", Usage: "`FILE` of the database; by default " + hunt.PoolFile + ", or " + cmdline.FunctionsFile},
			&cli.StringFlag{Name: "cflags", Usage: "`FLAGS` of the preprocessor, as -IDIR; -cut what a file lacks; csmith's options"},
			inputFlag(),
			&cli.StringFlag{Name: "origin", Usage: "`ORIGIN` of functions: PROJECT@VERSION:LICENCE, for files that name no licence"},
			&cli.StringFlag{Name: "only", Usage: "`PATTERN` of files that functions are taken from; or classes to check: any,puns,dead"},
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of programs of csmith (100), or of functions to check (1000)"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first program of csmith"},
		},
		Action: others,
	}
}

// A task is something that the command others does.
type task struct{ do, what string }

// tasks are all of them, with the flags that mean something to them beside -o.
var tasks = map[task]struct {
	run   func(context.Context, *cli.Command) error
	flags []string
	args  bool
}{
	{"add", whatPrograms}:     {addPrograms, []string{"cflags", "input", cmdline.Workers}, true},
	{"csmith", whatPrograms}:  {addCsmith, []string{"cflags", "n", "seed", cmdline.Workers}, false},
	{"status", whatPrograms}:  {statusOf(pool.View), []string{cmdline.JSON}, false},
	{"add", whatFunctions}:    {addFunctions, []string{"cflags", "origin", "only", cmdline.Workers}, true},
	{"status", whatFunctions}: {statusOf(foreign.View), []string{cmdline.JSON}, false},
	{"show", whatFunctions}:   {showOne, nil, true},
	{"check", whatFunctions}:  {checkFunctions, []string{"n", "only"}, false},
}

func others(ctx context.Context, c *cli.Command) error {
	t := task{c.String("do"), c.String("what")}
	if t.what != whatPrograms && t.what != whatFunctions {
		return fmt.Errorf("-what is %q, want programs or functions", t.what)
	}
	how, ok := tasks[t]
	if !ok {
		return fmt.Errorf("others: %s cannot be done with %s; -help says what can", t.do, t.what)
	}
	means := map[string]bool{}
	for _, flag := range how.flags {
		means[flag] = true
	}
	for _, flag := range []string{"cflags", "input", "origin", "only", "n", "seed", cmdline.JSON, cmdline.Workers} {
		if c.IsSet(flag) && !means[flag] {
			return fmt.Errorf("-%s means nothing to others -what %s -do %s", flag, t.what, t.do)
		}
	}
	if c.Args().Present() && !how.args {
		return fmt.Errorf("others -do %s takes no arguments, got %q; -o names the database", t.do, c.Args().First())
	}
	return how.run(ctx, c)
}

// statusOf returns what says what is in a database.
func statusOf[D interface {
	io.Closer
	Status() (S, error)
}, S interface{ Write(io.Writer) error }](view func(path string) (D, error)) func(context.Context, *cli.Command) error {
	return func(_ context.Context, c *cli.Command) error {
		d, err := view(databaseOf(c))
		if err != nil {
			return err
		}
		defer d.Close() // nothing was written
		s, err := d.Status()
		if err != nil {
			return err
		}
		return cmdline.Print(c, s, s.Write)
	}
}

// databaseOf returns the database that a command line of others means.
func databaseOf(c *cli.Command) string {
	usual := hunt.PoolFile
	if c.String("what") == whatFunctions {
		usual = hunt.FunctionsFile
	}
	return cmp.Or(c.String("o"), usual)
}

// orDefault returns the flag n, or another number if it is not given.
func orDefault(c *cli.Command, n int) int {
	if c.IsSet("n") {
		return c.Int("n")
	}
	return n
}
