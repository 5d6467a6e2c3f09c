package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers/bisect"
	"goreify/corpus"
	"goreify/reify/emit/c"
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

func triageCommand() *cli.Command {
	return &cli.Command{
		Name:      "triage",
		Usage:     "measure triage of all findings in a directory, and cvise beside it, as a Markdown table",
		ArgsUsage: "DIR",
		Metadata:  cmdline.Takes(cmdline.Workers),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of findings; 0 is all"},
			&cli.DurationFlag{Name: "cvise", Usage: "`DURATION` that cvise gets for each finding; 0 is none"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("triage takes one directory")
			}
			if err := cmdline.NotNegative(c, "n", "cvise"); err != nil {
				return err
			}
			o, closer, err := cmdline.OpenOracle(ctx, c)
			if err != nil {
				return err
			}
			defer closer()
			files, err := corpus.Paths(c.Args().First())
			if err != nil {
				return err
			}
			if n := c.Int("n"); n > 0 {
				files = files[:min(n, len(files))]
			}
			b := triageBench{o: o, cvise: c.Duration("cvise"), workers: c.Int(cmdline.Workers)}
			return b.run(ctx, files, c.Root().Writer)
		},
	}
}

// A triageBench is what findings are measured with.
type triageBench struct {
	o       *oracle.Oracle
	cvise   time.Duration // for each finding; 0 is none
	workers int
}

// A triageRow is what became of a finding.
type triageRow struct {
	*triage.Result
	name string
	err  error
	same string // yes, or which culprits the finding and the reduced test have
	rival
}

// A rival is what cvise made of it.
type rival struct {
	asked   bool
	why     error // why there is nothing
	lines   int   // of function bodies
	cpu     time.Duration
	state   string // finished or stopped
	defined string // yes, or who objects
}

// run writes a row for each finding when it is done, and the medians.
func (b triageBench) run(ctx context.Context, files []string, w io.Writer) error {
	head := []string{"finding", "bucket", "blame, CPU s", "tests", "reduce, CPU s", "lines before", "lines after", "undefined", "same bug"}
	if b.cvise > 0 {
		head = append(head, "cvise, CPU s", "cvise, lines", "cvise, undefined")
	}
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	var rows []triageRow
	progress := cmdline.NewProgress(len(files), "findings")
	defer progress.Close()
	for _, file := range files {
		progress.Now(file)
		e, err := cmdline.Load(b.o.Space, file)
		if err != nil {
			return err
		}
		if e.Verdict == corpus.Untested {
			continue
		}
		row := b.measure(ctx, e)
		row.name = strings.TrimSuffix(filepath.Base(file), corpus.Ext)
		if b.cvise > 0 && ctx.Err() == nil {
			row.rival = b.compete(ctx, e)
		}
		if ctx.Err() != nil {
			break
		}
		progress.Line(w, "| "+strings.Join(row.cells(), " | ")+" |")
		progress.Next()
		rows = append(rows, row)
	}
	progress.Close()
	writeMedians(w, rows)
	return ctx.Err()
}

// measure does all of it anew.
func (b triageBench) measure(ctx context.Context, e *corpus.Entry) triageRow {
	r, err := triage.Finding(ctx, b.o, e, triage.Options{Again: true, Workers: b.workers})
	row := triageRow{Result: r, err: err}
	if err != nil {
		return row
	}
	was := (&bisect.Blame{Pass: r.Entry.Culprit, Flags: r.Entry.MendedBy}).Culprit()
	switch now, err := triage.BlameReduced(ctx, b.o, r.Entry); {
	case err != nil:
		row.same = err.Error()
	case now != was:
		row.same = "without " + was + " it is right, and without " + now
	default:
		row.same = "yes"
	}
	return row
}

// compete has cvise reduce the C of a finding, if that is one file.
func (b triageBench) compete(ctx context.Context, e *corpus.Entry) rival {
	r := rival{asked: true}
	if len(e.Sources) != 1 {
		r.why = errors.New("several files")
		return r
	}
	f, err := triage.Witnesses(b.o)
	if err != nil {
		r.why = err
		return r
	}
	f.Source, f.Mode = []byte(e.Sources[e.Main]), e.Mode
	if f.Target, r.why = triage.Target(ctx, b.o, e); r.why != nil {
		return r
	}
	got, err := triage.Cvise(ctx, b.o.Space, f, b.cvise, b.workers)
	if err != nil {
		r.why = err
		return r
	}
	r.lines, r.cpu, r.state = c.BodyLines(string(got.Source)), got.CPU, "finished"
	if !got.Finished {
		r.state = "stopped"
	}
	r.defined = "no"
	if err := triage.Undefined(ctx, b.o, string(got.Source)); err != nil {
		r.defined, _, _ = strings.Cut(err.Error(), "\n")
	}
	return r
}

func (r triageRow) cells() []string {
	cells := []string{r.name}
	switch {
	case r.Result == nil:
		cells = append(cells, oneCell(r.err), "", "", "", "", "", "", "")
	case r.err != nil:
		cells = append(cells, r.Entry.Bucket, seconds(r.BlameCPU), "", seconds(r.ReduceCPU), "", oneCell(r.err), "", "")
	default:
		cells = append(cells, r.Entry.Bucket, seconds(r.BlameCPU), fmt.Sprint(r.Reduced.Tests), seconds(r.ReduceCPU),
			fmt.Sprint(r.Before), fmt.Sprint(r.After), "no: "+fmt.Sprint(len(r.Clean))+" looked", r.same)
	}
	switch {
	case !r.asked:
	case r.why != nil:
		cells = append(cells, oneCell(r.why), "", "")
	default:
		cells = append(cells, seconds(r.cpu)+" "+r.state, fmt.Sprint(r.lines), oneCell(errors.New(r.defined)))
	}
	return cells
}

// oneCell makes a cell of a table of an error.
func oneCell(err error) string {
	return strings.ReplaceAll(corpus.OneLine(err.Error()), "|", "\\|")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f", d.Seconds()) }

// writeMedians writes the medians of the columns, over the findings that have
// them.
func writeMedians(w io.Writer, rows []triageRow) {
	reduced, same := 0, 0
	var blame, tests, reduce, before, after, theirs, theirLines []float64
	for _, r := range rows {
		if r.Result != nil {
			blame = append(blame, r.BlameCPU.Seconds())
		}
		if r.Result != nil && r.err == nil {
			reduced++
			tests = append(tests, float64(r.Reduced.Tests))
			reduce = append(reduce, r.ReduceCPU.Seconds())
			before, after = append(before, float64(r.Before)), append(after, float64(r.After))
			if r.same == "yes" {
				same++
			}
		}
		if r.asked && r.why == nil {
			theirs, theirLines = append(theirs, r.cpu.Seconds()), append(theirLines, float64(r.lines))
		}
	}
	fmt.Fprintf(w, "\n%d findings, %d reduced, %d of them with the same culprit when blamed anew. Medians: blame %.1f CPU s, at most %.1f; %.0f tests; reduce %.1f CPU s; %.0f lines before, %.0f after.\n",
		len(rows), reduced, same, median(blame), largest(blame), median(tests), median(reduce), median(before), median(after))
	if len(theirs) > 0 {
		fmt.Fprintf(w, "cvise: %d reduced; medians: %.1f CPU s, %.0f lines.\n", len(theirs), median(theirs), median(theirLines))
	}
}

// median returns the middle of a list, the mean of both if there are two, and 0
// of nothing.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func largest(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return slices.Max(list)
}
