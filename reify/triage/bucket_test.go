package triage

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/corpus"
)

func TestBucket(t *testing.T) {
	bad := func(version string, modes ...string) corpus.Configuration {
		return corpus.Configuration{Family: "gcc", Version: version, Modes: modes}
	}
	e := corpus.Entry{Family: "gcc", Version: "11.3.0", Verdict: "crash", Mode: "-Os"}
	for _, tt := range []struct {
		change func(e *corpus.Entry)
		crash  string
		want   string
	}{
		{func(*corpus.Entry) {}, "", "gcc/crash/unknown/Os"},
		{func(e *corpus.Entry) { e.MendedBy = []string{"-fno-a", "-fno-b"} }, "", "gcc/crash/-fa -fb/Os"},
		{func(e *corpus.Entry) { e.Culprit = "X86 Byte/Word Fixup" }, "", "gcc/crash/X86 Byte-Word Fixup/Os"},
		{func(e *corpus.Entry) { e.Bad = []corpus.Configuration{bad("11.3.0", "-O3", "-Os")} }, "", "gcc/crash/unknown/O3,Os"},
		{func(e *corpus.Entry) { e.Bad = []corpus.Configuration{bad("11.3.0", "-Os"), bad("9.5.0", "-O1")} }, "", "gcc/crash/unknown/Os"},
		{func(e *corpus.Entry) {
			e.Bad = []corpus.Configuration{bad("11.3.0", "-Os"), bad("12.2.0", "-O3", "-O2")}
		}, "", "gcc/crash/unknown/O2,O3"},
		{func(e *corpus.Entry) { e.Bad = []corpus.Configuration{bad("11.3.1", "-O2"), bad("11.3", "-O1")} }, "", "gcc/crash/unknown/O2"},
		{func(e *corpus.Entry) { e.Mode = "@c2" }, "", "gcc/crash/unknown/@c2"},
		{func(e *corpus.Entry) { e.Verdict = "internal-error" }, "in f, at a/b.c", "gcc/internal-error/unknown/in f, at a/b.c"},
	} {
		e := e
		tt.change(&e)
		assert.Equal(t, tt.want, Bucket(&e, tt.crash))
	}
}

func TestKnown(t *testing.T) {
	o := fake(t, "")
	var none *Known
	_, ok := none.Match(t.Context(), o, entry(t, compilers.WrongAnswer))
	assert.False(t, ok)

	dir := t.TempDir()
	list := filepath.Join(dir, corpus.KnownFile)
	_, err := LoadKnown(list)
	require.ErrorIs(t, err, os.ErrNotExist)
	e := entry(t, compilers.WrongAnswer)
	e.Bucket, e.Culprit, e.MendedBy = "gcc/wrong-answer/tree-vrp2/O2,O3", "tree-vrp2", []string{"-fno-tree-vrp"}
	_, err = corpus.Save(dir, e)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.txtar"), []byte("?"), 0o600))
	known := corpus.Known{Bucket: e.Bucket, Link: "https://example.org/1"}
	require.NoError(t, corpus.MarkKnown(list, known))
	k, err := LoadKnown(list)
	require.NoError(t, err)

	other := func(change func(e *corpus.Entry)) *corpus.Entry {
		e := entry(t, compilers.WrongAnswer)
		e.Bad = modes("-O2") // another fingerprint
		change(e)
		return e
	}
	for name, tt := range map[string]struct {
		e  *corpus.Entry
		ok bool
	}{
		"fingerprint":       {entry(t, compilers.WrongAnswer), true},
		"bucket":            {other(func(e *corpus.Entry) { e.Bucket = known.Bucket; e.Verdict = "crash" }), true},
		"mended by flags":   {other(func(*corpus.Entry) {}), true},
		"another verdict":   {other(func(e *corpus.Entry) { e.Verdict = "crash" }), false},
		"no such compiler":  {other(func(e *corpus.Entry) { e.Compiler, e.Version = "gcc-98", "98" }), false},
		"not mended":        {other(func(e *corpus.Entry) { e.Want = "?\n" }), false},
		"another language":  {other(func(e *corpus.Entry) { e.Language = "Go" }), false},
		"of another family": {other(func(e *corpus.Entry) { e.Family = "clang" }), false},
	} {
		got, ok := k.Match(t.Context(), o, tt.e)
		assert.Equal(t, tt.ok, ok, name)
		if tt.ok {
			assert.Equal(t, known, got, name)
		}
	}
}

func TestBodyLines(t *testing.T) {
	assert.Equal(t, 6, BodyLines(`int printf(const char *, ...);
static int g[2] = {1, 2};

__attribute__((noinline)) static int f(int a)
{
    int b = 1;

    do {
        b = b * 2;
    } while (b < a);
    return b;
}

static int one(void) { return 1; }

int main(void)
{
    if (f(7) != 8)
        __builtin_abort();
}
`))
	assert.Zero(t, BodyLines("int main(void) { return 0; }\n"))
}
