package hunt

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/oracle"
	fns "goreify/reify/others/foreign"
	"goreify/reify/others/inject"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
	"goreify/reify/triage"
	"goreify/tools/need"
	"goreify/tools/reify/report"
)

// halves is a function of others, which the planted compiler breaks, and squares one
// that it does not.
var (
	halves = &fns.Function{
		Symbol: "rba1f", Params: []ir.Int{ir.U32}, Result: ir.U32, Models: fns.Both,
		Origin: fns.Origin{Project: "toys", Version: "1", File: "halves.c", Name: "halves", Licence: "MIT"},
		Text: `static unsigned rba1f_half(unsigned x) { return x / 2; }
unsigned rba1f(unsigned x)
{
	unsigned n = 0, spare = 0;
	for (; x; x = rba1f_half(x)) {
		n++;
		if (x & 3)
			spare += n;
	}
	if (spare == 12345678)
		return spare;
	return n * 3;
}
`,
	}
	squares = &fns.Function{
		Symbol: "r59ea", Params: []ir.Int{ir.I32}, Result: ir.I64, Models: fns.Both,
		Origin: fns.Origin{Project: "toys", File: "squares.c", Name: "squares", Licence: "unknown"},
		Text:   "long long r59ea(int x)\n{\n\treturn (long long)x * x;\n}\n",
	}
)

// shelf is a database of these two.
type shelf struct {
	aside   []string
	learned map[string][]fns.Reply
}

func (*shelf) Draw(class fns.Class, n int, _ *choice.Stream) ([]*fns.Function, error) {
	if class == fns.Dead {
		return nil, nil
	}
	return []*fns.Function{halves, squares}[:min(n, 2)], nil
}

func (*shelf) Function(symbol string) (*fns.Function, error) {
	if symbol == halves.Symbol {
		return halves, nil
	}
	return squares, nil
}

func (s *shelf) Pairs(f *fns.Function) (list []fns.Pair, _ error) {
	for _, x := range []int64{0, 1, 7, 1000, 123456} {
		reply := s.answer(fns.Question{Function: f, Args: []int64{x}})
		list = append(list, reply.Pair)
	}
	return list, nil
}

func (s *shelf) Asked(f *fns.Function) ([]fns.Reply, error) { return s.learned[f.Symbol], nil }

func (s *shelf) Learn(f *fns.Function, replies []fns.Reply) error {
	if s.learned == nil {
		s.learned = map[string][]fns.Reply{}
	}
	s.learned[f.Symbol] = append(s.learned[f.Symbol], replies...)
	return nil
}

func (s *shelf) SetAside(symbol, _ string) error {
	s.aside = append(s.aside, symbol)
	return nil
}

func (*shelf) answer(q fns.Question) fns.Reply {
	p := fns.Pair{Args: q.Args, Steps: 5}
	if q.Function.Symbol == squares.Symbol {
		p.Want = q.Args[0] * q.Args[0]
		return fns.Reply{Pair: p}
	}
	for x := q.Args[0]; x > 0; x /= 2 {
		p.Want += 3
	}
	return fns.Reply{Pair: p}
}

func (s *shelf) Guess(_ context.Context, list []fns.Question) (replies []fns.Reply, _ error) {
	for _, q := range list {
		replies = append(replies, s.answer(q))
	}
	return replies, nil
}

func (s *shelf) Ask(ctx context.Context, list []fns.Question) ([]fns.Reply, error) {
	return s.Guess(ctx, list)
}

func (*shelf) Close() {}

// calling returns a kind of batches that call functions of a database, about which a shelf is
// asked.
func calling(base inject.Base, size int, m inject.Mode) Kind {
	src := inject.New(function.Options{Profile: "focus", Size: size}, m, func() (inject.Base, error) { return base, nil })
	src.Ask = func([]*fns.Function) (inject.Asker, error) { return new(shelf), nil }
	return Kind{Name: "inject", Language: compilers.C, Seeds: size, Weight: 1, Source: src}
}

