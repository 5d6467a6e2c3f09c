package c

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/ir"
)

// What is declared of a function and its pointers is true of them.
func TestDeclared(t *testing.T) {
	const head = `func @f(%a i32) i32 {
    static @g [2][4]i16 = {1, 2, 3, 4, 5, 6, 7, 8}
    static @h i32 = 3
    local %p *i16 = &@g[1][2]
    local %l i32 = 3
    local %q *i32 = &%l
  entry:
    `
	all := Declared{Heat: Cold, Purity: true, Pointers: true, Aligned: 32}
	getters := Declared{Getters: true, Aligned: 16}
	var units []Unit
	for _, test := range []struct {
		body, style string
		declared    Declared
		has, lacks  []string
	}{
		{"goto exit\n exit:\n return i32(*%p)", "", all,
			[]string{"__attribute__((cold)) __attribute__((pure)) static int f(int a)",
				"static __attribute__((aligned(32))) short f_g[2][4]",
				"p = __builtin_assume_aligned(&f_g[1][2], 32, 12);", "int *q = &l;"},
			[]string{"nonnull"}},
		{"goto exit\n exit:\n return i32(*%p)", "pointer-params", all,
			[]string{"__attribute__((nonnull)) __attribute__((access(read_only, 2))) static int f(int a, short *p)", "f(1, &f_g[1][2])"},
			[]string{"assume_aligned"}},
		{"*%p = 4\n goto exit\n exit:\n return %a", "pointer-params param-struct", all,
			[]string{"access(read_write, 2)"}, []string{"((pure))", "((const))"}},
		{"goto exit\n exit:\n return i32(*%p)", "pointer-params global-params", all,
			[]string{"access(read_only, 1)"}, nil},
		{"goto exit\n exit:\n return i32(*%p)", "global-params volatile-args", all, nil, []string{"((pure))", "((const))"}},
		{"@h = 4\n goto exit\n exit:\n return %a", "", all, nil, []string{"((pure))", "((const))"}},
		{"goto b\n b:\n if %a > 3 goto c else exit\n c:\n *%q = 4\n goto exit\n exit:\n return %a", "", all, nil, []string{"((pure))", "((const))"}},
		{"goto exit\n exit:\n return i32(*%p)", "", getters,
			[]string{"NOIPA __attribute__((const, returns_nonnull, assume_aligned(16, 12))) static short *f_at_p(void)\n{\n    return &f_g[1][2];\n}",
				"short *p = f_at_p();"}, []string{"f_at_q"}},
	} {
		f := parseOne(t, head+test.body+"\n}")
		style, err := ParseStyle(test.style)
		assert.NoError(t, err)
		style.Declared = test.declared
		u := unitOf(t, f, []int64{1}, style)
		text := Emit([]Unit{u})
		for _, has := range test.has {
			assert.Contains(t, text, has, test.body)
		}
		for _, lacks := range test.lacks {
			assert.NotContains(t, text, lacks, test.body)
		}
		units = append(units, u)
	}
	requireRight(t, units)
	plain := parseOne(t, "func @f(%a i32) i32 {\n    local %b i32 = 3\n  entry:\n    %b = %a + 1\n    goto exit\n  exit:\n    return %b\n}")
	assert.Contains(t, Emit([]Unit{unitOf(t, plain, []int64{1}, Style{Declared: all})}), "__attribute__((const)) static int f(int a)")
	off := ir.Clone(plain)
	off.Vars[1].Volatile = true
	assert.NotContains(t, Emit([]Unit{unitOf(t, off, []int64{1}, Style{Declared: all})}), "__attribute__((const))")

	array := parseOne(t, "func @f(%a i32) i32 {\n    local %b [2]i32 = {3, 4}\n  entry:\n    goto exit\n  exit:\n    return %b[%a]\n}")
	for storage, has := range map[Storage]bool{Automatic: true, Heap: false, Realloc: false, Alloca: true, VLA: true} {
		text := Emit([]Unit{unitOf(t, array, []int64{1}, Style{Storage: storage, Declared: all})})
		assert.Equal(t, has, strings.Contains(text, "__attribute__((const))"), storage)
	}
}

// An assumption is written as a macro, or as a branch.
func TestAssume(t *testing.T) {
	f := parseOne(t, "func @f(%a i32) i32 {\n  entry:\n    assume %a > 3\n    unreachable unless %a == 9 || %a < 8\n    goto exit\n  exit:\n    return %a\n}")
	u := unitOf(t, f, []int64{5}, Style{})
	text := Emit([]Unit{u, u})
	assert.Contains(t, text, "    ASSUME(a > 3);\n    if (!(a == 9 || a < 8))\n        __builtin_unreachable();\n")
	assert.Len(t, strings.Split(text, "#define ASSUME(x) __builtin_assume(x)"), 2, "it is defined once")
	requireRight(t, []Unit{u})
	test := EmitTest(&ir.Program{Funcs: []*ir.Function{f}, Claims: []*ir.Claim{u.Claim}}, TestForm{})
	assert.Contains(t, test, "#define ASSUME")
	assert.Contains(t, test, "    ASSUME(a > 3);\n    if (!(a == 9 || a < 8))\n        __builtin_unreachable();\n")
}

// Compilers refuse to be told that a function writes through a pointer to const.
func TestDeclaredConst(t *testing.T) {
	f := parseOne(t, `func @f(%a i32) i32 {
    static @g [2]i16 = {1, 2}
    static @h i32 = 3
    local %p *const i16 = &@g[1]
    local %q *i32 = &@h
  entry:
    *%q = i32(*%p)
    goto exit
  exit:
    return %a
}`)
	u := unitOf(t, f, []int64{1}, Style{PointerParams: true, Declared: Declared{Pointers: true}})
	assert.Contains(t, Emit([]Unit{u}), "__attribute__((access(read_only, 2))) __attribute__((access(read_write, 3)))")
}
