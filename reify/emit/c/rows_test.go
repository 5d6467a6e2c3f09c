package c

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// Each kind of unit is there that stands in a table, and each that does not.
func TestInRows(t *testing.T) {
	const text = "func @f(%a i32) i32 {\n    GLOBAL\n  only:\n    @g = @g + %a\n    return @g\n}\n"
	unit := func(global, style string) Unit {
		s, err := ParseStyle(style)
		require.NoError(t, err)
		return unitOf(t, parseOne(t, strings.ReplaceAll(text, "GLOBAL", global)), []int64{7}, s)
	}
	const plain, volatile = "global @g i32 = 5", "volatile static @g i32 = 5"
	for style, want := range map[string]bool{
		"rows": true, "static rows volatile-args": true, "extern": false,
		"rows global-params": false, "rows param-struct": false, "rows result-struct": false, "rows pointer-params": false,
	} {
		u := unit(plain, style)
		assert.Equal(t, want, inRows(u), style)
		assert.Equal(t, !want, strings.Contains(Emit([]Unit{u}), "int test_f("), style)
	}
	assert.False(t, inRows(unit(volatile, "rows")))
}

// Compilers do not see what a function in a table is called with, even if it is the only
// one, is static and may be inlined.
func TestRowsAreOpaque(t *testing.T) {
	f := parseOne(t, "func @f(%a i32) i32 {\n  only:\n    return %a * %a * 123456\n}\n")
	u := unitOf(t, f, []int64{7}, Style{Rows: true})
	for _, compiler := range compilersFound(t) {
		asm := assembly(t, compiler, "-O3", Emit([]Unit{u}))
		assert.Contains(t, asm, "123456", compiler)
	}
}

// The program tells a wrong answer whichever of the calls gives it, makes the other calls
// all the same, and makes those of one function alone.
func TestWrongRow(t *testing.T) {
	f := parseOne(t, "func @f(%a i32) i32 {\n    static @s i32 = 40\n  only:\n    @s = @s + %a\n    return @s\n}\n")
	g := parseOne(t, "func @g(%a u64, %b i32) u64 {\n  only:\n    return %a + u64(%b)\n}\n")
	for wrong := range 4 { // the last: none
		u := unitOf(t, f, []int64{1}, Style{Rows: true})
		u.More = []*ir.Claim{unitOf(t, f, []int64{-2}, Style{}).Claim, unitOf(t, f, []int64{3}, Style{}).Claim}
		status := 0
		if wrong < 3 {
			status = 1
			u.claims()[wrong].Want++
		}
		units := []Unit{unitOf(t, g, []int64{-8, 1}, Style{Rows: true}), u, unitOf(t, g, []int64{5, 6}, Style{})}
		for _, compiler := range compilersFound(t) {
			program, err := compile(t, Emit(units), compiler, "-O1")
			require.NoError(t, err)
			for _, run := range []struct {
				args, out string
				status    int
			}{
				{"", "g 18446744073709551609\nf 41\nf#2 38\nf#3 43\ng_2 11\n", status},
				{"0", "g 18446744073709551609\n", 0},
				{"1", "f 41\nf#2 38\nf#3 43\n", status},
				{"2", "g_2 11\n", 0},
				{"3", "", 2},
				{"-1", "", 2},
			} {
				out, got := execute(t, program, strings.Fields(run.args)...)
				assert.Equal(t, run.out, out, "%s %q", compiler, run.args)
				assert.Equal(t, run.status, got, "%s %q", compiler, run.args)
			}
		}
	}
}

// BenchmarkCompile measures the CPU time of compilers for small functions with eight calls.
func BenchmarkCompile(b *testing.B) {
	for _, of := range [][2]string{
		{"u8", "func @f(%a u8, %b u8) u8 {\n  only:\n    return u8(i32(%a) + i32(%b))\n}\n"},
		{"u64", "func @f(%a u64, %b u64) u64 {\n  only:\n    return %a + %b\n}\n"},
		{"v4u32", "func @f(%a u8, %b u8) u32 {\n    global @x [8]<4>u32 = {1" + strings.Repeat(", 2", 31) + "}\n    global @o <4>u32 = {0, 0, 0, 0}\n  only:\n    @o = @x[i32(%a)] + @x[i32(%b)]\n    return checksum(@o)\n}\n"},
	} {
		f := parseOne(b, of[1])
		for _, words := range []string{"extern noinline array-sums volatile-args", "extern noinline array-sums rows"} {
			style, err := ParseStyle(words)
			require.NoError(b, err)
			var units []Unit
			for i := range 300 {
				u := unitOf(b, f, []int64{0, int64(i % 8)}, style)
				for k := range int64(7) {
					u.More = append(u.More, unitOf(b, f, []int64{k + 1, 7 - k}, style).Claim)
				}
				units = append(units, u)
			}
			program := Emit(units)
			for _, compiler := range compilersFound(b) {
				for _, level := range []string{"-O0", "-O2"} {
					b.Run(of[0]+" "+style.String()+" "+compiler+level, func(b *testing.B) {
						start := childrenCPU(b)
						for b.Loop() {
							_, err := compile(b, program, compiler, level)
							require.NoError(b, err)
						}
						b.ReportMetric((childrenCPU(b)-start).Seconds()*1000/float64(b.N*len(units)), "CPU-ms/function")
					})
				}
			}
		}
	}
}

// childrenCPU returns the CPU time of processes that have ended.
func childrenCPU(t testing.TB) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
