package csource_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/others/csource"
	"goreify/reify/safefile"
	"goreify/tools/need"
)

// TestIncludeBombs preprocesses files that include without end, or nearly. Each is refused
// within seconds on a busy machine, by one of the bounds.
func TestIncludeBombs(t *testing.T) {
	const often, much = "it includes files more than 100000 times", "it includes more than 2097152 tokens"
	for name, c := range map[string]struct{ main, header, want string }{
		"itself":            {"#include \"a.c\"\n", "", often},
		"itself, as <>":     {"#include <a.c>\n", "", often},
		"by its number":     {"#include \"b.h\"\n", "#include \"../1/b.h\"\n", often},
		"each other":        {"#include \"b.h\"\n", "#include \"a.c\"\n", often},
		"by ever new names": {"#include \"l/b.h\"\n", "#include \"l/b.h\"\n", often},
		"a tree":            {strings.Repeat("#include \"b.h\"\n", 20_000), strings.Repeat("int x;", 50) + "\n", much},
		"without a trace":   {strings.Repeat("#include \"b.h\"\n", 20_000), strings.Repeat("#undef x\n", 10_000), much},
		"tokens":            {strings.Repeat("x;", 2<<20), "", "more than 2097152 tokens"},
		"bytes":             {strings.Repeat("#if __has_include(\"l/b.h\")\n#endif\n", 100) + "#include \"b.h\"\n#include \"l/b.h\"\n#include \"l/l/b.h\"\n", strings.Repeat("//////////////\n", 1<<19), "more than"}, // bytes, or memory
	} {
		t.Run(name, func(t *testing.T) {
			if name != "itself" {
				need.Long(t)
			}
			dir := t.TempDir()
			main := filepath.Join(dir, "a.c")
			require.NoError(t, os.WriteFile(main, []byte(c.main), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "b.h"), []byte(c.header), 0o600))
			require.NoError(t, os.Symlink(".", filepath.Join(dir, "l")))
			before := compilers.ChildrenCPU()
			_, err := csource.Preprocess(main, []byte(c.main), csource.LP64, safefile.Tree(dir))
			assert.ErrorContains(t, err, c.want)
			assert.Less(t, compilers.ChildrenCPU()-before, 20*time.Second)
		})
	}
}

// TestMacroBombs expands macros that take package cc hours or all memory, in spite of its
// own bound on expansions.
func TestMacroBombs(t *testing.T) {
	var pasted strings.Builder
	pasted.WriteString("#define P(a,b) a##b\n#define Q(a) P(a,a)\n#define Q0(a) Q(P(a,a))\n")
	for i := range 39 {
		fmt.Fprintf(&pasted, "#define Q%d(a) Q%d(P(a,a))\n", i+1, i)
	}
	nested := func(before, between, after string, n int) string {
		return strings.Repeat(before, n) + between + strings.Repeat(after, n)
	}
	for name, text := range map[string]string{
		"names that double":     pasted.String() + "int Q39(x);\n",
		"calls in calls":        "#define f(x) x\nint y = " + nested("f(", "0", ")", 9000) + ";\n",
		"two arguments in each": "#define f(a,b) a b\nint y = " + nested("f(,", "0", ")", 9000) + ";\n",
		"bodies that multiply":  "#define A(x) " + strings.Repeat("x ", 3000) + "\nint y = A(A(A(1)));\n",
	} {
		t.Run(name, func(t *testing.T) {
			if name != "names that double" {
				need.Long(t)
			}
			before := compilers.ChildrenCPU()
			_, err := csource.Preprocess("a.c", []byte(text), csource.LP64)
			assert.ErrorContains(t, err, "a.c: it takes more than")
			assert.Less(t, compilers.ChildrenCPU()-before, 3*time.Second)
		})
	}
}

// TestTry parses texts that take package cc hours or all memory.
func TestTry(t *testing.T) {
	need.Long(t)
	var structs strings.Builder
	for i := range 40 {
		fmt.Fprintf(&structs, "struct t%d { struct s%d a, b; }; struct s%d { struct t%d a, b; };", i, max(0, i-1), i, max(0, i-1))
	}
	for name, c := range map[string]struct{ text, want string }{
		"blocks":   {"int a; void f(void) {" + strings.Repeat("{int x; a++;", 9000) + strings.Repeat("}", 9000) + "}", "to parse"},
		"structs":  {"struct s0 { int x; };" + structs.String() + "struct s39 x; struct s39 y = {}; void f(void) { x = y; }", "to parse"},
		"pointers": {"int " + strings.Repeat("*", 49_000) + "x;", "to parse"},
		"wrong":    {"int f(int x) {", "bad name.c:1:"},
		"right":    {"int f(int x) { return x; }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			before := compilers.ChildrenCPU()
			err := csource.Try("bad name.c", []byte(c.text), csource.LP64)
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
			assert.Less(t, compilers.ChildrenCPU()-before, 30*time.Second)
		})
	}
}
