package sketch_test

import (
	"testing"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
)

// benchGraphs returns some graphs, so that no benchmark is about one of them.
func benchGraphs() []*cfg.Graph {
	list := make([]*cfg.Graph, 0, 64)
	graphs(cap(list), func(g *cfg.Graph, _ *choice.Stream) { list = append(list, g) })
	return list
}

func BenchmarkFunction(b *testing.B) {
	list, o := benchGraphs(), sketch.DefaultOptions()
	for name, m := range map[string]*sketch.Memory{"new": nil, "reused": new(sketch.Memory)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := choice.New([]byte("body"))
			for i := 0; b.Loop(); i++ {
				sketch.Overwrite(m, "f", list[i%len(list)], &o, s)
			}
		})
	}
}

func BenchmarkFill(b *testing.B) {
	s := choice.New([]byte("body"))
	var functions []*ir.Function
	for _, g := range benchGraphs() {
		functions = append(functions, sketch.Function("f", g, sketch.DefaultOptions(), s))
	}
	var m ir.Model
	for i := 0; b.Loop(); i++ {
		f := functions[i%len(functions)]
		for len(m.Syms) < f.Syms {
			m.Syms, m.Set = append(m.Syms, 0), append(m.Set, false)
		}
		sketch.Fill(f, &m, s)
	}
}
