package foreign_test

import (
	"context"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/safefile"
	"goreify/tools/need"
)

// harvester returns one that asks gcc and clang.
func harvester(t testing.TB) *foreign.Harvester {
	h, _ := harvesterFor(t)
	return h
}

// harvesterFor returns one with the workspace of what it runs.
func harvesterFor(t testing.TB) (*foreign.Harvester, *compilers.Workspace) {
	need.Sanitizers(t, "gcc")
	need.Sanitizers(t, "clang")
	found, named, err := targets.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc,clang", Modes: "-O2"})
	require.NoError(t, err)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o, err := oracle.New(t.Context(), space, found, named)
	require.NoError(t, err)
	h, err := foreign.NewHarvester(t.Context(), o.Targets, o.Sanitizers, o.Space)
	require.NoError(t, err)
	if !h.Narrow() {
		need.Partly(t, "m32", "functions are not tried with pointers of 32 bits")
	}
	return h, space
}

// own returns the functions of our own, in testdata/functions of the repository.
func own(t testing.TB) (list []*foreign.Function) {
	files, err := filepath.Glob("../../../testdata/functions/*.c")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		p, _, err := foreign.Load(safefile.Tree(filepath.Dir(path)), filepath.Base(path), foreign.Flags{}, foreign.Origin{})
		require.NoError(t, err)
		kept, refused := foreign.Extract(p, foreign.Options{Origin: foreign.Origin{Project: "ours", File: filepath.Base(path), Licence: "none"}})
		require.Empty(t, refused)
		list = append(list, kept...)
	}
	return list
}

// answers are some of our own functions, in Go.
var answers = map[string]func(a []int64) int64{
	"gray":         func(a []int64) int64 { v := uint32(a[0]); return int64(v ^ v>>1) },
	"ones":         func(a []int64) int64 { return int64(bits.OnesCount64(uint64(a[0]))) },
	"reverse_bits": func(a []int64) int64 { return int64(bits.Reverse32(uint32(a[0]))) },
	"square_root":  func(a []int64) int64 { return int64(math.Sqrt(float64(uint32(a[0])))) },
	"precedence": func(a []int64) int64 {
		return map[int64]int64{'*': 5, '/': 5, '%': 5, '+': 4, '-': 4, '<': 3, '>': 3, '&': 2, '|': 1}[a[0]]
	},
}

// Our own functions all have pairs, and those that are easy to compute the right ones. What
// was found is found again by Ask, and by optimising compilers.
func TestHarvest(t *testing.T) {
	need.Long(t)
	h := harvester(t)
	functions := own(t)
	list, err := h.Harvest(t.Context(), functions)
	require.NoError(t, err)
	names := map[string]bool{}
	var kept []*foreign.Function
	var pairs [][]foreign.Pair
	var questions []foreign.Question
	var want []foreign.Pair
	for _, x := range list {
		f := x.Function
		names[f.Origin.Name] = true
		assert.False(t, x.Rejected, f.Origin.Name)
		assert.GreaterOrEqual(t, len(x.Pairs), 4, "%s: %v", f.Origin.Name, x.Refused)
		assert.Zero(t, x.Refused[foreign.ReasonDiffers]+x.Refused[foreign.ReasonUninitialised], f.Origin.Name)
		if h.Narrow() && f.Origin.Name != "interleave" { // which has a uint64_t, that is unsigned long where it was expanded
			assert.Equal(t, foreign.Both, f.Models, f.Origin.Name)
		}
		for _, p := range x.Pairs {
			assert.Len(t, p.Args, len(f.Params))
			assert.True(t, f.Result.Holds(p.Want))
			assert.Greater(t, p.Steps, 0)
			assert.LessOrEqual(t, p.Steps, foreign.MaxSteps)
			if answer := answers[f.Origin.Name]; answer != nil {
				assert.Equal(t, answer(p.Args), p.Want, "%s(%v)", f.Origin.Name, p.Args)
			}
		}
		kept, pairs = append(kept, f), append(pairs, x.Pairs)
		questions, want = append(questions, foreign.Question{Function: f, Args: x.Pairs[0].Args}), append(want, x.Pairs[0])
	}
	assert.Len(t, names, 26)
	replies, err := h.Ask(t.Context(), questions)
	require.NoError(t, err)
	for i, r := range replies {
		assert.Empty(t, r.Refused)
		assert.Equal(t, want[i], r.Pair)
	}
	found, _, err := targets.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc,clang"})
	require.NoError(t, err)
	for _, target := range found {
		differ, asked, err := h.Check(t.Context(), target, "-O2", kept, pairs)
		require.NoError(t, err)
		assert.Empty(t, differ)
		assert.Greater(t, asked, 300)
	}
	// A pair that is wrong is seen.
	wrong := pairs[0][0]
	wrong.Want++
	differ, _, err := h.Check(t.Context(), found[0], "-O2", kept[:1], [][]foreign.Pair{{wrong}})
	require.NoError(t, err)
	require.Len(t, differ, 1)
	assert.False(t, differ[0].Puns)
}

