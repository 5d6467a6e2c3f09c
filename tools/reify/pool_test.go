package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/others/csource"
	"goreify/reify/others/pool"
	"goreify/tools/need"
)

// seedC prints a number; half of it is not executed.
const seedC = `#include "print.h"
int main(void) { int i, n = 0; for (i = 0; i < 9; i++) if (i == 12) { n = 7; i = n; } else n += i; print(n); return 0; }
`

// seedFiles writes a program with a header of its own, one that divides by zero, and
// one that does not parse, below a directory.
func seedFiles(t *testing.T) string {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.c": seedC, "include/print.h": "#include <stdio.h>\n#define print(n) printf(\"%d\\n\", n)\n",
		"below/zero.c": "#include <stdio.h>\nint main(int c, char **v) { int n = c << 31; printf(\"%d\\n\", n * 4); return 0; }\n",
		"below/bad.c":  "int main(void) {\n", "below/notes.txt": "none",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// Files are admitted or refused, once each, and said what became of; hunts take them.
func TestPool(t *testing.T) {
	need.Long(t)
	families(t, "-O1")
	dir := seedFiles(t)
	db := filepath.Join(dir, "new", "pool.db")
	add := []string{"others", "add", "-db", db, "-cflags", "-I" + filepath.Join(dir, "include"), dir}
	for _, want := range []string{"1 admitted, 0 were there, 2 refused, 0 not judged", "0 admitted, 1 were there, 2 refused, 0 not judged"} {
		status, out := command(t, add...)
		require.Zero(t, status, out)
		assert.Contains(t, out, db+": "+want)
	}
	status, out := command(t, "others", "status", "-json", "-db", db)
	require.Zero(t, status, out)
	var got pool.Status
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	assert.Equal(t, 1, got.Seeds)
	assert.Equal(t, []pool.Count{{Reason: pool.ReasonParse, Count: 1}, {Reason: pool.ReasonSanitizer, Count: 1}}, got.Refusals)
	status, out = command(t, "others", "status", "-db", db)
	require.Zero(t, status, out)
	assert.Contains(t, out, "left shift")
	assert.Contains(t, out, "bad.c:1:")

	status, out = command(t, "hunt", "-mix", "text-variants", "-seeds", db, "-o", filepath.Join(dir, "hunt"), "-n", "2", "-workers", "1", "-plan", "all", "-known", os.DevNull)
	require.Zero(t, status, out)
	assert.Contains(t, out, "2 batches done, 0 not finished")

	// One family cannot vouch for a text.
	t.Setenv("REIFY_CC", "gcc")
	assert.Contains(t, complains(t, "hunt", "-mix", "text-variants", "-seeds", db, "-o", filepath.Join(dir, "hunt")), "needs compilers of two families")
	t.Setenv("REIFY_CC", "gcc,clang")

	// A program with inputs.
	in := filepath.Join(dir, "calc", "calc.c")
	require.NoError(t, os.Mkdir(filepath.Dir(in), 0o755))
	require.NoError(t, os.WriteFile(in, []byte("#include <stdio.h>\nint main(int n, char **v) { int c = getchar(); if (c == 'x') n = 7; printf(\"%s %d %c\\n\", v[1], n, c); }\n"), 0o600))
	numbers := filepath.Join(dir, "numbers.txt")
	require.NoError(t, os.WriteFile(numbers, []byte("34\n"), 0o600))
	status, out = command(t, "others", "add", "-db", filepath.Join(dir, "inputs.db"), "-input", "a,b <"+numbers, "-input", "c d <"+numbers, in)
	require.Zero(t, status, out)
	assert.Contains(t, out, "1 admitted")
	p, err := pool.Read(filepath.Join(dir, "inputs.db"))
	require.NoError(t, err)
	sums, err := p.Sums()
	require.NoError(t, err)
	seed, err := p.Seed(sums[0])
	require.NoError(t, err)
	assert.Equal(t, "a,b 2 3\nc 3 3\n", string(seed.Want))
	require.NoError(t, p.Close())

	// What cannot be read keeps nothing from being admitted, and a link leads to a directory.
	link := filepath.Join(dir, "link")
	require.NoError(t, os.Symlink(filepath.Join(dir, "include"), link))
	require.NoError(t, os.WriteFile(filepath.Join(link, "b.c"), []byte(seedC+";"), 0o600))
	large, pipe := filepath.Join(dir, "large.c"), filepath.Join(dir, "pipe.c")
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, csource.MaxText+1))
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	status, out = command(t, "others", "add", "-db", db, large, pipe, link)
	require.Zero(t, status, out)
	assert.Contains(t, out, "1 admitted, 0 were there, 0 refused, 2 not judged")

	// None is admitted.
	assert.Contains(t, complains(t, "others", "add", "-db", db, filepath.Join(dir, "below")), "none was admitted")
}

