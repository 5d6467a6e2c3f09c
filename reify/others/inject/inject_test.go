package inject

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

var (
	_ source.Source  = (*Source)(nil)
	_ source.Doubter = (*Source)(nil)
	_ Base           = (*foreign.DB)(nil)
	_ Asker          = (*foreign.Panel)(nil)
)

// A toy is a function of others that Go computes as well.
type toy struct {
	*foreign.Function
	eval func(args []int64) (want int64, ok bool)
}

func origin(name string) foreign.Origin {
	return foreign.Origin{Project: "toys", Version: "1", File: "toys.c", Name: name, Licence: "MIT"}
}

var toys = []toy{
	{&foreign.Function{
		Symbol: "r1f9c", Params: []ir.Int{ir.U32, ir.I64}, Result: ir.U32, Models: foreign.Both, Origin: origin("ones"),
		Text: `static unsigned r1f9c_ones(unsigned x)
{
	unsigned n = 0;
	for (; x; x &= x - 1)
		n++;
	return n;
}
unsigned r1f9c(unsigned a, long long b)
{
	return r1f9c_ones(a) + (b < 0 ? 64 : 0);
}`,
	}, func(a []int64) (int64, bool) {
		n := int64(bits.OnesCount32(uint32(a[0])))
		if a[1] < 0 {
			n += 64
		}
		return n, true
	}},
	{&foreign.Function{
		Symbol: "r2b", Params: []ir.Int{ir.I32, ir.I32}, Result: ir.I32, Models: foreign.LP64, Origin: origin("fill"),
		Text: `static int r2b_sum(const unsigned char *p, int n) { int s = 0; while (n--) s = s * 3 + *p++; return s; }
int r2b(int a, int n)
{
	unsigned char b[8];
	for (int i = 0; i < 8; i++)
		b[i] = (unsigned char)(a + i);
	return r2b_sum(b, n);
}`,
	}, func(a []int64) (int64, bool) { // it reads out of bounds where n is not 0 to 8
		s := int64(0)
		for i := range max(0, a[1]) {
			s = s*3 + int64(uint8(a[0]+i))
			if i > 7 {
				break
			}
		}
		return s, 0 <= a[1] && a[1] <= 8
	}},
	{&foreign.Function{
		Symbol: "rc3", Params: []ir.Int{ir.I64}, Result: ir.I8, Models: foreign.Both, Origin: origin("kind"),
		Text: `enum { rc3_none = -1, rc3_some = 7 };
signed char rc3(long long c)
{
	switch (c & 15) {
	case 0: case 3: return rc3_none;
	case 5: return rc3_some;
	case 9: case 10: case 11: return (signed char)(c >> 4);
	}
	return 100;
}
`,
	}, func(a []int64) (int64, bool) {
		switch a[0] & 15 {
		case 0, 3:
			return -1, true
		case 5:
			return 7, true
		case 9, 10, 11:
			return int64(int8(a[0] >> 4)), true
		}
		return 100, true
	}},
}

// stop is a function without answers: for code that is not executed.
var stop = &foreign.Function{
	Symbol: "rd0d", Params: []ir.Int{ir.U8}, Result: ir.I32, Class: foreign.Dead, Models: foreign.Both, Origin: origin("stop"),
	Text: `int rd0d(unsigned char c)
{
	for (;;)
		if (c++ == 7)
			__builtin_abort();
}
`,
}

// toyBase is a database of toys that answers, too.
type toyBase struct {
	asked, rounds int
	aside         []string
	learned       map[string][]foreign.Reply
	gone          error
}

func (b *toyBase) Draw(class foreign.Class, n int, s *choice.Stream) ([]*foreign.Function, error) {
	if class == foreign.Dead {
		return []*foreign.Function{stop}, b.gone
	}
	var list []*foreign.Function
	for _, t := range toys {
		if !slices.Contains(b.aside, t.Symbol) && len(list) < n {
			list = append(list, t.Function)
		}
	}
	s.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list, b.gone
}

func (b *toyBase) toy(symbol string) toy {
	return toys[slices.IndexFunc(toys, func(t toy) bool { return t.Symbol == symbol })]
}

func (b *toyBase) Function(symbol string) (*foreign.Function, error) {
	if b.gone != nil {
		return nil, b.gone
	}
	if symbol == stop.Symbol {
		return stop, nil
	}
	return b.toy(symbol).Function, nil
}

