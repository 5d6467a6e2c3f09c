package cfg_test

import (
	"testing"

	"goreify/reify/cfg"
	"goreify/reify/choice"
)

// The budget is 20 microseconds for a graph and a path together.
func BenchmarkGenerateAndSample(b *testing.B) {
	b.ReportAllocs()
	blocks, steps := 0, 0
	for i := 0; b.Loop(); i++ {
		s := stream(i)
		g := cfg.Generate(cfg.DefaultOptions(), s)
		path, _ := cfg.Sample(g, cfg.PathOptions{MaxLen: 100, Sticky: 70}, s)
		blocks += g.Len()
		steps += len(path)
	}
	reportPerOp(b, blocks, "blocks/op")
	reportPerOp(b, steps, "pathblocks/op")
}

func BenchmarkGenerate(b *testing.B) {
	b.ReportAllocs()
	blocks := 0
	for i := 0; b.Loop(); i++ {
		blocks += cfg.Generate(cfg.DefaultOptions(), stream(i)).Len()
	}
	reportPerOp(b, blocks, "blocks/op")
}

func BenchmarkGenerateSwitches(b *testing.B) {
	b.ReportAllocs()
	o := cfg.DefaultOptions()
	o.Switches = 20
	blocks := 0
	for i := 0; b.Loop(); i++ {
		blocks += cfg.Generate(o, stream(i)).Len()
	}
	reportPerOp(b, blocks, "blocks/op")
}

func BenchmarkSample(b *testing.B) {
	b.ReportAllocs()
	graphs := defaultGraphs(100)
	s := choice.New(nil)
	steps := 0
	for i := 0; b.Loop(); i++ {
		path, _ := cfg.Sample(graphs[i%len(graphs)], cfg.PathOptions{MaxLen: 100, Sticky: 70}, s)
		steps += len(path)
	}
	reportPerOp(b, steps, "pathblocks/op")
}

func BenchmarkAnalyze(b *testing.B) {
	b.ReportAllocs()
	graphs := defaultGraphs(100)
	for i := 0; b.Loop(); i++ {
		graphs[i%len(graphs)].Analyze()
	}
}

func reportPerOp(b *testing.B, total int, unit string) {
	b.ReportMetric(float64(total)/float64(b.N), unit)
}

func defaultGraphs(n int) []*cfg.Graph {
	graphs := make([]*cfg.Graph, n)
	for i := range graphs {
		graphs[i] = cfg.Generate(cfg.DefaultOptions(), stream(i))
	}
	return graphs
}

// stream returns the i-th stream of the tests.
func stream(i int) *choice.Stream { return choice.New(choice.Derive(uint64(i), "cfg test")) }
