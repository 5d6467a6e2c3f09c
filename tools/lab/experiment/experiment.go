// Package experiment repeats the paper's measurements of the generator: Table 3,
// Table 5, and Figures 7 and 9 to 13. Each experiment measures points, which
// are configurations, and writes of them CSV files, SVG plots and a manifest
// that says on what machine, of what commit and by what command.
//
//	table3   the default configuration         table3.csv
//	table5   70 configurations                 table5.csv table5-*.svg figure7d.csv
//	figures  one parameter varied at a time    figure7a.csv figure7a-*.svg ...
//
// The paper's figures of #FUN (7c, 7e) are missing, which are about programs of several
// functions.
package experiment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goreify/reify"
	"goreify/reify/safefile"
	"goreify/reify/solve"
	"goreify/tools/lab/measure"
	"goreify/tools/lab/paper"
)

// Options say how to measure.
type Options struct {
	Dir      string // to write to, made if need be
	Recipes  int    // for each point, at least 1
	Seed     uint64 // number of the first recipe of each point
	Solver   solve.Solver
	Command  string    // that does the same again, for the manifests
	Announce io.Writer // what is going to be done, how long it will take, and what came out
	// Progress is called before the first of that many steps, and returns what
	// is called after each and at the end. It may be nil.
	Progress func(steps int) (next, end func())
}

// Names returns the names of the experiments.
func Names() []string {
	var names []string
	for _, e := range experiments() {
		names = append(names, e.name)
	}
	return names
}

// An experiment is a set of points, and what is written of them.
type experiment struct {
	name   string
	points []paper.Params
	write  func(dir string, r results, log io.Writer) error
}

func experiments() []experiment {
	return []experiment{
		{"table3", []paper.Params{paper.Defaults()}, writeTable3},
		{"table5", table5Points(), writeTable5},
		{"figures", figurePoints(), writeFigures},
	}
}

// results holds what was measured, by point.
type results map[paper.Params]*measure.Result

// writable makes dir if need be. The error says why nothing can be written to it.
func writable(dir string) error {
	d, err := safefile.Make(dir)
	if err != nil {
		return err
	}
	const probe = ".writable"
	return errors.Join(d.Put(probe, nil, 0o644), d.Remove(probe), d.Close())
}

// Run does the named experiments, after it has said what it is about to do. A
// point that several of them need is measured once. The error names an unknown
// experiment, or is one of measure.Run or of the file system.
func Run(ctx context.Context, o Options, names ...string) error {
	selected, err := choose(names)
	if err != nil {
		return err
	}
	if o.Recipes < 1 {
		return fmt.Errorf("number of recipes is %d, want 1 or more", o.Recipes)
	}
	if err := writable(o.Dir); err != nil {
		return err
	}
	var points []paper.Params
	seen := results{}
	for _, e := range selected {
		for _, p := range e.points {
			if _, ok := seen[p]; !ok {
				seen[p] = nil
				points = append(points, p)
			}
		}
	}
	if err := o.announce(ctx, names, len(points)); err != nil {
		return err
	}
	started := time.Now()
	if err := o.measure(ctx, points, seen); err != nil {
		return err
	}
	m := newManifest(o, started, len(points), seen)
	for _, e := range selected {
		if err := e.write(o.Dir, seen, o.Announce); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		if err := m.write(o.Dir, e.name); err != nil {
			return err
		}
	}
	fmt.Fprintf(o.Announce, "%.1f s of CPU time, %v in all; results are in %s\n", m.CPUSeconds, time.Since(started).Round(time.Second), o.Dir)
	return nil
}

func choose(names []string) ([]experiment, error) {
	var list []experiment
	all := experiments()
	for _, name := range names {
		i := slices.IndexFunc(all, func(e experiment) bool { return e.name == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown experiment %q: want %s", name, strings.Join(Names(), ", "))
		}
		list = append(list, all[i])
	}
	if len(list) == 0 {
		return nil, errors.New("no experiment named")
	}
	return list, nil
}

// announce tries a few recipes and says how long all of them will take.
func (o Options) announce(ctx context.Context, names []string, points int) error {
	const few = 10
	probe, err := measure.Run(ctx, measure.Options{Recipes: min(few, o.Recipes), Seed: o.Seed, Configure: configure(paper.Defaults()), Solver: o.Solver})
	if err != nil {
		return err
	}
	each := probe.CPUSeconds / float64(probe.Recipes)
	total := time.Duration(each * float64(points*o.Recipes) * float64(time.Second))
	_, err = fmt.Fprintf(o.Announce, "%s: %d points of %d recipes each, engine %s; this will take about %v on a core of its own\n",
		strings.Join(names, ", "), points, o.Recipes, o.Solver.Name(), total.Round(time.Second)+time.Second)
	return err
}

// measure fills r with a result for each point.
func (o Options) measure(ctx context.Context, points []paper.Params, r results) error {
	next, end := func() {}, func() {}
	if o.Progress != nil {
		next, end = o.Progress(len(points) * o.Recipes)
	}
	defer end()
	for _, p := range points {
		got, err := measure.Run(ctx, measure.Options{Config: p.String(), Recipes: o.Recipes, Seed: o.Seed, Configure: configure(p), Solver: o.Solver, Progress: next})
		if err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
		r[p] = got
	}
	return nil
}

// configure returns what makes a configuration of p, whatever the recipe.
func configure(p paper.Params) func(reify.Recipe) reify.Config {
	c, err := reify.ParseConfig(p.String())
	if err != nil {
		panic("experiment: " + err.Error())
	}
	return func(reify.Recipe) reify.Config { return c }
}

func file(dir, name string) string { return filepath.Join(dir, name) }
