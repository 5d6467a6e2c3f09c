package csource_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/others/csource"
	"goreify/reify/safefile"
)

// What cannot be had is refused by its name, at its line.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"#include <time.h>\nint main(void) { return 0; }", "a.c:1:10: include file not found: <time.h>"},
		{"int main(void) {\n return rand(); }", "a.c:2: needs rand, which is not there"},
		{"extern int other;\nint main(void) { return other; }", "a.c:2: needs other, which is not there"},
		{"#include <stdlib.h>\nint main(void) { return rand() ; }", "needs rand, which is not there"},
		{"const char *s = __TIME__;", "needs __TIME__"},
		{"_Pragma(\"pack(1)\") int x;", "needs _Pragma"},
		{"void f(int n) {\n#pragma GCC unroll 2\nwhile (n) n--; }", "a.c:2: pragma in braces"},
		{"#error no\n", "a.c:1:2: no"},
		{"int main(void) { return 0 }", "a.c:1:"},
		{"int main(void) { return \"x; }", "a.c:1:25: string literal not terminated"},
		{"int f(void) { int g(void) { return 1; } return g(); }", "function in a function"},
		{"int f(int x) {\n return __builtin_constant_p(x); }", "a.c:2: needs __builtin_constant_p, whose value is up to the compiler"},
		{"#include <stdio.h>\nint main(void) {\n return (long)__builtin_frame_address(0) & 1; }", "needs __builtin_frame_address"},
		{"int main(void) {\n extern int rand(void);\n return rand(); }", "a.c:2: needs rand, which is not there"},
		{"int main(void) {\n extern int other;\n return other; }", "needs other, which is not there"},
		{"struct a;s{}a;f(struct s*", "a.c:1: ( without end"},
		{"int f(void) { return (1]; }", "a.c:1: "},
		{"int x;\nint *", "a.c:2: the text ends within a declaration"},
		{"int x;\nint f(int x) { return " + strings.Repeat("(", 200_000) + "x" + strings.Repeat(")", 200_000) + "; }", "a.c:2: nested too deeply"},
		{"int f(int x) { return\n" + strings.Repeat("- ", 300_000) + "x; }", "a.c:2: nested too deeply"},
		{"#if " + strings.Repeat("(", 200_000) + "1\n#endif\n", "a.c:1: nested too deeply"},
		{"#if " + strings.Repeat("!", 200_000) + "1\n#endif\n", "a.c:1: nested too deeply"},
	} {
		text, err := csource.Preprocess("a.c", []byte(c.text), csource.LP64)
		if err == nil {
			_, err = csource.Parse("a.c", text, csource.LP64)
		}
		if assert.Error(t, err, c.text) {
			assert.Contains(t, err.Error(), c.want, c.text)
		}
	}
	_, err := csource.Parse("a.c", []byte("int x;\n#define X\n"), csource.LP64)
	assert.ErrorContains(t, err, "a.c:2: directive")
	_, err = csource.Parse("a.c", []byte("int x; /* "), csource.LP64)
	assert.ErrorContains(t, err, "a.c:1: comment without end")
}

// A file that has no end, or that is waited for, is no header; what a header says of the time
// does not depend on it. A long header that has no statements is none that is deep.
func TestHeadersOfStrangers(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "endless.h")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.h"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "clock.h"), []byte("static const char when[] = __DATE__ __TIME__;\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "long.h"), []byte(strings.Repeat("#define A_NUMBER_OF_SOMETHING 12\n#undef A_NUMBER_OF_SOMETHING\n", 2000)), 0o600))
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret words\n"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "out.h")))
	for _, name := range []string{"endless.h", "pipe.h", "out.h", secret, "../" + filepath.Base(filepath.Dir(secret)) + "/secret"} {
		_, err := csource.Preprocess("a.c", []byte("#include \""+name+"\"\n"), csource.LP64, safefile.Tree(dir))
		assert.ErrorContains(t, err, name)
		assert.NotContains(t, err.Error(), "words")
	}
	text, err := csource.Preprocess("a.c", []byte("#include \"clock.h\"\n#include \"long.h\"\n"), csource.LP64, safefile.Tree(dir))
	require.NoError(t, err)
	assert.Equal(t, "static const char when[] = \"lost\" \"lost\";\n", string(text))
}

