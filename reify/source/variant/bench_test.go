package variant

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/mutate"
	"goreify/reify/source/function"
)

// BenchmarkVariants makes eight variants each of functions that are there, C included.
func BenchmarkVariants(b *testing.B) {
	for _, profile := range []string{"focus", "wild", "vector-loops", "narrow"} {
		b.Run(profile, func(b *testing.B) {
			s := function.Source{Options: function.Options{Profile: profile, Size: 32}}
			made, err := s.Make(b.Context(), s.Draw(choice.From(1)))
			require.NoError(b, err)
			variants, start := 0, used(b)
			for i := range uint64(b.N) {
				var list []function.Member
				for n, k := range made.(*function.Batch).Cases {
					more, err := Several(function.MemberOf(k), 8, mutate.Options{}, choice.From(i*32+uint64(n)))
					require.NoError(b, err)
					list = append(list, more...)
				}
				variants += function.Of(language.C, list).Weight()
			}
			b.ReportMetric(float64(variants)/(used(b)-start).Seconds(), "variants/cpu-s")
		})
	}
}

// used returns the CPU time that this process has taken.
func used(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