func TestPoolUsage(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	dir := t.TempDir()
	foreign := filepath.Join(dir, "notes.db")
	require.NoError(t, os.WriteFile(foreign, []byte("a poem\n"), 0o600))
	missing := filepath.Join(dir, "missing")
	for _, tt := range []struct {
		args []string
		says string
	}{
		{[]string{"others", "add"}, "takes the names of C files"},
		{[]string{"others", "add", missing}, "no such file"},
		{[]string{"others", "add", dir}, "no file in it ends in .c"},
		{[]string{"others", "add", "-cflags", "-DX", missing}, `"-DX" is not known, only -IDIR is`},
		{[]string{"others", "add", "-db", foreign, foreign}, "no pool of this version"},
		{[]string{"others", "add", "-workers", "0", foreign}, "-workers is 0"},
		{[]string{"others", "add", "-db", filepath.Join(dir, "pool.db"), foreign}, "gcc and clang must agree"},
		{[]string{"others", "add", "-input", "<" + missing, foreign}, "no such file"},
		{[]string{"others", "add", "-input", "<" + foreign + " <" + foreign, foreign}, "two files to read"},
		{[]string{"others", "add", "-n", "0"}, "-n is 0"},
		{[]string{"others", "add", "-n", "3", missing}, "-n is for programs of csmith"},
		{[]string{"others", "add", "-what", "functions", "-input", "3", missing}, "-input means nothing to others add -what functions"},
		{[]string{"others", "show", "-what", "programs", "f"}, "is for functions, not for programs"},
		{[]string{"others", "vary", "-db", missing, "a.c"}, "mean nothing to others vary"},
		{[]string{"others", "inject", "-how", "fixed:101"}, "want fixed:PERCENTAGE"},
		{[]string{"others", "inject", "-how", "both"}, "want one of"},
		{[]string{"others", "inject", "-check"}, "-check means nothing"},
		{[]string{"others", "forget"}, `unknown task "forget"`},
		{[]string{"others", "status", "-db", missing}, "there is no pool"},
		{[]string{"others", "status", "-db", foreign}, "no pool of this version"},
		{[]string{"others", "status", "-db", missing, missing}, "takes no arguments"},
		{[]string{"hunt", "-mix", "text-variants", "-seeds", missing, "-o", dir}, "-seeds: stat "},
		{[]string{"others", "vary", "-how", "3", "-o", dir, "a.c"}, "-how is for reproducers"},
		{[]string{"others", "vary", "-input", "3", "-o", dir, "a.txtar"}, "-input is for C"},
		{[]string{"others", "vary", "-o", dir, "a.h"}, "whose name ends in .txtar, or C"},
	} {
		out := complains(t, tt.args...)
		assert.Contains(t, out, tt.says, "%v", tt.args)
	}
}

