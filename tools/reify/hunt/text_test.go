package hunt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/others"
	"goreify/reify/others/pool"
	"goreify/reify/source"
	"goreify/reify/triage"
	"goreify/tools/need"
	"goreify/tools/reify/report"
)

// textSeed is a program most of which is not executed.
const textSeed = `#include <stdio.h>
static int total, spare;
static void keep(int n) { total += n; }
static void other(int n) { spare -= n; }
static int twice(int n)
{
	int i, r = 0;
	for (i = 0; i < 2; i++)
		r += n;
	if (r > 1000) {
		keep(r);
		other(n);
		r = 7;
	}
	return r;
}
int main(void)
{
	int a = twice(4);
	if (a == 3) {
		other(a);
		total = twice(total);
	} else if (a == 5)
		spare = 9;
	printf("%d %d\n", a, total + spare);
	return 0;
}
`

// largeSeed is one of which there is one variant a unit.
var largeSeed = textSeed + "static const char padding[] = \"" + strings.Repeat("x", 20<<10) + "\";\n"

// forgetful is a compiler that goes wrong on programs that do not call keep: no
// seed shows it.
const forgetful = `[ "$level" = -O2 ] && ! grep -q 'keep(r)' "$src" && sed -i 's/printf("%d/printf("1%d/' "$src"`

// textOracle returns an oracle of two families, with their sanitizers.
func textOracle(t *testing.T, script string) *oracle.Oracle {
	o := fakeFamilies(t, "", script, "-O0", "-O2")
	sanitize(t, o)
	return o
}

// sanitize adds the sanitizers of all targets.
func sanitize(t *testing.T, o *oracle.Oracle) {
	for _, c := range o.Targets {
		s, err := c.(compilers.Sanitizer).Sanitized(t.Context(), o.Space, o.Limits)
		require.NoError(t, err)
		o.Sanitizers = append(o.Sanitizers, s)
	}
}

// textVariants returns the kind of variants of the seeds of a pool.
func textVariants(path string) Kind {
	kind, _ := findKind(Seeds{Files: others.Files{Pool: path}}.Kinds(), "text-variants")
	return kind
}

// textPool returns the path of a pool with one seed.
func textPool(t *testing.T, o *oracle.Oracle, text string) string {
	path := filepath.Join(t.TempDir(), "pool.db")
	p, err := pool.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, p.Close()) }()
	j, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	require.NoError(t, err)
	s, err := j.Admit(t.Context(), pool.Candidate{Name: "seed.c", Text: []byte(text)})
	require.NoError(t, err)
	added, err := p.Add(s)
	require.NoError(t, err)
	require.True(t, added)
	return path
}

// A bug that only variants of a text show is found, reduced to the edit that
// matters, reported and seen again.
func TestTextFinding(t *testing.T) {
	need.Named(t)
	o := textOracle(t, passes+forgetful)
	kind := textVariants(textPool(t, o, largeSeed))
	opt := options(t, t.TempDir(), 3, 1)
	opt.Kinds, opt.Mix = []Kind{kind}, []Kind{kind}
	sum := finished(t, o, opt)
	require.EqualValues(t, 1, sum.Buckets, "%s", opt.Log)
	assert.Zero(t, sum.Discards)
	assert.Zero(t, sum.Unconfirmed)
	path := firstFinding(opt, sum)
	e, err := corpus.Load(path)
	require.NoError(t, err)
	assert.Equal(t, []string{"wrong-answer", "text", corpus.Agreed, "8 0\n"}, []string{e.Verdict, e.Source, e.Trust, e.Want})
	assert.Contains(t, e.Members[corpus.SeedFile], "keep(r);")
	assert.NotContains(t, e.Sources[e.Main], "keep(r);")
	assert.Regexp(t, `^seed\.c [0-9a-f]{16}$`, e.Note(corpus.NoteSeed))
	assert.Contains(t, e.Note(corpus.NoteEdits), "prune")
	assert.Contains(t, e.Witness, corpus.Witness{Who: e.Compiler + " -O2 (the seed)", Said: "ok"})

	r, err := triage.Finding(t.Context(), o, e, triage.Options{Progress: func(line string) { t.Log(line) }})
	require.NoError(t, err)
	t.Log(r, "\n"+r.Entry.Reduced)
	assert.Equal(t, "prune 1", r.Entry.Note(corpus.NoteEditsLeft))
	assert.LessOrEqual(t, r.After, 6)
	assert.NotEmpty(t, r.Entry.Members[corpus.ReducedWantFile])
	assert.Contains(t, r.Entry.ReducedCommand, "| diff reduced-want.txt -")
	assert.Empty(t, e.Note(corpus.NoteEditsLeft), "what was given is as it was")
	require.NoError(t, corpus.Update(path, r.Entry))

	found, err := report.Load(opt.Dir)
	require.NoError(t, err)
	buckets := report.Group(found)
	require.Len(t, buckets, 1)
	out := t.TempDir()
	require.NoError(t, report.Write(t.Context(), opened(t, out), buckets, report.Options{}))
	text, err := os.ReadFile(filepath.Join(out, buckets[0].Name+".md"))
	require.NoError(t, err)
	for _, want := range []string{
		"It is a variant of a program that others wrote, seed.c " + pool.Sum([]byte(e.Members[corpus.SeedFile])) + ", and",
		"prints this:\n\n```\n" + strings.TrimSuffix(r.Entry.Members[corpus.ReducedWantFile], "\n"),
		"```diff\n",
		"keep(r);",
	} {
		assert.Contains(t, string(text), want)
	}

	replaysAsKnown(t, o, path, func(c oracle.Config) bool { return c.Mode == "-O2" && c.Target.ID().Family == e.Family })
}

