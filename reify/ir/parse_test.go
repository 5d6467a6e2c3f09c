package ir_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// body returns a function with the statements lines, which begin at line 6.
func body(lines ...string) string {
	return "func @f(%a i32) i32 {\n  local %x [2]i32\n  global @g u8\n  local %l i64\nentry:\n" +
		strings.Join(lines, "\n") + "\ngoto exit\nexit:\nreturn 0\n}\n"
}

// switchTo returns a function whose switch has the target label in line 6.
func switchTo(label string) string {
	return strings.Replace(body("switch %a {1: "+label+", else exit}"), "\ngoto exit", "", 1)
}

// head returns a function with the declarations lines, which begin at line 2.
func head(lines ...string) string {
	return "func @f() i32 {\n" + strings.Join(lines, "\n") + "\nentry:\nreturn 0\n}\n"
}

func TestSyntaxErrors(t *testing.T) {
	rows := []struct{ text, want string }{
		{"x", `1:1: expected "func", "foreign" or "case", found "x"`},
		{"\n \t#", `2:3: unexpected character '#'`},
		{"é", `1:1: unexpected character 'Ã'`},
		{"func f() i32 {", `1:6: expected @ and the function's name, found "f"`},
		{"func @f(", `1:9: expected % and the name of a param, found end of text`},
		{"func @f(@a i32) i32 {", `1:9: expected % and the name of a param, found "@a"`},
		{"func @f(%a i32 %b i32) i32 {", `1:16: expected ",", found "%b"`},
		{"func @f(%a i32, %a i32) i32 {", `1:17: variable "%a" is declared twice`},
		{"func @f(%a i32 = 1) i32 {", `1:16: expected ",", found "="`},
		{"func @f() [2]i32 {", `1:11: expected an integer type, found "["`},
		{"func @f() i33 {", `1:11: expected an integer type, found "i33"`},
		{"func @f() i32 {}", `1:16: expected end of line, found "}"`},
		{"func @f() i32 {\n}", `2:1: function @f has no blocks`},
		{"func @f() i32 syms 1 {\ne:\nreturn ?1\n}", `1:15: the function has 1 symbols and ?1`},
		{"func @f() i32 syms 1048577 {", `1:20: number of symbols 1048577 is over 1048576`},
		{"func @f() i32 {\nlocal @x i32\n", `2:7: expected % and the name of a local, found "@x"`},
		{"func @f() i32 {\nstatic %x i32\n", `2:8: expected @ and the name of a static, found "%x"`},
		{"func @f() i32 {\nparam %x i32\n", `2:1: expected a declaration or a label, found "param"`},
		{"func @f() i32 {\nlocal %x [0]i32\n", `2:10: array of length 0`},
		{"func @f() i32 {\nlocal %x [1048577]i32\n", `2:11: array length 1048577 is over 1048576`},
		{"func @f() i32 {\nlocal %x [99999999999999999999]i32\n", `2:11: array length 99999999999999999999 is over 1048576`},
		{"func @f() i32 {\nlocal %x [1024][1025]i32\n", `2:16: array of more than 1048576 scalars`},
		{"func @f() i32 {\nlocal %x [1048576]i32\nlocal %y i8\n", `3:7: the variables hold more than 1048576 scalars`},
		{"func @f() i32 {\nlocal %x " + strings.Repeat("[1]", 501), `2:1510: array of more than 500 dimensions`},
		{"func @f() i32 {\nlocal %x [2]i32 = {}\n", `2:20: expected a constant or a symbol, found "}"`},
		{"func @f() i32 {\nlocal %x [2]i32 = {1, 2 3}\n", `2:25: expected "}", found "3"`},
		{"func @f() i32 {\nlocal %x i32 = @g\n", `2:16: expected a constant or a symbol, found "@g"`},
		{"func @f() i32 {\nstatic @x i32 = @f()\n", `2:17: expected a constant or a symbol, found "@f"`},
		{"func @f() i32 {\nstatic @x i32 = 1 + 2\n", `2:19: expected end of line, found "+"`},
		{"func @f() i32 {\nlocal %x i32 = {1}\n", `2:16: expected a constant or a symbol, found "{"`},
		{"func @f() i32 {\nlocal %x i8 = 128\n", `2:15: 128 does not fit i8`},
		{"func @f() i32 {\nlocal %x i8 = -129\n", `2:15: -129 does not fit i8`},
		{"func @f() i32 {\nlocal %x u64 = -1\n", `2:16: -1 does not fit u64`},
		{"func @f() i32 {\nlocal %x u64 = 18446744073709551616\n", `2:16: 18446744073709551616 does not fit u64`},
		{"func @f() i32 {\nlocal %x i64 = 9223372036854775808\n", `2:16: 9223372036854775808 does not fit i64`},
		{"func @f() i32 {\nlocal %x i32 = ?1048576\n", `2:16: symbol 1048576 is over 1048575`},
		{"func @f() i32 {\ne:\nf:\n", `3:1: expected a statement, goto, if, switch or return, found "f"`},
		{"func @f() i32 {\ne:\ngoto e\ne:\nreturn 1\n}", `4:1: label "e" is defined twice`},
		{"func @f() i32 {\ne:\ngoto b\n}", `3:6: no block is labelled "b"`},
		{"func @f() i32 {\ne:\ngoto e\n", `4:1: expected "}", found end of text`},
		{body("goto exit", "goto exit"), `7:1: expected "}", found "goto"`},
		{body("%y = 1"), `6:1: variable "%y" is not declared`},
		{body("%g = 1"), `6:1: variable "%g" is not declared`},
		{body("%x = 1"), `6:1: "%x" has too few indices`},
		{body("%a = %x"), `6:6: "%x" has too few indices`},
		{body("%a = %x[0][1]"), `6:6: "%x" has too many indices`},
		{body("%a[0] = 1"), `6:1: "%a" has too many indices`},
		{body("%a = "), `6:6: expected an operand, found end of line`},
		{body("%a = 1 +"), `6:9: expected an operand, found end of line`},
		{body("%a = %a %a"), `6:9: expected end of line, found "%a"`},
		{body("%a = -)"), `6:7: expected an operand, found ")"`},
		{body("%a = 1:2"), `6:8: expected an integer type, found "2"`},
		{body("%a = (1"), `6:8: expected ")", found end of line`},
		{body("%a = i32 1"), `6:10: expected "(", found "1"`},
		{body("%a = @h(1)"), `6:6: no function is named "@h"`},
		{body("%a = @f(1"), `6:10: expected ",", found end of line`},
		{body("%a = @f(,)"), `6:9: expected an operand, found ","`},
		{body("%a = @f(2147483648)"), `6:9: 2147483648 does not fit i32`},
		{body("%a = @f(1, 2147483648)"), `6:12: 2147483648 does not fit i32`},
		{body("%l = 1 + @f(1) + 2147483648"), `6:18: 2147483648 does not fit i32`},
		{body("@f(1) = 1"), `6:1: variable "@f" is not declared`},
		{"case f() = 1 path e\nfunc @f() i32 {\ne:\nreturn 1\n}", `1:6: no function is named "f"`},
		{body("%a = checksum(1)"), `6:15: expected a variable, found "1"`},
		{body("%a = checksum(%a @g)"), `6:18: expected ",", found "@g"`},
		{body("%a = 2147483648"), `6:6: 2147483648 does not fit i32`},
		{body("%a = 1 + %a * -2147483649"), `6:15: -2147483649 does not fit i32`},
		{body("%x[-2147483649] = 1"), `6:4: -2147483649 does not fit i32`},
		{body("@g = 256"), `6:6: 256 does not fit u8`},
		{body("%a = i32(@g) + 4294967296"), `6:16: 4294967296 does not fit i32`},
		{body("%l = 1 + (2 + (3 < 4294967296))"), `6:20: 4294967296 does not fit i32`},
		{body("if %a goto exit"), `6:16: expected "else", found end of line`},
		{body("if %a goto exit else 3"), `6:22: expected a label, found "3"`},
		{body("%a = 1 ! 2"), `6:8: expected end of line, found "!"`},
		{body("%a = % a"), `6:6: expected an operand, found "%"`},
		{body("%a = %a[0] . b"), `6:6: "%a" has too many indices`},
		{body("%a = %a.b"), `6:8: a struct or union has members, nothing else`},
		{body("%a = *%a"), `6:7: expected a pointer, found an integer`},
		{body("%a = %a->b"), `6:6: expected a pointer, found an integer`},
		{body("%a = &1"), `6:7: expected a place behind &`},
		{body("%a = &%a"), `6:6: expected an integer, found a pointer`},
		{body("%a = 1.5"), `6:6: expected an integer, found a floating-point number`},
		{body("%a = i32(1e999)"), `6:10: 1e999 does not fit f64`},
		{body("%a = i32(1.5:i32)"), `6:14: expected a floating-point type, found "i32"`},
		{body("%a = 1 + 1.5"), `6:8: operands of + are an integer and a floating-point number`},
		{body("%a = 1 - &%a"), `6:8: operands of - are an integer and a pointer`},
		{body("%a = *(&%a - 1)"), `6:12: operands of - are a pointer and an integer`},
		{body("%a = 1.0 % 2.0"), `6:10: operands of % are a floating-point number and a floating-point number`},
		{body("%a = !1.0"), `6:6: operand of ! is a floating-point number`},
		{body("%a = -&%a"), `6:6: operand of - is a pointer`},
		{body("%a = i32(&%a)"), `6:10: a pointer is converted to i32`},
		{body("%a = 1 ? 2"), `6:11: expected ":", found end of line`},
		{body("%a = 1 ? 2:3"), `6:12: expected an integer type, found "3"`},
		{body("%a = ?3:i65"), `6:9: expected an integer type, found "i65"`},
		{body("%a = u1(3)"), `6:6: expected an operand, found "u1"`},
		{body("%a = popcount(1, 2)"), `6:6: "popcount" takes 1 arguments, not 2`},
		{body("%a = popcnt(1)"), `6:6: expected an operand, found "popcnt"`},
		{body("%a = null"), `6:10: expected ":", found end of line`},
		{body("%a = null:i32"), `6:11: expected a pointer type, found "i32"`},
		{body("%a = null:*S"), `6:12: record "S" is not declared`},
		{body("%a = i32(null:*i8)"), `6:10: a pointer is converted to i32`},
		{body("%a = cast(i32, %a)"), `6:11: expected a pointer type, found "i32"`},
		{body("%a = <1>i32{1}"), `6:6: vector of 1 lanes, want 2 to 64`},
		{body("%a = <1>i128{1}"), `6:9: expected an integer type, found "i128"`},
		{"func @f() i32 {\n local %a <2>u128 = {1, 2}\n entry:\n return 0\n}", `2:14: expected an integer type, found "u128"`},
		{body("%a = <128>i32{1, 2, 3}"), `6:7: number of lanes 128 is over 64`},
		{body("%a = <2>f32{1, 2}"), `6:9: expected an integer type, found "f32"`},
		{body("%a = <2>i32{1, 2}[0]"), `6:6: "<" has too many indices`},
		{body("%a = shuffle(1, 2)"), `6:14: expected a vector, found an integer`},
		{body("%a = convert(<2>i32, 1)"), `6:22: expected a vector, found an integer`},
		{body("%a, %l = div_overflow(1, 2)"), `6:10: expected add_overflow, sub_overflow or mul_overflow, found "div_overflow"`},
		{body("%a, %x = add_overflow(1, 2)"), `6:1: the destinations of an overflow are integers`},
		{body("(%a + 1) = 2"), `6:1: expected a place`},
		{body("switch %a {1: exit}"), `6:19: expected ",", found "}"`},
		{body("switch %a {1:exit, else exit}"), `6:14: expected an integer type, found "exit"`},
		{body("switch %a {%a: exit, else exit}"), `6:12: expected a constant or a symbol, found "%a"`},
		{body("switch %a {1.5: exit, else exit}"), `6:12: expected a constant or a symbol, found "1.5"`},
		{body("switch %a {2147483648: exit, else exit}"), `6:12: 2147483648 does not fit i32`},
		{switchTo("nowhere"), `6:15: no block is labelled "nowhere"`},
		{head("struct i5 {a i32}"), `2:8: "i5" is the name of a type`},
		{head("struct S {}"), `2:11: record "S" has no members`},
		{head("struct S {a i32, a i32}"), `2:18: member "a" is declared twice`},
		{head("struct S {a i32:0}"), `2:11: bit-field "a" of width 0`},
		{head("struct S {a S}"), `2:13: record "S" is not declared yet`},
		{head("struct S {a *[2]S}"), `2:17: record "S" is not declared yet`},
		{head("struct S {a *T}"), `2:14: record "T" is not declared`},
		{head("struct S {a *S}", "union S {a i8}"), `3:7: record "S" is declared twice`},
		{head("local %x i32", "struct S {a i32}"), `3:1: expected a declaration or a label, found "struct"`},
		{head("struct S {a [1024]i32}", "local %x [1025]S"), `3:10: array of more than 1048576 scalars`},
		{head("struct S {a [1048576]i32, b i8}"), `2:8: record "S" holds more than 1048576 scalars`},
		{head("local %p *i32 = 5"), `2:17: expected a pointer, found an integer`},
		{head("local %p *i32 = &%y"), `2:18: variable "%y" is not declared`},
		{head("local %p *i32 = &%p x"), `2:21: expected end of line, found "x"`},
		{head("local %p *i32 = {null}"), `2:17: expected an operand, found "{"`},
		{head("union U {a i32, b i32}", "local %u U = {1, 2}"), `3:18: expected "_", found "2"`},
		{head("local %f f32 = 1.5"), `2:16: expected a constant or a symbol, found "1.5"`},
		{"func @f(%a f32) i32 {", `1:9: parameter "%a" is not an integer`},
		{body() + "func @f", `11:6: function @f is declared twice`},
		{body() + "case g() = 1 path entry", `11:6: no function is named "g"`},
		{body() + "case f() = 1 path entry", `11:8: expected "a", found ")"`},
		{body() + "case f(b = 1) = 1 path entry", `11:8: expected "a", found "b"`},
		{body() + "case f(a = 1, b = 2) = 1 path entry", `11:13: expected ")", found ","`},
		{body() + "case f(a = 2147483648) = 1 path entry", `11:12: 2147483648 does not fit i32`},
		{body() + "case f(a = 1) = x path entry", `11:17: expected a constant, found "x"`},
		{body() + "case f(a = 1) = 1 path entry nowhere", `11:30: @f has no block labelled "nowhere"`},
		{body() + "case f(a = 1) = 1 path entry,", `11:29: expected end of line, found ","`},
	}
	for _, row := range rows {
		p, err := ir.Parse(row.text)
		assert.Nil(t, p)
		if assert.EqualError(t, err, row.want, row.text) {
			var syntax *ir.SyntaxError
			assert.ErrorAs(t, err, &syntax)
		}
	}
	assert.PanicsWithValue(t, "ir: "+rows[0].want, func() { ir.MustParse(rows[0].text) })
}

