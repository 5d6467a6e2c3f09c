package search_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// language is what the bodies of b1 below are put into.
const language = `
func @f(%%a i32, %%b bool) u32 {
    struct S {a i32, c u8:3, d [3]i16, e i32:7}
    union U {x i64, y [2]i32}
    local %%x i32 = ?100
    local %%k u64 = ?101
    local %%n i8 = 5
    global @z i32 = 7
    static @g [2][4]i32 = {1, 2, 3, 4, 5, 6, 7, 8}
    static @q *i32 = &@g[1][1]
    local %%r *i32 = &@z
    local %%s S = {1, 2, 3, 4, 5, 6}
    local %%t S = {1, 2, 3, 4, 5, ?102}
    local %%u U = {9, _, _}
    local %%h f32 = ?103
    local %%d f64 = 3
    local %%v <4>u16 = {1, 2, 3, ?104}
    local %%w <4>i16 = {-1, -2, 3, 30000}
  entry:
    goto b1
  b1:
    %s
  exit:
    return checksum(%%a, %%b, %%x, %%k, %%n, @z, @g, %%s, %%t, %%h, %%d, %%v, %%w)
}
`

// fill gives the symbols that a model leaves open values.
func fill(f *ir.Function, m *ir.Model) *ir.Function {
	for at := range f.Exprs() {
		if sym, ok := (*at).(*ir.Sym); ok && !m.Set[sym.ID] {
			m.Syms[sym.ID] = sym.T.Wrap(1000 + 3*int64(sym.ID))
		}
	}
	return ir.Concretize(f, m)
}

// judge has the interpreter judge a model.
func judge(t testing.TB, f *ir.Function, path []int, m *ir.Model) {
	t.Helper()
	g := fill(f, m)
	require.NoError(t, ir.Check(g), "%v", g)
	got, err := interp.Run(g, m.Args, interp.Options{Fuel: len(path) + 1})
	require.NoError(t, err, "path %v, arguments %v\n%v", path, m.Args, g)
	require.Equal(t, path, got.Path, "%v", g)
}

