package reduce

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// Each pass alone, on programs for which the test is that some text is in them.
func TestDataPasses(t *testing.T) {
	for _, test := range []struct {
		pass  string
		keeps string // words, each of which must stay
		in    string // variables, a line with the entry's statements, what is returned
		want  string
	}{
		{"known values", "%b =", "local %a i32 = 3; local %b i32; %b = %a * 2; %a", "local %b i32; %b = 6; 3"},
		{"first operands", "return", "local %a i32 = 3; local %b i32 = 4; %a = %a * 7 - %b; %a", "local %a i32 = 3; %a = %a; %a"},
		{"first operands", "%b", "local %a i32 = 3; local %b i64 = 4; %a = %b < 5; %a", "local %a i32 = 3; local %b i64 = 4; %a = i32(%b); %a"},
		{"other operands", "%b", "local %a i32 = 3; local %b i32 = 4; %a = %a - %b; %a", "local %a i32 = 3; local %b i32 = 4; %a = %b; %a"},
		{"leaves", "%b", "local %a i32 = 3; local %b i32 = 4; %a = (%a - 7) * (1 + -%b); %a", "local %a i32 = 3; local %b i32 = 4; %a = %b; %a"},
		{"zeros", "%a =", "local %a i32 = 3; %a = (%a - 7) * 2; 5", "local %a i32 = 3; %a = 0; 5"},
		{"ones", "%a =", "local %a i32 = 3; %a = (%a - 7) * 2; 5", "local %a i32 = 3; %a = 1; 5"},
		{"plainer", "%a", "local %a i32 = 3; %a = %a + 4 - 6 - -1; %a", "local %a i32 = 3; %a = %a - 1; %a"},
		{"plainer", "%a", "local %a i32 = 3; %a = %a * -1; %a - 1 <= 4", "local %a i32 = 3; %a = -%a; %a <= 5"},
		{"plainer", "%a", "local %a i32 = 3; %a = !(%a - 8 < 0); %a * -2 < 6", "local %a i32 = 3; %a = %a >= 8; %a > -3"},
		{"plainer", "%a", "local %a i32 = 3; %a = %a - 2147483647 - 2; %a", "same"},
		{"plainer", "%a", "local %a i32 = 3; %a = %a - (%a + 512) - 7; %a - (%a - 7) == 2147386783", "local %a i32 = 3; %a = %a - %a - 519; %a - %a == 2147386776"},
		{"plainer", "%a", "local %a u32 = 3; %a = %a - 4294967295 - 2; i32(%a)", "local %a u32 = 3; %a = %a - 1; i32(%a)"},
		{"plainer", "%a", "local %a i32 = 3; %a = i32(f64(%a)); %a", "local %a i32 = 3; %a = %a; %a"},
		{"plainer", "%a", "local %a i32 = 3; %a = i32(i128(%a)); f64(%a) < f64(%a)", "local %a i32 = 3; %a = %a; %a < %a"},
		{"plainer", "%a", "local %a i64 = 3; %a = i64(i32(i8(7))); i32(%a)", "local %a i64 = 3; %a = 7; i32(%a)"},
		{"overflow", "*", "local %a i32 = 3; local %b i32 = 2; %a, %b = mul_overflow(%b, %b); %b", "local %b i32 = 2; %b = %b * %b; %b"},
		{"copies", "return", "local %a [3]i32 = {1, 2, 3}; memmove(&%a[1], &%a[0], 2); %a[1]", "local %a [3]i32 = {1, 2, 3}; %a[1] = %a[0]; %a[1]"},
		{"copies", "mem", "local %a [3]i32 = {1, 2, 3}; memmove(&%a[1], &%a[0], 1); %a[1]", "local %a [3]i32 = {1, 2, 3}; memcpy(&%a[1], &%a[0], 1); %a[1]"},
		{"copies", "return", "local %a u8 = 1; memset(&%a, 511, 1); i32(%a)", "local %a u8 = 1; %a = 255; i32(%a)"},
		{"pointers", "%p =", "local %a i32 = 1; local %p *i32 = null; %p = %a ? &%a : null:*i32; *%p", "local %a i32 = 1; local %p *i32 = null; %p = &%a; *%p"},
		{"floats", "%x = %x", "local %x f64 = 3; %x = %x * 2.0 + 1.5; i32(%x)", "local %x f64 = 3; %x = %x; i32(0.0)"},
		{"vectors", "%v =", "local %v <2>i32 = {1, 2}; %v = ~(%v + %v); %v[0]", "local %v <2>i32 = {1, 2}; %v = %v; %v[0]"},
		{"wides", "%v =", "local %v i128; %v = ~(%v + i128(7)); i32(%v)", "local %v i128; %v = i128(0); i32(i128(0))"},
		{"vectors", "%v =", "local %v <2>i32 = {1, 2}; %v = bitcast(<2>i32, call(~bitcast(<4>u16, %v))); %v[0]", "local %v <2>i32 = {1, 2}; %v = %v; %v[0]"},
		{"vectors", "%v = s", "local %v <2>i32 = {1, 2}; %v = shuffle(<3>i32{1, 2, 3} ^ convert(<3>i32, <3>u8{1, 2, 4}), <3>i32{1, 2, 3}, 0, 5); %v[0]",
			"local %v <2>i32 = {1, 2}; %v = shuffle(<3>i32{1, 2, 3}, <3>i32{1, 2, 3}, 0, 5); %v[0]"},
		{"pointers", "%p =", "local %a i32 = 1; local %p *i32 = &%a; %p = &%a; 0", "local %p *i32 = null; %p = null:*i32; 0"},
		{"direct", "%a", "local %a i32 = 1; local %p *i32 = &%a; *%p = 4; %a", "local %a i32 = 1; %a = 4; %a"},
		{"const and volatile", "%p =", "const volatile local %a i32 = 1; local %p *const volatile i32 = null; %p = &%a; %a", "local %a i32 = 1; local %p *i32 = null; %p = &%a; %a"},
		{"locals", "g[0]", "global @g [2]i32; @g[0] = 1; @g[1]", "local %g [2]i32 = {0, 0}; %g[0] = 1; %g[1]"},
		{"fields", "%s.b", "struct s {a i32, b i32}; local %s s = {1, 2}; %s.b = 3; %s.b", "struct s {b i32}; local %s s = {2}; %s.b = 3; %s.b"},
		{"split", "return", "struct s {a i32, b i32}; local %s s = {1, 2}; %s.b = 3; %s.b", "local %s_b i32 = 2; %s_b = 3; %s_b"},
		{"flatter", "[2]", "local %a [3][2]i32 = {1, 2, 3, 4, 5, 6}; %a[0][1] = 3; %a[2][1]", "local %a [2]i32 = {1, 2}; %a[1] = 3; %a[1]"},
		{"shorter arrays", "[", "local %a [9]i32 = {1, 2, 3, 4, 5, 6, 7, 8, 9}; %a[1] = 3; %a[2]", "local %a [3]i32 = {1, 2, 3}; %a[1] = 3; %a[2]"},
		{"merged", "return", "local %a i32 = 1; local %b i32 = 2; %a = %b + %a; checksum(%a, %b)", "local %a i32 = 1; %a = %a + %a; checksum(%a)"},
		{"uninitialised", "return", "local %a i32 = 1; local %b i32 = 2; %a = %b; %a", "local %a i32; local %b i32 = 2; %a = %b; %a"},
		{"initialised", "return", "local %a i32 = 1; %a = 2; %a", "local %a i32 = 2; %a"},
		{"types", "return", "local %a i64 = 1; %a = i64(u8(%a)) + 1; i32(%a)", "local %a i32 = 1; %a = %a + 1; %a"},
		{"types", "i64", "local %a u64 = 1; local %b u8 = 7; %a = u64(%b) + 1; i32(%a)", "local %a i64 = 1; local %b i32 = 7; %a = i64(%b) + 1; i32(%a)"},
		{"types", "return", "struct s {a u32 : 3, b i64 : 40}; local %s s = {1, 2}; %s.a = u3(%s.b); i32(%s.a)", "struct s {a i32, b i32}; local %s s = {1, 2}; %s.a = %s.b; %s.a"},
		{"variable types", "i64", "local %a i64 = 1; local %b i8 = 1; %b = i8(%a); i32(%b)", "local %a i64 = 1; local %b i32 = 1; %b = i32(%a); %b"},
		{"results", "%b", "local %a i32 = 1; local %b i32 = 2; %b = %b + %a; checksum(%a, %b)", "local %a i32 = 1; local %b i32 = 2; %b = %b + %a; 0"},
		{"checksums", "%b)", "local %a i32 = 1; local %b i32 = 2; %b = 3; checksum(%a, %b)", "local %b i32 = 2; %b = 3; checksum(%b)"},
		{"zero constants", "8", "local %a i32 = 5; %a = 8; %a", "local %a i32 = 0; %a = 8; %a"},
		{"one constants", "%a + 1", "local %a i32 = 5; %a = %a + 12; %a", "local %a i32 = 1; %a = %a + 1; %a"},
		{"simpler constants", "- ", "local %a i32 = -1234567; %a = %a - 1048575; %a", "local %a i32 = -37; %a = %a - 31; %a"},
		{"names", "return", "local %value i32 = 1; %value = 2; %value", "local %a i32 = 1; %a = 2; %a"},
	} {
		t.Run(test.pass, func(t *testing.T) {
			p := program(t, test.in)
			want := test.want
			if want == "same" {
				want = test.in
			}
			got := alonePass(t, p, test.pass, test.keeps)
			assert.Equal(t, body(program(t, want)), body(got))
		})
	}
}

