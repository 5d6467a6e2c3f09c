package reify_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/lab/measure"
	"goreify/tools/lab/paper"
)

// produce goes from the number of a recipe to C, judged by the interpreter. It
// returns nil if the recipe did not end in a function.
func produce(b *testing.B, seed uint64, configure func(reify.Recipe) reify.Config) (*reify.Case, string) {
	r := reify.FromSeed(seed)
	k, err := reify.Make("f", r, configure(r), search.Engine{})
	if errors.Is(err, solve.ErrUnknown) {
		return nil, ""
	}
	if err != nil {
		b.Errorf("seed %d: %v", seed, err)
		return nil, ""
	}
	return k, c.Emit([]c.Unit{c.Unit{Claim: k.Claim, Style: c.DrawStyle(r.Style()), More: k.More}.Watched(interp.Stored)})
}

func defaultConfig(reify.Recipe) reify.Config { return reify.DefaultConfig() }

func drawnConfig(r reify.Recipe) reify.Config {
	_, conf := r.Plan()
	return conf
}

// profileConfig returns the configurations that a profile draws.
func profileConfig(name string) func(reify.Recipe) reify.Config {
	p, err := reify.FindProfile(name)
	if err != nil {
		panic(err)
	}
	return p.Configure
}

func longConfig(reify.Recipe) reify.Config { return measure.Long(reify.DefaultConfig(), longPath) }

// longPath is the number of blocks from which a path counts as long.
const longPath = 60

// BenchmarkMake goes from bytes to emitted C. Allocations are those of a
// recipe. For rates per second of CPU time, go run ./tools/lab bench.
func BenchmarkMake(b *testing.B) {
	for _, bench := range []struct {
		name      string
		configure func(reify.Recipe) reify.Config
		minPath   int // shorter functions are not counted
	}{
		{"paper", defaultConfig, 0},
		{"focus", profileConfig("focus"), 0},
		{"wild", profileConfig("wild"), 0},
		{"drawn", drawnConfig, 0},
		{"long", longConfig, longPath},
		{"narrow", profileConfig("narrow"), 0},
		{"truth", profileConfig("truth"), 0},
		{"wide", profileConfig("wide"), 0},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			var made, counted, blocks, steps int
			var seeds uint64
			for b.Loop() {
				k, _ := produce(b, seeds, bench.configure)
				seeds++
				if k == nil {
					continue
				}
				made++
				if len(k.Path) >= bench.minPath {
					counted++
					blocks += len(k.Func.Blocks)
					steps += len(k.Path)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64(counted)/b.Elapsed().Seconds(), "functions/s")
			b.ReportMetric(100*float64(made)/float64(seeds), "%success")
			b.ReportMetric(float64(blocks)/float64(max(counted, 1)), "blocks/function")
			b.ReportMetric(float64(steps)/float64(max(counted, 1)), "steps/function")
			b.ReportMetric(meanTokens(b, min(seeds, 200), bench.configure, bench.minPath), "tokens/function")
		})
	}
}

// meanTokens makes the first functions again: counting tokens would take time
// from the generator.
func meanTokens(b *testing.B, seeds uint64, configure func(reify.Recipe) reify.Config, minPath int) float64 {
	var tokens, functions int
	for seed := range seeds {
		k, text := produce(b, seed, configure)
		if k == nil || len(k.Path) < minPath {
			continue
		}
		n, err := measure.Tokens(text, "f")
		require.NoError(b, err)
		tokens += n
		functions++
	}
	return float64(tokens) / float64(max(functions, 1))
}

// BenchmarkTable5 takes the 70 configurations of Table 5 in turn, all of them
// in one iteration, and reports the worst success and the worst rate of any.
// Use -benchtime 1000x for shares that mean something.
func BenchmarkTable5(b *testing.B) {
	b.ReportAllocs()
	rows := paper.Table5()
	configs := make([]reify.Config, len(rows))
	for i, row := range rows {
		var err error
		configs[i], err = reify.ParseConfig(row.Params.String())
		require.NoError(b, err)
	}
	made, spent := make([]int, len(rows)), make([]time.Duration, len(rows))
	var seeds uint64
	for b.Loop() {
		for i := range rows {
			start := time.Now()
			if k, _ := produce(b, seeds, func(reify.Recipe) reify.Config { return configs[i] }); k != nil {
				made[i]++
			}
			spent[i] += time.Since(start)
		}
		seeds++
	}
	all, success, rate := 0, 1.0, float64(made[0])/spent[0].Seconds()
	for i, n := range made {
		all += n
		success = min(success, float64(n)/float64(seeds))
		rate = min(rate, float64(n)/spent[i].Seconds())
	}
	b.ReportMetric(float64(all)/b.Elapsed().Seconds(), "functions/s")
	b.ReportMetric(rate, "worst-functions/s")
	b.ReportMetric(100*success, "worst-%success")
}

// BenchmarkWorkers shows how the rate grows with workers, each on a core of
// its own. It means nothing on cores that are busy.
func BenchmarkWorkers(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			if workers > runtime.NumCPU() {
				b.Skipf("SKIPPED: %d workers need as many cores, there are %d", workers, runtime.NumCPU())
			}
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
			const each = 64 // recipes of a worker in one iteration
			made := make([]int, workers)
			round := 0
			for b.Loop() {
				var group sync.WaitGroup
				for w := range workers {
					group.Go(func() {
						n := 0
						for i := range each {
							if k, _ := produce(b, uint64((round*workers+w)*each+i), defaultConfig); k != nil {
								n++
							}
						}
						made[w] += n
					})
				}
				group.Wait()
				round++
			}
			sum := 0
			for _, n := range made {
				sum += n
			}
			b.ReportMetric(float64(sum)/b.Elapsed().Seconds(), "functions/s")
		})
	}
}