// A compiler that breaks one function of others is found in all modes, with that
// function and its origin in the report, and nothing of the other.
func TestInjectFinding(t *testing.T) {
	need.Named(t)
	for _, tt := range []struct {
		mode inject.Mode
		size int
	}{{inject.Both, 6}} {
		t.Run(string(tt.mode), func(t *testing.T) {
			need.Sanitizers(t, "clang") // which says of each cut of the text what is not initialised
			o := fake(t, passes+`[ "$level" = -O2 ] && sed -i 's|return x / 2; }|return x > 2 ? *(volatile unsigned *)0 : x / 2; }|' *.c`, "-O0", "-O2")
			writeClang(t, filepath.Dir(pathOf(o)))
			require.NoError(t, withClang(o, filepath.Dir(pathOf(o))))
			s := new(shelf)
			kind := calling(s, tt.size, tt.mode)
			opt := options(t, t.TempDir(), 3*tt.size, 1)
			opt.Kinds, opt.Mix = []Kind{kind}, []Kind{kind}
			sum := finished(t, o, opt)
			require.NotZero(t, sum.Buckets, "%s", opt.Log)
			assert.Empty(t, s.aside)
			path := firstFinding(opt, sum)
			e, err := corpus.Load(path)
			require.NoError(t, err)
			assert.Equal(t, []string{"crash", corpus.Recorded}, []string{e.Verdict, e.Trust})
			assert.Contains(t, e.Origins(), corpus.Origin{From: "toys 1 halves.c halves", Licence: "MIT"})
			assert.Equal(t, "little-endian", e.Note(corpus.NoteNeeds))

			r, err := triage.Finding(t.Context(), o, e, triage.Options{Progress: func(line string) { t.Log(line) }})
			require.NoError(t, err)
			t.Log(r, "\n"+r.Entry.Reduced+r.Entry.ReducedProgram)
			assert.Contains(t, r.Entry.Reduced, "return x / 2; }")
			assert.NotContains(t, r.Entry.Reduced, "r59ea")
			assert.Equal(t, "tree-vrp2", r.Entry.Culprit)
			p, err := ir.Parse(r.Entry.ReducedProgram)
			require.NoError(t, err)
			assert.Len(t, p.Funcs, 2)
			left := function.OthersIn(p.Funcs)
			require.Len(t, left, 1)
			require.Len(t, left[0].Foreign.Answers, 1)
			// Of its text what the compiler breaks is left, and what leads there; it was
			// asked for its answers anew.
			h, err := fns.NewHarvester(t.Context(), o.Targets, o.Sanitizers, o.Space)
			require.NoError(t, err)
			if h.Narrow() {
				assert.NotContains(t, left[0].Foreign.C, "spare")
				assert.LessOrEqual(t, strings.Count(left[0].Foreign.C, "\n"), 7)
				a := left[0].Foreign.Answers[0]
				assert.NotEqual(t, s.answer(fns.Question{Function: halves, Args: a.Args}).Want, a.Want)
			} else {
				need.Partly(t, "m32", "how a text that holds with pointers of 32 bits is cut")
				assert.Equal(t, halves.Text, left[0].Foreign.C)
			}
			require.NoError(t, corpus.Update(path, r.Entry))

			found, err := report.Load(opt.Dir)
			require.NoError(t, err)
			buckets := report.Group(found)
			out := t.TempDir()
			require.NoError(t, report.Write(t.Context(), opened(t, out), buckets[:1], report.Options{}))
			text, err := os.ReadFile(filepath.Join(out, buckets[0].File()))
			require.NoError(t, err)
			assert.Contains(t, string(text), "In the test there is text of others:\n\n- toys 1 halves.c halves, licence MIT\n")
			assert.NotContains(t, string(text), "squares.c")
			page, err := os.ReadFile(filepath.Join(out, report.Index))
			require.NoError(t, err)
			assert.NotContains(t, string(page), "r59ea")

			replaysAsKnown(t, o, path, func(c oracle.Config) bool { return c.Mode == "-O2" && c.Target.ID().Family == e.Family })
		})
	}
}

// A function whose recorded answers do not hold is set aside, and the hunt goes on.
func TestInjectContradiction(t *testing.T) {
	need.Long(t)
	o := fakeFamilies(t, `sed -i 's|return x / 2; }|return x / 3; }|' *.c`, "", "-O0", "-O2")
	sanitize(t, o)
	s := new(shelf)
	kind := calling(s, 2, inject.Fixed)
	opt := options(t, t.TempDir(), 4, 1)
	opt.Kinds, opt.Mix, opt.Time = []Kind{kind}, []Kind{kind}, 10*time.Minute
	sum := finished(t, o, opt)
	assert.Zero(t, sum.Findings, "%s", opt.Log)
	assert.Positive(t, sum.Discards)
	assert.Contains(t, s.aside, halves.Symbol)
	assert.NotContains(t, s.aside, squares.Symbol)
	assert.Contains(t, query(t, opt.Dir, `SELECT text FROM log`)[0], "a recorded answer does not hold")
}

