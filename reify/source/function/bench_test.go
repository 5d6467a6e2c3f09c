package function

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/choice"
)

// BenchmarkMake makes batches as a hunt does, and writes them.
func BenchmarkMake(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(3200)) // as the command does
	for name, language := range map[string]compilers.Language{
		"focus/C": "", "focus/wasm": compilers.Wasm, "focus/jvm": compilers.JVM,
		"focus/llvm": compilers.LLVM, "vectors/llvm": compilers.LLVM, "wide/llvm": compilers.LLVM, "narrow/llvm": compilers.LLVM,
	} {
		b.Run(name, func(b *testing.B) {
			profile, _, _ := strings.Cut(name, "/")
			s := Source{Options{Profile: profile, Size: 100, Language: language}}
			functions, start := 0, compilers.SelfCPU()
			for i := range b.N {
				made, err := s.Make(b.Context(), s.Draw(choice.From(uint64(i)<<20)))
				require.NoError(b, err)
				functions += made.Weight()
			}
			b.ReportMetric(float64((compilers.SelfCPU()-start).Microseconds())/float64(functions), "CPU-µs/function")
		})
	}
}
