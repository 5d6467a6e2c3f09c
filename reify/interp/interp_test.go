package interp_test

import (
	"fmt"
	"hash/crc32"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// parse returns the first function of text.
func parse(t testing.TB, text string) *ir.Function {
	t.Helper()
	p, err := ir.Parse(text)
	require.NoError(t, err)
	return p.Funcs[0]
}

// straight returns a function of one block that executes the lines and returns
// an expression.
func straight(t testing.TB, params, result, decls, stmts, ret string) *ir.Function {
	return parse(t, fmt.Sprintf("func @f(%s) %s {\n%s\n  entry:\n%s\n    return %s\n}\n", params, result, decls, stmts, ret))
}

func run(t *testing.T, f *ir.Function, args ...int64) *interp.Result {
	t.Helper()
	r, err := interp.Run(f, args, interp.Options{})
	require.NoError(t, err)
	return r
}

const collatz = `
func @collatz(%n i32) i32 {
    local %steps i32 = 0
  entry:
    goto head
  head:
    if %n == 1 goto exit else body
  body:
    %steps = %steps + 1
    if %n % 2 == 0 goto even else odd
  even:
    %n = %n / 2
    goto head
  odd:
    %n = %n * 3 + 1
    goto head
  exit:
    return %steps
}
`

func TestPathIsRecorded(t *testing.T) {
	f := parse(t, collatz)
	r := run(t, f, 6)
	assert.Equal(t, int64(8), r.Value)
	var path []string
	for _, b := range r.Path {
		path = append(path, f.Blocks[b].Name)
	}
	assert.Equal(t, "entry "+strings.Repeat("head body even head body odd ", 2)+
		strings.Repeat("head body even ", 4)+"head exit", strings.Join(path, " "))
	assert.Equal(t, len(r.Path), r.Steps)
	assert.Equal(t, [][]int64{{1}, {8}}, r.Vars)
}

func TestExpressions(t *testing.T) {
	for _, c := range []struct {
		result, expr string
		want         int64
	}{
		{"i32", "7 + 3 * 2", 13},
		{"i32", "(7 + 3) * 2", 20},
		{"i32", "-7 / 2", -3},
		{"i32", "-7 % 2", -1},
		{"i32", "7 % -2", 1},
		{"i32", "10 - 4 - 3", 3},
		{"i32", "3 < 4", 1},
		{"i32", "4 <= 3", 0},
		{"i32", "1 + (2 == 2)", 2},
		{"u32", "0 - 1", 4294967295},
		{"u32", "4294967295 * 4294967295", 1},
		{"u64", "0 - 1", -1},
		{"i32", "u64(0) - 1 > 5", 1},
		{"i32", "u32(0) - 1 > 5", 1},
		{"i32", "i64(0) - 1 > 5", 0},
		{"i64", "4611686018427387904 * -2", -1 << 63},
		{"i8", "i8(200)", -56},
		{"u8", "u8(-1)", 255},
		{"i16", "i16(40000)", -25536},
		{"u64", "u64(-1)", -1},
		{"u64", "u64(u32(-1))", 4294967295},
		{"i64", "i64(i8(u8(-1)))", -1},
		{"i64", "i64(u64(-1))", -1},
		{"i32", "i32(i64(%b) * 1000000007)", 200_000_001_400 - 47<<32},
	} {
		f := straight(t, "%b u8", c.result, "", "", c.expr)
		assert.Equal(t, c.want, run(t, f, 200).Value, "%s", c.expr)
	}
}

func TestVariables(t *testing.T) {
	f := straight(t, "%a i32, %b u8", "i32", `
    local %x i32
    local %y [2]i32 = {10, 20}
    volatile local %v i16 = -3
    global @zero [2][2]u64
    static @g [2][3]i32 = {1, 2, 3, 4, 5, 6}`, `
    %x = @g[%a][2] + %y[%a - 1]
    @g[0][%y[0] - 9] = %x * 2
    @zero[1][%a] = u64(%v)
    %b = u8(i32(%b) + 1)`, "%x")
	r := run(t, f, 1, 255)
	assert.Equal(t, int64(16), r.Value)
	assert.Equal(t, [][]int64{{1}, {0}, {16}, {10, 20}, {-3}, {0, 0, 0, -3}, {1, 32, 3, 4, 5, 6}}, r.Vars)

	// Nothing is left behind: globals start again.
	assert.Equal(t, r.Vars, run(t, f, 1, 255).Vars)
}

func TestDefined(t *testing.T) {
	f := straight(t, "", "i32", "local %x i32\n local %y [3]i32\n global @g [2]i32", "%y[1] = 5", "0")
	r := run(t, f)
	assert.False(t, r.Defined(f.Vars[0], 0))
	assert.Equal(t, [3]bool{false, true, false},
		[3]bool{r.Defined(f.Vars[1], 0), r.Defined(f.Vars[1], 1), r.Defined(f.Vars[1], 2)})
	assert.True(t, r.Defined(f.Vars[2], 1))
}

func TestSourceIsEvaluatedBeforeTheIndexOfTheDestination(t *testing.T) {
	f := straight(t, "", "i32", "local %y [2]i32 = {0, 7}", "%y[5] = 1 / %y[0]", "0")
	assert.Equal(t, interp.DivisionByZero, ubOf(t, f).Kind)
}

func TestChecksum(t *testing.T) {
	f := straight(t, "%a i8, %b u16", "u32", `
    volatile local %x i64 = -2
    static @g [2][2]i32 = {1, 2, 3, -4}`, "", "checksum(%b, @g, %a, %x)")
	want := crc32.ChecksumIEEE([]byte{
		0x34, 0x12,
		1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0xfc, 0xff, 0xff, 0xff,
		0xff,
		0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	})
	assert.Equal(t, int64(want), run(t, f, -1, 0x1234).Value)

	f = straight(t, "", "u32", "", "", "checksum()")
	assert.Zero(t, run(t, f).Value)
}

func TestConditionIsAnyValueButZero(t *testing.T) {
	f := parse(t, `
func @f(%a i64) i32 {
    local %x i32 = 0
  entry:
    if %a goto yes else exit
  yes:
    %x = 1
    goto exit
  exit:
    return %x
}
`)
	for arg, want := range map[int64]int64{0: 0, 1: 1, -1: 1, 1 << 32: 1} {
		assert.Equal(t, want, run(t, f, arg).Value, "%d", arg)
	}
}

func TestFuel(t *testing.T) {
	f := parse(t, collatz)
	r, err := interp.Run(f, []int64{6}, interp.Options{Fuel: 27})
	require.NoError(t, err, "27 visits are needed")
	assert.Equal(t, 27, r.Steps)

	r, err = interp.Run(f, []int64{6}, interp.Options{Fuel: 26})
	require.ErrorIs(t, err, interp.ErrFuel)
	assert.NotErrorAs(t, err, new(*interp.UB))
	assert.Len(t, r.Path, 26, "the path so far is there")
}

func TestSymbols(t *testing.T) {
	const text = `
func @f(%%a i32) i32 {
    local %%x i32 = %s
  entry:
    if %%a < 0 goto off else exit
  off:
    %%x = %%x + ?0
    goto exit
  exit:
    return %%x
}
`
	f := parse(t, fmt.Sprintf(text, "4"))
	assert.Equal(t, int64(4), run(t, f, 1).Value, "a symbol off the path does no harm")

	_, err := interp.Run(f, []int64{-1}, interp.Options{})
	require.ErrorIs(t, err, interp.ErrSymbol)
	assert.ErrorContains(t, err, "block off: ?0")
	assert.NotErrorAs(t, err, new(*interp.UB))

	_, err = interp.Run(parse(t, fmt.Sprintf(text, "?1")), []int64{1}, interp.Options{})
	require.ErrorIs(t, err, interp.ErrSymbol)
	assert.ErrorContains(t, err, "?1")
}

func TestNumberOfArguments(t *testing.T) {
	_, err := interp.Run(parse(t, collatz), nil, interp.Options{})
	require.ErrorIs(t, err, interp.ErrArgs)
	_, err = interp.Run(parse(t, collatz), []int64{1, 2}, interp.Options{})
	require.ErrorIs(t, err, interp.ErrArgs)
}

func TestIllTypedFunctionsPanic(t *testing.T) {
	for name, spoil := range map[string]func(f *ir.Function, e *ir.Binary){
		"operands of two types": func(f *ir.Function, e *ir.Binary) { e.Y = &ir.Const{T: ir.I64, V: 1} },
		"narrow operands":       func(f *ir.Function, e *ir.Binary) { e.X, e.Y = &ir.Const{T: ir.I8}, &ir.Const{T: ir.I8} },
		"store":                 func(f *ir.Function, e *ir.Binary) { f.Vars[0].Type = ir.I64 },
		"result":                func(f *ir.Function, e *ir.Binary) { f.Result = ir.I8 },
	} {
		f := straight(t, "", "i32", "local %x i32", "%x = 1 + 2", "%x")
		spoil(f, f.Blocks[0].Stmts[0].(*ir.Assign).Src.(*ir.Binary))
		assert.Panics(t, func() { _, _ = interp.Run(f, nil, interp.Options{}) }, name)
	}
}
