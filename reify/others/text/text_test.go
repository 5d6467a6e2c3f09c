package text_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/others/csource"
	"goreify/reify/others/database"
	"goreify/reify/others/pool"
	"goreify/reify/others/text"
	"goreify/reify/source"
	"goreify/reify/subject"
	"goreify/tools/need"
)

var _ source.Doubter = (*text.Source)(nil)

const seedText = `#include <stdio.h>
static int spare;
static int twice(int n)
{
	int i, r = 0;
	for (i = 0; i < 2; i++)
		r += n;
	if (r > 1000) {
		spare++;
		r = 7;
	}
	return r;
}
int main(void)
{
	int a = twice(4);
	if (a == 3)
		a = twice(spare);
	printf("%d\n", a);
	return 0;
}
`

// large makes a program of which there is one variant a unit.
var large = "static const char padding[] = \"" + strings.Repeat("x", 20<<10) + "\";\n"

// fill returns the path of a pool with the program under so many names, each a little
// different.
func fill(t *testing.T, n int, program string) string {
	need.Sanitizers(t, "gcc")
	need.Sanitizers(t, "clang")
	found, named, err := targets.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc,clang", Modes: "-O1"})
	require.NoError(t, err)
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o, err := oracle.New(t.Context(), space, found, named)
	require.NoError(t, err)
	j, err := pool.NewJudge(o.Targets, nil, space)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "pool.db")
	p, err := pool.Open(path)
	require.NoError(t, err)
	for i := range n {
		seed, err := j.Admit(t.Context(), pool.Candidate{Name: "dir/a b.c", Text: []byte(program + strings.Repeat(";", i)), Trusted: true})
		require.NoError(t, err)
		_, err = p.Add(seed)
		require.NoError(t, err)
	}
	require.NoError(t, p.Close())
	return path
}

// The same number makes the same variant, of any copy of the pool; nine numbers in a
// row are of one seed, which is itself one of them. A variant holds all that it is
// made of.
func TestSource(t *testing.T) {
	need.Long(t)
	path := fill(t, 2, seedText+large)
	s, again := text.New(path), text.New(path)
	require.NoError(t, s.Check())
	seeds, plain, texts := map[string]int{}, 0, map[string]bool{}
	const first, spacing, numbers = 1 << 40, 1 << 12, 54
	for n := range uint64(numbers) {
		in := s.Draw(choice.From(first - first%(9*spacing) + n*spacing))
		made, err := s.Make(t.Context(), in)
		require.NoError(t, err)
		other, err := again.Make(t.Context(), in)
		require.NoError(t, err)
		assert.Equal(t, made.Artefact(), other.Artefact())
		assert.Len(t, strings.Fields(made.Name()), 1)
		assert.Equal(t, 2, made.Weight())
		e, err := made.Entry()
		require.NoError(t, err)
		e.Title, e.Verdict, e.Command = "a text", corpus.Untested, "true"
		require.NoError(t, e.Check())
		seeds[e.Note(corpus.NoteSeed)]++
		assert.Equal(t, "8\n", e.Want)
		v := made.(*text.Text)
		if v.Trust() == subject.Recorded {
			plain++
			assert.Nil(t, made.Artefact().Reference)
			assert.Equal(t, e.Members[corpus.SeedFile], e.Sources[e.Main])
			continue
		}
		texts[e.Sources[e.Main]] = true
		assert.Equal(t, subject.Agreed, v.Trust())
		assert.Equal(t, e.Members[corpus.SeedFile], string(made.Artefact().Reference.Files[0].Content))
		edits, err := csource.ReadRecord(e.Members[corpus.EditsFile], len(e.Members[corpus.SeedFile]))
		require.NoError(t, err)
		assert.Equal(t, v.Edits(), edits)
		p, err := csource.Parse("seed.c", []byte(e.Members[corpus.SeedFile]), csource.LP64)
		require.NoError(t, err)
		assert.Equal(t, e.Sources[e.Main], string(p.Apply(edits)))
	}
	assert.Equal(t, numbers/9, plain)
	assert.Len(t, seeds, 2)
	for name, n := range seeds {
		assert.Zero(t, n%9, name)
		assert.Contains(t, name, "dir/a b.c ")
	}
	assert.Greater(t, len(texts), 30)
}

