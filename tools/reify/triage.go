package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

// Modes of triage of files.
const (
	doAll    = "all"
	doBlame  = "blame"
	doReduce = "reduce"
	doAdopt  = "adopt"
	doAgain  = "again"
)

func triageCommand() *cli.Command {
	return &cli.Command{
		Name:      "triage",
		Usage:     "blame, reduce and put into buckets: all findings in a directory, or some files",
		ArgsUsage: "DIR | FILE...",
		Metadata:  cmdline.Takes(cmdline.CompileTime, cmdline.Workers),
		Description: "A directory is a corpus or that of a hunt. Triage goes on where it was interrupted.\n" +
			"  all      blame and reduce; what has been done before is left out without -again\n" +
			"  blame    the pass, function and flags that are to blame, by the compiler that failed, or by -cc\n" +
			"  reduce   the smallest test; of a file of C with cvise: -do reduce -cc gcc-12 -modes -O2 FILE.c\n" +
			"  adopt    move reproducers to a newer compiler that fails on them too, and triage them there\n" +
			"  again    ask the newest compiler whether it still fails; of a directory only what did with the\n" +
			"           newest before. life.txt keeps the answers, which reports show",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "do", Value: doAll, Usage: "`WHAT` to do with files: all, blame, reduce, adopt, again"},
			&cli.StringFlag{Name: "o", Usage: "`FILE` to write the result to; a reproducer's own by default. - only prints it"},
			&cli.StringFlag{Name: "to", Usage: "`COMPILERS` of which the newest is asked again, or adopts what it fails on; by default all"},
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of findings of a directory after which it ends; 0 is no limit"},
			&cli.DurationFlag{Name: "time", Usage: "`DURATION` after which no finding is begun; for cvise, for each file. 0 is no limit"},
			&cli.BoolFlag{Name: "again", Usage: "also what was done before; with adopt, write who fails to files that stay, too"},
		},
		Action: runTriage,
	}
}

func runTriage(ctx context.Context, c *cli.Command) error {
	names := c.Args().Slice()
	do := c.String("do")
	if len(names) == 0 {
		return errors.New("triage takes a directory, or files")
	}
	dir := false
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if dir = info.IsDir(); dir && len(names) > 1 {
			return fmt.Errorf("triage takes one directory, or files: %s is a directory", name)
		}
		if filepath.Ext(name) == ".c" && !dir && do != doReduce {
			return fmt.Errorf("%s is C and no reproducer: of C, triage only does -do reduce", name)
		}
	}
	switch {
	case do != doAll && do != doBlame && do != doReduce && do != doAdopt && do != doAgain:
		return fmt.Errorf("-do is %q, want all, blame, reduce, adopt or again", do)
	case dir && do != doAgain && (c.IsSet("do") && do != doAll || c.IsSet("o") || c.IsSet("to")):
		return fmt.Errorf("%s is a directory: -o, -to and -do %s are for files", names[0], do)
	case c.IsSet("to") && do != doAdopt && do != doAgain:
		return errors.New("-to is for -do adopt and again")
	case do == doAgain && c.IsSet("o") && c.String("o") != nowhere:
		return errors.New("-do again keeps its answers beside the files, or with -o - nowhere")
	case c.IsSet("o") && do != doAgain && len(names) > 1:
		return errors.New("-o is for one file")
	case !dir && c.IsSet("n"):
		return errors.New("-n is for a directory")
	}
	if err := cmdline.NotNegative(c, "n", "time"); err != nil {
		return err
	}
	opt := triageOptions{
		Options: triage.Options{Workers: c.Int(cmdline.Workers), Again: c.Bool("again")},
		n:       c.Int("n"), time: c.Duration("time"), out: c.Root().Writer, to: c.String("o"),
	}
	switch {
	case do == doAdopt:
		return runAdopt(ctx, c, opt)
	case do == doAgain:
		return runAgain(ctx, c, opt)
	case do == doReduce:
		return runReduce(ctx, c, opt)
	case do == doAll && opt.to != "":
		return errors.New("-o is for blame, reduce and adopt")
	case dir:
		var err error
		if names, err = corpus.Paths(names[0]); err != nil {
			return err
		}
	}
	o, closer, err := cmdline.OpenOracle(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	if do == doBlame {
		return blameAll(ctx, c, o, opt)
	}
	return triageAll(ctx, o, names, opt)
}

// eachFile calls a function for one file after the other, and shows the progress. The error
// joins those of all files.
func eachFile(files []string, do func(progress *cmdline.Progress, file string) error) error {
	progress := cmdline.NewProgress(len(files), "files")
	defer progress.Close()
	var errs []error
	for _, file := range files {
		progress.Now(file)
		errs = append(errs, do(progress, file))
		progress.Next()
	}
	return errors.Join(errs...)
}

type triageOptions struct {
	triage.Options
	n    int           // findings; 0 is no limit
	time time.Duration // 0 is no limit
	out  io.Writer     // a line for each finding
	to   string        // file to write to; empty for that of the reproducer
}

// update writes an entry to its file, or where the options say.
func (o triageOptions) update(file string, e *corpus.Entry) error {
	switch o.to {
	case "":
		return corpus.Update(file, e)
	case nowhere:
		return nil
	}
	return corpus.Update(o.to, e)
}

// nowhere is the value of -o that has nothing written.
const nowhere = "-"

// triageAll looks into findings one after the other. Only a finding that was
// interrupted is done again by the next call.
func triageAll(ctx context.Context, o *oracle.Oracle, files []string, opt triageOptions) error {
	began, done := time.Now(), 0
	opt.Load = func(path string) (*corpus.Entry, error) { return cmdline.Load(o.Space, path) }
	opt.Others = func() (list []triage.Named) {
		for _, file := range files {
			if e, err := opt.Load(file); err == nil { // what is damaged says so elsewhere
				list = append(list, triage.Named{Name: corpus.FindingName(file), Entry: e})
			}
		}
		return list
	}
	progress := cmdline.NewProgress(len(files), "findings")
	defer progress.Close()
	var errs []error
	for _, file := range files {
		if ctx.Err() != nil || opt.n > 0 && done == opt.n || opt.time > 0 && time.Since(began) >= opt.time {
			break
		}
		progress.Now(file)
		opt.Progress = func(step string) { progress.Now(file + ": " + step) }
		r, skipped, err := triage.File(ctx, o, file, opt.Options)
		if ctx.Err() != nil {
			break
		}
		if !skipped {
			done++
		}
		switch {
		case err != nil:
			errs = append(errs, err)
			progress.Line(opt.out, err.Error())
		case skipped:
			progress.Line(opt.out, file+": done before")
		default:
			progress.Line(opt.out, file+": "+r.String())
		}
		progress.Next()
		if errors.Is(err, compilers.ErrMachine) {
			break // nor has the next one an answer
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}