// functionsFile returns the path of a database with halves and squares, in a directory of its own.
func functionsFile(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "functions.db")
	require.NoError(t, addToys(path))
	return path
}

// addToys adds halves and squares to a database, unless they are there.
func addToys(path string) error {
	db, err := fns.Open(path)
	if err != nil {
		return err
	}
	for _, f := range []*fns.Function{halves, squares} {
		pairs, _ := new(shelf).Pairs(f)
		one := *f
		one.Class = fns.Plain
		_, e := db.Add(fns.Source{Origin: f.Origin, Sum: f.Symbol}, []fns.Harvest{{Function: &one, Pairs: pairs}}, nil)
		err = errors.Join(err, e)
	}
	return errors.Join(err, db.Close())
}

// A breaker is a source that something happens to before the batch of a number is made.
type breaker struct {
	*inject.Source
	left int
	then func()
}

func (b *breaker) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	if b.left--; b.left == 0 {
		b.then()
	}
	return b.Source.Make(ctx, in)
}

// filed returns a kind of batches that call functions of a database in a file, to which something
// happens before a batch.
func filed(t *testing.T, path string, before int, then func(*fns.DB)) Kind {
	db, err := fns.Read(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() }) // it may be gone
	kind := calling(db, 3, inject.Both)
	kind.Source = &breaker{kind.Source.(*inject.Source), before, func() { then(db) }}
	return kind
}

// A database that something happens to ends the hunt with a line that says what; when it is as it
// was before, the hunt goes on, and finds what one does that nothing happens to.
func TestInjectDatabase(t *testing.T) {
	need.Long(t)
	o := fake(t, "", "-O0")
	const batches = 3
	hunts := func(dir string, kind Kind) (*Summary, error) {
		opt := options(t, dir, batches, kind.Seeds)
		opt.Kinds, opt.Mix = []Kind{kind}, []Kind{kind}
		return Start(t.Context(), o, opt)
	}
	whole, err := hunts(t.TempDir(), filed(t, functionsFile(t), 0, nil))
	require.NoError(t, err)
	require.Positive(t, whole.Functions)
	require.Zero(t, whole.Discards)
	for _, tt := range []struct {
		name   string
		before int // which batch
		then   func(db *fns.DB)
		said   string
	}{
		{"gone", 1, func(db *fns.DB) { require.NoError(t, os.Remove(db.Path())) }, "it is gone"},
		{"damaged", 3, func(db *fns.DB) { require.NoError(t, os.WriteFile(db.Path(), make([]byte, 1<<16), 0o600)) }, "not a database"},
		{"cut short", 2, func(db *fns.DB) { require.NoError(t, os.Truncate(db.Path(), 5000)) }, "malformed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := functionsFile(t)
			good, err := os.ReadFile(path)
			require.NoError(t, err)
			dir := t.TempDir()
			_, err = hunts(dir, filed(t, path, tt.before, tt.then))
			require.ErrorIs(t, err, fns.ErrUnusable)
			assert.ErrorContains(t, err, tt.said)
			assert.ErrorContains(t, err, path)
			sum, err := Read(dir)
			require.NoError(t, err)
			assert.EqualValues(t, tt.before-1, sum.Batches)
			_, err = fns.Read(path)
			assert.Error(t, err)

			require.NoError(t, os.WriteFile(path, good, 0o600))
			sum, err = hunts(dir, filed(t, path, 0, nil))
			require.NoError(t, err)
			assert.Equal(t, whole.Functions, sum.Functions)
			assert.Zero(t, sum.Discards)
			requireSound(t, dir, batches)
		})
	}
	t.Run("drained", func(t *testing.T) {
		path := functionsFile(t)
		_, err := hunts(t.TempDir(), filed(t, path, 2, func(db *fns.DB) {
			require.NoError(t, db.SetAside(halves.Symbol, "it differs"))
			require.NoError(t, db.SetAside(squares.Symbol, "it differs"))
		}))
		require.ErrorIs(t, err, fns.ErrUnusable)
		assert.ErrorContains(t, err, "the database has no function to call")
	})
}