// What strangers' functions may do is seen, and harms no other function of the batch.
func TestHostileFunctions(t *testing.T) {
	need.Long(t)
	h := harvester(t)
	function := func(symbol, text string) *foreign.Function {
		return &foreign.Function{Symbol: symbol, Text: text + "\n", Params: []ir.Int{ir.I32}, Result: ir.I32, Origin: foreign.Origin{Name: symbol}}
	}
	cases := []struct {
		f    *foreign.Function
		want string // why there is no answer to 5; "" if it is 6
	}{
		{function("fine", "int fine(int x) { return x + 1; }"), ""},
		{function("address", "int address(int x) { return (int)(__INTPTR_TYPE__)&x; }"), foreign.ReasonDiffers},
		{function("ticks", "int gettime(int, long *) __asm__(\"clock_gettime\"); int ticks(int x) { long t[2]; gettime(0, t); return (int)t[1]; }"), foreign.ReasonDiffers},
		{function("unset", "int unset(int x) { int y[3]; y[0] = x; return y[x & 1]; }"), foreign.ReasonUninitialised},
		{function("endless", "int endless(int x) { for (;;) x++; }"), foreign.ReasonEndless},
		{function("spins", "int spins(int x) { unsigned u = 0; while (x) u++; return (int)u; }"), foreign.ReasonEndless},
		{function("divides", "int divides(int x) { return x / (x - 5); }"), foreign.ReasonUndefined},
		{function("beyond", "int beyond(int x) { int a[4] = { 0 }; return a[x]; }"), foreign.ReasonUndefined},
		{function("eats", "void *malloc(__SIZE_TYPE__); int eats(int x) { char *p; while ((p = malloc(1 << 28))) *p = 1; return *p; }"), foreign.ReasonUndefined},
		{function("writes", "int creat(const char *, unsigned); long write(int, const void *, __SIZE_TYPE__); int writes(int x) { int f = creat(\"it\", 0600); return write(f, &x, 4) == 4 ? x : 0; }"), foreign.ReasonUndefined},
		{function("deep", "int deep(int x) { volatile char a[4096]; a[0] = (char)x; return x < 0 ? 0 : 1 + deep(x + (x < 1000000)) + a[0]; }"), ""},
		{function("jumps", "int jumps(int x) { return *(volatile int *)8 + x; }"), foreign.ReasonUndefined},
		{function("broken", "int broken(int x) { return undeclared(x); }"), foreign.ReasonRejected},
		{function("null", "int null(int x) { char *p = x < 9 ? 0 : (char *)&x; __builtin_memcpy(p, &x, 0); return x + 1; }"), foreign.ReasonUndefined},
		{function("ends", "void _Exit(int); int ends(int x) { _Exit(0); return x; }"), foreign.ReasonUndefined},
		{function("unordered", "int unordered(int x) { int a[2] = { x, x }; x = 0; a[x] = x++; return a[1] + 1; }"), foreign.ReasonRejected},
		{function("mixes", "int mixes(int x) { int *p = &x; unsigned short *q = p; return *q + 1; }"), foreign.ReasonRejected},
		{function("also", "int also(int x) { return x + 1; }"), ""},
	}
	var questions []foreign.Question
	for _, c := range cases {
		questions = append(questions, foreign.Question{Function: c.f, Args: []int64{5}})
	}
	replies, err := h.Ask(t.Context(), questions)
	require.NoError(t, err)
	for i, c := range cases {
		r := replies[i]
		switch {
		case c.f.Symbol == "deep": // as the stack lasts
			assert.NotEmpty(t, r.Refused, c.f.Symbol)
		case c.f.Symbol == "unset": // what stands there differs, too
			assert.Contains(t, []string{foreign.ReasonUninitialised, foreign.ReasonDiffers}, r.Refused)
		default:
			assert.Equal(t, c.want, r.Refused, c.f.Symbol)
		}
		if c.want == "" && r.Refused == "" {
			assert.Equal(t, int64(6), r.Want)
		}
	}
	// What it keeps from call to call shows in another order.
	counts := function("counts", "int counts(int x) { static int n = 0; return x + n++; }")
	replies, err = h.Ask(t.Context(), []foreign.Question{{Function: counts, Args: []int64{1}}, {Function: counts, Args: []int64{2}}})
	require.NoError(t, err)
	assert.Equal(t, foreign.ReasonDiffers, replies[0].Refused)
	assert.Equal(t, foreign.ReasonDiffers, replies[1].Refused)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = h.Ask(ctx, questions)
	assert.ErrorIs(t, err, context.Canceled)
}

