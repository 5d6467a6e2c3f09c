package golang

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/lower"
	"goreify/reify/solve/search"
)

const loopText = `
func @f(%a i32) u32 {
    static @g [2]i32 = {5, 6}
  entry:
    goto b1
  b1:
    %a = %a * 3 - 4
    if %a <= 99 goto b1 else exit
  exit:
    return checksum(%a, @g)
}
case f(a = 7) = 3945841318 path entry b1 b1 b1 exit
`

// body returns the function of a text, from its comment on.
func body(text, name string) string {
	_, text, _ = strings.Cut(text, "\n// "+name+"(")
	text, _, _ = strings.Cut(text, "\n}\n")
	return "// " + name + "(" + text + "\n}\n"
}

// What the package comment shows is what is written.
func TestForms(t *testing.T) {
	c := ir.MustParse(loopText).Claims[0]
	for _, tt := range []struct {
		style Style
		want  string
	}{
		{Style{}, `// f(7) returns 3945841318 by way of entry b1 b1 b1 exit.
func f(a int32) uint32 {
	var crc uint32
	goto b1
b1:
	a = a * 3 - 4
	if a <= 99 {
		goto b1
	}
	goto exit
exit:
	crc = 0
	crc = crc32(crc, uint64(a), 4)
	for _, e0 := range f_g {
		crc = crc32(crc, uint64(e0), 4)
	}
	return crc
}
`},
		{Style{Structured: true, NoInline: true}, `// f(7) returns 3945841318 by way of entry b1 b1 b1 exit.
//
//go:noinline
func f(a int32) uint32 {
	var crc uint32
	for {
		a = a * 3 - 4
		if a > 99 {
			break
		}
	}
	crc = 0
`},
		{Style{Consts: Hidden, Cond: FallThrough}, `	a = a * f_k1 - f_k2
	if a <= f_k3 {
		goto b1
	}
	crc = 0
`},
	} {
		text := emit(t, []Unit{{Claim: c, Style: tt.style}})
		assert.Contains(t, body(text, "f"), tt.want, "%s", tt.style)
	}
	assert.Equal(t, "f 3945841318 state 145329873\n", Want([]Unit{{Claim: c}}))
	assert.Contains(t, emit(t, []Unit{{Claim: c, Style: Style{Short: true}}}), "func main() {\n\tprintln(f(7))\n}\n")
	assert.Equal(t, "3945841318\n", Want([]Unit{{Claim: c, Style: Style{Short: true}}}))
	assert.Equal(t, 13, BodyLines(emit(t, []Unit{{Claim: c}})))
	trapped := *c
	trapped.Trap = ir.DivideByZero
	assert.Contains(t, emit(t, []Unit{{Claim: &trapped}}), "// f(7) traps divide-by-zero by way of entry b1 b1 b1 exit.\n")
}

// The short form has neither helpers nor declarations that it can do without.
func TestShort(t *testing.T) {
	p := ir.MustParse(`
func @f(%a u32, %b i32) i64 {
    local %c i32
    local %d i64
    local %e bool
    local %u i32
  entry:
    %c = %b > 3 ? %b : 7
    %d = 5:i64 * i64(%c)
    %u = %c
    %e = bool(%a & 4)
    if %b == %c goto b1 else exit
  b1:
    %d = %d + (%a < 9 ? 2 : 3) + i64(%e)
    goto exit
  exit:
    return %d
}
case f(a = 4, b = 7) = 38 path entry b1 exit
`)
	assert.Equal(t, `package main

//go:noinline
func f(a uint32, b int32) int64 {
	var c int32 = 7
	if b > 3 {
		c = b
	}
	d := 5 * int64(c)
	_ = c
	var e_2 uint8 = 0
	if a&4 != 0 {
		e_2 = 1
	}
	if b == c {
		var t1 int64 = 3
		if a < 9 {
			t1 = 2
		}
		d = d + t1 + int64(e_2)
	}
	return d
}

func main() {
	println(f(4, 7))
}
`, emit(t, []Unit{{Claim: p.Claims[0], Style: Style{Short: true, Structured: true, Compound: true, NoInline: true, Select: If}}}))
}

// The bits above an answer are looked at, too.
func TestWide(t *testing.T) {
	for from, want := range map[string]string{"u32": "return uint64(f(f_a))", "i8": "return int64(f(f_a))", "i64": "println(f(f_a))"} {
		c := ir.MustParse("func @f(%a i32) " + from + " {\n  entry:\n    return " + from + "(%a)\n}\ncase f(a = 7) = 7 path entry\n").Claims[0]
		assert.Contains(t, emit(t, []Unit{{Claim: c, Style: Style{Short: true, Args: Variables, Wide: true}}}), "\t"+want+"\n")
	}
}

