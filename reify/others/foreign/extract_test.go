package foreign_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/reify/others/csource"
	"goreify/reify/others/foreign"
	"goreify/reify/safefile"
)

// extract returns the functions of a text by their names, variants of one side by side, and
// the reasons of refusals.
func extract(t testing.TB, text string) (kept map[string][]*foreign.Function, reasons map[string]string) {
	expanded, err := csource.Preprocess("a.c", []byte(text), csource.LP64)
	require.NoError(t, err)
	p, err := csource.ParseUnit("a.c", expanded, csource.LP64)
	require.NoError(t, err)
	list, refused := foreign.Extract(p, foreign.Options{})
	kept, reasons = map[string][]*foreign.Function{}, map[string]string{}
	for _, f := range list {
		kept[f.Origin.Name] = append(kept[f.Origin.Name], f)
	}
	for _, r := range refused {
		reasons[r.Name] = r.Reason
	}
	return kept, reasons
}

// What can be called from outside is taken with what it needs; what cannot is refused for
// its reason.
func TestExtract(t *testing.T) {
	kept, reasons := extract(t, `#include <string.h>
#include <stdio.h>
#include <assert.h>
#include <ctype.h>
typedef struct pair { int a; char b[3]; struct pair *next; } pair;
enum color { RED, GREEN };
static const unsigned char table[2] = { 3, 4 };
static int counter;
static int big[100];
static int helper(int x) { return x + table[x & 1]; }
long plain(long a, enum color c) { return c == GREEN ? a : helper((int)a & 7); }
int uses_library(char *s, int n) { assert(n); memset(s, 'x', (unsigned)n); return isdigit(*s); }
void swap(pair *p) { int t = p->a; p->a = p->b[0]; p->b[0] = (char)t; }
int counts(int x) { return counter += x; }
int index_of(const char *index, char c) { const char *p = strchr(index, c); return p ? (int)(p - index) : -1; }
int pun(float_bits) int float_bits; { return *(short *)&float_bits; }
int word(void *p) { return *(int *)p; }
int main(void) { return 0; }
int prints(int x) { return printf("%d", x); }
int takes_float(float x) { return x > 0; }
int clock_like(int x) { volatile int y = x; return y; }
int asks(int x) { return __builtin_constant_p(x); }
int large(int x) { int *p = big; p[x & 63]++; return p[0]; }
int keeps(int x) { static int n; return n += x; }
int variable(int n) { int a[n]; a[0] = n; return a[0]; }
int calls(int (*f)(int)) { return f(1); }
int nothing(void) { return 1; }
void silent(int x) { (void)x; }
int outer(int x) { extern int elsewhere; return x + elsewhere; }
int sum(int n, ...) { return n; }
void *allocates(int n) { return __builtin_malloc((unsigned)n); }
`)
	for name, class := range map[string]foreign.Class{
		"plain": foreign.Branches, "uses_library": foreign.Branches, "swap": foreign.Plain, "counts": foreign.Plain,
		"index_of": foreign.Branches, "pun": foreign.Puns, "word": foreign.Plain, "helper": foreign.Plain,
	} {
		if assert.NotEmpty(t, kept[name], "%s: %s", name, reasons[name]) {
			assert.Equal(t, class, kept[name][0].Class, name)
		}
	}
	assert.Equal(t, map[string]string{
		"main": foreign.ReasonName, "prints": foreign.ReasonOutside, "takes_float": foreign.ReasonWord, "clock_like": foreign.ReasonWord,
		"asks": foreign.ReasonWord, "large": foreign.ReasonGlobal, "keeps": foreign.ReasonStatic, "variable": foreign.ReasonVariable,
		"calls": foreign.ReasonParameter, "nothing": foreign.ReasonNothing, "silent": foreign.ReasonNothing, "outer": foreign.ReasonOutside,
		"sum": foreign.ReasonWord, "allocates": foreign.ReasonOutside,
	}, reasons)

	plain := kept["plain"][0]
	assert.Len(t, kept["plain"], 1, "without buffers there is nothing to vary")
	assert.Equal(t, []ir.Int{ir.I64, ir.U32}, plain.Params)
	assert.Equal(t, ir.I64, plain.Result)
	assert.Contains(t, plain.Text, "static const unsigned char "+plain.Symbol+"_table[2]")
	assert.Contains(t, plain.Text, "long long "+plain.Symbol+"(long long a0, unsigned a1)")
	assert.NotContains(t, plain.Text, "memset")
	library := kept["uses_library"]
	assert.Len(t, library, foreign.Variants)
	assert.Contains(t, library[0].Text, "__builtin_memset(s")
	assert.Contains(t, library[0].Text, "static int "+library[0].Symbol+"_isdigit(int c)")
	assert.Contains(t, kept["counts"][0].Text, "memset(&"+kept["counts"][0].Symbol+"_counter, 0")
	assert.Contains(t, kept["word"][0].Text, "__builtin_alloca", "memory without a type may be accessed as any one type")
}