// What is undefined only where a long has 32 bits, though the processor answers the same, is
// not for programs of -m32.
func TestHarvestUndefinedNarrow(t *testing.T) {
	need.Long(t)
	h := harvester(t)
	if !h.Narrow() {
		need.Missing(t, "m32", "functions are not tried with pointers of 32 bits")
	}
	function := func(symbol, text string) *foreign.Function {
		return &foreign.Function{Symbol: symbol, Text: text + "\n", Params: []ir.Int{ir.I32}, Result: ir.I32, Origin: foreign.Origin{Name: symbol}}
	}
	list, err := h.Harvest(t.Context(), []*foreign.Function{
		function("far", "int far(int x) { unsigned long v = x & 255; return (int)(v << 32 & 0) + x; }"),
		function("near", "int near(int x) { unsigned long v = x & 255; return (int)(v << 31 & 0) + x; }"),
	})
	require.NoError(t, err)
	require.Len(t, list, 2)
	for i, want := range []foreign.Models{foreign.LP64, foreign.Both} {
		assert.NotEmpty(t, list[i].Pairs)
		assert.Equal(t, want, list[i].Function.Models, list[i].Function.Symbol)
	}

	// What holds for some arguments need not for others.
	far, near := *list[0].Function, *list[1].Function
	far.Models = foreign.Both
	questions := []foreign.Question{{Function: &far, Args: []int64{3}}, {Function: &near, Args: []int64{3}}}
	panel := h.Panel([]*foreign.Function{&far, &near})
	t.Cleanup(panel.Close)
	for _, ask := range []func(context.Context, []foreign.Question) ([]foreign.Reply, error){h.Ask, panel.Ask} {
		replies, err := ask(t.Context(), questions)
		require.NoError(t, err)
		assert.Equal(t, []string{foreign.ReasonNarrow, ""}, []string{replies[0].Refused, replies[1].Refused})
	}
}

// BenchmarkHarvest harvests our own functions.
func BenchmarkHarvest(b *testing.B) {
	h, space := harvesterFor(b)
	functions := own(b)
	before := space.ChildrenCPU()
	kept := 0
	for b.Loop() {
		list, err := h.Harvest(b.Context(), functions)
		require.NoError(b, err)
		for _, x := range list {
			if len(x.Pairs) >= 4 {
				kept++
			}
		}
	}
	cpu := (space.ChildrenCPU() - before).Seconds()
	b.ReportMetric(float64(kept)/cpu, "functions/CPU-s")
	b.ReportMetric(float64(b.N*len(functions)*foreign.Inputs)/cpu, "inputs/CPU-s")
}

