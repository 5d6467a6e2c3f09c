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
	"goreify/reify/oracle"
	"goreify/reify/triage"
	"goreify/tools/cmdline"
)

func triageCommand() *cli.Command {
	return &cli.Command{
		Name:      "triage",
		Usage:     "measure triage of all findings in a directory, as a Markdown table",
		ArgsUsage: "DIR",
		Metadata:  cmdline.Takes(cmdline.Workers),
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "n", Usage: "`NUMBER` of findings; 0 is all"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.NArg() != 1 {
				return errors.New("triage takes one directory")
			}
			if err := cmdline.NotNegative(c, "n"); err != nil {
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
			b := triageBench{o: o, workers: c.Int(cmdline.Workers)}
			return b.run(ctx, files, c.Root().Writer)
		},
	}
}

// A triageBench is what findings are measured with.
type triageBench struct {
	o       *oracle.Oracle
	workers int
}

// A triageRow is what became of a finding.
type triageRow struct {
	*triage.Result
	name string
	err  error
	same string // yes, or which culprits the finding and the reduced test have
}

// run writes a row for each finding when it is done, and the medians.
func (b triageBench) run(ctx context.Context, files []string, w io.Writer) error {
	head := []string{"finding", "bucket", "blame, CPU s", "tests", "reduce, CPU s", "lines before", "lines after", "undefined", "same bug"}
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
	var blame, tests, reduce, before, after []float64
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
	}
	fmt.Fprintf(w, "\n%d findings, %d reduced, %d of them with the same culprit when blamed anew. Medians: blame %.1f CPU s, at most %.1f; %.0f tests; reduce %.1f CPU s; %.0f lines before, %.0f after.\n",
		len(rows), reduced, same, median(blame), largest(blame), median(tests), median(reduce), median(before), median(after))
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