// Trees that would need too much stack are rejected, whichever way they grow.
func TestParseDepth(t *testing.T) {
	grow := map[string]func(n int) string{
		"parentheses":  func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(")", n) },
		"conversions":  func(n int) string { return strings.Repeat("i32(", n) + "1" + strings.Repeat(")", n) },
		"left chain":   func(n int) string { return strings.Repeat("1 + ", n) + "1" },
		"right chain":  func(n int) string { return strings.Repeat("1 - (", n) + "1" + strings.Repeat(")", n) },
		"indices":      func(n int) string { return strings.Repeat("%x[", n) + "1" + strings.Repeat("]", n) },
		"precedence":   func(n int) string { return strings.Repeat("1 == 1 < 1 + 1 * ", n/4) + "1" },
		"negations":    func(n int) string { return strings.Repeat("- ", n) + "%a" },
		"addresses":    func(n int) string { return strings.Repeat("*&", n/2) + "%a" },
		"selections":   func(n int) string { return strings.Repeat("1 ? 2 : ", n) + "3" },
		"conditions":   func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(") ? 2 : 3", n) },
		"floats":       func(n int) string { return "i32(" + strings.Repeat("-", n-2) + "(1.5))" },
		"mixed chains": func(n int) string { return strings.Repeat("(1 + ", n/2) + "1" + strings.Repeat(") * 2", n/2) },
	}
	for name, text := range grow {
		t.Run(name, func(t *testing.T) {
			_, err := ir.Parse(body("%a = " + text(100_000)))
			require.ErrorContains(t, err, "of more than 500 levels")
			p, err := ir.Parse(body("%a = " + text(ir.MaxDepth-1)))
			require.NoError(t, err)
			require.NoError(t, p.Check())
			requireRoundTrip(t, p)
		})
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/text/*.txtar")
	require.NoError(f, err)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(string(txtar.Parse(data).Files[0].Data))
	}
	for seed := range uint64(30) {
		f.Add(randomProgram(choice.New(choice.Derive(seed, "parse")), 4).String())
	}
	f.Add(body("%a = 1 +", "%x[%x[0]] = i32(3:u8 < ?2) % %a"))
	f.Fuzz(func(t *testing.T, text string) {
		text = text[:min(len(text), need.MostInput)]
		var p *ir.Program
		var err error
		need.Little(t, func() { p, err = ir.Parse(text) })
		if err != nil {
			var syntax *ir.SyntaxError
			if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Col < 1 {
				t.Fatalf("not a syntax error: %#v", err)
			}
			return
		}
		requireRoundTrip(t, p)
		need.Little(t, func() { err = p.Check() }) // must not panic
		for _, fn := range p.Funcs {
			require.Equal(t, fn.String(), ir.Clone(fn).String())
			if err == nil {
				require.Len(t, fn.Graph(), len(fn.Blocks))
			}
		}
	})
}

func TestStringAlone(t *testing.T) {
	f := ir.MustParse(body("@g = 3", "%a = 3", "%l = %l + 2")).Funcs[0]
	stmts := f.Blocks[0].Stmts
	src := func(i int) ir.Expr { return stmts[i].(*ir.Assign).Src }
	rows := []struct {
		node fmt.Stringer
		want string
	}{
		{f.Vars[1], "%x"},
		{f.Vars[2], "@g"},
		{stmts[0], "@g = 3"},
		{src(0), "3:u8"},
		{src(1), "3"},
		{src(2), "%l + 2"},
		{f.Blocks[0].Term, "goto exit"},
		{&ir.Return{Val: src(0)}, "return 3"},
		{&ir.Return{Val: &ir.Binary{Op: ir.Sub, X: &ir.Sym{T: ir.I64, ID: 3}, Y: &ir.Const{T: ir.I64}}}, "return ?3 - 0"},
		{&ir.Return{Val: &ir.Binary{Op: ir.Lt, X: &ir.Sym{T: ir.I64, ID: 3}, Y: &ir.Const{T: ir.I64}}}, "return ?3:i64 < 0:i64"},
		// What is broken prints, too.
		{&ir.Assign{}, "<nil> = <nil>"},
		{&ir.If{}, "if <nil> goto <nil> else <nil>"},
		{&ir.Load{Place: &ir.Elem{Base: &ir.VarRef{}}}, "<nil>[<nil>]"},
		{&ir.Binary{Op: 99}, "<nil> Op(99) <nil>"},
		{ir.Kind(9), "Kind(9)"},
		{&ir.Var{Name: "v"}, "%v"},
		{&ir.Claim{}, "case <nil>\n"},
		{&ir.Claim{Func: f, Args: []int64{1, 2}, Path: []int{0, 9}}, "case f(a = 1, <nil> = 2) = 0 path entry <9>\n"},
		{&ir.Function{Name: "f", Vars: []*ir.Var{{Name: "v", Kind: ir.Local}}, Blocks: []*ir.Block{{Name: "b", Stmts: []ir.Stmt{nil}}}},
			"func @f() u0 {\n    local %v <nil>\n  b:\n    <nil>\n    <nil>\n}\n"},
	}
	for _, row := range rows {
		assert.Equal(t, row.want, row.node.String())
	}
}

// FuzzForeign parses texts of foreign functions. What parses prints and parses to the
// same, and what Check accepts has answers that are found, and a clone.
func FuzzForeign(f *testing.F) {
	for _, text := range []string{
		foreignText,
		"foreign @ra() i32 {\n    c \"int ra(void) { return 1; }\"\n}\n",
		"foreign @rb(%x u64) bool {\n    models ilp32\n    answer (18446744073709551615) = 1 steps 3\n    c \"enum { rb_A = 2 };\"\n    c \"_Bool rb(unsigned long long x) { return x > rb_A; } /* \\\" */\"\n}\n",
		"foreign @rc() i32 {\n    c \"int rc(void) { return '\\\\''; }\"\n    c \"\\\\\"\n}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ir.Parse(text)
		if err != nil {
			return
		}
		printed := p.String()
		again, err := ir.Parse(printed)
		require.NoError(t, err)
		assert.Equal(t, printed, again.String())
		if p.Check() != nil {
			return
		}
		require.NoError(t, again.Check())
		assert.Equal(t, printed, p.Clone().String())
		for _, fn := range p.Funcs {
			if fn.Foreign == nil {
				continue
			}
			for _, a := range fn.Foreign.Answers {
				got, ok := fn.Foreign.Answer(a.Args)
				assert.True(t, ok)
				assert.Equal(t, a, got)
			}
		}
	})
}