func TestPreprocess(t *testing.T) {
	dirs := []fs.FS{fstest.MapFS{
		"own.h":        {Data: []byte("#pragma pack(1)\n#include \"sub/more.h\"\n")},
		"sub/more.h":   {Data: []byte("#include \"beside.h\"\n")},
		"sub/beside.h": {Data: []byte("struct s { char c; int i; };\n")},
	}}
	text, err := csource.Preprocess("a.c", []byte("#include \"own.h\"\n#include <stdint.h>\n"+
		"#pragma pack()\n#define TWICE(x) ((x) + \\\n (x))\nint64_t f(int x) { /* no */ return TWICE(x) + LONG; }\n"+
		"#if __LP64__\n#define WIDE 1\n#else\n#define WIDE 0\n#endif\nint wide = WIDE;\n"), csource.ILP32, dirs...)
	require.NoError(t, err)
	got := string(text)
	assert.True(t, strings.HasPrefix(got, "#pragma pack(1)\nstruct s { char c; int i; };\n"), got)
	assert.Contains(t, got, "typedef long long int int64_t;\n")
	assert.Contains(t, got, "\n#pragma pack()\n")
	assert.Contains(t, got, "return ((x) + (x)) + LONG; }\n")
	assert.True(t, strings.HasSuffix(got, "int wide = 0;\n"), got)
}

func TestApply(t *testing.T) {
	p, err := csource.Parse("a.c", []byte("int abc;"), csource.LP64)
	require.NoError(t, err)
	for _, c := range []struct {
		want  string
		edits []csource.Edit
	}{
		{"int abc;", nil},
		{"int xy;", []csource.Edit{{From: 4, To: 7, Text: "x"}, {From: 7, To: 7, Text: "y"}}},
		{"int x;", []csource.Edit{{From: 5, To: 6, Text: "-"}, {From: 4, To: 7, Text: "x"}}}, // inside: dropped
		{"int 12xbc;", []csource.Edit{{From: 4, To: 5, Text: "x"}, {From: 4, To: 4, Text: "1"}, {From: 4, To: 4, Text: "2"}}},
		{"int xc;", []csource.Edit{{From: 4, To: 6, Text: "x"}, {From: 5, To: 7, Text: "y"}}}, // overlap: the later
	} {
		assert.Equal(t, c.want, string(p.Apply(c.edits)))
	}
	assert.Equal(t, "int abc;", string(p.Text))
}

// Which locals a value is known of depends on the jumps around them.
func TestIntegers(t *testing.T) {
	names := func(text, before string) string {
		p, err := csource.Parse("a.c", []byte(text), csource.LP64)
		require.NoError(t, err)
		for _, s := range p.Stmts {
			if strings.HasPrefix(text[s.From:], before) {
				var list []string
				for _, n := range s.Scope.Integers(s.From) {
					list = append(list, n.Name)
				}
				return strings.Join(list, " ")
			}
		}
		t.Fatalf("no %q in %s", before, text)
		return ""
	}
	assert.Equal(t, "c b p g", names("int g; double d; volatile int v; void f(int p) { int a; int b = 1; { short c = 2; c++; int e = 3; } }", "c++"))
	assert.Equal(t, "p", names("void f(int p) { if (p) goto l; int a = 1; l: ; p--; }", "p--"), "jumped past")
	assert.Equal(t, "a p", names("void f(int p) { int a = 1; l: if (p--) goto l; p--; }", "if"), "the jump stays in its scope")
	assert.Equal(t, "p", names("void f(int p) { switch (p) { int a = 1; case 2: p--; } }", "p--"), "a case is a jump")
	assert.Equal(t, "b p", names("void f(int p) { switch (p) { case 2: { int b = 1; p--; } } }", "p--"))
	assert.Equal(t, "p", names("void f(int p) { int a = ({ p--; 1; }); }", "p--"), "not before it is initialised")
	assert.Equal(t, "a p", names("int a; void f(int p) { extern int a; { static long a; p--; } }", "p--"), "the nearest of a name")
	assert.Equal(t, "p b", names("extern int a, b; void f(int p) { p--; } int b = 1;", "p--"), "nobody has a")
	assert.Equal(t, "p", names("typedef int four __attribute__((vector_size(16))); four v; void f(int p) { p--; }", "p--"), "no vectors")
}

// A goto does not lead past the declaration of what is variably modified.
func TestBarred(t *testing.T) {
	p, err := csource.Parse("a.c", []byte("void f(int n) { again: if (n--) goto again; { int (*p)[n] = 0; in: if (n++) goto in; } }"), csource.LP64)
	require.NoError(t, err)
	edits := csource.Insert(p, make([]uint32, len(p.Stmts)), csource.Options{Edits: 1000}, choice.From(1))
	var all []string
	for _, e := range edits {
		all = append(all, e.Text)
	}
	assert.Contains(t, all, "goto again; ")
	assert.NotContains(t, all, "goto in; ")
}