// What attributes and restrict promise, no sanitizer sees broken: such functions are refused, or
// set apart.
func TestPromises(t *testing.T) {
	kept, reasons := extract(t, `int pure(int *p, int i) __attribute__((__pure__));
int pure(int *p, int i) { p[i & 3] = i; return p[0]; }
static __attribute__((noinline, const)) int reads(const int *p) { return *p; }
int calls(const int *p, int i) { return reads(p) + i; }
__attribute__((assume(1))) int assumes(int x) { return x * 3; }
__attribute__((made_up)) int made_up(int x) { return x * 3; }
__attribute__((noinline, aligned(sizeof(const long)), __unused__)) static int fine(int x) { return x * 3; }
static void copies(int *restrict a, const int *restrict b, int n) { while (n-- > 0) *a++ = *b++; }
int overlaps(int *p, int n) { copies(p + 1, p, n & 7); return p[3]; }
int within(int *p, int n) { int *restrict q = p; q[1] = n; return p[1]; }
int head(int *restrict p, const int *restrict q) { p[0] = q[1]; return p[0]; }
`)
	assert.Equal(t, map[string]string{
		"pure": foreign.ReasonWord, "reads": foreign.ReasonWord, "calls": foreign.ReasonWord, "assumes": foreign.ReasonWord, "made_up": foreign.ReasonWord,
	}, reasons)
	assert.NotEmpty(t, kept["fine"])
	for name, class := range map[string]foreign.Class{"overlaps": foreign.Puns, "within": foreign.Puns, "copies": foreign.Loops, "head": foreign.Plain} {
		if assert.NotEmpty(t, kept[name]) {
			assert.Equal(t, class, kept[name][0].Class, name)
		}
	}
}

// Compilers and libraries agree on the sign of comparisons only.
func TestCompare(t *testing.T) {
	kept, reasons := extract(t, `#include <string.h>
int mem(const unsigned char *p, const unsigned char *q) { return memcmp(p, q, 16); }
int str(const char *p, const char *q) { return strcmp(p, q) + strncmp(p, q, 3); }
int builtin(const char *p, const char *q) { return __builtin_strcmp(p, q); }
`)
	require.Empty(t, reasons)
	for name, calls := range map[string][]string{"mem": {"memcmp"}, "str": {"strcmp", "strncmp"}, "builtin": {"__builtin_strcmp"}} {
		f := kept[name][0]
		for _, c := range calls {
			assert.Contains(t, f.Text, "static int "+f.Symbol+"_"+c+"(const ")
			assert.Contains(t, f.Text, f.Symbol+"_"+c+"(p, q", name)
		}
		sound(t, f)
	}
}

