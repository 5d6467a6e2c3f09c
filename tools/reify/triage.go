package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/triage"
)

func triageCommand() *cli.Command {
	return &cli.Command{
		Name:      "triage",
		Usage:     "blame, reduce and put into buckets all findings in a directory: of a corpus, or of a hunt; goes on where it was",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			boxFlag(),
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of findings after which it ends; 0 is no limit"},
			&cli.DurationFlag{Name: "time", Usage: "`DURATION` after which no finding is begun any more; 0 is no limit"},
			&cli.BoolFlag{Name: "again", Usage: "also what has been done before"},
			workersFlag(),
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("triage takes one directory")
			}
			if err := notNegative(c, "n", "time"); err != nil {
				return err
			}
			if err := someWorkers(c); err != nil {
				return err
			}
			o, closer, err := openForFiles(ctx, c, c.Args().Slice())
			if err != nil {
				return err
			}
			defer closer()
			return triageDir(ctx, o, c.Args().First(), triageOptions{
				Options: triage.Options{Workers: c.Int("workers"), Again: c.Bool("again")},
				n:       c.Int("n"), time: c.Duration("time"), out: c.Root().Writer,
			})
		},
	}
}

type triageOptions struct {
	triage.Options
	n    int           // findings; 0 is no limit
	time time.Duration // 0 is no limit
	out  io.Writer     // a line for each finding
}

// triageDir looks into the findings in a directory one after the other. Only a
// finding that was interrupted is done again by the next call.
func triageDir(ctx context.Context, o *oracle.Oracle, dir string, opt triageOptions) error {
	files, err := corpus.Paths(dir)
	if err != nil {
		return err
	}
	began, done := time.Now(), 0
	show := newShow(opt.out, len(files))
	defer show.close()
	opt.Progress = show.step
	var errs []error
	for _, file := range files {
		if ctx.Err() != nil || opt.n > 0 && done == opt.n || opt.time > 0 && time.Since(began) >= opt.time {
			break
		}
		show.begin(file)
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
			show.line(err.Error())
		case skipped:
			show.line(file + ": done before")
		default:
			show.line(file + ": " + r.String())
		}
		show.end()
		if errors.Is(err, compilers.ErrMachine) {
			break // nor has the next one an answer
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// A show tells how far triage has come: with a bar on a terminal, else in lines.
type show struct {
	out  io.Writer                // of lines that stay
	bar  *progressbar.ProgressBar // nil on what is no terminal
	file string
}

func newShow(out io.Writer, n int) *show {
	s := &show{out: out}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		s.bar = progressbar.NewOptions(n, progressbar.OptionSetWriter(os.Stderr), progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))
	}
	return s
}

func (s *show) begin(file string) { s.file = file; s.step("") }

// step shows what is going on; in lines, that would be too many.
func (s *show) step(what string) {
	if s.bar != nil {
		s.bar.Describe(fmt.Sprintf("%s: %.50s", s.file, what))
	}
}

// line writes a line that stays.
func (s *show) line(text string) {
	if s.bar != nil {
		_ = s.bar.Clear() // only decoration
	}
	fmt.Fprintln(s.out, text)
}

func (s *show) end() {
	if s.bar != nil {
		_ = s.bar.Add(1) // only decoration
	}
}

func (s *show) close() {
	if s.bar != nil {
		_ = s.bar.Clear() // only decoration
	}
}
