package cmdline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
)

// These make a command exit with status 1.
var (
	ErrFinding = errors.New("a compiler is wrong")
	ErrSkipped = errors.New("files were left out")
)

// Main runs a command with the arguments and the signals of this process, and ends it.
// A first interrupt cancels the context, and ends the process soon, whatever the command waits
// for: see endSoon. A second one ends it at once.
func Main(run func(ctx context.Context, args []string) int) {
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
	ctx, spaces := withSpaces(ctx)
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, os.Args) }()
	select {
	case status := <-ended:
		os.Exit(status)
	case <-ctx.Done():
		os.Exit(endSoon(ended, spaces))
	}
}

// Run executes a command line of a command, to which it adds the flags of Globals and
// shell completion, and returns the exit status: 0 if all went well, 1 if the error
// wraps ErrFinding or ErrSkipped, else 2. Renamed are commands that there were, and
// what they are called now, or, in brackets, which other command takes their place.
func Run(ctx context.Context, app *cli.Command, renamed map[string]string, args []string) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &output{cancel: cancel}
	Prepare(app, renamed)
	app.Writer = out
	err := app.Run(ctx, args)
	wrong := errors.Is(err, ErrFinding) || errors.Is(err, ErrSkipped)
	if err = out.explain(err); err == nil {
		return 0
	}
	if !out.quiet(err) {
		fmt.Fprintf(Errors(), "%s: %v\n", app.Name, err)
	}
	if wrong {
		return 1
	}
	return 2
}

// Prepare completes a command: global flags, completion, errors in place of help.
func Prepare(app *cli.Command, renamed map[string]string) {
	app.Flags = append(Globals(), app.Flags...)
	app.EnableShellCompletion = true
	app.ExitErrHandler = func(context.Context, *cli.Command, error) {}
	app.Before = func(ctx context.Context, _ *cli.Command) (context.Context, error) {
		return ctx, compilers.CheckEnv(os.Environ())
	}
	app.Action = func(_ context.Context, c *cli.Command) error {
		name := c.Args().First()
		switch now, old := renamed[name]; {
		case !c.Args().Present():
			return cli.ShowRootCommandHelp(c)
		case old && strings.HasPrefix(now, "("):
			return fmt.Errorf("%s %s is another command now: %s", app.Name, name, strings.Trim(now, "()"))
		case old:
			return fmt.Errorf("%s %s is called %s %s now", app.Name, name, app.Name, now)
		}
		var names []string
		for _, below := range app.Commands {
			names = append(names, below.Name)
		}
		return fmt.Errorf("unknown command %q%s; %s -help lists the commands", name, Nearest(name, names), app.Name)
	}
	complainOnly(app)
	for _, c := range app.Commands {
		refuseOthers(app, c)
	}
}

// complainOnly has a command and those below it return what is wrong with their
// flags, and not print help, too.
func complainOnly(c *cli.Command) {
	c.OnUsageError = func(_ context.Context, _ *cli.Command, err error, _ bool) error { return err }
	for _, below := range c.Commands {
		complainOnly(below)
	}
}

// refuseOthers has a command refuse those global flags that mean nothing to it, arguments if
// its usage has none, and no workers.
func refuseOthers(app, c *cli.Command) {
	do := c.Action
	if do == nil {
		return
	}
	c.Action = func(ctx context.Context, c *cli.Command) error {
		if c.ArgsUsage == "" && c.Args().Present() {
			return fmt.Errorf("%s takes no arguments, got %q", c.Name, c.Args().First())
		}
		for _, f := range app.Flags {
			if name := f.Names()[0]; c.IsSet(name) && !takes(c, name) {
				return fmt.Errorf("-%s means nothing to %s", name, c.Name)
			}
		}
		if n := c.Int(Workers); takes(c, Workers) && n < 1 {
			return fmt.Errorf("-workers is %d, want 1 or more", n)
		}
		return do(ctx, c)
	}
}

// Takes marks a command as one that some of the flags of its root mean something to; the
// first four of Globals mean something to all.
func Takes(names ...string) map[string]any { return map[string]any{"takes": names} }

// takes tells whether a flag of its root means something to a command.
func takes(c *cli.Command, flag string) bool {
	names, _ := c.Metadata["takes"].([]string)
	return slices.Contains(always, flag) || slices.Contains(names, flag)
}
