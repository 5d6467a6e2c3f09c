package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// typical returns a case like those we generate: 45 blocks, two assignments of
// three terms a block, a path of 60 visits, and a checksum.
func typical(b *testing.B) *ir.Claim {
	const blocks = 45
	var s strings.Builder
	s.WriteString(`func @f(%n i32) u32 {
    local %x0 i32 = 3
    local %x1 i32 = -5
    local %x2 i32 = 1000
    static @g [3][4]i32
  b0:
    goto b1
`)
	for i := 1; i < blocks-1; i++ {
		fmt.Fprintf(&s, "  b%d:\n", i)
		fmt.Fprintf(&s, "    %%x%d = %%x%d %% 1000 * %d + %%x2 / 7 - @g[%d][2]\n", i%3, (i+1)%3, i, i%3)
		fmt.Fprintf(&s, "    @g[%d][%%n %% 4] = %%x0 / 3 - %%x1 %% 1000 + %d\n", i%3, i)
		if i == 16 {
			s.WriteString("    %n = %n - 1\n    if %n > 0 goto b1 else b17\n")
		} else {
			fmt.Fprintf(&s, "    if %%x1 %% 2 * 3 + %%n >= -5 goto b%d else b%d\n", i+1, blocks-1)
		}
	}
	fmt.Fprintf(&s, "  b%d:\n    return checksum(%%n, %%x0, %%x1, %%x2, @g)\n}\n", blocks-1)
	f := parse(b, s.String())
	c := &ir.Claim{Func: f, Args: []int64{2}}
	r, err := interp.Run(f, c.Args, interp.Options{})
	require.NoError(b, err)
	require.Len(b, r.Path, 61)
	c.Path, c.Want = r.Path, r.Value
	return c
}

func BenchmarkVerify(b *testing.B) {
	c := typical(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := interp.Verify(c); err != nil {
			b.Fatal(err)
		}
	}
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond, "cases/s")
	b.ReportMetric(perSecond*float64(len(c.Path)), "visits/s")
}

// Endless loop detection is at work in a run this long.
func BenchmarkLongRun(b *testing.B) {
	c := typical(b)
	const laps = 5000
	visits := 0
	for b.Loop() {
		r, err := interp.Run(c.Func, []int64{laps}, interp.Options{})
		if err != nil {
			b.Fatal(err)
		}
		visits += r.Steps
	}
	b.ReportMetric(float64(visits)/b.Elapsed().Seconds(), "visits/s")
}

// A call costs what its frame does, and each run what finding the functions
// does.
func BenchmarkCalls(b *testing.B) {
	const depth = 200
	p := program(b, `
func @f(%n i32) i32 {
    static @s [50]i32
    local %x [20]i32
  entry:
    if %n > 0 goto more else exit
  more:
    @s[%n % 50] = %n
    %n = @f(%n - 1)
    goto exit
  exit:
    return %n
}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := interp.Run(p.Funcs[0], []int64{depth}, interp.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(depth*float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

// Records, pointers, floating point and vectors, which have no fast path.
func BenchmarkLanguage(b *testing.B) {
	const laps, statements = 1000, 12
	f := parse(b, `
func @f(%n i32) i32 {
    struct S {x i32, f i32:5, y [4]i64, p *S}
    union U {i i32, l i64}
    local %s S = {1, 2, 3, 4, 5, 6, &%s}
    local %t [2]S
    local %u U
    local %p *i64 = &%s.y[0]
    local %d f64 = 1
    local %v <4>i32 = {1, 2, 3, 4}
  entry:
    goto loop
  loop:
    %s.p->x = %s.x ^ %n & 255
    %s.f = i5(%s.x)
    %p = &%s.y[1] + 2
    *%p = *(%p + -1) + i64(%s.f)
    %t[%n & 1] = %s
    %u.l = *%p >> 1
    %u.i = 3
    %d = %d * 2.0 - %d
    %v = %v ^ (%v << <4>i32{1, 1, 1, 1} & <4>i32{15, 15, 15, 15})
    %s.x, %s.y[0] = add_overflow(%s.x, %u.i)
    %s.y[2] = i64(%s.x && %n ? popcount(7) : 1)
    %n = %n - 1
    if %n > 0 goto loop else exit
  exit:
    return %n
}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := interp.Run(f, []int64{laps}, interp.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(laps*statements*float64(b.N)/b.Elapsed().Seconds(), "statements/s")
}