// What Go would compute and reject is not left to it.
func TestConstants(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    local %x [2]i32 = {1, 2}
  entry:
    if %a == 1 goto odd else exit
  odd:
    %a = 2147483647 + 1
    %a = %a / 0
    %a = %a << -1
    %a = %a >> 4294967296:i64
    %a = %x[5] + i32(i8(300))
    %a = -(-2147483648)
    %a = 5 < 3 ? 1 << %a : 3 - -4
    %a = expect(2147483647, 1) + 1
    %a = i32(1:i64 << 4294967296:i64)
    goto exit
  exit:
    return %a
}
case f(a = 2) = 2 path entry exit
`)
	text := emit(t, []Unit{{Claim: p.Claims[0]}})
	for _, want := range []string{"k1 + 1", "a / k", "a << k", "a >> k", "x[k", "int8(k", "-k", "k8 << a", "a = k1 + 1\n\ta = int32(k10 << k4)"} {
		assert.Contains(t, text, want)
	}
}

// Pointers are Go's, and what C computes with them is told by package unsafe.
func TestPointers(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    struct S {x i32, p *i32}
    static @g [4]i32 = {1, 2, 3, 4}
    static @s S = {5, &@g[2]}
    local %p *i32 = &@g[1]
    local %q *u32 = null
  entry:
    %p = %p + %a
    %q = cast(*u32, %p)
    %p = %a == 1 ? &@g[%a] : &@s.x
    %a = *%p + (%p == null:*i32) + i32(%p - &@g[0]) + (%p < &@g[4]) + *@s.p
    memmove(&@g[0], &@g[%a & 1], 2)
    memset(&@g[1], 0, 2)
    goto exit
  exit:
    return %a
}
case f(a = 1) = 1 path entry exit
`)
	text := emit(t, []Unit{{Claim: p.Claims[0], Style: Style{Slices: true}}})
	for _, want := range []string{
		"\tvar p *int32 = nil", "var f_s f_S = f_S{m0_x: 5, m1_p: nil}", "\t\tf_s.m1_p = (&f_g[2])\n", "\tp = (&f_g[1])\n",
		"p = (*int32)(unsafe.Add(unsafe.Pointer(p), int(a)*int(unsafe.Sizeof(*(*int32)(nil)))))",
		"q = (*uint32)(unsafe.Pointer(p))",
		"p = func() *int32 { if a == 1 { return (*int32)(unsafe.Add(unsafe.Pointer(&f_g), int(a)*int(unsafe.Sizeof(*(*int32)(nil))))) }; return (&f_s.m0_x) }()",
		"(*p) + b2i(p == (*int32)(nil))",
		"distance(unsafe.Pointer(p), unsafe.Pointer((&f_g[0]))) / int64(int(unsafe.Sizeof(*(*int32)(nil))))",
		"copy(unsafe.Slice((&f_g[0]), 2), unsafe.Slice(", "fill(unsafe.Pointer((&f_g[1])), 2*int(unsafe.Sizeof(*(*int32)(nil))), byte(k1))",
	} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "f_g[:]", "arrays are reached by their names")
}

// Names of Go are not used twice.
func TestNames(t *testing.T) {
	p := ir.MustParse(`
func @len(%int32 i32, %func i32) i32 {
    local %crc i32 = 1
  entry:
    goto exit
  exit:
    return %int32 + %func + %crc
}
case len(int32 = 2, func = 3) = 6 path entry exit
`)
	text := emit(t, []Unit{{Claim: p.Claims[0]}, {Claim: p.Claims[0]}})
	assert.Contains(t, text, "func len_2(int32_2 int32, func_2 int32) int32 {\n\tvar crc_2 int32 = 1")
	assert.Contains(t, text, "func len_3(")
	units := []Unit{{Claim: p.Claims[0]}, {Claim: p.Claims[0]}}
	assert.Equal(t, "len_2 6\nlen_3 6\n", Want(units))
	assert.Equal(t, 1, UnitOf(units, "main.len_3.func1"))
	assert.Equal(t, -1, UnitOf(units, "main"))
	assert.Equal(t, []string{"len_2 6\n", "len_3 6\n"}, Answers(units))
}