func (b *toyBase) Pairs(f *foreign.Function) ([]foreign.Pair, error) {
	s := choice.From(7)
	var list []foreign.Pair
	for range 12 {
		var args []int64
		for _, t := range f.Params {
			args = append(args, s.Constant(t.Min(), t.Max()))
			if t == ir.U32 {
				args[len(args)-1] = int64(uint32(s.Uint64()))
			}
		}
		if f.Symbol == "r2b" {
			args[1] = int64(s.Intn(9))
		}
		if want, ok := b.toy(f.Symbol).eval(args); ok {
			list = append(list, foreign.Pair{Args: args, Want: f.Result.Wrap(want), Steps: 9})
		}
	}
	return list, nil
}

func (b *toyBase) Asked(f *foreign.Function) ([]foreign.Reply, error) {
	return b.learned[f.Symbol], b.gone
}

func (b *toyBase) Learn(f *foreign.Function, replies []foreign.Reply) error {
	if b.learned == nil {
		b.learned = map[string][]foreign.Reply{}
	}
	b.learned[f.Symbol] = append(b.learned[f.Symbol], replies...)
	return nil
}

func (b *toyBase) SetAside(symbol, _ string) error {
	b.aside = append(b.aside, symbol)
	return nil
}

// Guess is wrong about one question in nine, and answers where there is no answer.
func (b *toyBase) Guess(ctx context.Context, q []foreign.Question) ([]foreign.Reply, error) {
	list, err := b.Ask(ctx, q)
	for i := range list {
		if i%9 == 0 {
			list[i].Want, list[i].Refused = 1, ""
		}
	}
	return list, err
}

func (b *toyBase) Close() {}

func (b *toyBase) Ask(_ context.Context, q []foreign.Question) ([]foreign.Reply, error) {
	b.rounds++
	b.asked += len(q)
	var list []foreign.Reply
	for _, q := range q {
		want, ok := b.toy(q.Function.Symbol).eval(q.Args)
		r := foreign.Reply{Pair: foreign.Pair{Args: q.Args, Want: q.Function.Result.Wrap(want), Steps: 9}}
		if !ok {
			r.Refused = "undefined"
		}
		list = append(list, r)
	}
	return list, nil
}

// toySource returns a source of toys.
func toySource(b *toyBase, m Mode, size int) *Source {
	s := New(function.Options{Profile: "focus", Size: size}, m, func() (Base, error) { return b, nil })
	s.Ask = func([]*foreign.Function) (Asker, error) { return b, nil }
	return s
}

// someone returns an oracle with gcc at two levels.
func someone(t *testing.T) *oracle.Oracle {
	found, named, err := targets.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc", Modes: "-O0,-O2"})
	require.NoError(t, err)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o, err := oracle.New(t.Context(), space, found, named)
	require.NoError(t, err)
	return o
}

// Programs of all modes are the same again, print, parse and prove, and real compilers
// agree about them.
func TestModes(t *testing.T) {
	o := someone(t)
	for _, tt := range []struct {
		mode Mode
		size int
	}{{Fixed, 3}, {Rows, 24}, {Free, 24}} {
		b := new(toyBase)
		s := toySource(b, tt.mode, tt.size)
		seed := uint64(5)
		in := s.Draw(choice.From(seed))
		for ; !strings.Contains(string(in.Data), stop.Symbol); seed++ {
			in = s.Draw(choice.From(seed + 1))
		}
		assert.Equal(t, in, s.Draw(choice.From(seed)))
		made, err := s.Make(t.Context(), in)
		require.NoError(t, err, "%s", tt.mode)
		again, err := toySource(new(toyBase), tt.mode, 1).Make(t.Context(), in)
		require.NoError(t, err)
		assert.Equal(t, made.Artefact(), again.Artefact(), "same bytes, same program")
		assert.Equal(t, subject.Recorded, made.Trust())
		assert.True(t, made.Artefact().Needs.Little)
		members := made.(subject.Group).Members()
		assert.GreaterOrEqual(t, len(members), tt.size/2, "%s", tt.mode)
		if tt.mode != Fixed {
			assert.NotZero(t, b.asked)
		} else {
			assert.Equal(t, 8, made.Artefact().Needs.Long)
			assert.LessOrEqual(t, b.rounds, 8)
		}
		texts := ""
		for _, f := range made.Artefact().Files {
			texts += string(f.Content)
		}
		assert.Greater(t, strings.Count(texts, stop.Symbol+"("), 2, "%s calls what nobody may execute", tt.mode)
		t.Logf("%s: %d members, %d questions in %d rounds", tt.mode, len(members), b.asked, b.rounds)

		report, err := o.Check(t.Context(), made, 0)
		require.NoError(t, err)
		assert.NotZero(t, report.Asked)
		assert.Nil(t, report.Finding, "%s", tt.mode)

		for _, m := range members[:3] {
			e, err := m.Entry()
			require.NoError(t, err)
			e.Title, e.Verdict = "a program", corpus.Untested
			e.Command = oracle.Command(compilers.Outcome{Command: []string{"gcc -O1 *.c -o repro", "./repro"}})
			require.NoError(t, e.Check())
			back, err := corpus.Parse("entry", e.Format())
			require.NoError(t, err)
			p, err := ir.Parse(back.Program)
			require.NoError(t, err)
			require.NoError(t, p.Check(), "%s", back.Program)
			for _, c := range p.Claims {
				assert.NoError(t, interp.Verify(c))
			}
			require.NotEmpty(t, back.Origins())
			assert.Equal(t, "MIT", back.Origins()[0].Licence)
			assert.True(t, strings.HasPrefix(back.Origins()[0].From, "toys 1 toys.c "))
			assert.Len(t, back.AllNotes(corpus.NoteStyle), len(p.Funcs))
		}
	}
}

