package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/reify/counters"
	"goreify/tools/reify/hunt"
)

func countersCommand() *cli.Command {
	return &cli.Command{
		Name:  "counters",
		Usage: "compare generators by the optimisation counters that gcc raises for their programs at -O3",
		Flags: []cli.Flag{
			&cli.DurationFlag{Name: "time", Value: 15 * time.Second, Usage: "`DURATION` of CPU that the compiler spends on each"},
			&cli.StringFlag{Name: "profile", Value: strings.Join(sourceNames(), ","), Usage: "`NAMES` of the generators, of those named here"},
			&cli.StringFlag{Name: "against", Usage: "`NAME` of the generator that the sums of counters are compared with"},
			&cli.StringFlag{Name: "cc", Value: "gcc-12", Usage: "the `COMPILER`, a gcc, and its arguments"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`NUMBER` of the first program"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object, with all counters"},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return fmt.Errorf("counters takes no arguments, got %q", c.Args().First())
			}
			if c.Duration("time") <= 0 {
				return fmt.Errorf("-time is %v, want more than 0", c.Duration("time"))
			}
			sources, missing, err := selectSources(c.String("profile"))
			if err != nil {
				return err
			}
			report, err := countAll(ctx, sources, c.String("against"), c.String("cc"), counters.Options{Time: c.Duration("time"), Seed: c.Uint64("seed")})
			if err != nil {
				return err
			}
			report.Missing = missing
			if c.Bool("json") {
				return printJSON(report)
			}
			return report.Table(os.Stdout)
		},
	}
}

// countAll measures the sources one after the other, with the compiler named.
func countAll(ctx context.Context, sources []counters.Source, against, cc string, opt counters.Options) (*counters.Report, error) {
	found, err := compilers.Find(ctx, compilers.Env{Path: os.Getenv("PATH"), CC: cc})
	if err != nil {
		return nil, fmt.Errorf("-cc %s: %w", cc, err)
	}
	if len(found) != 1 || found[0].Family != compilers.GCC {
		return nil, fmt.Errorf("-cc is %q, want one gcc: others write no such counters", cc)
	}
	opt.Compiler, opt.Limits = found[0], compilers.DefaultLimits()
	// A program of csmith's has taken 8 s; what takes longer must not be passed over for free.
	opt.Limits.CompileCPU, opt.Limits.CompileWall = opt.Time+time.Second, 4*opt.Time+10*time.Second
	if opt.Space, err = compilers.NewWorkspace(os.TempDir()); err != nil {
		return nil, err
	}
	defer opt.Space.Close()
	var results []*counters.Result
	bar := newBar(len(sources), "generators")
	defer bar.end()
	for _, s := range sources {
		r, err := counters.Run(ctx, s, opt)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
		bar.next()
	}
	return counters.NewReport(opt.Compiler, results, against)
}

// A lazySource is a source that may not be installed.
type lazySource struct {
	name string
	find func() (counters.Source, error)
}

// allSources returns all generators that can be measured, in the order of the
// table.
func allSources() []lazySource {
	var list []lazySource
	own := func(s counters.Source) {
		list = append(list, lazySource{s.Name, func() (counters.Source, error) { return s, nil }})
	}
	own(counters.Source{Name: "paper", Make: func(_ context.Context, seed uint64) (counters.Unit, error) {
		return batchOf(reify.FromSeed(seed), reify.DefaultBatch, reify.DefaultConfig())
	}})
	own(counters.Source{Name: "plan", Make: func(_ context.Context, seed uint64) (counters.Unit, error) {
		r := reify.FromSeed(seed)
		n, conf := r.Plan()
		return batchOf(r, n, conf)
	}})
	for _, k := range hunt.Kinds() {
		own(counters.Source{Name: k.Name, Make: func(_ context.Context, seed uint64) (counters.Unit, error) { return kindUnit(k, seed) }})
	}
	return append(list, lazySource{"csmith", counters.Csmith}, lazySource{"yarpgen", counters.YARPGen})
}

func sourceNames() []string {
	var names []string
	for _, s := range allSources() {
		names = append(names, s.name)
	}
	return names
}

// selectSources returns the sources of a list of names, and says which are not
// installed; if none is, that is an error.
func selectSources(list string) (sources []counters.Source, missing []string, err error) {
	all := allSources()
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(all, func(s lazySource) bool { return s.name == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("-profile: unknown generator %q: want some of %s", name, strings.Join(sourceNames(), ","))
		}
		s, err := all[i].find()
		switch {
		case errors.Is(err, counters.ErrMissing):
			missing = append(missing, err.Error())
		case err != nil:
			return nil, nil, err
		default:
			sources = append(sources, s)
		}
	}
	if len(sources) == 0 {
		return nil, nil, fmt.Errorf("-profile: no generator to measure: %s", strings.Join(missing, "; "))
	}
	return sources, missing, nil
}

// batchOf returns the translation unit of the first n functions of a recipe.
func batchOf(r reify.Recipe, n int, conf reify.Config) (counters.Unit, error) {
	var cases []*reify.Case
	for i := range n {
		k, err := reify.Make("f"+strconv.Itoa(i), r.Nth(i), conf, search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		if err != nil {
			return counters.Unit{}, err
		}
		cases = append(cases, k)
	}
	return unitOf(cases), nil
}

// kindUnit returns a batch of the hunt's: its own seeds are as far apart as a
// batch is large.
func kindUnit(k hunt.Kind, seed uint64) (counters.Unit, error) {
	first := seed * uint64(k.Size)
	if k.Program != nil {
		var u counters.Unit
		for i := range k.Size {
			p, err := k.Program(first + uint64(i))
			if err != nil {
				return u, err
			}
			if p != nil {
				addProgram(&u, p)
			}
		}
		return u, nil
	}
	var cases []*reify.Case
	for i := range k.Size {
		kase, err := k.Make(first+uint64(i), "f"+strconv.Itoa(i))
		if err != nil {
			return counters.Unit{}, err
		}
		if kase != nil {
			cases = append(cases, kase)
		}
	}
	return unitOf(cases), nil
}

func addProgram(u *counters.Unit, p *oracle.Program) {
	for _, f := range p.Files {
		u.Files = append(u.Files, f.Content)
	}
	u.Functions += len(p.IR.Funcs)
}

func unitOf(cases []*reify.Case) counters.Unit {
	if len(cases) == 0 {
		return counters.Unit{}
	}
	return counters.Unit{Files: [][]byte{[]byte(c.Emit(oracle.Units(cases)))}, Functions: len(cases)}
}