// Equal bytes, equal style, and as many draws; words are read back.
func TestStyle(t *testing.T) {
	seen := map[string]bool{}
	for i := range 300 {
		s := reify.FromSeed(uint64(i)).Style()
		before := s.Draws()
		style := DrawStyle(s)
		require.Equal(t, 14, s.Draws()-before, "whatever the style")
		back, err := ParseStyle(style.String())
		require.NoError(t, err)
		require.Equal(t, style, back)
		for _, word := range strings.Fields(style.String()) {
			seen[word] = true
		}
		for _, form := range Forms(style.String()) {
			_, err := ParseStyle(form)
			require.NoError(t, err)
		}
	}
	for _, word := range []string{"noinline", "args=variables", "select=if", "calls=before", "calls=indirect", "vectors=loops", "vectors=helpers", "cond=else", "consts=hidden", "structured", "chains"} {
		assert.True(t, seen[word], word)
	}
	for _, bad := range []string{"teapot", "args", "args=tea", "noinline=1", "order=x"} {
		_, err := ParseStyle(bad)
		assert.ErrorContains(t, err, "unknown word", bad)
	}
}

// Supports names the node that cannot be written, and Emit would panic.
func TestSupports(t *testing.T) {
	for text, want := range map[string]string{
		"local %u C\n  entry:\n    goto exit":                                          "%u of type C",
		"local %w i128\n  entry:\n    goto exit":                                       "%w of type i128",
		"entry:\n    if i32(i64(i128(%a))) == 1 goto b else exit\n  b:\n    goto exit": "i128",
	} {
		p, err := ir.Parse("func @f(%a i32) i32 {\n  cast C {x i32, y [2]i16}\n  " + text + "\n  exit:\n    return %a\n}\n")
		require.NoError(t, err, text)
		err = Supports(p.Funcs[0])
		assert.ErrorIs(t, err, ErrUnsupported, text)
		assert.ErrorContains(t, err, want)
	}
	assert.NoError(t, Supports(ir.MustParse(loopText).Funcs[0]))
}

// Of all profiles nearly everything can be written once features are masked. All of it
// is text that Go parses, with each label that there is a jump to, once.
func TestProfiles(t *testing.T) {
	made := 0
	for _, name := range reify.Profiles() {
		p, err := reify.FindProfile(name)
		require.NoError(t, err)
		p = p.Without(Masked...)
		var units []Unit
		for i := range 6 {
			r := reify.FromSeed(uint64(i))
			conf := p.Configure(r)
			k, err := reify.Make(fmt.Sprintf("f%d", i), r, conf, search.Engine{})
			if err != nil {
				continue
			}
			lowered(k.Claims()...)
			if err := Supports(k.Func); err != nil {
				t.Log(name, err)
				continue
			}
			units = append(units, Unit{Claim: k.Claim, Style: DrawStyle(r.Style()), More: k.More})
		}
		assert.NotEmpty(t, units, name)
		made += len(units)
		text := emit(t, units)
		require.Equal(t, text, emit(t, units), name)
		file, err := parser.ParseFile(token.NewFileSet(), "repro.go", text, parser.SkipObjectResolution)
		require.NoError(t, err, name)
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				checkLabels(t, f)
			}
		}
	}
	assert.Greater(t, made, 100)
}

func checkLabels(t *testing.T, f *ast.FuncDecl) {
	labels, jumps := map[string]int{}, map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.LabeledStmt:
			labels[n.Label.Name]++
		case *ast.BranchStmt:
			if n.Label != nil {
				jumps[n.Label.Name] = true
			}
		}
		return true
	})
	for name, n := range labels {
		assert.Equal(t, 1, n, "%s: label %s", f.Name.Name, name)
		assert.True(t, jumps[name], "%s: nothing jumps to %s", f.Name.Name, name)
	}
	for name := range jumps {
		assert.Contains(t, labels, name, f.Name.Name)
	}
}

// A count keeps its value, also where it has a type without a sign.
func TestCounts(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i64) i64 {
  entry:
    %a = %a << (%a & 63) >> (%a & 4294967296)
    goto exit
  exit:
    return %a
}
case f(a = 2) = 8 path entry exit
`)
	text := emit(t, []Unit{{Claim: p.Claims[0], Style: Style{Counts: true}}})
	assert.Contains(t, text, "a = a << uint32(a & 63) >> (a & 4294967296)")
}

// What nothing depends on is computed: it may trap.
func TestSwitchWithoutLabels(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    switch 1 / %a { else exit }
  exit:
    return %a
}
case f(a = 0) under go traps divide-by-zero path entry
`)
	for _, style := range []Style{{}, {Chains: true}, {Structured: true}} {
		text := emit(t, []Unit{{Claim: p.Claims[0], Style: style}})
		assert.Contains(t, text, "\t_ = 1 / a\n")
		assert.NotContains(t, text, "t1 int32")
	}
}

