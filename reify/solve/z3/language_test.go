//go:build cgo && z3

package z3

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/tools/need"
)

// languageRules are what the language has besides SYMLANG; see rule.
var languageRules = []rule{
	{name: "bits", statement: "%x = %a & 240 | %b ^ 15", after: "%x == -1", sat: true},
	{name: "and is no more than its operand", statement: "%x = %a & 240", after: "%x > 240"},
	{name: "not", statement: "%x = ~%a", after: "%x == 2147483647 && %a == -2147483648", sat: true},
	{name: "not is minus one more", before: "%a > -2147483648", statement: "%x = ~%a", after: "%x != -%a - 1"},
	{name: "negation of the minimum", before: "%a == -2147483648", statement: "%x = -%a"},
	{name: "logical not", statement: "%x = !%a + !!%b", after: "%x == 2 && %a == 0", sat: true},
	{name: "shift", before: "%a == 5", statement: "%x = %a << %b", after: "%x == 1342177280", sat: true},
	{name: "shift into the sign", before: "%a == 1", statement: "%x = %a << %b", after: "%b == 31"},
	{name: "shift of a negative", before: "%a < 0", statement: "%x = %a << %b"},
	{name: "shift too far", before: "%b == 32", statement: "%x = %a >> %b"},
	{name: "shift backwards", before: "%b < 0", statement: "%x = %a >> %b"},
	{name: "shift fills with the sign", before: "%a < 0", statement: "%x = %a >> %b", after: "%x == -1", sat: true},
	{name: "unsigned shift loses bits", t: "u64", before: "%a > 1", statement: "%x = %a << %b", after: "%x == 0", sat: true},
	{name: "unsigned shift fills with zeros", t: "u32", before: "%b > 0", statement: "%x = %a >> %b", after: "%x > 2147483647"},

	{name: "&& does not divide", before: "%b == 0", statement: "%x = %b && %a / %b", after: "%x == 0", sat: true},
	{name: "& does", before: "%b == 0", statement: "%x = %b & %a / %b"},
	{name: "|| does not divide", before: "%b == 0", statement: "%x = !%b || %a / %b", after: "%x == 1", sat: true},
	{name: "|| does", before: "%b == 0", statement: "%x = %b || %a / %b"},
	{name: "what is found out under a guard is forgotten", before: "%b == 0",
		statement: "%x = (%b && %a / %b) + %a / %b"},
	{name: "overflow under a guard and after it", before: "%a == 2147483647 && %b == 1",
		statement: "%x = (%b > 1 && %a + %b) + (%a + %b)"},
	{name: "overflow under a guard only", before: "%a == 2147483647 && %b == 1",
		statement: "%x = %b > 1 && %a + %b", sat: true},
	{name: "a constant that is undefined under a guard", decl: "local %y i32 = 5",
		statement: "%x = %a == %b && %y / 0 || %a > 5", after: "%x", sat: true},
	{name: "guards in guards", before: "%a > 0 && %b == 0", statement: "%x = %a && (%b && %a / %b || %a - 3 && 7 / %a > %b)",
		after: "%x && %a == 7", sat: true},
	{name: "select", statement: "%x = %a < %b ? %a : %b", after: "%x == 7 && %a > 100", sat: true},
	{name: "select is one of both", statement: "%x = %a < %b ? %a : %b", after: "%x > %a"},
	{name: "select evaluates one", before: "%b == 0", statement: "%x = %b ? %a / %b : 7", after: "%x == 7", sat: true},
	{name: "select evaluates that one", before: "%b == 0", statement: "%x = %b ? 7 : %a / %b"},
	{name: "select between constants", statement: "%x = 1 ? %a : %a / 0", sat: true},
	{name: "index out of bounds under a guard", decl: "global @g [4]i32 = {1, 2, 3, 4}", before: "%a == 4",
		statement: "%x = %a < 4 ? @g[%a] : -1", after: "%x == -1", sat: true},

	{name: "popcount", statement: "%x = popcount(u32(%a))", after: "%x == 31 && %a > 0", sat: true},
	{name: "popcount is even", statement: "%x = popcount(u32(%a) ^ u32(%a) << 16)", after: "%x == 33"},
	{name: "clz of zero", before: "%a == 0", statement: "%x = clz(u32(%a))"},
	{name: "ctz", statement: "%x = ctz(u64(%a))", after: "%x == 21", sat: true},
	{name: "abs", statement: "%x = abs(%a)", after: "%x == 5 && %a < 0", sat: true},
	{name: "abs of the minimum", before: "%a == -2147483648", statement: "%x = abs(%a)"},
	{name: "bswap", t: "u32", statement: "%x = bswap(%a)", after: "%x == 1", sat: true},
	{name: "expect", statement: "%x = expect(%a, 3)", after: "%x == 4", sat: true},
	{name: "overflow is told", decl: "local %o i32", statement: "%o, %x = add_overflow(%a, %b)", after: "%o && %x == -2147483648", sat: true},
	{name: "overflow is not told", decl: "local %o i32", statement: "%o, %x = mul_overflow(%a, 3)", after: "!%o && %a > 1000000000"},
	{name: "overflow of a narrow type is told", decl: "local %o bool\n local %n i8", statement: "%o, %n = add_overflow(%a, 100)", after: "i32(%o) && i32(%n) == 127", sat: true},
	{name: "overflow of a narrow type is not told", decl: "local %o bool\n local %n u8", statement: "%o, %n = sub_overflow(%a, 1)", after: "!i32(%o) && (%a > 256 || %a < 1)"},
	{name: "overflow of types", decl: "local %o i32\n local %n u64", statement: "%o, %n = sub_overflow(%a, 5:u32)",
		after: "%o && %n == 18446744073709551615", sat: true},
	{name: "unreachable", statement: "unreachable"},
	{name: "assumption", statement: "assume %a > 3", after: "%a < 5", sat: true},
	{name: "assumption that does not hold", statement: "unreachable unless %a > 3", after: "%a < 4"},
	{name: "assumption that is undefined", before: "%b == 0", statement: "assume %a / %b == 0"},

	{name: "bool", decl: "local %n bool = 1", statement: "%n = bool(%a)", after: "%a == 256 && i32(%n) == 1", sat: true},
	{name: "bool is 0 or 1", decl: "local %n bool = ?0", after: "i32(%n) > 1"},

	{name: "member", types: "struct S {a i32, b [3]i16, c i32}", decl: "local %s S = {1, 2, 3, 4, 5}", statement: "%x = i32(%s.b[%a]) + %s.c",
		after: "%x == 9", sat: true},
	{name: "member out of bounds", types: "struct S {a i32, b [3]i32, c i32}", decl: "local %s S = {1, 2, 3, 4, 5}",
		before: "%a == 3", statement: "%x = %s.b[%a]"},
	{name: "bit-field", types: "struct S {a i32:5, b u32:3}", decl: "local %s S = {1, 2}", statement: "%s.b = u3(%a)",
		after: "i32(%s.b) == 7 && %a > 100", sat: true},
	{name: "signed bit-field", types: "struct S {a i32:5, b u32:3}", decl: "local %s S = {1, 2}", statement: "%s.a = i5(%a)", after: "i32(%s.a) > 15"},
	{name: "array of structs", types: "struct S {a i32, b i32}", decl: "global @s [2]S = {1, 2, 3, 4}", statement: "@s[%a].b = %b",
		after: "@s[0].b == 77 && @s[1].b == 4", sat: true},
	{name: "copy", types: "struct S {a i32, b i32}", decl: "local %s S\n global @t [2]S = {1, 2, 3, 4}", statement: "%s = @t[%a]",
		after: "%s.a == 3 && %s.b == 4", sat: true},
	{name: "copy of what has no value", types: "struct S {a i32, b i32}", decl: "local %s S\n local %t S = {1, 2}",
		statement: "%t = %s", after: "%t.a == 0"},
	{name: "copy to one of two", types: "struct S {a i32, b i32}", decl: "local %s [2]S\n local %t S = {1, 2}",
		before: "%a != %b", statement: "%s[%a] = %t", after: "%s[%b].a == 1"},
	{name: "union", types: "union U {a i32, b u16}", decl: "global @u U = {1, _}", statement: "@u.b = 5", after: "i32(@u.b) == 5", sat: true},
	{name: "union, another member", types: "union U {a i32, b u16}", decl: "global @u U = {1, _}", statement: "@u.b = 5", after: "@u.a == 5"},
	{name: "union, perhaps another member", types: "union U {a i32, b u16}", decl: "global @u [2]U = {1, _, 2, _}",
		before: "%a == %b", statement: "@u[%a].b = 5", after: "@u[%b].a == 1"},
	{name: "copy of a union", types: "union U {a i32, b u16}", decl: "local %v U\n global @u [2]U = {1, _, 2, _}",
		statement: "%v = @u[%a]", after: "%v.a == 2", sat: true},
	{name: "a struct in a union", types: "struct S {p i32, q i32}\n union U {a i32, b S}", decl: "local %s S = {7, 8}\n local %u U",
		statement: "%u.b = %s", after: "%u.b.q == 8 && %u.b.p == 7", sat: true},

	{name: "pointer", decl: "static @p *i32 = &@g[2]\n global @g [4]i32 = {1, 2, 3, 4}", statement: "*(@p + -1) = %a",
		after: "@g[1] == 77", sat: true},
	{name: "pointer that is assigned", decl: "local %p *i32", statement: "%p = &%b\n *%p = 5", after: "%b == 5", sat: true},
	{name: "null", decl: "static @p *i32", statement: "%x = *@p"},
	{name: "behind the array", decl: "static @p *i32 = &@g[3]\n global @g [4]i32", statement: "%x = *(@p + 1)"},
	{name: "beyond the array", decl: "static @p *i32 = &@g[3]\n global @g [4]i32", statement: "@p = @p + 2"},
	{name: "sign through a pointer", decl: "local %p *u32", statement: "%p = cast(*u32, &%a)", after: "*%p == 4294967295:u32", sat: true},
	{name: "pointers compare", decl: "static @p *i32 = &@g[3]\n global @g [4]i32", before: "@p - &@g[1] == 2:i64", after: "@p == &@g[3]", sat: true},
	{name: "pointers differ", decl: "static @p *i32 = &@g[3]\n global @g [4]i32", after: "@p == &@g[2]"},
}

