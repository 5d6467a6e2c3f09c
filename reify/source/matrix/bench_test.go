package matrix

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/subject"
)

// BenchmarkMake makes and writes blocks, from a block of single operations on.
func BenchmarkMake(b *testing.B) {
	for name, l := range map[string]compilers.Language{"C": compilers.C, "Go": compilers.Go, "wasm": compilers.Wasm, "jvm": compilers.JVM} {
		b.Run(name, func(b *testing.B) {
			s := Source{Options{Size: 240, Language: l}}
			cells, start := 0, compilers.SelfCPU()
			for i := range b.N {
				made, err := s.Make(b.Context(), s.Block(int64(i)))
				require.NoError(b, err)
				cells += len(made.(subject.Group).Members())
			}
			b.ReportMetric(float64((compilers.SelfCPU()-start).Microseconds())/float64(cells), "CPU-µs/cell")
		})
	}
}