// Variants of a small seed stand several in one unit, which prints what each prints
// alone, and runs one that is asked for.
func TestBatch(t *testing.T) {
	path := fill(t, 1, seedText)
	s := text.New(path)
	built, groups := 0, 0
	gcc := need.Command(t, "gcc")
	for n := range uint64(4) {
		in := s.Draw(choice.From(1<<40 + n<<12))
		made, err := s.Make(t.Context(), in)
		require.NoError(t, err)
		again, err := text.New(path).Make(t.Context(), in)
		require.NoError(t, err)
		assert.Equal(t, made.Artefact(), again.Artefact())
		g, ok := made.(*text.Batch)
		if !ok {
			continue
		}
		groups++
		members := g.Members()
		assert.Greater(t, len(members), 4)
		assert.Len(t, strings.Fields(g.Name()), len(members))
		a := g.Artefact()
		assert.Equal(t, strings.Repeat("8\n", len(members)), string(a.Want))
		e, err := g.Entry()
		require.NoError(t, err)
		e.Title, e.Verdict, e.Command = "texts", corpus.Untested, "true"
		require.NoError(t, e.Check())
		one, err := g.Only(1)
		require.NoError(t, err)
		assert.Same(t, members[1], one)
		two, err := g.Only(0, 2)
		require.NoError(t, err)
		assert.Equal(t, "8\n8\n", string(two.Artefact().Want))
		assert.Equal(t, []int{2}, g.Guilty(compilers.Outcome{Named: []string{"p2_twice", "main"}}))
		assert.Nil(t, g.Guilty(compilers.Outcome{Named: []string{"twice"}}))

		dir := t.TempDir()
		for _, text := range []subject.Artefact{a, *a.Reference, two.Artefact()} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "a.c"), text.Files[0].Content, 0o600))
			out, err := exec.Command(gcc, "-w", "-o", filepath.Join(dir, "a"), filepath.Join(dir, "a.c")).CombinedOutput()
			require.NoError(t, err, "%s", out)
			out, err = exec.Command(filepath.Join(dir, "a")).Output()
			require.NoError(t, err)
			assert.Equal(t, string(text.Want), string(out))
			out, err = exec.Command(filepath.Join(dir, "a"), g.Select(1)...).Output()
			require.NoError(t, err)
			assert.Equal(t, "8\n", string(out))
			built++
		}
		break
	}
	assert.Positive(t, groups)
	assert.Equal(t, 3, built)
}

// What takes its time stands alone: several would have no more of it.
func TestSlowSeed(t *testing.T) {
	need.Long(t)
	s := text.New(fill(t, 1, strings.Replace(seedText, "i < 2;", "i < 30000000;", 1)))
	for n := range uint64(4) {
		made, err := s.Make(t.Context(), s.Draw(choice.From(1<<40+n<<12)))
		require.NoError(t, err)
		assert.IsType(t, &text.Text{}, made)
	}
}

// A pool whose seeds another version has admitted is of no use to a hunt, and one of
// another schema is left alone.
func TestOtherVersion(t *testing.T) {
	need.Long(t)
	path := fill(t, 1, seedText)
	change := func(statement string) {
		db, err := database.Open(path, "rw")
		require.NoError(t, err)
		_, err = db.Exec(statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	change("UPDATE seeds SET made = 'else'")
	s := text.New(path)
	require.ErrorIs(t, s.Check(), pool.ErrVersion)
	var bad *source.BadSeed
	_, err := s.Make(t.Context(), s.Draw(choice.From(1)))
	require.ErrorAs(t, err, &bad)
	change("UPDATE seeds SET hits = x'00'")
	_, err = text.New(path).Make(t.Context(), s.Draw(choice.From(1)))
	require.ErrorAs(t, err, &bad)
	change("PRAGMA user_version = 99")
	assert.ErrorIs(t, text.New(path).Check(), pool.ErrForeign)
	_, err = pool.Open(path)
	assert.ErrorIs(t, err, pool.ErrForeign)
}

// What the pool does not give is a bad seed, and an empty pool none.
func TestNoSeed(t *testing.T) {
	s := text.New(filepath.Join(t.TempDir(), "pool.db"))
	assert.ErrorContains(t, s.Check(), "there is no pool")
	_, err := s.Make(t.Context(), s.Draw(choice.From(1)))
	require.ErrorIs(t, err, source.ErrNone)
	var bad *source.BadSeed
	_, err = s.Make(t.Context(), source.Input{Source: text.Name, Data: []byte(`{"Seed": "0123456789abcdef"}`)})
	require.ErrorAs(t, err, &bad)
	for _, in := range []source.Input{{Source: "function", Data: []byte(`{}`)}, {Source: text.Name, Data: []byte(`{`)}} {
		_, err = s.Make(t.Context(), in)
		require.Error(t, err)
		assert.NotErrorAs(t, err, &bad)
	}
}
