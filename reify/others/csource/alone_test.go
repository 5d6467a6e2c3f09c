package csource_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/others/csource"
)

const alone = `struct f_s { int x; };
enum f_e { f_A, f_B = 2 };
static int f_g(struct f_s *p) { return p->x; } /* # $ */
int f(unsigned a, signed char b);
int f(unsigned a, signed char b)
{
	int e = f_B;
	struct f_s s = {(int)a + b};
	return f_g(&s) == ';' ? "}"[0] : e;
}
`

// Texts that could meddle with others in a file are refused, with the reason.
func TestAlone(t *testing.T) {
	require.NoError(t, csource.Alone("f", alone))
	for name, tt := range map[string]struct{ old, new, err string }{
		"old style":          {"f_g(struct f_s *p) {", "f_g(p) struct f_s *p; {", ""},
		"prototype":          {"int f(unsigned a, signed char b);", "static int f(unsigned a, signed char b);", ""},
		"other name":         {"struct f_s { int", "struct s { int", "s is named at file scope, and does not begin with f_"},
		"longer name":        {"struct f_s { int", "struct fs { int", "fs is named at file scope"},
		"global":             {"enum f_e {", "int counter; enum f_e {", "counter is named at file scope"},
		"enumerator":         {"f_B", "some", "some is named at file scope"},
		"directive":          {"enum f_e {", "enum f_e {\n#pragma pack(1)\n", "a line begins with '#'"},
		"pragma":             {"enum f_e", "#pragma pack(1)\nenum f_e", "a line begins with '#'"},
		"hash":               {"enum f_e {", "; # pragma pack(1)\nenum f_e {", "unexpected \"#\""},
		"digraph":            {"enum f_e {", "%:pragma pack(1)\nenum f_e {", "pragma is named at file scope"},
		"letter":             {"signed char b)\n", "signed char ü)\n", "unexpected"},
		"dollar":             {"signed char b)\n", "signed char $b)\n", "unexpected \"$b\""},
		"storage class":      {"b);\nint f(", "b);\nstatic int f(", "f has a storage class"},
		"not defined":        {"\nint f(unsigned a, signed char b)\n", "\nint f_h(unsigned a, signed char b)\n", "defines f 0 times"},
		"open brace":         {"e;\n}", "e;\n{", "without end"},
		"brace that is shut": {"e;\n}", "e;\n}}", "closes nothing"},
		"open literal":       {"';'", "';", "quotation without end"},
		"open comment":       {"/* # $ */", "/* # $", "comment without end"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, alone, tt.old)
			err := csource.Alone("f", strings.Replace(alone, tt.old, tt.new, 1))
			if tt.err == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, tt.err)
		})
	}
}
