// Reify makes programs with arbitrary control flow and a known answer, asks compilers
// about them, and looks into what they get wrong.
//
//	reify hunt -o DIR -time 8h            looks for compiler bugs; goes on where it was
//	reify matrix -cc COMPILER             asks about each operation on each type; then ends
//	reify status DIR                      what a hunt has come to, also while it runs
//	reify triage DIR                      blames, reduces and puts into buckets all findings
//	reify triage -do reduce FILE          one of these, for a reproducer, or for a file of C
//	reify triage -do again corpus         what became of the live findings in the newest compilers
//	reify report DIR                      a bug report for each bucket, and a page of them all
//	reify replay corpus/*.txtar           asks the compilers on this machine again
//	reify show corpus/x.txtar             program, path and trace; the C; the graph
//	reify export corpus/x.txtar           its files; with -as FORM a test of the compiler's own suite
//	reify gen -n 100 -seed 1 -o out       writes functions or programs
//	reify known -link URL BUCKET          a bucket that needs no attention any more
//	reify compilers                       those that are here, as -cc names them
//	reify prove -lang c -what functions   long checks that the generator is right
//	reify others add|status|vary|inject   keeps and uses programs and functions of others
//	reify doctor                          what is here, what is missing, and what that costs
//	reify version                         of this command
//
// The exit status is 0 if all went well; 1 if a compiler was found wrong that had not
// been before, or fails on what was replayed, whatever else happened, or a report leaves
// out a file that is malformed; and 2 if the command was used wrongly or could not do its
// work.
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
		Name:  "reify",
		Usage: "finds compiler bugs with programs whose answers are known",
		Commands: []*cli.Command{
			huntCommand(), matrixCommand(), statusCommand(), triageCommand(), reportCommand(), replayCommand(), showCommand(), exportCommand(),
			genCommand(), knownCommand(), compilersCommand(), proveCommand(), othersCommand(), doctorCommand(), versionCommand(),
		},
	}
}

// renamed are commands that there were, and what takes their place.
var renamed = map[string]string{
	"blame":        "triage -do blame FILE",
	"reduce":       "triage -do reduce FILE",
	"adopt":        "triage -do adopt FILE",
	"emi":          "others vary FILE",
	"inject":       "others inject",
	"extract":      "export",
	"engines":      "compilers",
	"pool":         "others add",
	"functions":    "others add -what functions",
	"bench":        "(go run ./tools/lab bench)",
	"experiment":   "(go run ./tools/lab experiment)",
	"counters":     "(go run ./tools/lab counters)",
	"bench-triage": "(go run ./tools/lab triage)",
}