// body returns the text of p without its case.
func body(p *ir.Program) string {
	text, _, _ := strings.Cut(p.String(), "case ")
	return text
}

// program returns a program of one block, from declarations and statements
// between semicolons, and what it returns after the last one.
func program(t *testing.T, text string) *ir.Program {
	t.Helper()
	parts := strings.Split(text, "; ")
	result := "i32"
	if strings.Contains(parts[len(parts)-1], "checksum") {
		result = "u32"
	}
	var declared, code []string
	for _, s := range parts[:len(parts)-1] {
		if strings.Contains(s, "local ") || strings.HasPrefix(s, "global ") || strings.HasPrefix(s, "struct ") {
			declared = append(declared, s)
		} else {
			code = append(code, s)
		}
	}
	lines := append([]string{"func @f() " + result + " {"}, declared...)
	lines = append(append(lines, "entry:"), code...)
	lines = append(lines, "return "+parts[len(parts)-1], "}", "case f() = 0 path entry", "")
	p, err := ir.Parse(strings.Join(lines, "\n"))
	require.NoError(t, err)
	r, err := execute(p, 0)
	require.NoError(t, err)
	p.Claims[0].Want, p.Claims[0].Path = r.value, r.path
	return p
}

// alonePass reduces p with one pass, as long as words stay in its text.
func alonePass(t *testing.T, p *ir.Program, name string, words string) *ir.Program {
	t.Helper()
	e, err := newEngine(context.Background(), Candidate{Program: p}, Options{
		Test: func(_ context.Context, c Candidate) (bool, error) {
			return strings.Contains(body(c.Program), words), nil
		},
	})
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, e.try([]pass{passNamed(t, name)}))
	}
	return e.best.Program
}

func TestSimpler(t *testing.T) {
	for _, test := range []struct {
		t    ir.Int
		v    int64
		want []int64 // by rank; 0 is none
	}{
		{ir.I32, 99, []int64{0, 0, 0, 0}},
		{ir.I32, 1937462, []int64{1892, 1000000, 968731, 1900000}},
		{ir.I32, -1937462, []int64{-1892, -1000000, -968731, -1900000}},
		{ir.I32, 1000, []int64{31, 0, 500, 0}},
		{ir.I64, 1 << 62, []int64{2147483648, 4000000000000000000, 2305843009213693952, 4600000000000000000}},
	} {
		for rank, want := range test.want {
			got, ok := simpler(test.t, test.v, rank)
			if want == 0 {
				assert.False(t, ok, "%d at rank %d: %d", test.v, rank, got)
			} else {
				assert.Equal(t, want, got, "%d at rank %d", test.v, rank)
				assert.True(t, ok, "%d at rank %d", test.v, rank)
			}
		}
	}
}
