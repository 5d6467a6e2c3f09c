package reify_test

import (
	"testing"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/solve/search"
)

// BenchmarkMake goes from bytes to emitted C, judged by the interpreter.
func BenchmarkMake(b *testing.B) {
	paper := reify.DefaultConfig()
	for _, bench := range []struct {
		name string
		conf *reify.Config
	}{
		{"paper", &paper},
		{"drawn", nil},
	} {
		b.Run(bench.name, func(b *testing.B) {
			made, seed, blocks, steps := 0, 0, 0, 0
			for b.Loop() {
				r := reify.FromSeed(uint64(seed))
				_, conf := r.Plan()
				if bench.conf != nil {
					conf = *bench.conf
				}
				seed++
				k, err := reify.Make("f", r, conf, search.Engine{})
				if err != nil {
					continue
				}
				c.Emit([]c.Unit{{Case: k.Case, Style: c.DrawStyle(r.Style())}})
				made++
				blocks += len(k.Func.Blocks)
				steps += len(k.Path)
			}
			b.ReportMetric(float64(made)/b.Elapsed().Seconds(), "functions/s")
			b.ReportMetric(100*float64(made)/float64(seed), "%success")
			b.ReportMetric(float64(blocks)/float64(max(made, 1)), "blocks/function")
			b.ReportMetric(float64(steps)/float64(max(made, 1)), "steps/function")
		})
	}
}
