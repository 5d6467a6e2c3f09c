// Lab measures: how fast programs are made and what they are like, what compilers do
// with them, and what triage costs. It takes the flags -cc, -modes, -box and -trunk as
// reify does.
//
//	lab bench -profile 15,8,2,2,3    functions per CPU second, and what they are like
//	lab experiment all -o DIR        the paper's tables and figures, measured here
//	lab counters                     what a compiler does for our programs, and for other generators
//	lab triage corpus                what triage costs and comes to
//
// The exit status is 0 if all went well, and 2 if the command was used wrongly or could
// not do its work.
package main

import (
	"context"

	"github.com/urfave/cli/v3"

	"goreify/tools/cmdline"
)

func main() { cmdline.Main(run) }

// run executes the command line and returns the exit status.
func run(ctx context.Context, args []string) int { return cmdline.Run(ctx, app(), renamed, args) }

// app returns the command.
func app() *cli.Command {
	return &cli.Command{
		Name:     "lab",
		Usage:    "measures generators, hunts and triage",
		Flags:    []cli.Flag{cmdline.EngineFlag(), &cli.Uint64Flag{Name: seedFlag, Value: 1, Usage: "`NUMBER` of the first recipe or program"}},
		Commands: []*cli.Command{benchCommand(), experimentCommand(), countersCommand(), triageCommand()},
	}
}

// Flags of the root that only some commands take.
const (
	seedFlag   = "seed"
	engineFlag = "engine"
)

// renamed are commands that had other names.
var renamed = map[string]string{"bench-triage": "triage"}
