package link_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
)

// foreigner returns the leaf of a function of others.
func foreigner(t testing.TB, text string) *link.Leaf {
	p := ir.MustParse(text)
	require.NoError(t, p.Check())
	l, err := link.NewForeign(p.Funcs[0])
	require.NoError(t, err)
	return l
}

const squares = `foreign @rab(%x i32) i32 {
    answer (-3) = 9 steps 2
    answer (4) = 16 steps 2
    answer (40000) = 1600000000 steps 501
    c "int rab(int x) { return x * x; }"
}
`

// Functions of others are leaves that call none, are not guarded or declared pure, and
// pass only what was recorded where they are called; -live decides how often.
func TestForeignLeaves(t *testing.T) {
	ours := made(t, 1, 12, drawn)
	theirs := foreigner(t, squares)
	s := choice.New([]byte("foreign"))
	calls := map[int]int{}
	for _, live := range []int{0, 20, 60} {
		for range 240 {
			s.Shuffle(len(ours), func(i, j int) { ours[i], ours[j] = ours[j], ours[i] })
			o := link.DefaultOptions()
			o.Foreign = live
			p, err := link.Link(link.Fresh(slices.Concat(ours[:s.Range(1, 6)], []*link.Leaf{theirs})), o, s)
			require.NoError(t, err)
			require.NoError(t, p.IR.Check(), "%s", p.IR)
			require.NoError(t, interp.VerifyProgram(p.IR), "%s", p.IR)
			f := p.IR.Funcs[len(p.IR.Funcs)-1]
			assert.Equal(t, link.Impure, p.Purity[len(p.Purity)-1])
			assert.Len(t, f.Vars, 1, "no counter is passed")
			_, err = interp.RunProgram(p.IR, interp.Options{Leave: func(c interp.Call) {
				if c.Func == f {
					calls[live]++
					assert.NotEqual(t, int64(40000), c.Args[0], "it takes too long")
				}
			}})
			require.NoError(t, err)
			joined := link.Join([]*link.Linked{p})
			require.NoError(t, joined.IR.Check())
			assert.Equal(t, "rab", joined.IR.Funcs[len(joined.IR.Funcs)-1].Name)
			assert.Equal(t, squares, f.String())
		}
	}
	t.Log(calls)
	assert.Greater(t, 2*calls[20], 3*calls[0])
	assert.Greater(t, calls[60], calls[20])
	assert.Panics(t, func() { _, _ = link.Link([]*link.Leaf{theirs}, link.DefaultOptions(), s) }, "main calls none of others")
	_, err := link.NewForeign(ir.MustParse("foreign @rc() i32 {\n    answer () = 1 steps 1000\n    c \"int rc(void) { return 1; }\"\n}\n").Funcs[0])
	assert.EqualError(t, err, "@rc: no answer of at most 500 statements")
}

// Functions without answers are called where programs do not come, and nowhere else.
func TestDeadLeaves(t *testing.T) {
	ours := made(t, 1, 12, drawn)
	stop := ir.MustParse("foreign @rcd(%x u8) i32 {\n    c \"int rcd(unsigned char x) { return 1 / (x - x); }\"\n}\n").Funcs[0]
	theirs := []*link.Leaf{foreigner(t, squares), link.NewDead(stop)}
	s := choice.New([]byte("dead"))
	called := map[string]int{}
	for range 60 {
		s.Shuffle(len(ours), func(i, j int) { ours[i], ours[j] = ours[j], ours[i] })
		o := link.DefaultOptions()
		o.Foreign = 20
		p, err := link.Link(link.Fresh(slices.Concat(ours[:s.Range(1, 6)], theirs)), o, s)
		require.NoError(t, err)
		require.NoError(t, p.IR.Check(), "%s", p.IR)
		require.NoError(t, interp.VerifyProgram(p.IR), "a call would have no answer: %s", p.IR)
		for _, f := range p.IR.Funcs {
			for call := range f.Calls() {
				called[call.Func.Name]++
			}
		}
	}
	assert.Greater(t, called["rcd"], 10, "%v", called)
	assert.Greater(t, called["rab"], 30, "%v", called)
}

// crcs is a function of the usual size (the paper's are 17 lines), under any symbol.
const crcs = `foreign @SYM(%a u32, %n i32) u32 {
    answer (0, 0) = 0 steps 4
    answer (0, 1) = 3523407757 steps 30
    answer (7, 0) = 0 steps 4
    c "static unsigned SYM_crc(const unsigned char *p, int n)"
    c "{"
    c "\tunsigned c = 0xffffffffu;"
    c "\tfor (int i = 0; i < n; i++) {"
    c "\t\tc ^= p[i];"
    c "\t\tfor (int k = 0; k < 8; k++)"
    c "\t\t\tc = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;"
    c "\t}"
    c "\treturn ~c;"
    c "}"
    c "unsigned SYM(unsigned a, int n)"
    c "{"
    c "\tunsigned char b[16];"
    c "\tfor (int i = 0; i < 16; i++)"
    c "\t\tb[i] = (unsigned char)(a + i);"
    c "\treturn SYM_crc(b, n & 15);"
    c "}"
}
`

// BenchmarkProgramForeign is BenchmarkProgramPool with one or two functions of others in
// each program.
func BenchmarkProgramForeign(b *testing.B) {
	for _, bench := range []struct {
		name      string
		configure func(reify.Recipe) reify.Config
	}{{"drawn", drawn}, {"small", small}} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			pool := made(b, 1, 200, bench.configure)
			var theirs []*link.Leaf
			for i := range 20 {
				theirs = append(theirs, foreigner(b, strings.ReplaceAll(crcs, "SYM", fmt.Sprintf("r%x", 100+i))))
			}
			s := choice.New([]byte("pool"))
			o := link.DefaultOptions()
			o.Foreign = 20
			t := tally{start: cpu(b)}
			for b.Loop() {
				for i := range functions {
					j := s.Range(i, len(pool)-1)
					pool[i], pool[j] = pool[j], pool[i]
				}
				k, n := s.Intn(len(theirs)-1), s.Range(1, 2)
				p, err := link.Link(t.fresh(b, slices.Concat(pool[:functions], theirs[k:k+n])), o, s)
				require.NoError(b, err)
				t.add(p, emit(p, s))
			}
			t.report(b)
		})
	}
}