// What the witnesses contradict is set aside: the functions that the members called
// which were named.
func TestDiscard(t *testing.T) {
	b := new(toyBase)
	s := toySource(b, Fixed, 3)
	in := s.Draw(choice.From(5))
	got, err := decode(in)
	require.NoError(t, err)
	require.Len(t, got.Symbols, 3)
	require.NoError(t, s.Discard(in, "program-1: a recorded answer does not hold"))
	assert.Equal(t, got.Symbols[1], b.aside)
	require.NoError(t, s.Discard(in, "of "+got.Symbols[2][0]))
	assert.Equal(t, append(slices.Clone(got.Symbols[1]), got.Symbols[2][0]), b.aside)
	left, err := decode(s.Draw(choice.From(9)))
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprint(left.Symbols), got.Symbols[1][0])
}

// A database that is gone is no bug of ours, and says so; what was drawn then, or before, is made
// when it is there again.
func TestGone(t *testing.T) {
	b := new(toyBase)
	s := toySource(b, Rows, 4)
	require.NoError(t, s.Check())
	in := s.Draw(choice.From(5))
	b.gone = fmt.Errorf("functions.db: %w", foreign.ErrUnusable)
	none := s.Draw(choice.From(6))
	var bad *source.BadSeed
	for _, in := range []source.Input{in, none} {
		_, err := s.Make(t.Context(), in)
		require.ErrorIs(t, err, foreign.ErrUnusable)
		assert.False(t, errors.As(err, &bad), "it may be used again")
		assert.False(t, source.OurBug(err))
	}
	assert.ErrorIs(t, s.Check(), foreign.ErrUnusable)
	b.gone = nil
	for _, in := range []source.Input{in, none} {
		m, err := s.Make(t.Context(), in)
		require.NoError(t, err)
		assert.NotEmpty(t, m.(subject.Group).Members())
	}
	b.gone = fmt.Errorf("function r1: %w", foreign.ErrGone)
	_, err := s.Make(t.Context(), in)
	assert.ErrorAs(t, err, &bad)
}

// BenchmarkModes makes programs of each mode where answers cost nothing: what compilers
// take to answer is not in it.
func BenchmarkModes(b *testing.B) {
	cpu := func() time.Duration {
		var u syscall.Rusage
		require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for _, bench := range []struct {
		mode Mode
		size int
	}{{Fixed, 3}, {Rows, 60}, {Free, 60}} {
		b.Run(string(bench.mode), func(b *testing.B) {
			s := toySource(new(toyBase), bench.mode, bench.size)
			start, made, seed := cpu(), 0, uint64(1)
			for b.Loop() {
				m, err := s.Make(b.Context(), s.Draw(choice.From(seed)))
				require.NoError(b, err)
				made += len(m.(subject.Group).Members())
				seed += uint64(bench.size)
			}
			b.ReportMetric(float64(made)/(cpu()-start).Seconds(), "programs/cpu-s")
		})
	}
}