// What a hidden constant is called is the name of nothing else.
func TestHiddenNames(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    static @k1 i32 = 5
    local %f_k2 i32 = 7
  entry:
    %a = %a * 3 + @k1 - 4 + %f_k2
    goto exit
  exit:
    return %a
}
case f(a = 2) = 14 path entry exit
`)
	text := emit(t, []Unit{{Claim: p.Claims[0], Style: Style{Consts: Hidden}}})
	assert.Contains(t, text, "a = a * f_k1_2 + f_k1 - f_k2_2 + f_k2")
}

// A checksum is of any depth, and stored where an index says that needs a statement
// before.
func TestChecksums(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) u32 {
    static @g [1][1][1][1][1][1][1][2]u32
  entry:
    @g[0][0][0][0][0][0][0][%a > 0 ? 1 : 0] = checksum(%a)
    goto exit
  exit:
    return checksum(@g)
}
case f(a = 2) = 0 path entry exit
`)
	text := emit(t, []Unit{{Claim: p.Claims[0], Style: Style{Select: If}}})
	before, after := strings.Index(text, "if a > 0 {"), strings.Index(text, "[t1] = crc")
	assert.Positive(t, before)
	assert.Less(t, before, after)
}

const callsText = `
func @g(%a i32) i32 {
    static @n i32 = 1
  entry:
    @n = %a
    return %a + 1
}
func @f(%a i32) i32 {
    local %b i32 = @g(2) - 1
  entry:
    if %a > 0 && @g(%a) > 1 goto more else exit
  more:
    %a = %b + @f(-@g(3)) * (%a > 5 ? @g(1) : 7)
    goto exit
  exit:
    %b = @g(9)
    return %a
}
case f(a = 6) = -6 path entry more exit
case g(a = 4) = 5 path entry
`

// Calls are written in all forms, the order of calls stays, and what lasts of all functions is
// set back and compared.
func TestCalls(t *testing.T) {
	p := ir.MustParse(callsText)
	require.NoError(t, p.Check())
	f, g := p.Claims[0], p.Claims[1]
	for _, c := range p.Claims {
		require.NoError(t, interp.Verify(c))
	}
	require.NoError(t, interp.Close(p.Claims...))
	for _, tt := range []struct {
		style Style
		want  []string
	}{
		{Style{}, []string{"\tb = g(2) - 1\n", "if a > 0 && g(a) > 1 {", "a = b + f(-g(3)) * func() int32 { if a > 5 { return g(1) }; return 7 }()"}},
		{Style{Select: If}, []string{"* func() int32 { if a > 5 {"}},
		{Style{Calls: Before}, []string{"\tt1 = g(2)\n\tb = t1 - 1\n", "if a > 0 && g(a) > 1 {", "a = b + f(-g(3)) * func()"}},
		{Style{Calls: Before, Select: If}, []string{"\tt2 = g(3)\n\tt3 = f(-t2)\n\tif a > 5 {\n\tt5 = g(1)\n\t\tt4 = t5\n\t} else {\n\t\tt4 = 7\n\t}\n\ta = b + t3 * t4\n"}},
		{Style{Calls: Wrapped}, []string{"a = b + func() int32 { return f(-func() int32 { return g(3) }()) }() *"}},
		{Style{Calls: Indirect}, []string{"a = b + f_value(-g_value(3)) *", "var g_value func(int32) int32\n", "func init() {\n\tg_value = g\n\tf_value = f\n}\n"}},
	} {
		text := emit(t, []Unit{{Claim: f, Style: tt.style}})
		for _, want := range tt.want {
			assert.Contains(t, text, want, "%s", tt.style)
		}
		assert.Contains(t, text, "func(i int) (bool, uint64) {\n\t\tg_reset()\n\t\treturn signed(int64(f(6)))\n\t}, f_state}")
		assert.Contains(t, text, "func g_reset() {\n\tg_n = 1\n}\n")
	}
	assert.Regexp(t, `^f -6 state \d+\n$`, Want([]Unit{{Claim: f}}))
	both := []Unit{{Claim: f}, {Claim: g}}
	assert.Len(t, Answers(both), 2)
	assert.Equal(t, 1, UnitOf(both, "g"))
	assert.Equal(t, 0, UnitOf(both[:1], "g"), "it is written for f")
	assert.Contains(t, emit(t, []Unit{{Claim: f, Style: Style{NoInline: true}}}), "int32 = 1\n\nfunc g(", "what it calls may be inlined")
	assert.Contains(t, emit(t, []Unit{{Claim: f, Called: map[*ir.Function]Style{g.Func: {NoInline: true}}}}), "//go:noinline\nfunc g(")
	assert.NotContains(t, emit(t, []Unit{{Claim: f, Style: Style{Short: true}}}), "reset")
}