// For each kind of node: what the engine solves is right, and it solves it.
func TestSolvesEveryNode(t *testing.T) {
	tests := []struct {
		name, body string
		visits     int
	}{
		{"bitwise", "%x = (%a & ?0) | (%x ^ ?1)\n if (%x ^ ?2) + ?3 < 0 goto b1 else exit", 2},
		{"mask decides", "if (%a & ?0) == 12 goto exit else b1", 1},
		{"xor decides", "if (%a ^ ?0) == 123456 goto exit else b1", 1},
		{"or", "if (%a | ?0) > 5 goto exit else b1", 1},
		{"shifts", "%x = (%a & 1023) << ?0\n if %x >> ?1 > ?2 goto exit else b1", 1},
		{"shift of a symbol", "%x = ?0 << (%a & 7)\n if ?1 >> (%a & 3) == 5 goto exit else b1", 1},
		{"unsigned", "%k = %k * ?0 + ?1 ^ %k >> 3:u64\n goto exit", 1},
		{"u64 reached", "if (%k ^ ?0) == 18446744073709551613:u64 goto exit else b1", 1},
		{"u64 sum", "if %k + ?0 == 18446744073709551613:u64 goto exit else b1", 1},
		{"complement", "if ~(%a + ?0) == 77 goto exit else b1", 1},
		{"negated", "if -(%a + ?0) >= 100000 goto exit else b1", 1},
		{"not", "if !(%a - ?0) goto exit else b1", 1},
		{"not not", "if !(%a - ?0 < 0) goto exit else b1", 1},
		{"and", "if %a + ?0 > 5 && %x + ?1 < -5 goto exit else b1", 1},
		{"or, neither", "if %a + ?0 > 5 || %x + ?1 < -5 goto b1 else exit", 1},
		{"unevaluated, then evaluated", "%x = %x + 1\n if %x > 5 && %x + ?0 > 9 goto exit else b1", 5},
		{"select", "%x = %b ? %a % ?0 : ?1\n if (%a < 3 ? %x - ?2 : ?3) < 17 goto exit else b1", 1},
		{"converted down", "%n = i8(%a + ?0)\n if i32(%n) + ?1 == 100 goto exit else b1", 1},
		{"converted up", "if i64(%a) * 3 + ?0 == 3000000000 goto exit else b1", 1},
		{"converted and met", "if i64(%a + ?0) == 1234 goto exit else b1", 1},
		{"sign changed and met", "if u32(%a + ?0) > 4000000000 goto exit else b1", 1},
		{"bool", "%b = bool(%a & ?0)\n if i32(%b) == 1 goto exit else b1", 1},
		{"builtins", "%x = clz(u32(%a + ?0)) + ffs(%a ^ ?1) + abs(%a - ?2) + ctz(u32(?3)) + expect(%a, 1)\n %k = bswap(%k) + u64(popcount(u32(%a))) + u64(parity(%k))\n goto exit", 1},
		{"bit-field", "%s.e = i7(%a + ?0)\n %s.c = u3(?1)\n if i32(%s.e) + ?2 > 9 goto exit else b1", 1},
		{"members", "%s.d[%a & ?0] = i16(%s.a * ?1)\n %t.a = %s.a + ?2\n if %t.a > 99 goto exit else b1", 1},
		{"copy", "%s.a = ?0\n %t = %s\n if %t.a - ?1 == 42 goto exit else b1", 1},
		{"union", "%u.y[?0] = %a\n %x = %u.y[?1] + ?2\n goto exit", 1},
		{"union, then the other", "%u.y[0] = 5\n %u.x = 7\n %x = i32(%u.x) + ?0\n if %x - ?1 == 12 goto exit else b1", 1},
		{"loaded through a pointer", "%x = *@q + ?0\n if *(@q + ?1) == 8 goto exit else b1", 1},
		{"aliased", "%r = &@z\n @z = ?0\n *%r = *%r + 1\n if @z - ?1 == 50 goto exit else b1", 1},
		{"pointer moves", "*@q = *@q + ?0\n @q = @q + 1\n if *@q - ?1 < 0 goto b1 else exit", 2},
		{"address of an element", "@q = &@g[%a & 1][?0]\n *@q = ?1\n if @g[0][2] + ?2 > 0 goto exit else b1", 1},
		{"pointers compared", "if &@g[0][?0] == &@g[0][2] goto exit else b1", 1},
		{"pointers subtracted", "%x = i32(&@g[1][?0] - @q) + 1\n if %x == 3 goto exit else b1", 1},
		{"another sign", "*cast(*u32, %r) = 4294967295 - u32(%a & 3)\n if @z < 0 goto exit else b1", 1},
		{"floats", "%h = %h * 2.0:f32 - f32(i8(%a + ?0))\n %d = f64(%h) / 4.0\n if %d < 100.0 goto exit else b1", 1},
		{"float to integer", "%x = i32(%d + f64(i8(?0)))\n if %x - ?1 == 0 goto exit else b1", 1},
		{"vectors", "%v = %v * <4>u16{?0, ?1, ?2, u16(%a)} + ~%v\n %w = convert(<4>i16, %v) & (%w < %w ^ %w)\n if i32(%v[?3]) + ?4 > 0 goto exit else b1", 1},
		{"cast", "%v = bitcast(<4>u16, bitcast(<8>u8, call(~shuffle(shuffle(%v, %v, 5, -1, 3, 2), %v, 0, 6, 7, 0))))\n %w = bitcast(<4>i16, bitcast(<2>u32, %v) + <2>u32{?0, 70000})\n if i32(%w[1]) + ?1 == 1 goto exit else b1", 1},
		{"shuffled", "%v = shuffle(%v, %v, 7, 0, 1, 2)\n if i32(%v[1]) == 1 goto exit else b1", 1},
		{"distance in a sum", "%k = u64(&@g[1][?0] - @q - 1:i64 + i64(%a & 3))\n if i64(%a) - (@q - &@g[1][0]) + ?1 > 5:i64 goto exit else b1", 1},
		{"comparisons of others as operands", "%x = (%d < 100.0) + (@q == &@g[1][?0]) * 3 - (%h == 7.0:f32)\n if !(%d > 50.0) && (%x & 1 ? @q != %r : %h < f32(i8(?1))) goto exit else b1", 1},
		{"wides", "%k = u64(-i128(%a + ?0) * i128(%a) >> i128(3))\n if (i128(%a) < i128(?1)) + mul_overflow(i128(%k), i128(%x)) >= 0 goto exit else b1", 1},
		{"overflow", "%x, %s.a = mul_overflow(%a, ?0)\n if %x + ?1 == 1 goto exit else b1", 1},
		{"overflow of narrow types", "%x, %n = mul_overflow(%a, ?0)\n if i32(%n) + ?1 == 1 goto exit else b1", 1},
		{"overflow of mixed types", "%x, %a = add_overflow(%k, ?0)\n if %x - ?1 == 0 goto exit else b1", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := ir.MustParse(fmt.Sprintf(language, test.body)).Funcs[0]
			require.NoError(t, ir.Check(f))
			path := []int{0}
			for range test.visits {
				path = append(path, 1)
			}
			path = append(path, 2)
			solved := 0
			for seed := range uint64(20) {
				s := choice.New(choice.Derive(seed, test.name))
				m, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: path}, s)
				if err == nil {
					judge(t, f, path, m)
					solved++
				}
				found, m, _, err := search.Engine{}.Find(f, solve.Target{Length: 3 + int(seed)%4}, s)
				if err == nil {
					judge(t, f, found, m)
				}
			}
			assert.GreaterOrEqual(t, solved, 12, "of 20")
		})
	}
}

