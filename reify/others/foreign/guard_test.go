package foreign

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
	"goreify/reify/safefile"
)

// No object that a proxy passes the address of stays on its stack, and the statements are as
// many as before: they are counted.
func TestGuard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.c")
	require.NoError(t, os.WriteFile(path, []byte(`
struct inner { short s[3]; };
struct s { int a; struct inner in; unsigned char *bytes; const int *p0; };
int bytes(const char *p, int n) { return p[n & 7]; }
void memory(void *p, int n) { ((unsigned char *)p)[n & 7] = 1; }
int words(void *p, int n) { return ((int *)p)[n & 1]; }
int rows(int (*p)[4], int n) { return p[1][n & 3]; }
int cursor(const char **p) { return *(*p)++; }
int record(struct s *s, struct s t, int b0) { return s->a + t.in.s[1] + s->bytes[0] + t.p0[0] + b0; }
`), 0o644))
	p, _, err := Load(safefile.Tree(filepath.Dir(path)), filepath.Base(path), Flags{}, Origin{})
	require.NoError(t, err)
	functions, refused := Extract(p, Options{})
	require.Empty(t, refused)
	want := map[string]int{"bytes": 1, "memory": 1, "words": 1, "rows": 1, "cursor": 2, "record": 6}
	shape := func(text string) int {
		p, err := csource.ParseUnit("f.c", []byte(place+text), csource.LP64)
		require.NoError(t, err, text)
		n := 0
		for _, s := range p.Stmts {
			if s.Kind != csource.Declaration {
				n++
			}
		}
		return n
	}
	stays := regexp.MustCompile(`&[bpq]\d|alloca`)
	for _, f := range functions {
		text, n := guard(f)
		assert.Equal(t, want[f.Origin.Name], n, f.Origin.Name)
		assert.NotRegexp(t, stays, text)
		assert.Equal(t, shape(f.Text), shape(text))
	}
	assert.Len(t, functions, 2*len(want))
}

// A pointer to an array of the program may lead anywhere in the program.
func TestEscapes(t *testing.T) {
	const head = "static const short table[] = { 1, 2, 3 };\nstatic int get(const short *p, int n) { return p[n]; }\n"
	for body, want := range map[string]string{
		"return table[n % 3u];":                                    "",
		"return n & table[n & 1];":                                 "",
		"return n < sizeof(table) / sizeof((table)[0]);":           "",
		"static const char own[] = { 1, 2 }; return own[n & 1];":   "",
		"struct { short table; } s = { 5 }; return s.table + n;":   "",
		"return get(table, n);":                                    "table",
		"return *(table + n);":                                     "table",
		"return get(&table[1], n);":                                "table",
		"static const short own[] = { 1, 2 }; return get(own, n);": "own",
	} {
		path := filepath.Join(t.TempDir(), "one.c")
		require.NoError(t, os.WriteFile(path, []byte(head+"int one(unsigned n) { "+body+" }\n"), 0o644))
		p, _, err := Load(safefile.Tree(filepath.Dir(path)), filepath.Base(path), Flags{}, Origin{})
		require.NoError(t, err)
		got := ""
		_, refused := Extract(p, Options{})
		for _, r := range refused {
			if r.Name == "one" {
				require.Equal(t, ReasonEscapes, r.Reason, body)
				got = r.Detail
			}
		}
		assert.Equal(t, want, got, body)
	}
}