// A global that anything but reads of elements is done to is set anew at each call.
func TestKeptBetweenCalls(t *testing.T) {
	kept, reasons := extract(t, `static int counter;
static int *const at = &counter;
static int a[4] = { 1, 2, 3, 4 }, *end = (int *)a, b[4], c[4], d[2][2], e[4];
static int table[4] = { 1, 2, 3, 4 }, square[2][2] = { { 1, 2 }, { 3, 4 } };
int pointed(int x) { return ++*at + x; }
int cast(unsigned x) { return end[x & 3]++; }
int paren(unsigned i) { (b[i & 3])++; return b[i & 3]; }
int assigned(unsigned i) { if (i) (c[i & 3]) = 7; return (c[1]); }
int row(unsigned i) { return ++*d[i & 1]; }
int address(unsigned i) { if (i) return ++*&(e[i & 3]); return 0; }
int reads(unsigned i) { if (table[i & 3]) ++i; return (table[i & 3]) + (int)sizeof table + square[i & 1][1]; }
`)
	for name, reset := range map[string]string{"pointed": "counter", "cast": "a", "paren": "b", "assigned": "c", "row": "d", "address": "e"} {
		if reasons[name] == foreign.ReasonEscapes {
			continue // it is not taken at all
		}
		if assert.NotEmpty(t, kept[name], "%s: %s", name, reasons[name]) {
			f := kept[name][0]
			assert.Regexp(t, `mem\w+\(.*&`+f.Symbol+"_"+reset+`\b`, f.Text)
		}
	}
	require.NotEmpty(t, kept["reads"], reasons["reads"])
	assert.NotContains(t, kept["reads"][0].Text, "mem", "tables are not set anew")
}

// What a file calls itself does not say where it was.
func TestFileName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.c")
	require.NoError(t, os.WriteFile(path, []byte("const char *f(int x) { return x ? __FILE__ : 0; }\n"), 0o600))
	p, _, err := foreign.Load(safefile.Tree(filepath.Dir(path)), filepath.Base(path), foreign.Flags{}, foreign.Origin{File: "src/f.c"})
	require.NoError(t, err)
	list, _ := foreign.Extract(p, foreign.Options{})
	require.NotEmpty(t, list)
	assert.Contains(t, list[0].Text, `"src/f.c"`)
	assert.NotContains(t, list[0].Text, dir)
}

// With Cut, what a function calls elsewhere is a constant.
func TestCut(t *testing.T) {
	p, err := csource.ParseUnit("a.c", []byte("int far(int); int f(int x) { return x + far(x); }"), csource.LP64)
	require.NoError(t, err)
	list, _ := foreign.Extract(p, foreign.Options{Cut: true})
	require.Len(t, list, 1)
	assert.Contains(t, list[0].Text, "static int "+list[0].Symbol+"_far() { return 1; }")
}

func TestFlags(t *testing.T) {
	f, err := foreign.ParseFlags("-Iinclude  -DX -DY=2 -U Z -include a.h")
	require.NoError(t, err)
	assert.Equal(t, foreign.Flags{Text: "-Iinclude -DX -DY=2 -U Z -include a.h", Dirs: []string{"include"},
		Define: "#define X 1\n#define Y 2\n#undef Z\n#include \"a.h\"\n"}, f)
	_, err = foreign.ParseFlags("-O2")
	assert.ErrorContains(t, err, `"-O2"`)
}

func TestLicence(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return name
	}
	tree := safefile.Tree(dir)
	plain := write("src/plain.c", "int x;\n")
	assert.Equal(t, "unknown", foreign.Licence(tree, plain, ""))
	assert.Equal(t, "ISC", foreign.Licence(tree, plain, "ISC"))
	assert.Equal(t, "MPL-2.0 OR MIT", foreign.Licence(tree, write("src/line.c", "/* SPDX-License-Identifier: MPL-2.0 OR MIT */\n"), "ISC"))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "COPYING"), 0o600))
	assert.Equal(t, "unknown", foreign.Licence(tree, plain, ""), "a pipe is not waited for")
	write("LICENSE", "Permission is hereby granted, free of charge, to any person\n")
	assert.Equal(t, "MIT", foreign.Licence(tree, plain, ""))
	assert.Equal(t, "LGPL-2.1-or-later", foreign.Licence(tree, write("src/head.c", "/* under the GNU Lesser General Public License, version 2.1 */\n"), ""))
}

