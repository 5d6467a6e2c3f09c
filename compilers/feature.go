package compilers

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// A Feature is a part of C that a program may need and that a compiler may lack: what
// came after C99, and what gcc and clang have beyond the standard. Needs and Traits.Lacks
// name features. Those that are drawn have the names of reify.Features.
type Feature struct {
	Name string
	// A program needs it that has a word, or a text, which a pattern takes.
	words, form string
	// unless is text of a program that has a second form for compilers without it.
	unless string
	// probe is the text of a program that needs it, prints nothing and exits with 0.
	probe string
}

// features are those that are known. Attributes before declarations are no features:
// compilers pass over those that they do not know. The last three are what parsers of LLVM
// IR know from version 20 on, and builtins and keywords that no other names: no compiler that
// is asked what it lacks has them.
var features = []Feature{
	{Name: "vector", words: `vector_size|ext_vector_type|__builtin_(?:shuffle|shufflevector|convertvector)|__builtin_ia32_\w+`, probe: `
typedef int v __attribute__((vector_size(16)));
typedef short h __attribute__((vector_size(8)));
int main(int c, char **a)
{
    v x = {c, 2, 3, 4}, y = x + (v){1, 1, 1, 1};
    h z = __builtin_convertvector(y > x, h);
#if defined(__clang__) || __GNUC__ >= 12
    y = __builtin_shufflevector(x, y, 4, 1, 2, 3);
#else
    y = __builtin_shuffle(x, y, (v){4, 1, 2, 3});
#endif
    return y[0] - 2 + (z[c] + 1);
}`},
	{Name: "int128", words: `__int128|__int128_t|__uint128_t|__SIZEOF_INT128__`, probe: `
#if !(defined(__SIZEOF_INT128__) || __BITINT_MAXWIDTH__ >= 128 && !defined(__clang__))
#error
#endif
int main(void) { return 0; }`},
	{Name: "bitint", words: `_BitInt`, unless: "__BITINT_MAXWIDTH__", probe: `
int main(int c, char **a) { _BitInt(9) x = c; return (int)(x + 255) != -256 + 0 * c; }`},
	{Name: "overflow", words: `__builtin_\w+_overflow(?:_p)?`, probe: `
int main(int c, char **a)
{
    int x;
    long long y;
    return !__builtin_add_overflow(c, 2147483647, &x) + __builtin_sub_overflow(c, 1LL, &y) + __builtin_mul_overflow(c, 0, &x) + (x != 0);
}`},
	{Name: "builtin", words: `__builtin_(?:popcount|parity|clz|ctz|ffs|clrsb)(?:ll|l)?|__builtin_bswap\d+|__builtin_(?:ll|l)?abs`, probe: `
int main(int c, char **a)
{
    return __builtin_popcount(c) - 1 + __builtin_popcountll(c) - 1 + __builtin_parity(c) - 1 + __builtin_clz(c) - 31 + __builtin_clzll(c) - 63 +
        __builtin_ctz(c) + __builtin_ctzll(c) + __builtin_ffs(c) - 1 + __builtin_ffsll(c) - 1 + __builtin_clrsb(c) - 30 +
        (int)(__builtin_bswap32(c) >> 24) - 1 + (int)(__builtin_bswap64(c) >> 56) - 1 + __builtin_bswap16(c) - 256 +
        __builtin_abs(-c) - 1 + (int)__builtin_llabs(-c) - 1;
}`},
	{Name: "facts", words: `__builtin_(?:unreachable|assume|assume_aligned|trap|expect_with_probability)`, probe: `
int main(int c, char **a)
{
    int *p = __builtin_assume_aligned(&c, 4);
    if (c < 0)
        __builtin_unreachable();
    if (__builtin_expect_with_probability(c == 0, 0, 0.5))
        __builtin_trap();
    return *p - 1;
}`},
	{Name: "float", words: `__builtin_(?:inf|nan)`, probe: `
int main(int c, char **a) { double x = __builtin_inf() * c, y = __builtin_nan(""); return !(x > 1e300) + (y == y); }`},
	{Name: "memory", words: `__builtin_(?:mem(?:cpy|move|set|cmp)|malloc|calloc|realloc|free|alloca)`, probe: `
int main(int c, char **a)
{
    int x = 5, y, *p = __builtin_malloc(8), *q = __builtin_calloc(2, 4), *r = __builtin_alloca(4);
    __builtin_memcpy(&y, &x, 4);
    __builtin_memmove(p, &y, 4);
    __builtin_memset(r, 0, 4);
    y = *(p = __builtin_realloc(p, 64)) - 5 + q[1] + *r + __builtin_memcmp(&x, &x, 4);
    __builtin_free(p);
    __builtin_free(q);
    return y;
}`},
	{Name: "switch", form: `\bcase\b[^:;?{}]+\.\.\.`, probe: `
int main(int c, char **a) { switch (c) { case 1 ... 5: return 0; } return 1; }`},
	{Name: "computed-goto", form: `\bgoto\s*\*`, probe: `
int main(int c, char **a) { static void *const to[] = {&&x, &&y}; goto *to[c]; x: return 1; y: return 0; }`},
	{Name: "statement-expression", form: `\(\s*\{`, probe: `
int main(int c, char **a) { return __extension__ ({ int x = c; x - 1; }); }`},
	{Name: "typeof", words: `(?:__)?typeof(?:__)?`, probe: `
int main(int c, char **a) { __typeof__(c) x = c; return x - 1; }`},
	{Name: "asm", words: `(?:__)?asm(?:__)?|__asm`, probe: `
int main(int c, char **a) { int x = 0; __asm__ volatile ("" : "+r"(x) : "r"(c) : "memory"); return x; }`},
	{Name: "atomic", words: `_Atomic|__atomic_\w+|__sync_\w+|_Thread_local|__thread`, probe: `
_Thread_local _Atomic int x;
int main(int c, char **a) { __atomic_store_n(&c, 0, 5); return c + x + __sync_fetch_and_add(&c, 1); }`},
	{Name: "fallthrough", form: `__attribute__\s*\(\(\s*(?:__)?fallthrough|\[\[`, probe: `
int main(int c, char **a) { switch (c) { case 1: __attribute__((fallthrough)); case 2: c--; __attribute__((fallthrough)); case 3: return c; } return 1; }`},
	{Name: "other-llvm", form: ` = (?:zext|uitofp) nneg | = or disjoint | = icmp samesign | = trunc n[us]w |\brange\(i\d+ | inbounds nuw |@llvm\.[su]cmp\.`},
	{Name: "other-builtins", words: `__builtin_\w+|__has_\w+`},
	{Name: "other-types", words: `_Complex|__complex__|_Decimal\d+|_Float\d+x?|__float\d+|__auto_type|_Generic|_Alignas|_Alignof|nullptr|constexpr`},
}