// What the engine must not take for defined.
func TestSolvesNothingUndefined(t *testing.T) {
	for _, body := range []string{
		"%x = %x << 32\n goto exit",
		"%x = -1 << ?0\n goto exit",
		"%x = -(-2147483647 - 1)\n goto exit",
		"%x = abs(-2147483647 - 1)\n goto exit",
		"%x = clz(%k & 0:u64)\n goto exit",
		"%x = %u.y[0]\n goto exit", // x is the member in use
		"%u.y[0] = 3\n %k = u64(%u.x)\n goto exit",
		"%u.x = i64(%u.y[0])\n goto exit",
		"%r = null:*i32\n %x = *%r\n goto exit",
		"%r = &@z + 1\n %x = *%r\n goto exit",
		"%r = &@z + 2\n goto exit",
		"%r = &@g[0][3] + ((%k & 0:u64) - 1:u64)\n goto exit",
		"%r = &@g[0][3] + ?0\n %x = *(%r + 5)\n goto exit",
		"if &@z < @q goto exit else b1",
		"%x = i32(&@z - @q)\n goto exit",
		"%x = i32(*cast(*i16, %r))\n goto exit",
		"%d = %d / 0.0\n goto exit",
		"%d = %d / 10.0\n goto exit",
		"%h = f32(16777217)\n goto exit",
		"%n = i8(%d * 1000.0)\n goto exit",
		"%w = %w + %w\n goto exit",
		"%v = %v << <4>u16{1, 2, 16, 3}\n goto exit",
		"unreachable\n goto exit",
	} {
		f := ir.MustParse(fmt.Sprintf(language, body)).Funcs[0]
		require.NoError(t, ir.Check(f), body)
		for seed := range uint64(5) {
			s := choice.New(choice.Derive(seed, body))
			_, err := search.Engine{}.Solve(solve.Problem{Func: f, Path: []int{0, 1, 2}}, s)
			require.ErrorIs(t, err, solve.ErrUnknown, body)
		}
	}
}