// names finds what a text defines or declares in its file: tokens at the begin of lines of
// our own proxies are enough.
var symbol = regexp.MustCompile(`^r[0-9a-f]{12}$`)

// sound fails unless a text of a function parses by itself and together with itself under
// another symbol, and has no name of the file without its symbol.
func sound(t testing.TB, f *foreign.Function) {
	if !symbol.MatchString(f.Symbol) {
		t.Fatalf("symbol %q", f.Symbol)
	}
	other := strings.ReplaceAll(f.Text, f.Symbol, "r000000000000")
	p, err := csource.ParseUnit("t.c", []byte(f.Text+other), csource.LP64)
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text)
	}
	last := p.Functions[len(p.Functions)-1]
	if last.Name != "r000000000000" {
		t.Fatalf("the last function is %s\n%s", last.Name, f.Text)
	}
	for _, n := range p.File.Names {
		if !strings.HasPrefix(n.Name, f.Symbol) && !strings.HasPrefix(n.Name, "r000000000000") && !strings.HasPrefix(n.Name, "__") {
			t.Fatalf("%s has no prefix\n%s", n.Name, f.Text)
		}
	}
	for _, args := range foreign.Draw(f, 4) {
		for i, v := range args {
			if !f.Params[i].Holds(v) {
				t.Fatalf("%d is no %v", v, f.Params[i])
			}
		}
	}
}

// FuzzSlice: of any text that parses, functions are taken that parse by themselves, side by
// side with others.
func FuzzSlice(f *testing.F) {
	files, err := filepath.Glob("../../../testdata/functions/*.c")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text)
	}
	for _, text := range []string{
		"typedef struct { int a : 3, b; int *p; } s; s f(s x, s *y, int n) { x.a = (int)n; *y->p = 1; return x; }",
		"enum { A, B = 3 }; static int g[] = { A, B }; int f(a, n) int *a; int n; { return a[n & 1] + g[B & 1]; }",
		"typedef int t; int f(t t) { { typedef char t; return sizeof(t); } return t; }",
		"struct s { struct { int x; } in; struct s *next; unsigned char buf[4], len; }; void f(struct s *s) { s->in.x++; s->buf[0] = 1; }",
		"int strlen(char *); int f(char *s) { return strlen(s) + isalpha(*s); } char *g(char *s, int c) { while (*s && *s != c) s++; return s; }",
		"static int a(int), b(int x) { return x ? a(x - 1) : 0; } static int a(int x) { return b(x); } int f(_Bool x, short y) { return a(x) + y; }",
		"static int state = 3; static char *name = \"x\"; int f(int x) { state += x; return state + name[0]; }",
		"int f(const char **s, void **p, unsigned **q) { while (**s == ' ') ++*s; if (*p) *p = 0; (**q)++; return **s; }",
		"int f(int m[][4], int n) { return m[n & 3][1]; } int h(const char *index) { return index[0]; } int index(int x) { return x; }",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		text, err := csource.Preprocess("a.c", source, csource.LP64)
		if err != nil {
			return
		}
		p, err := csource.ParseUnit("a.c", text, csource.LP64)
		if err != nil {
			return
		}
		kept, _ := foreign.Extract(p, foreign.Options{Cut: len(source)%2 == 0})
		for _, k := range kept {
			sound(t, k)
		}
	})
}

// A tag may stand after attributes.
func TestTagAfterAttributes(t *testing.T) {
	kept, reasons := extract(t, "struct __attribute__((aligned(8))) wide { int v; }; int get(struct wide *w) { return w->v; }")
	require.NotEmpty(t, kept["get"], reasons)
	sound(t, kept["get"][0])
}
