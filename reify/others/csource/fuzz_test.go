package csource_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/others/csource"
	"goreify/tools/need"
)

// snippets are programs of a few lines, one for each thing that is easy to get
// wrong.
var snippets = []string{
	"int main(void) { return 0; }",
	"main (argc, argv) int argc; char **argv; { int main = 1; return main - argc; }\nstatic twice (n) { return n + main (0, 0); }",
	"int f(int x) { if (x) if (x > 1) return 1; else return 2; else { x++; } return 3; }",
	"void f(int x) { switch (x) { case 1: int y = 2; x = y; default: ; } }",
	"int f(int x) { return ({ int y = x; if (y) y++; y; }); }",
	"void f(void) { __label__ l; goto l; l: ; }",
	"struct s { int a; } a; int f(struct s *s) { return s->a + a.a; }",
	"typedef int t; t f(t t) { { enum { A, B } e = A; t += e; } return t; }",
	"int f(int n) { int a[n]; l: a[0] = n; if (n) goto l; return a[0]; }",
	"int a; int f(a, b) int a; char b; { return a + b; }",
	"void f(int x) { do ; while (x--); for (int i = 0; i < 3; i++) x += i; for (;;) break; }",
	"void f(int x) { asm volatile (\"\" : \"+r\" (x)); while (x) { continue; } }",
	"__attribute__((noreturn)) void f(void) { for (;;) ; }\n#pragma pack(1)\nchar c;",
	"int x = 1; int f(void) { extern int x; int y = x; static int z; register int r = 1; return y + z + r; }",
	"union { struct { int a : 3; }; } u = { .a = 1 }; int g(int (*h)(int)) { return h(u.a); }",
	"int f(void) { void *p = &&l; goto *p; l: return 1 && 2; }",
}

// FuzzSource: any text is parsed or refused, and what is made of one that is parsed
// parses again.
func FuzzSource(f *testing.F) {
	for _, s := range snippets {
		f.Add([]byte(s), uint64(1))
	}
	files, err := filepath.Glob("testdata/*.c")
	require.NoError(f, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(text, uint64(2))
	}
	f.Fuzz(func(t *testing.T, source []byte, seed uint64) {
		source = source[:min(len(source), need.MostInput)]
		var text []byte
		var err error
		need.Little(t, func() { text, err = csource.Preprocess("a.c", source, csource.LP64) })
		if err != nil {
			return
		}
		if long := len(text) > 1000; long && csource.Try("a.c", text, csource.LP64) != nil { // a process costs more than a short text
			return
		}
		var p *csource.Program
		need.Little(t, func() { p, err = csource.Parse("a.c", text, csource.LP64) })
		if err != nil {
			return
		}
		again := func(what string, text []byte) {
			if _, err := csource.Parse("b.c", text, csource.LP64); err != nil {
				t.Fatalf("%s: %v\n%s", what, err, text)
			}
		}
		for i, s := range p.Stmts { // spans nest
			require.LessOrEqual(t, s.From, s.To)
			if s.Parent >= 0 {
				up := p.Stmts[s.Parent]
				require.True(t, up.From <= s.From && s.To <= up.To && i < up.Next, "%d in %d", i, s.Parent)
			}
		}
		again("nothing", p.Apply(nil))
		s := choice.From(seed)
		hits := make([]uint32, len(p.Stmts)) // nothing is executed
		edits := csource.Prune(p, hits, csource.Options{Parent: 0.3, Leaf: 0.3}, s)
		again("prune", p.Apply(edits))
		edits = append(edits, csource.Insert(p, hits, csource.Options{}, s)...)
		again("insert", p.Apply(edits))
		for i := range hits {
			hits[i] = 1
		}
		points := p.Points(hits)
		again("counters", p.Counters())
		again("values", p.Values(points))
		again("guard", p.Apply(csource.Guard(p, rowsOf(points), csource.Options{}, s)))
		if edits, err := csource.Rename(p, "p0_"); err == nil {
			again("rename", p.Apply(edits))
		}
		again("declared", p.Declared())
		if text, err := p.Drive([]csource.Input{{Args: []string{"??/", "\\"}, Stdin: []byte("1\n")}, {}}); err == nil {
			again("drive", text)
		}
		if text, err := csource.Join([]*csource.Program{p, p}); err == nil {
			again("join", text)
		}
	})
}

// rowsOf returns what a run might have shown at points: two visits, at which
// each name was 0 and 1.
func rowsOf(points []csource.Point) []csource.Rows {
	var rows []csource.Rows
	for _, p := range points {
		r := csource.Rows{Point: p, Visits: 2, First: make([][]uint64, 2)}
		for range p.Names {
			r.First[0], r.First[1] = append(r.First[0], 0), append(r.First[1], 1)
			r.Sum = append(r.Sum, csource.Summary{Min: 0, Max: 1, And: 0, Or: 1})
		}
		rows = append(rows, r)
	}
	return rows
}