// A call in the length of a copy is made once.
func TestCallOfCopy(t *testing.T) {
	p := ir.MustParse(`
func @g(%a i32) i32 {
  entry:
    return %a
}
func @f(%a i32) i32 {
    local %x [4]i32 = {1, 2, 3, 4}
  entry:
    memmove(&%x[0], &%x[1], @g(%a))
    return %x[2]
}
case f(a = 3) = 4 path entry
`)
	for calls := range numCalls {
		text := emit(t, []Unit{{Claim: p.Claims[0], Style: Style{Calls: calls}}})
		f := body(text, "f")
		assert.Equal(t, 1, strings.Count(f, "g(a)")+strings.Count(f, "g_value(a)"), f)
	}
}

// lowered has claims be about what their function, which is the same, is lowered to.
func lowered(list ...*ir.Claim) {
	f := lower.Function(list[0].Func, Lacks)
	for _, c := range list {
		c.Func = f
	}
}

// What is done with elements side by side is written in all styles.
func TestVectors(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    local %v <4>i32 = {1, 2, 3, 4}
    local %w <4>i32
    local %b <8>u16
    local %m [2]<4>i32
    local %d <4>i8 = {1, 2, 3, 4}
  entry:
    %d = %d * %d - <4>i8{9, 9, 9, 9}
    %d = %d < <4>i8{9, 9, 9, 9}
    %d = -%d
    %d = %d >> %d
    %w = -%v + <4>i32{%a, 1, 2, 3}
    %w = shuffle(shuffle(%v, %w, 5, -1, 0, 7), %v, 0, 5, 2, 3) < %v
    %b = bitcast(<8>u16, %v)
    %v = bitcast(<4>i32, %b)
    %m[%a & 1] = convert(<4>i32, %v)
    %v[1] = %m[%a][%a] + %v[3]
    goto exit
  exit:
    return %v[1]
}
case f(a = 0) = 5 path entry exit
`)
	require.NoError(t, p.Check())
	lowered(p.Claims...)
	c := p.Claims[0]
	for style, want := range map[Vectors][]string{
		Unrolled: {
			"\tvar v [4]int32 = [4]int32{1, 2, 3, 4}\n", "\tl6[0] = a\n\tl6[1] = 1\n", "\tw[3] = -v[3] + l6[3]\n", "\tl6[2] = v[0]\n", "\tw[0] = -b2i(l6[0] < v[0])\n",
			"\tb[1] = uint16(uint32(v[0]) >> 16)\n", "\tv[1] = int32(uint32(b[2]) | uint32(b[3]) << 16)\n", "\tl7 = a & 1\n\tm[l7] = v\n", "\tv[1] = m[a][a] + v[3]\n",
			"\td[1] = d[1] * d[1] - 9\n", "\td[2] = int8(-b2i(d[2] < 9))\n", "\td[3] = d[3] >> d[3]\n",
		},
		Loops: {
			"\tfor lane := 0; lane < 4; lane++ {\n\t\tw[lane] = -v[lane] + l6[lane]\n\t}\n", "\t\tm[l7][lane] = v[lane]\n",
			"\tfor lane := 0; lane < 4; lane++ {\n\t\td[lane] = d[lane] * d[lane] - 9\n\t}\n",
		},
		Helpers: {"\tm[l7] = v\n"},
	} {
		text := emit(t, []Unit{{Claim: c, Style: Style{Vectors: style}}})
		text, _, _ = strings.Cut(text, "var tests")
		for _, line := range want {
			assert.Contains(t, text, line, "%v", style)
		}
		_, err := parser.ParseFile(token.NewFileSet(), "repro.go", text, 0)
		assert.NoError(t, err)
	}
}

// emit writes units about claims that were made by hand.
func emit(t *testing.T, units []Unit) string {
	for _, u := range units {
		require.NoError(t, interp.Close(u.Claims()...))
	}
	return Emit(units)
}
