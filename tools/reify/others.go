package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"goreify/reify/oracle"
	"goreify/reify/others"
	"goreify/tools/cmdline"
	"goreify/tools/generators"
)

func othersCommand() *cli.Command {
	return &cli.Command{
		Name:                      "others",
		Usage:                     "keep and use what other people wrote: programs to vary, functions to call",
		ArgsUsage:                 "TASK [FILE|DIR...]",
		DisableSliceFlagSeparator: true, // an input may have commas
		Metadata:                  cmdline.Takes(cmdline.JSON, cmdline.Workers),
		Description: "add      programs that stand alone, or -n of csmith; functions, with the answers of sanitizers\n" +
			"status   what is kept, and why what was refused\n" +
			"show     a function by its NAME: text, pairs, origin\n" +
			"check    ask all compilers about the functions again, in all modes; status 1 if one differs\n" +
			"vary     variants of FILEs of C, or reproducers, that do the same for the inputs that are known\n" +
			"inject   programs of ours, or variants of FILEs of C, that call the functions",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "what", Value: whatPrograms, Usage: "`WHAT` is kept: programs, functions"},
			&cli.StringFlag{Name: "db", Usage: "`FILE` of the database; by default " + others.PoolFile + ", or " + others.FunctionsFile},
			&cli.StringFlag{Name: "cflags", Usage: "`FLAGS` of the preprocessor, as -IDIR; -cut what a file lacks; csmith's options"},
			&cli.StringSliceFlag{Name: "input", Usage: "`INPUT` of C files, as '3 4 <FILE'; once for each that variants must agree on",
				Config: cli.StringConfig{TrimSpace: true}},
			&cli.StringFlag{Name: "origin", Usage: "`ORIGIN` of functions: PROJECT@VERSION:LICENCE, for files that name no licence"},
			&cli.StringFlag{Name: "only", Usage: "`PATTERN` of files that functions are taken from; or classes to check: any,puns,dead"},
			&cli.StringFlag{Name: "how", Usage: "`HOW`: calls are fixed, fixed:30 (by 30 %), rows, free; edits 3, insert,tg, 3:insert,tg"},
			&cli.StringFlag{Name: "profile", Usage: "`PROFILE` of programs of ours, as wild+ptr-float (focus)"},
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of programs of csmith, of functions to check (1000), of variants or tests (10)"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first program of csmith, or test; the same gives the same"},
			&cli.StringFlag{Name: "o", Value: "out", Usage: "`DIR` that vary and inject write to, made if need be"},
			&cli.BoolFlag{Name: "check", Usage: "ask the compilers about each variant of a file; status 1 if one is wrong"},
		},
		Action: useOthers,
	}
}

// A task is something that the command others does: with programs, with functions, or
// without regard to what is kept.
type task struct {
	programs, functions, any func(ctx context.Context, c *cli.Command, args []string) error
	flags                    []string // that mean something to it beside -what and -db
	args                     bool
}

// tasks are all of them, by the first word.
var tasks = map[string]task{
	"add":    {addPrograms, addFunctions, nil, []string{"cflags", "input", "origin", "only", "n", "seed", cmdline.Workers}, true},
	"status": {programStatus, functionStatus, nil, []string{cmdline.JSON}, false},
	"show":   {nil, showFunction, nil, nil, true},
	"check":  {nil, checkFunctions, nil, []string{"n", "only"}, false},
	"vary":   {nil, nil, vary, []string{"cflags", "input", "how", "n", "seed", "o", "check"}, true},
	"inject": {nil, injectCalls, nil, []string{"cflags", "input", "how", "profile", "n", "seed", "o", "check"}, true},
}

// meansNothing are flags that a task takes with programs, or with functions, alone.
var meansNothing = map[string][]string{whatPrograms: {"origin", "only"}, whatFunctions: {"input", "n", "seed"}}

func useOthers(ctx context.Context, c *cli.Command) error {
	do, args := cmp.Or(c.Args().First(), "status"), c.Args().Tail()
	t, ok := tasks[do]
	if !ok {
		return fmt.Errorf("others: unknown task %q; -help lists the tasks", do)
	}
	what := c.String("what")
	run, means := t.any, t.flags
	switch {
	case what != whatPrograms && what != whatFunctions:
		return fmt.Errorf("-what is %q, want programs or functions", what)
	case run != nil && (c.IsSet("what") || c.IsSet("db")):
		return fmt.Errorf("-what and -db mean nothing to others %s", do)
	case run != nil:
	case t.programs == nil && what == whatPrograms && c.IsSet("what"):
		return fmt.Errorf("others %s is for functions, not for programs", do)
	case t.programs == nil || what == whatFunctions:
		run = t.functions
	default:
		run = t.programs
	}
	task := do
	if do == "add" {
		task += " -what " + what
		means = slices.DeleteFunc(slices.Clone(means), func(flag string) bool { return slices.Contains(meansNothing[what], flag) })
	}
	for _, flag := range []string{"cflags", "input", "origin", "only", "how", "profile", "n", "seed", "o", "check", cmdline.JSON, cmdline.Workers} {
		if c.IsSet(flag) && !slices.Contains(means, flag) {
			return fmt.Errorf("-%s means nothing to others %s", flag, task)
		}
	}
	if len(args) > 0 && !t.args {
		return fmt.Errorf("others %s takes no arguments, got %q; -db names the database", do, args[0])
	}
	return run(ctx, c, args)
}

// poolOf and functionsOf return the databases that a command line of others means.
func poolOf(c *cli.Command) string      { return cmp.Or(c.String("db"), others.PoolFile) }
func functionsOf(c *cli.Command) string { return cmp.Or(c.String("db"), others.FunctionsFile) }

