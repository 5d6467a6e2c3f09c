package experiment

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"goreify/tools/lab/paper"
)

// A figure varies one parameter while a family of fixed ones stays.
type figure struct {
	name   string
	vary   int // index into paper.Params
	at     []int
	fixed  []paper.Params // the value at index vary is not used
	source string         // of the paper
}

// figures lists the paper's. The text does not say which configurations the
// curves are of: those below are the families that Table 5 has several members
// of, with [*,10,3,6,12] as the caption of Figure 9 names it (where the
// reference cannot use more variables than there are; our terms may repeat a
// variable), and the default configuration.
func figures() []figure {
	blocks := figure{vary: 0, at: []int{5, 8, 10, 12, 15, 20, 25, 30},
		fixed: []paper.Params{{0, 8, 2, 2, 3}, {0, 8, 2, 2, 4}, {0, 10, 2, 2, 3}, {0, 10, 2, 4, 8}, {0, 10, 3, 6, 12}}}
	vars := figure{vary: 1, at: []int{4, 6, 8, 10, 12, 14, 16, 18, 20},
		fixed: []paper.Params{{10, 0, 2, 2, 4}, {15, 0, 2, 2, 3}, {15, 0, 2, 4, 8}, {8, 0, 3, 6, 15}}}
	// Figure 7 shows a part of Figures 9 and 10.
	a, b := blocks, vars
	a.name, a.source, a.fixed = "figure7a", "Figure 7a", blocks.fixed[:4]
	b.name, b.source = "figure7b", "Figure 7b"
	blocks.name, blocks.source = "figure9", "Figure 9"
	vars.name, vars.source = "figure10", "Figure 10"
	return []figure{
		a, b, blocks, vars,
		{name: "figure11", source: "Figure 11", vary: 2, at: []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
			fixed: []paper.Params{{15, 8, 0, 2, 3}, {15, 8, 0, 2, 4}, {10, 8, 0, 2, 4}, {8, 8, 0, 2, 4}, {15, 10, 0, 2, 5}}},
		{name: "figure12", source: "Figure 12", vary: 3, at: []int{1, 2, 3, 4, 5, 6, 7, 8},
			fixed: []paper.Params{{15, 10, 2, 0, 2}, {15, 8, 2, 0, 3}, {8, 10, 2, 0, 8}, {8, 20, 3, 0, 15}}},
		{name: "figure13", source: "Figure 13", vary: 4, at: []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15},
			fixed: []paper.Params{{15, 10, 2, 4, 0}, {15, 8, 2, 2, 0}, {10, 8, 2, 2, 0}, {8, 10, 2, 4, 0}}},
	}
}

// member returns the point of a family at a value of the varied parameter.
func (f figure) member(fixed paper.Params, v int) paper.Params {
	fixed[f.vary] = v
	return fixed
}

// label returns the family with a star for the varied parameter.
func (f figure) label(fixed paper.Params) string {
	words := columns(fixed)
	words[f.vary] = "*"
	return "[" + strings.Join(words, ",") + "]"
}

func figurePoints() []paper.Params {
	var list []paper.Params
	for _, f := range figures() {
		for _, fixed := range f.fixed {
			for _, v := range f.at {
				list = append(list, f.member(fixed, v))
			}
		}
	}
	return list
}

// writeFigures writes each figure as CSV and as two plots. Where Table 5 has
// the point, the published figures stand beside ours.
func writeFigures(dir string, r results, log io.Writer) error {
	known := map[paper.Params]paper.Row{}
	for _, row := range paper.Table5() {
		if _, ok := known[row.Params]; !ok {
			known[row.Params] = row
		}
	}
	for _, f := range figures() {
		if err := f.write(dir, r, known); err != nil {
			return err
		}
	}
	fmt.Fprintf(log, "figures: %d, each as CSV and as plots of success and of rate\n", len(figures()))
	return nil
}

func (f figure) write(dir string, r results, known map[paper.Params]paper.Row) error {
	rows := [][]string{slices.Concat([]string{"curve"}, paramHeader(), []string{"paper_success_pct", "paper_functions_per_s"}, measuredHeader())}
	name := paper.ParamNames()[f.vary]
	success := chart{file: f.name + "-success.svg", title: f.source + ": success, " + name + " varied", x: name, y: successLabel, percent: true, ticks: f.at}
	rate := chart{file: f.name + "-rate.svg", title: f.source + ": rate, " + name + " varied", x: name, y: rateLabel, ticks: f.at}
	for _, fixed := range f.fixed {
		s, t := curve{name: f.label(fixed)}, curve{name: f.label(fixed)}
		for _, v := range f.at {
			p := f.member(fixed, v)
			got, x := r[p], float64(v)
			row := slices.Concat([]string{f.label(fixed)}, columns(p), []string{"", ""}, measured(got))
			if theirs, ok := known[p]; ok {
				row[6], row[7] = decimal(theirs.Success, 1), decimal(theirs.Rate, 2)
				s.paper = append(s.paper, plotter.XY{X: x, Y: theirs.Success})
				t.paper = append(t.paper, plotter.XY{X: x, Y: theirs.Rate})
			}
			rows = append(rows, row)
			s.points = append(s.points, plotter.XY{X: x, Y: 100 * got.Success})
			t.points = append(t.points, plotter.XY{X: x, Y: got.Rate})
		}
		success.curves = append(success.curves, s)
		rate.curves = append(rate.curves, t)
	}
	if err := writeCSV(file(dir, f.name+".csv"), rows); err != nil {
		return err
	}
	if err := success.write(dir); err != nil {
		return err
	}
	return rate.write(dir)
}