// Variants of C are written, the same for a seed, each with its seed and its edits;
// what no pool admits has none.
func TestEmiC(t *testing.T) {
	need.Long(t)
	families(t, "-O1")
	dir := seedFiles(t)
	var texts []string
	for _, to := range []string{"one", "two"} {
		to = filepath.Join(dir, to)
		status, out := command(t, "others", "vary", "-n", "3", "-o", to, "-cflags", "-I"+filepath.Join(dir, "include"), filepath.Join(dir, "a.c"))
		require.Zero(t, status, out)
		assert.Contains(t, out, "3 variants are in "+to)
		for _, name := range []string{"a-v1", "a-v2", "a-v3"} {
			e, err := corpus.Load(filepath.Join(to, name+corpus.Ext))
			require.NoError(t, err)
			text, err := os.ReadFile(filepath.Join(to, name+".c"))
			require.NoError(t, err)
			assert.Equal(t, string(text), e.Sources[e.Main])
			seed := e.Members[corpus.SeedFile]
			edits, err := csource.ReadRecord(e.Members[corpus.EditsFile], len(seed))
			require.NoError(t, err)
			p, err := csource.Parse("seed.c", []byte(seed), csource.LP64)
			require.NoError(t, err)
			assert.Equal(t, string(text), string(p.Apply(edits)))
			assert.Equal(t, "36\n", e.Want)
			texts = append(texts, string(text))
		}
	}
	assert.Equal(t, texts[:3], texts[3:])
	assert.Contains(t, complains(t, "others", "vary", "-o", dir, filepath.Join(dir, "below", "zero.c")), "left shift")
}

// With -check a compiler is found that is wrong where n is not 7 any more: the
// reproducer is of the variant, and a variant of that is one of its seed.
func TestEmiCheck(t *testing.T) {
	need.Long(t)
	families(t, "-O2")
	dir := seedFiles(t)
	fakeCompiler(t, dir, `[ "$level" != -O2 ] || grep -q 'n = 7' "$src" || sed -i 's/"%d\\n", n/"1%d\\n", n/' "$src"`)
	t.Setenv("REIFY_CC", "gcc-99,clang")
	emi := func(seed string, files ...string) (status int, out string) {
		return command(t, append([]string{"others", "vary", "-check", "-box", "off", "-n", "1", "-seed", seed, "-o", dir, "-cflags", "-I" + filepath.Join(dir, "include")}, files...)...)
	}
	status, out := emi("2", filepath.Join(dir, "a.c"))
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "a-v1: gcc-99 -O2: wrong-answer")
	found := filepath.Join(dir, "a-v1"+corpus.Ext)
	e, err := corpus.Load(found)
	require.NoError(t, err)
	assert.Equal(t, "wrong-answer", e.Verdict)
	assert.Equal(t, "136", e.Got)
	assert.NotEmpty(t, e.Members[corpus.SeedFile])
	status, out = emi("2", found)
	assert.Equal(t, 1, status, out)
	assert.Contains(t, out, "a-v1-v1: gcc-99 -O2: wrong-answer")
	status, out = emi("1", filepath.Join(dir, "a.c"))
	assert.Zero(t, status, out)
	assert.Contains(t, out, "a-v1: 2 configurations are right, 0 gave no answer")
}

// What was admitted before an interrupt is kept.
func TestPoolInterrupted(t *testing.T) {
	need.Long(t)
	need.Command(t, "csmith")
	need.Sanitizers(t, "clang")
	t.Setenv("REIFY_CC", "gcc,clang")
	t.Setenv("REIFY_MODES", "-O1")
	dir := t.TempDir()
	waits, db := filepath.Join(dir, "waits"), filepath.Join(dir, "pool.db")
	script := "#!/bin/sh\n[ $2 != 2 ] || { : >" + waits + "; exec sleep 60; }\n" +
		"{ echo '#include <stdio.h>'; echo 'int main(void) { puts(\"x\"); return 0; }'; } >a.c\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "csmith"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(waits); err == nil {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	said := capture(t, &os.Stderr, func() {
		out := capture(t, &os.Stdout, func() {
			assert.Equal(t, 2, run(ctx, []string{"reify", "others", "add", "-n", "3", "-workers", "1", "-db", db}))
		})
		assert.Contains(t, out, "1 admitted")
	})
	assert.Contains(t, said, "what was admitted is kept")
	p, err := pool.Read(db)
	require.NoError(t, err)
	sums, err := p.Sums()
	require.NoError(t, err)
	assert.Len(t, sums, 1)
	require.NoError(t, p.Close())
}
