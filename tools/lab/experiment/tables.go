package experiment

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/plotter"

	"goreify/reify/safefile"
	"goreify/tools/lab/measure"
	"goreify/tools/lab/paper"
)

func table5Points() []paper.Params {
	var list []paper.Params
	for _, row := range paper.Table5() {
		list = append(list, row.Params)
	}
	return list
}

// measuredHeader names the columns of measured.
func measuredHeader() []string {
	return []string{"recipes", "success_pct", "functions_per_cpu_s", "mean_blocks", "mean_tokens", "mean_path", "max_cpu_ms"}
}

func measured(r *measure.Result) []string {
	return []string{
		strconv.Itoa(r.Recipes), decimal(100*r.Success, 2), decimal(r.Rate, 1),
		decimal(r.MeanBlocks, 2), decimal(r.MeanTokens, 1), decimal(r.MeanPath, 2), decimal(r.MaxCPU, 2),
	}
}

func paramHeader() []string { return []string{"bbl", "var", "ass", "tera", "terc"} }

func columns(p paper.Params) []string { return strings.Split(p.String(), ",") }

func decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

func writeCSV(path string, rows [][]string) error {
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return safefile.Write(path, text.Bytes(), 0o644)
}

// writeTable3 writes the published rows of Table 3 and ours. The paper counts
// jumps, about two for a block; ours are the edges of the graph. A row for
// whole programs comes with them.
func writeTable3(dir string, r results, log io.Writer) error {
	got := r[paper.Defaults()]
	overhead := 0.0
	if got.Rate > 0 {
		overhead = 1 / got.Rate
	}
	rows := [][]string{{"tool", "source", "success_pct", "timeout_pct", "throughput_per_s", "overhead_s", "tokens", "blocks", "jumps"}}
	for _, row := range paper.Table3() {
		rows = append(rows, slices.Insert(row, 1, "paper"))
	}
	rows = append(rows, []string{
		"goreify functions", "measured", decimal(100*got.Success, 2), decimal(100*got.Timeout, 2), decimal(got.Rate, 1), decimal(overhead, 6),
		decimal(got.MeanTokens, 0), decimal(got.MeanBlocks, 1), decimal(got.MeanEdges, 1),
	})
	fmt.Fprintf(log, "table3: success %.2f %%, %.1f functions per CPU second, %.0f tokens, %.1f blocks\n", 100*got.Success, got.Rate, got.MeanTokens, got.MeanBlocks)
	return writeCSV(file(dir, "table3.csv"), rows)
}

// writeTable5 writes the published figures of Table 5 beside ours, as CSV and
// as plots, and our ten best (Figure 7d).
func writeTable5(dir string, r results, log io.Writer) error {
	rows := [][]string{slices.Concat([]string{"rank"}, paramHeader(), []string{"paper_success_pct", "paper_functions_per_s"}, measuredHeader())}
	var success, rate [2]plotter.XYs // the paper's, ours
	list := paper.Table5()
	for _, p := range list {
		got := r[p.Params]
		rows = append(rows, slices.Concat([]string{strconv.Itoa(p.Rank)}, columns(p.Params), []string{decimal(p.Success, 1), decimal(p.Rate, 2)}, measured(got)))
		x := float64(p.Rank)
		success[0] = append(success[0], plotter.XY{X: x, Y: p.Success})
		success[1] = append(success[1], plotter.XY{X: x, Y: 100 * got.Success})
		rate[0] = append(rate[0], plotter.XY{X: x, Y: p.Rate})
		rate[1] = append(rate[1], plotter.XY{X: x, Y: got.Rate})
	}
	if err := writeCSV(file(dir, "table5.csv"), rows); err != nil {
		return err
	}
	worst := slices.MinFunc(list, func(a, b paper.Row) int { return cmp.Compare(r[a.Params].Success, r[b.Params].Success) })
	slowest := slices.MinFunc(list, func(a, b paper.Row) int { return cmp.Compare(r[a.Params].Rate, r[b.Params].Rate) })
	fmt.Fprintf(log, "table5: worst success %.2f %% (%v; paper: 70.0 %%), worst rate %.1f functions per CPU second (%v; paper: 1.11)\n",
		100*r[worst.Params].Success, worst.Params, r[slowest.Params].Rate, slowest.Params)
	for _, c := range []chart{
		{file: "table5-success.svg", y: successLabel, percent: true, curves: []curve{{"paper", success[0], nil}, {"goreify", success[1], nil}}},
		{file: "table5-rate.svg", y: rateLabel, curves: []curve{{"paper (functions/s)", rate[0], nil}, {"goreify", rate[1], nil}}},
	} {
		c.title, c.x, c.ticks = "The 70 configurations of Table 5", "rank in the paper", []int{1, 10, 20, 30, 40, 50, 60, 70}
		if err := c.write(dir); err != nil {
			return err
		}
	}
	return writeTop(dir, list, r)
}

// writeTop writes the ten configurations of Table 5 that do best here: by
// success, then by rate.
func writeTop(dir string, list []paper.Row, r results) error {
	points := make([]paper.Params, 0, len(list))
	for _, p := range list {
		if !slices.Contains(points, p.Params) {
			points = append(points, p.Params)
		}
	}
	slices.SortStableFunc(points, func(a, b paper.Params) int {
		return cmp.Or(cmp.Compare(r[b].Success, r[a].Success), cmp.Compare(r[b].Rate, r[a].Rate))
	})
	rows := [][]string{slices.Concat([]string{"rank"}, paramHeader(), measuredHeader())}
	for i, p := range points[:10] {
		rows = append(rows, slices.Concat([]string{strconv.Itoa(i + 1)}, columns(p), measured(r[p])))
	}
	return writeCSV(file(dir, "figure7d.csv"), rows)
}
