package fuzzing

import (
	"fmt"
	"os"
	"testing"

	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/source/function"
	"goreify/tools/need"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

// BenchmarkSize asks gcc at -O2 about the same functions in batches of several sizes, for
// what a function costs in each.
func BenchmarkSize(b *testing.B) {
	need.Command(b, "gcc")
	bench := &Bench{Language: compilers.C, CC: "gcc"}
	defer bench.close()
	o := bench.Oracle(b)
	for _, size := range []int{8, 16, 30, 60} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			functions, seconds := 0, 0.
			for i := range b.N {
				in := function.Encode(function.Name, function.Seeds{Profile: "focus", First: uint64(size * i), Count: size})
				batch, err := function.Source{}.Make(b.Context(), in)
				if err != nil {
					b.Fatal(err)
				}
				one := *o
				one.Ask = func(_ compilers.Target, mode compilers.Mode) bool { return mode == "-O2" }
				report, err := one.Check(b.Context(), batch, choice.From(uint64(i)).Uint64())
				if err != nil {
					b.Fatal(err)
				}
				if report.Finding == nil {
					functions += batch.Weight()
					seconds += report.Cost.Total().Seconds()
				}
			}
			b.ReportMetric(float64(functions)/seconds, "functions/cpu-s")
		})
	}
}