// A bug that some variants of a small seed show, which stand in one unit with others,
// is found in one of them.
func TestTextBatchFinding(t *testing.T) {
	need.Long(t)
	o := textOracle(t, `[ "$level" = -O2 ] && sed -i 's/= __reify_x;/= __reify_x + 1;/' "$src"`)
	kind := textVariants(textPool(t, o, textSeed))
	opt := options(t, t.TempDir(), 3, 1)
	opt.Kinds, opt.Mix = []Kind{kind}, []Kind{kind}
	sum := finished(t, o, opt)
	require.Positive(t, sum.Buckets, "%s", opt.Log)
	assert.Greater(t, sum.Functions, int64(3*5*3), "several variants of five functions a batch")
	e, err := corpus.Load(firstFinding(opt, sum))
	require.NoError(t, err)
	assert.Equal(t, "8 0\n", e.Want)
	assert.NotContains(t, e.Sources[e.Main], "__reify_member")
	assert.Contains(t, e.Note(corpus.NoteEdits), "guard")
}

// The seed itself is asked about, too; where it fails, its variants accuse nobody.
func TestTextSeedFails(t *testing.T) {
	need.Long(t)
	o := textOracle(t, `[ "$level" = -O2 ] && sed -i 's/printf("%d/printf("1%d/' "$src"`)
	kind := textVariants(textPool(t, o, largeSeed))
	opt := options(t, t.TempDir(), 4, 1)
	opt.Kinds, opt.Mix = []Kind{kind}, []Kind{kind}
	sum := finished(t, o, opt)
	require.EqualValues(t, 1, sum.Buckets, "%s", opt.Log)
	assert.Positive(t, sum.Unconfirmed)
	e, err := corpus.Load(firstFinding(opt, sum))
	require.NoError(t, err)
	assert.Equal(t, corpus.Recorded, e.Trust)
	assert.Contains(t, opt.Log.(*buffer).String(), "is not right about the seed either")
}

// A seed whose variants are contradicted is banned, and the hunt goes on.
func TestTextSeedIsBanned(t *testing.T) {
	need.Long(t)
	o := textOracle(t, "")
	path := textPool(t, o, largeSeed)
	kind := textVariants(path)
	doubter := kind.Source.(source.Doubter)
	in := doubter.Draw(stream(1, 0))
	_, err := doubter.Make(t.Context(), in)
	require.NoError(t, err)
	require.NoError(t, doubter.Discard(in, "no good"))
	var bad *source.BadSeed
	_, err = doubter.Make(t.Context(), in)
	require.ErrorAs(t, err, &bad)
	assert.ErrorContains(t, err, "seed.c, is banned (no good)")
	opt := options(t, t.TempDir(), 3, 1)
	opt.Kinds, opt.Mix, opt.Time = []Kind{kind}, []Kind{kind}, time.Minute
	sum := finished(t, o, opt)
	assert.EqualValues(t, 3, sum.Batches)
	assert.Zero(t, sum.Functions, "there is no other")
	assert.EqualError(t, textVariants(path).Source.(interface{ Check() error }).Check(), path+": the pool has no seed")
}