const foreignText = `foreign @r1f9c(%a u32, %b i8) i32 {
    origin "toys 1 a.c f"
    licence "MIT"
    models lp64
    answer (0, -7) = 18 steps 12
    answer (4294967295, 7) = -1
    c "struct r1f9c_s { int x; };"
    c "static int r1f9c_g(struct r1f9c_s *p) { return p->x; }"
    c "int r1f9c(unsigned a, signed char b)"
    c "{"
    c "\tstruct r1f9c_s s = {(int)a + b};"
    c "\treturn r1f9c_g(&s) == ';' ? \"}\"[0] : 2;"
    c "}"
}
`

// What a foreign function must not be is said.
func TestForeign(t *testing.T) {
	p := ir.MustParse(foreignText)
	require.NoError(t, p.Check())
	assert.Equal(t, foreignText, p.String())
	for name, tt := range map[string]struct{ old, new, err string }{
		"order":    {"(0, -7)", "(4294967295, 8)", "answer 1: not in ascending order"},
		"name":     {"foreign @r1f9c(", "foreign @f(", "foreign: the name is not r and hexadecimal digits"},
		"odd type": {"%b i8", "volatile %b i8", "%b is not a parameter without qualifiers"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, foreignText, tt.old)
			q, err := ir.Parse(strings.Replace(foreignText, tt.old, tt.new, 1))
			require.NoError(t, err)
			assert.ErrorContains(t, q.Check(), tt.err)
		})
	}
	for text, err := range map[string]string{
		"foreign @ra() i32 {\n}\n":                              `2:1: expected "c", found "}"`,
		"foreign @ra() i32 {\n    c 7\n}\n":                     "2:7: expected a string, found \"7\"",
		"foreign @ra() i32 {\n    c \"x\n}\n":                   "2:7: a string that does not end or has a wrong escape",
		"foreign @ra(%a u8) i32 {\n    answer (256) = 1\n}\n":   "2:13: 256 does not fit u8",
		"foreign @ra() i32 {\n    models big\n    c \"x\"\n}\n": "2:12: expected lp64 or ilp32, found \"big\"",
	} {
		_, got := ir.Parse(text)
		assert.EqualError(t, got, err)
	}
}