func TestLanguage(t *testing.T) {
	need.Long(t)
	s := newSolver(t, Options{})
	for i, r := range languageRules {
		t.Run(r.name, func(t *testing.T) {
			p := parse(t, r.text(), "entry first then last exit")
			m, err := s.Solve(p, stream(i))
			if !r.sat {
				require.ErrorIs(t, err, solve.ErrUnsat)
				return
			}
			require.NoError(t, err)
			require.NoError(t, follows(p, m))
		})
	}
}

const dispatch = `
func @f(%a i32) i32 {
    local %x i32 = 0
  entry:
    goto first
  first:
    switch %a + %x {?0: one, ?1: two, 100..200: one, ?2..?3: two, else rest}
  one:
    %x = %x + 50
    goto first
  two:
    %x = %x + 60
    goto first
  rest:
    switch %x {?4: one, ?5: two, 7: exit, else exit}
  exit:
    return %x
}
`

func TestSwitch(t *testing.T) {
	s := newSolver(t, Options{})
	for i, path := range []string{
		"entry first rest exit",
		"entry first one first two first rest exit",
		"entry first two first two first two first one first rest exit",
		"entry first two first rest two first one first rest exit",
	} {
		p := parse(t, dispatch, path)
		m, err := s.Solve(p, stream(i))
		require.NoError(t, err)
		require.NotContains(t, m.Set, false, "labels differ, met or not")
		require.NoError(t, ir.Check(ir.Concretize(p.Func, m)))
		require.NoError(t, follows(p, m))
	}
	// ?4 would have to be both 0 and 50.
	_, err := s.Solve(parse(t, dispatch, "entry first rest one first rest one first rest exit"), stream(0))
	require.ErrorIs(t, err, solve.ErrUnsat)
	_, err = s.Solve(parse(t, dispatch, "entry first rest two first rest one first rest exit"), stream(0))
	require.NoError(t, err)
}

func TestWhatIsNotEncoded(t *testing.T) {
	s := newSolver(t, Options{})
	for _, r := range []rule{
		{decl: "local %f f64 = 1", statement: "%f = %f * 2.0"},
		{decl: "local %f f64 = 1", statement: "%x = i32(%f)"},
		{decl: "local %v <4>i32 = {1, 2, 3, 4}", statement: "%v = -%v"},
		{decl: "local %p *i32\n local %g [4]i32 = {1, 2, 3, 4}", statement: "%p = &%g[%a]"},
	} {
		_, err := s.Solve(parse(t, r.text(), "entry first then last exit"), stream(0))
		require.ErrorIs(t, err, solve.ErrUnknown, r.statement)
		require.ErrorContains(t, err, "not encoded")
	}
}
