package measure

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTokens(t *testing.T) {
	for source, want := range map[string]int{
		"int f(void) {}":                                            7,
		"int f(void)\n{\n    return 0;\n}\n":                        10,
		"static int f(int a){return -a;}":                           13,
		"int f(){return a<<=b>>c;}":                                 13,
		"int f(){a->b++;--c;}":                                      14,
		"int f(){x-=-1;}":                                           11,
		"int f(){x = 0x7fU + 1.5e-3;}":                              12,
		"int f(){x = 0xe-1;}":                                       10, // one number, as C has it
		`int f(){puts("} /* \" */");c='}';}`:                        15,
		"int f() /* one { */ { // two }\n}":                         6,
		"#define X int f() { \\\n 1; 2; }\nint f() {}\n":            6,
		"int f(int);\nint g(void) { return f(1); }\nint f() { 1; }": 8,
		"static int f_g[2] = {5, 6};\nint h; int f(void) { }":       7,
		"struct s { int f; };\nstruct s x; int f(void) { }":         7,
		"MACRO static inline unsigned f(int a[2], int b)\n{\nl:\n    goto l;\n}\nint main(void) { f(1, 2); }": 22,
		"__attribute__((noinline)) int f(void) { }":                                                           13,
		"int f(void) { if (a) { b; } else { c[d] = 1; } }":                                                    25,
	} {
		got, err := Tokens(source, "f")
		require.NoError(t, err, source)
		assert.Equal(t, want, got, source)
	}
}

func TestTokensWithoutDefinition(t *testing.T) {
	for _, source := range []string{
		"", "int f(void);", "int g(void) { return f(); }", "int f(void) {", "/* int f(void) {}", `char *s = "int f() {}`, "int f = 3;", "#if 1",
	} {
		_, err := Tokens(source, "f")
		assert.ErrorContains(t, err, "function f: no definition", source)
	}
}