// usualBuiltins are no features: a compiler that has any builtins has them.
var usualBuiltins = regexp.MustCompile(`^__builtin_(?:expect|abort|exit|printf|puts|putchar|constant_p|choose_expr|types_compatible_p|offsetof|va_\w+)$`)

// featurePattern has a group for each feature.
var featurePattern = func() *regexp.Regexp {
	var list []string
	for _, f := range features {
		pattern := "(" + f.form + ")"
		if f.words != "" {
			pattern = `(\b(?:` + f.words + `)\b)`
		}
		list = append(list, pattern)
	}
	return regexp.MustCompile(strings.Join(list, "|"))
}()

// Features returns the names of the features that are known.
func Features() (names []string) {
	for _, f := range features {
		names = append(names, f.Name)
	}
	return names
}

// featuresOf returns the names of the features that a program in C needs, in their order.
// It may name some that it could do without.
func featuresOf(files []File) (names []string) {
	needed := make([]bool, len(features))
	for _, file := range files {
		for _, m := range featurePattern.FindAllSubmatchIndex(file.Content, -1) {
			if usualBuiltins.Match(file.Content[m[0]:m[1]]) {
				continue
			}
			for i := range features {
				needed[i] = needed[i] || m[2+2*i] >= 0
			}
		}
	}
	for i, f := range features {
		guarded := func(file File) bool { return f.unless != "" && bytes.Contains(file.Content, []byte(f.unless)) }
		if needed[i] && !slices.ContainsFunc(files, guarded) {
			names = append(names, f.Name)
		}
	}
	return names
}

// A FeatureProbe is a program that shows whether a compiler has a feature.
type FeatureProbe struct {
	Name string
	Job  Job // without a mode
}

// FeatureProbes returns a probe for each feature that a compiler may turn out to have.
func FeatureProbes() (list []FeatureProbe) {
	for _, f := range features {
		if f.probe != "" {
			list = append(list, FeatureProbe{f.Name, Job{Files: Single([]byte(strings.TrimSpace(f.probe) + "\n"))}})
		}
	}
	return list
}

// Without returns the names of the features that are not in a list.
func Without(has []string) []string {
	return slices.DeleteFunc(Features(), func(name string) bool { return slices.Contains(has, name) })
}