// Functions that compilers know something of stay as they are.
func TestFixed(t *testing.T) {
	p, err := csource.Parse("a.c", []byte("int f(void) { return 1; } int g(void) { int f(void) __attribute__((__const__)); return f(); } "+
		"void *memset(void *p, int c, unsigned long n) { return p; } _Noreturn void stop(void) { for (;;); }"), csource.LP64)
	require.NoError(t, err)
	fixed := map[string]bool{}
	for _, f := range p.Functions {
		fixed[f.Name] = f.Fixed
	}
	assert.Equal(t, map[string]bool{"f": true, "g": false, "memset": true, "stop": true}, fixed)
}

func TestHits(t *testing.T) {
	p, err := csource.Parse("a.c", []byte("int main(void) { int x = 1; l: case_: x++; return 0; }"), csource.LP64)
	require.NoError(t, err)
	printed, hits, err := p.Hits([]byte("out\n#reify hits\n\n#reify hits\n3 7\n4 4294967295\n#reify end\n"))
	require.NoError(t, err)
	assert.Equal(t, "out\n#reify hits\n", string(printed), "the last mark counts")
	assert.Equal(t, []uint32{0, 7, 7, 7, 4294967295}, hits, "labels are reached as often as what they label")
	printed, hits, err = p.Hits([]byte("out\n#reify hits\n3 7\n#reify end\nmore\n\n#reify hits\n3 1\n4 2\n#reify end\n"))
	require.NoError(t, err)
	assert.Equal(t, "outmore\n", string(printed))
	assert.Equal(t, []uint32{0, 8, 8, 8, 2}, hits, "of both runs")
	for _, output := range []string{"", "out", "\n#reify hits\n3 7\n", "\n#reify rows\n#reify end\n"} {
		_, _, err = p.Hits([]byte(output))
		assert.ErrorIs(t, err, csource.ErrCut, output)
	}
	_, _, err = p.Hits([]byte("\n#reify hits\n99 1\n#reify end\n"))
	assert.ErrorContains(t, err, `counter "99 1" of a program of 5 statements`)
}

// Where an access by name could be undefined there is no point.
func TestPoints(t *testing.T) {
	count := func(text string) (points, names int) {
		p, err := csource.Parse("a.c", []byte(text), csource.LP64)
		require.NoError(t, err)
		hits := make([]uint32, len(p.Stmts))
		for i := range hits {
			hits[i] = 1
		}
		for _, point := range p.Points(hits) {
			points++
			names += len(point.Names)
		}
		return points, names
	}
	check := func(points, names int, text string) {
		gotPoints, gotNames := count(text)
		assert.Equal(t, []int{points, names}, []int{gotPoints, gotNames}, text)
	}
	check(1, 2, "int g; int f(int a) { return a + g; }")
	check(1, 1, "int g; int f(int a) { return a; }")
	check(1, 1, "int f(int a) { return a++ + ({ a; a = 1; 2; }); }")
	check(0, 0, "int g; int f(int *restrict p) { return *p + g; }")
	check(1, 1, "int g; void f(int *restrict p) { *p = 1; } int h(int a) { return a + g; }")
	check(1, 1, "int f(int a) { int *p; p = &(int){a}; return *p; }")
	check(2, 2, "int f(int a) { int *p; switch (a) case 1: p = (int[]){a, 2}; return 0; }")
	check(1, 1, "int g; int h(int a) { return a + g; } __attribute__((const)) int f(int a) { return h(a); }")
	check(0, 0, "__attribute__((pure)) int f(int a) { return a; }")
	check(0, 0, "int f(int a); int f(int a) { return a; } int f(int) __attribute__((const));")
}

// Code that notes values stands where it would whatever the order of the points.
func TestValuesOrder(t *testing.T) {
	p, err := csource.Parse("a.c", []byte("int f(int a) { if(a)a++;a--;return a; }"), csource.LP64)
	require.NoError(t, err)
	points := p.Points([]uint32{1, 1, 1, 1})
	require.Len(t, points, 4)
	slices.Reverse(points)
	assert.Contains(t, string(p.Values(points)), "if(a){ __reify_visits[2]++; __reify_see(2, a, 1); a++; }__reify_visits[1]++; __reify_see(1, a, 1); a--;")
}
