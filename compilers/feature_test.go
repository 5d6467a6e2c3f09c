package compilers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNeedsOf(t *testing.T) {
	for text, want := range map[string]string{
		"int main(void) { return 0; }":                                "",
		"__builtin_abort(); __builtin_expect(x, 1); __builtin_va_end": "",
		"x = clz(y); vector = 1; my__int128 = asmx;":                  "",
		"typedef int v __attribute__((vector_size(16)));":             "vector",
		"a = __builtin_convertvector(b, v);":                          "vector",
		"#if defined(__SIZEOF_INT128__) || x":                         "int128",
		"_BitInt(7) x;":                                               "bitint",
		"#if __BITINT_MAXWIDTH__ >= 7\n_BitInt(7) x;\n#else":          "",
		"if (__builtin_add_overflow(a, b, &c))":                       "overflow",
		"__builtin_mul_overflow_p(a, b, c)":                           "overflow",
		"__builtin_clzll(x) + __builtin_bswap64(y)":                   "builtin",
		"#define ASSUME(x) __builtin_assume(x)":                       "facts",
		"__builtin_inf() - __builtin_nan(\"\")":                       "float",
		"p = __builtin_malloc(4); __builtin_memcpy(p, q, 4);":         "memory",
		"case 1 ... 5:":                                         "switch",
		"case 1: f(a, ...);":                                    "",
		"goto *to[x];":                                          "computed-goto",
		"x = __extension__ ({ 1; });":                           "statement-expression",
		"x = (struct s){1}.a; y = (int[2]) {1}[0];":             "",
		"__typeof__(x) y; asm(\"\");":                           "typeof asm",
		"_Atomic int x; __sync_synchronize();":                  "atomic",
		"__attribute__((fallthrough)); [[maybe_unused]] int x;": "fallthrough",
		"/* falls through */":                                   "",
		"__builtin_speculation_safe_value(x)":                   "other-builtins",
		"#if __has_attribute(x)\n#endif\n_Complex double z;":    "other-builtins other-types",
	} {
		needs := NeedsOf([]File{{Name: "a.c", Content: []byte("int x;\n")}, {Name: "b.c", Content: []byte(text)}})
		assert.Equal(t, want, needs.String(), text)
		again, err := ParseNeeds(needs.String())
		require.NoError(t, err)
		assert.Equal(t, needs, again)
	}
}

// A probe needs its feature, or it would say nothing of it.
func TestFeatureProbes(t *testing.T) {
	probed := map[string]bool{}
	for _, p := range FeatureProbes() {
		probed[p.Name] = true
		assert.Contains(t, NeedsOf(p.Job.Files).Features, p.Name)
	}
	for _, name := range Without(nil) {
		assert.Equal(t, !strings.HasPrefix(name, "other-"), probed[name], name)
	}
	assert.NotContains(t, Without([]string{"vector"}), "vector")
	assert.Len(t, Without([]string{"vector"}), len(Features())-1)
}

func TestMeetFeatures(t *testing.T) {
	lacks := Traits{Long: 8, Pointer: 8, Lacks: []string{"vector", "int128"}}
	assert.True(t, lacks.Meet(Needs{Features: []string{"asm"}}))
	assert.False(t, lacks.Meet(Needs{Features: []string{"asm", "vector"}}))
	both := Needs{Long: 8, Features: []string{"asm"}}.And(Needs{Features: []string{"asm", "int128"}})
	assert.Equal(t, "long=8 asm int128", both.String())
	assert.False(t, lacks.Meet(both))
	assert.True(t, Traits{Long: 8, Pointer: 8}.Meet(both))
}