// BenchmarkAsk asks about pairs again and again, of all witnesses.
func BenchmarkAsk(b *testing.B) {
	h, space := harvesterFor(b)
	var questions []foreign.Question
	for _, f := range own(b) {
		for _, args := range foreign.Draw(f, 1000) {
			questions = append(questions, foreign.Question{Function: f, Args: args})
		}
	}
	before := space.ChildrenCPU()
	for b.Loop() {
		_, err := h.Ask(b.Context(), questions)
		require.NoError(b, err)
	}
	b.ReportMetric(float64(b.N*len(questions))/(space.ChildrenCPU()-before).Seconds(), "questions/CPU-s")
}

// What is outside of an object of a proxy, of a local or of a static is seen wherever it is, also
// where that is far from what is poisoned around the object, by any 32 bits.
func TestWildAccess(t *testing.T) {
	need.Long(t)
	h := harvester(t)
	path := filepath.Join(t.TempDir(), "wild.c")
	require.NoError(t, os.WriteFile(path, []byte(`
int reads(const unsigned char *p, int at) { return p[at]; }
int word(const unsigned char *p, int at) { int x; __builtin_memcpy(&x, p + at, 4); return x; }
void writes(unsigned char *p, int at) { __builtin_memcpy(p + at, "x", 1); }
void both(short *p, unsigned char *q, int at) { p[0] = 0; q[at] = 1; }
struct s { int a, b; };
int fields(struct s *s, int at) { return ((unsigned char *)s)[at]; }
static int byte(unsigned char *p, int at) { return p[at]; }
int local(int x, int at) { unsigned char a[16]; __builtin_memset(a, x, 16); return byte(a, at); }
static int set(unsigned char *p, int at) { p[at] = 5; return p[0]; }
int written(int x, int at) { unsigned char a[16]; __builtin_memset(a, x, 16); return set(a, at); }
`), 0o644))
	p, _, err := foreign.Load(safefile.Tree(filepath.Dir(path)), filepath.Base(path), foreign.Flags{}, foreign.Origin{})
	require.NoError(t, err)
	functions, refused := foreign.Extract(p, foreign.Options{})
	require.Empty(t, refused)
	for _, f := range own(t) {
		if f.Origin.Name == "whiten" { // its second row begins there
			functions = append(functions, f)
		}
	}
	var questions []foreign.Question
	for _, f := range functions {
		if f.Origin.Name == "byte" || f.Origin.Name == "set" || f.Params[len(f.Params)-1] != ir.I32 {
			continue
		}
		// Buffers have up to 65 elements.
		for _, at := range []int64{0, 7, 16, 80, 104, 200, 848, 1 << 12, 1<<16 + 8, 1 << 20, 1<<21 + 40, 1 << 24, 1 << 27, 1<<30 + 848, math.MaxInt32, -1, -8, -48, -848, -4096, -1<<18 + 16, -1 << 22, -1 << 28, math.MinInt32} {
			args := []int64{7, 8, 1, at}
			questions = append(questions, foreign.Question{Function: f, Args: args[4-len(f.Params):]})
		}
	}
	replies, err := h.Ask(t.Context(), questions)
	require.NoError(t, err)
	for i, r := range replies {
		q := questions[i]
		if at := q.Args[len(q.Args)-1]; at == 0 || at == 7 {
			assert.Empty(t, r.Refused, "%s(%v)", q.Function.Origin.Name, q.Args)
		} else if at != 16 || q.Function.Origin.Name == "local" {
			assert.NotEmpty(t, r.Refused, "%s(%v)", q.Function.Origin.Name, q.Args)
		}
	}
}
