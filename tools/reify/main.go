// Reify makes C functions with arbitrary control flow and a known answer, and
// shows and replays the reproducers of compiler bugs that they found.
//
//	reify gen -n 100 -seed 1 -o out     write cases as C and txtar
//	reify emi -n 8 corpus/x.txtar       variants of a reproducer, which do the same for its inputs
//	reify pool csmith -n 500            seeds of variants, made by csmith, into out/pool.db
//	reify functions add DIR             functions of C that others wrote, with answers
//	reify show corpus/x.txtar           program, path and trace; the graph as DOT or SVG
//	reify extract corpus/x.txtar DIR    its files, to compile by hand
//	reify replay corpus/*.txtar         ask the compilers on this machine again
//	reify blame corpus/*.txtar          the pass that is wrong; -w writes it down
//	reify reduce corpus/x.txtar         the smallest test that shows the same bug
//	reify triage corpus                 both, for all findings in a directory
//	reify adopt FILE... -cc gcc-16      newer compilers take over what they fail on, too
//	reify known -link URL BUCKET        a bucket that needs no attention any more
//	reify hunt -o DIR -time 8h          look for compiler bugs; goes on where it was
//	reify status DIR                    what a hunt has come to, also while it runs
//	reify report DIR                    a bug report for each bucket, and a page of them all
//	reify bench -config 15,8,2,2,3      functions per CPU second, and what they are like
//	reify experiment all -o DIR         the paper's tables and figures, measured here
//	reify counters                      what gcc does for our programs, and for other generators
//	reify events FILE...                what the passes of each compiler do with a program
//
// The exit status is 0 if all went well, 1 if a compiler was found wrong,
// whatever else happened, or a report leaves out a file that is malformed, and 2
// if the command was used wrongly or could not do its work.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v3"

	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/solve/z3"
)

// These make the command exit with status 1.
var (
	errFinding = errors.New("a compiler is wrong")
	errSkipped = errors.New("files were left out")
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		// Nearly all that is allocated is a case that is soon dropped: collecting
		// less often costs some hundred megabytes and saves a fifth of the time.
		debug.SetGCPercent(3200)
		debug.SetMemoryLimit(512 << 20)
	}
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), ends...)
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	// A reader that goes away ends the command in order: the workspace is removed.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	go func() {
		<-broken
		stop()
	}()
	os.Exit(run(ctx, os.Args))
}

// run executes the command line and returns the exit status.
func run(ctx context.Context, args []string) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &output{cancel: cancel}
	app := &cli.Command{
		Writer: out,
		Name:   "reify",
		Usage:  "programs with arbitrary control flow and a known answer, against compilers",
		Commands: []*cli.Command{
			genCommand(), showCommand(), extractCommand(), huntCommand(), statusCommand(), replayCommand(),
			blameCommand(), reduceCommand(), triageCommand(), adoptCommand(), reportCommand(), knownCommand(),
			benchCommand(), experimentCommand(), countersCommand(), benchTriageCommand(),
			eventsCommand(), enginesCommand(), proveCommand(), emiCommand(), poolCommand(), functionsCommand(), injectCommand(),
		},
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("unknown command %q; reify -h lists them", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
	}
	complainOnly(app)
	err := app.Run(ctx, args)
	wrong := errors.Is(err, errFinding) || errors.Is(err, errSkipped)
	if err = out.explain(err); err == nil {
		return 0
	}
	if !out.quiet(err) {
		fmt.Fprintln(os.Stderr, "reify:", err)
	}
	if wrong {
		return 1
	}
	return 2
}

// complainOnly has a command and those below it return what is wrong with their
// flags, and not print help, too.
func complainOnly(c *cli.Command) {
	c.OnUsageError = func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err }
	for _, below := range c.Commands {
		complainOnly(below)
	}
}

// engineFlag selects how paths are solved.
func engineFlag() cli.Flag {
	return &cli.StringFlag{Name: "engine", Value: "search", Usage: "`NAME` of the solver: search, z3, or portfolio (search, then z3)"}
}

// newEngine returns the solver of that name.
func newEngine(name string) (solve.Solver, error) {
	switch name {
	case "search":
		return search.Engine{}, nil
	case "z3", "portfolio":
		smt, err := z3.New(z3.Options{})
		if err != nil {
			return nil, err
		}
		if name == "z3" {
			return smt, nil
		}
		return solve.Portfolio{search.Engine{}, smt}, nil
	}
	return nil, fmt.Errorf("unknown engine %q: want search, z3 or portfolio", name)
}