// number returns the flag n, or another number if it is not given. It is at least least.
func number(c *cli.Command, usual, least int) (int, error) {
	if !c.IsSet("n") {
		return usual, nil
	}
	if n := c.Int("n"); n < least {
		return 0, fmt.Errorf("-n is %d, want %d or more", n, least)
	}
	return c.Int("n"), nil
}

func programStatus(_ context.Context, c *cli.Command, _ []string) error {
	s, err := others.ProgramStatus(poolOf(c))
	if err != nil {
		return err
	}
	return cmdline.Print(c, s, s.Write)
}

func functionStatus(_ context.Context, c *cli.Command, _ []string) error {
	s, err := others.FunctionStatus(functionsOf(c))
	if err != nil {
		return err
	}
	return cmdline.Print(c, s, s.Write)
}

// work returns how a task of a command line is shown.
func work(c *cli.Command, what string) others.Work {
	var progress *cmdline.Progress
	return others.Work{
		Workers: c.Int(cmdline.Workers), Out: c.Root().Writer,
		Begin: func(n int) { progress = cmdline.NewProgress(n, what) },
		Next:  func() { progress.Next() },
		Say:   func(line string) { fmt.Fprintln(cmdline.Errors(), line) },
		End:   func() { progress.Close() },
	}
}

// errNoNames says what is missing.
var errNoNames = errors.New("others add takes the names of C files or of directories")

// addPrograms admits files, or programs that csmith makes, to a pool.
func addPrograms(ctx context.Context, c *cli.Command, args []string) error {
	if len(args) == 0 && c.IsSet("n") {
		return addCsmith(ctx, c)
	}
	for _, flag := range []string{"n", "seed"} {
		if c.IsSet(flag) {
			return fmt.Errorf("-%s is for programs of csmith, not for files", flag)
		}
	}
	if len(args) == 0 {
		return fmt.Errorf("%w, or -n programs of csmith", errNoNames)
	}
	setting, err := others.NewSetting(c.String("cflags"), c.StringSlice("input"))
	if err != nil {
		return err
	}
	files, err := others.ProgramFiles(args)
	if err != nil {
		return err
	}
	return admitAll(ctx, c, len(files), cmdline.OpenForStrangers, func(_ context.Context, i int) (*others.Candidate, error) {
		k, err := setting.In(files[i])
		if err != nil { // the others can be read
			fmt.Fprintln(cmdline.Errors(), "not judged:", err)
		}
		return k, nil
	})
}

// addCsmith admits programs that csmith makes to a pool. It runs in no box: it sees no
// stranger's file.
func addCsmith(ctx context.Context, c *cli.Command) error {
	if c.IsSet("input") {
		return errors.New("-input is for C files, not for programs of csmith")
	}
	n, err := number(c, 0, 1)
	if err != nil {
		return err
	}
	options := others.CsmithOptions
	if c.IsSet("cflags") {
		options = func(uint64) []string { return strings.Fields(c.String("cflags")) }
	}
	csmith, err := generators.Csmith(options)
	if err != nil {
		return err
	}
	return admitAll(ctx, c, n, cmdline.OpenOracle, func(ctx context.Context, i int) (*others.Candidate, error) {
		seed := c.Uint64("seed") + uint64(i)
		u, err := csmith.Make(ctx, seed)
		if err != nil || len(u.Files) == 0 { // csmith does not end in time
			return nil, err
		}
		return &others.Candidate{Name: fmt.Sprintf("csmith-%d", seed), Text: u.Files[0], Dirs: []fs.FS{os.DirFS(generators.CsmithHeaders)}, Trusted: true}, nil
	})
}

// An opener is cmdline.OpenOracle, or one that refuses strangers.
type opener func(context.Context, *cli.Command) (*oracle.Oracle, func(), error)

// admitAll has n candidates admitted to a pool, by the oracle of open.
func admitAll(ctx context.Context, c *cli.Command, n int, open opener, candidate func(context.Context, int) (*others.Candidate, error)) error {
	p, err := others.OpenPrograms(poolOf(c))
	if err != nil {
		return err
	}
	defer p.Close() // each transaction is on disk
	o, closer, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	return p.Add(ctx, o, n, candidate, work(c, "programs"))
}

// addFunctions takes functions out of files into a database.
func addFunctions(ctx context.Context, c *cli.Command, args []string) error {
	taking, err := others.NewTaking(c.String("cflags"), c.String("origin"))
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return errNoNames
	}
	files, err := others.FunctionFiles(args, c.String("only"))
	if err != nil {
		return err
	}
	d, err := others.OpenFunctions(functionsOf(c))
	if err != nil {
		return err
	}
	defer d.Close() // each transaction is on disk
	o, closer, err := cmdline.OpenForStrangers(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	return d.Add(ctx, o, files, taking, work(c, "files"))
}

// showFunction prints the functions of a name.
func showFunction(_ context.Context, c *cli.Command, args []string) error {
	if len(args) != 1 {
		return errors.New("others show takes the name of a function, or its symbol")
	}
	return others.Show(c.Root().Writer, functionsOf(c), args[0])
}

// checkFunctions asks all compilers about the functions again.
func checkFunctions(ctx context.Context, c *cli.Command, _ []string) error {
	n, err := number(c, 1000, 1)
	if err != nil {
		return err
	}
	s, err := others.OpenSuspects(functionsOf(c), cmp.Or(c.String("only"), "any"), n)
	if err != nil {
		return err
	}
	defer s.Close() // each transaction is on disk
	o, closer, err := cmdline.OpenForStrangers(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	differ, err := s.Check(ctx, o, work(c, "functions"))
	if err != nil {
		return err
	}
	if differ > 0 {
		return fmt.Errorf("%w, or a function is undefined: %d functions", cmdline.ErrFinding, differ)
	}
	return nil
}
