package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

func program(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, p.Check())
	return p
}

// twice calls @step, whose static counts, and itself once.
const twice = `
func @twice(%n i32) i32 {
    local %x [2]i32 = {@step(1) * 10, 5}
  entry:
    if %n > 0 goto again else exit
  again:
    %x[@step(2) - 3] = @twice(%n - @step(0) + 2)
    goto exit
  exit:
    return %x[0] + %x[1]
}
func @step(%by i32) i32 {
    static @sum i32
  entry:
    @sum = @sum + %by
    goto exit
  exit:
    return @sum
}
case twice(n = 1) = 15 path entry again exit
`

func TestCalls(t *testing.T) {
	p := program(t, strings.Replace(twice, "@step(2) - 3", "@step(2) / 100", 1))
	f := p.Funcs[0]
	_, err := interp.Run(f, []int64{1}, interp.Options{})
	var ub *interp.UB
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, interp.UnspecifiedOrder, ub.Kind, "the index and the right side both call @step: %v", ub)

	p = program(t, strings.Replace(twice, "%x[@step(2) - 3]", "%x[1]", 1))
	f = p.Funcs[0]
	var enter, leave []string
	r, err := interp.Run(f, []int64{1}, interp.Options{
		Enter: func(c interp.Call) {
			enter = append(enter, fmt.Sprintf("%d %s%v", c.Depth, c.Func.Name, c.Args))
			assert.Nil(t, c.Path)
		},
		Leave: func(c interp.Call) {
			leave = append(leave, fmt.Sprintf("%d %s%v=%d by %v", c.Depth, c.Func.Name, c.Args, c.Value, c.Path))
			assert.Equal(t, c.Depth == 0, c.Site == nil)
			if c.Site != nil {
				assert.Same(t, c.Func, c.Site.Func)
			}
		},
	})
	require.NoError(t, err)
	// @sum is 1, 1 in the argument 1 - 1 + 2 = 2, 2, so the inner %n is 2 and goes on.
	assert.Equal(t, []string{"0 twice[1]", "1 step[1]", "1 step[0]", "1 twice[2]", "2 step[1]", "2 step[0]", "2 twice[2]"}, enter[:7])
	assert.Equal(t, "1 step[1]=1 by [0 1]", leave[0])
	assert.Equal(t, fmt.Sprintf("0 twice[1]=%d by [0 1 2]", r.Value), leave[len(leave)-1])
	assert.Equal(t, []int{0, 1, 2}, r.Path)
	assert.Len(t, leave, len(enter))
	// @sum is 1, 2, 3, 4 in turn; with 4 the argument is 3 - 4 + 2, and so on down to 0.
	assert.Greater(t, r.Steps, len(r.Path))
}

func TestCallsByHand(t *testing.T) {
	for _, row := range []struct {
		name, text string
		args       []int64
		want       int64
	}{
		{"recursion", `
func @fact(%n u64) u64 {
    local %r u64 = 1
  entry:
    if %n > 1 goto more else exit
  more:
    %r = %n * @fact(%n - 1)
    goto exit
  exit:
    return %r
}`, []int64{20}, 2432902008176640000},
		{"each activation has its own locals and parameters", `
func @f(%n i32) i32 {
    local %x [3]i32 = {1, 2, 3}
    local %y i32
  entry:
    if %n > 0 goto more else exit
  more:
    %x[%n] = 10 * %n
    %y = @f(%n - 1)
    %x[0] = %x[%n] + %y
    goto exit
  exit:
    return %x[0]
}`, []int64{2}, 31},
		{"mutual recursion, with a static that outlives calls", `
func @even(%n i32) i32 {
    static @calls i32 = 100
    local %r i32
  entry:
    @calls = @calls + 1
    %r = @calls
    if %n goto more else exit
  more:
    %r = @odd(%n - 1)
    goto exit
  exit:
    return %r
}
func @odd(%n i32) i32 {
  entry:
    goto exit
  exit:
    return @even(%n - 1)
}`, []int64{6}, 104},
		{"a call in an initialiser comes back to a static declared later", `
func @f(%a i32) i32 {
    local %x i32 = @g()
    static @s i32 = 42
  entry:
    return %x
}
func @g() i32 {
    static @left i32 = 2
    local %r i32 = 7
  entry:
    @left = @left - 1
    if @left >= 0 goto more else exit
  more:
    %r = @h()
    goto exit
  exit:
    return %r
}
func @h() i32 {
  entry:
    return @i(3)
}
func @i(%a i32) i32 {
    local %x i32 = @g() * 0
    static @s i32 = 42
  entry:
    return @s
}`, []int64{1}, 42},
		{"conversions of what is returned", `
func @f(%a i32) i32 {
  entry:
    goto exit
  exit:
    return i32(@g(u8(%a))) - 1
}
func @g(%b u8) i8 {
  only:
    return i8(%b)
}`, []int64{0x1ff}, -2},
		{"a stored checksum", `
func @f(%a u8) u32 {
    local %r u32
  entry:
    %r = checksum(%a)
    goto exit
  exit:
    return %r
}`, []int64{'1'}, 0x83dcefb7},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := program(t, row.text)
			r, err := interp.Run(p.Funcs[0], row.args, interp.Options{})
			require.NoError(t, err)
			assert.Equal(t, row.want, r.Value)
		})
	}
}

// The order of operands matters if calls depend on each other.
func TestUnspecifiedOrder(t *testing.T) {
	const text = `
func @f(%%n i32) i32 {
    static @s i32 = 7
    local %%x i32 = 4
    local %%y [9]i32 = {0, 0, 0, 0, 0, 0, 0, 0, 0}
  entry:
    if %%n == 0 goto deep else top
  deep:
    @s = @s + 1
    goto exit
  top:
    %s
    goto exit
  exit:
    return %%x
}
func @reader() i32 {
    static @r i32 = 3
  entry:
    return @r
}
func @counter() i32 {
    static @c i32
  entry:
    @c = @c + 1
    goto exit
  exit:
    return @c
}
func @via() i32 {
  entry:
    return @counter()
}
func @setter(%%v i32) i32 {
    static @t i32
  entry:
    if %%v >= 0 goto set else exit
  set:
    @t = %%v
    goto exit
  exit:
    return @t
}
func @id(%%v i32) i32 {
  entry:
    return %%v
}
`
	for _, row := range []struct{ stmt, want string }{
		{"%x = @reader() + @reader()", ""},
		{"%x = @counter() + @reader()", ""},
		{"%x = @counter() + @counter()", "@c of @counter is written by a call and read beside it"},
		{"%x = @counter() + @via()", "@c of @counter is written by a call and read beside it"},
		{"%x = @id(@counter()) + @via()", "@c of @counter is written by a call and read beside it"},
		{"%y[@counter()] = @via()", "@c of @counter is written by a call and read beside it"},
		{"%x = @setter(@counter()) - @setter(@counter())", "@c of @counter is written by a call and read beside it"},
		{"%x = @id(@via() * 0 + @counter())", "@c of @counter is written by a call and read beside it"},
		{"if @via() < @counter() goto exit else deep", "@c of @counter is written by a call and read beside it"},
		// One in the argument or the index of the other comes first.
		{"%x = @id(@counter()) + @reader()", ""},
		{"%x = @setter(@setter(3))", ""},
		{"%x = @setter(@counter() + @setter(4))", ""},
		// What each sets up for itself does not matter, until it is read.
		{"%x = @setter(1) + @setter(2)", ""},
		{"%x = @setter(1) + @setter(2)\n %x = @setter(3)\n %x = @setter(-1)", ""},
		{"%x = @setter(1) + @setter(2)\n %x = @setter(-1)", "@t was written by several calls of one expression"},
		{"%x = @setter(1) + @setter(-1)", "@t of @setter is written by a call and read beside it"},
		// Recursion writes what the caller reads.
		{"%x = @f(0) + %x", ""},
		{"%x = @s + @reader()", ""},
		{"%x = @s + @f(0)", "@s of @f is written by a call and read beside it"},
		{"%x = @f(0) + @s", "@s of @f is written by a call and read beside it"},
		{"%x = @f(@s * 0)", ""},
		{"%x = %y[@f(0)]", ""},
		{"@s = @f(0)", ""},
		{"%y[@s] = @f(0)", "@s of @f is written by a call and read beside it"},
	} {
		stmt := row.stmt
		text := fmt.Sprintf(text, stmt)
		if strings.HasPrefix(stmt, "if") {
			text = strings.Replace(text, stmt+"\n    goto exit", stmt, 1)
		}
		f := program(t, text).Funcs[0]
		_, err := interp.Run(f, []int64{1}, interp.Options{})
		if row.want == "" {
			assert.NoError(t, err, stmt)
			continue
		}
		var ub *interp.UB
		if assert.ErrorAs(t, err, &ub, stmt) {
			assert.Equal(t, interp.UnspecifiedOrder, ub.Kind, stmt)
			assert.Equal(t, row.want, ub.Detail, stmt)
		}
	}
}

// Volatile reads on both sides of a call are still two reads.
func TestVolatileBesideACall(t *testing.T) {
	const text = `
func @f(%%n i32) i32 {
    volatile static @v i32 = 7
    local %%x i32
  entry:
    if %%n goto top else deep
  top:
    %%x = %s
    goto exit
  deep:
    %%x = @v
    goto exit
  exit:
    return %%x
}`
	for expr, want := range map[string]string{
		"@v + @f(0)":      "",
		"@v + @f(0) + @v": "volatile @v is read twice",
		"@f(0) + @v":      "",
	} {
		_, err := interp.Run(program(t, fmt.Sprintf(text, expr)).Funcs[0], []int64{1}, interp.Options{})
		if want == "" {
			assert.NoError(t, err, expr)
			continue
		}
		var ub *interp.UB
		if assert.ErrorAs(t, err, &ub, expr) {
			assert.Equal(t, interp.UnsequencedAccess, ub.Kind)
			assert.Equal(t, want, ub.Detail)
		}
	}
}

func TestUndefinedInACallee(t *testing.T) {
	p := program(t, `
func @f(%a i32) i32 {
  entry:
    goto exit
  exit:
    return @g(%a) + 1
}
func @g(%b i32) i32 {
    local %x i32 = @h(0)
  entry:
    goto b1
  b1:
    %x = %x / %b
    goto exit
  exit:
    return %x
}
func @h(%c i32) i32 {
    local %z i32
  entry:
    return %z
}`)
	for _, row := range []struct {
		f    int
		want interp.UB
	}{
		{0, interp.UB{Kind: interp.UninitializedRead, Func: "h", Block: "entry", Stmt: "return %z", Detail: "%z has no value"}},
		{1, interp.UB{Kind: interp.UninitializedRead, Func: "h", Block: "entry", Stmt: "return %z", Detail: "%z has no value"}},
	} {
		assert.Equal(t, &row.want, ubOf(t, p.Funcs[row.f], 0))
	}
	p.Funcs[2].Vars[1].Init = []ir.Expr{&ir.Const{T: ir.I32, V: 3}}
	assert.Equal(t, &interp.UB{
		Kind: interp.DivisionByZero, Func: "g", Block: "b1", Stmt: "%x = %x / %b", Step: 1, Detail: "3 / 0",
	}, ubOf(t, p.Funcs[0], 0))
	r, err := interp.Run(p.Funcs[0], []int64{0}, interp.Options{})
	require.Error(t, err)
	assert.Equal(t, []int{0, 1}, r.Path, "the path is that of the outermost function")

	text, _ := interp.Trace(p.Funcs[0], []int64{0}, interp.Options{})
	assert.Equal(t, `call @f(%a = 0)
0 entry: goto exit
  call @g(%b = 0)
    call @h(%c = 0)
    0 entry: return 3
  0 entry: goto b1
error: undefined behaviour: DivisionByZero: 3 / 0: in @g block b1 (step 1): %x = %x / %b
`, text)
	text, _ = interp.Trace(p.Funcs[0], []int64{2}, interp.Options{})
	assert.Equal(t, `call @f(%a = 2)
0 entry: goto exit
  call @g(%b = 2)
    call @h(%c = 0)
    0 entry: return 3
  0 entry: goto b1
  1 b1: %x = 1; goto exit
  2 exit: return 1
1 exit: return 2
`, text)
}

const endless = `
func @f(%n i32) i32 {
    static @s [100]i32
    local %x i32 = 1
  entry:
    goto loop
  loop:
    %x = @g(%n, %x)
    if %x goto loop else exit
  exit:
    return %x
}
func @g(%n i32, %x i32) i32 {
    volatile static @v i32 = 1
    static @w [3]i32 = {1, 1, 1}
    local %y i32
  entry:
    if %n == 1 goto quiet else other
  other:
    if %n == 2 goto visible else recurse
  quiet:
    @w[%x] = 1
    %y = @w[2]
    goto exit
  visible:
    %y = @v
    goto exit
  recurse:
    %y = @g(%n, %x)
    goto exit
  exit:
    return %y
}`

func TestEndlessCalls(t *testing.T) {
	f := program(t, endless).Funcs[0]
	ub := ubOf(t, f, 1)
	assert.Equal(t, interp.EndlessLoop, ub.Kind)
	assert.Equal(t, "f", ub.Func)

	r, err := interp.Run(f, []int64{2}, interp.Options{Fuel: 5000})
	assert.ErrorIs(t, err, interp.ErrFuel, "a volatile object is read in the callee")
	assert.Equal(t, 5000, r.Steps)
	assert.Less(t, len(r.Path), 5000, "the callee's block visits count")

	for _, depth := range []int{-1, 1, 0, 1000} {
		deepest := 0
		_, err := interp.Run(f, []int64{3}, interp.Options{Depth: depth, Enter: func(c interp.Call) {
			deepest = max(deepest, c.Depth)
		}})
		assert.ErrorIs(t, err, interp.ErrDepth)
		var ub *interp.UB
		assert.NotErrorAs(t, err, &ub)
		want := max(depth, 0)
		if depth == 0 {
			want = interp.DefaultDepth
		}
		assert.Equal(t, want, deepest)
	}
}

// Variables may not take all memory, however large and deep.
func TestMemoryIsBounded(t *testing.T) {
	_, err := interp.Run(program(t, `
func @f(%n i32) i32 {
    local %x [1000000]i32
  entry:
    return @f(%n + 1)
}`).Funcs[0], []int64{0}, interp.Options{})
	assert.ErrorIs(t, err, interp.ErrDepth)

	var text strings.Builder
	for i := range 10 {
		fmt.Fprintf(&text, "func @f%d() i32 {\n  static @g [1000000]i32\nentry:\n  return @f%d()\n}\n", i, (i+1)%10)
	}
	_, err = interp.Run(program(t, text.String()).Funcs[0], nil, interp.Options{})
	assert.ErrorIs(t, err, interp.ErrDepth)
	assert.ErrorContains(t, err, "globals and statics up to those of @f8")
}

func TestRunProgram(t *testing.T) {
	p := program(t, `
func @f(%by i32) i32 {
  entry:
    return @count(%by)
}
func @count(%by i32) i32 {
    static @n i32 = 10
    local %r i32
  entry:
    @n = @n + %by
    %r = @n
    goto exit
  exit:
    return %r
}
case f(by = 1) = 11 path entry
case count(by = 2) = 13 path entry exit
case f(by = 3) = 16 path entry
`)
	results, err := interp.RunProgram(p, interp.Options{})
	require.NoError(t, err)
	require.Len(t, results, 3)
	for i, c := range p.Claims {
		assert.Equal(t, c.Want, results[i].Value)
		assert.Equal(t, c.Path, results[i].Path)
	}
	assert.Equal(t, [][]int64{{2}, {13}, {13}}, results[1].Vars)
	assert.NoError(t, interp.VerifyProgram(p))
	assert.NoError(t, interp.Verify(p.Claims[0]))
	assert.Error(t, interp.Verify(p.Claims[1]), "alone it finds the initial value")

	// A function that calls itself the first time it runs is not set up twice.
	self := program(t, `
func @f(%n i32) i32 {
    static @s i32 = 10
    local %r i32
  entry:
    @s = @s + 1
    %r = @s
    if %n > 0 goto more else exit
  more:
    %r = @f(%n - 1)
    goto exit
  exit:
    return %r
}
case f(n = 3) = 14 path entry more exit
case f(n = 0) = 15 path entry exit
`)
	assert.NoError(t, interp.VerifyProgram(self))
	assert.NoError(t, interp.Verify(self.Claims[0]))

	p.Claims[1].Want++
	assert.EqualError(t, interp.VerifyProgram(p), "case 1: @count returns 13, the case says 14")
	p.Claims[1].Want--
	p.Claims[2].Args[0] = 1 << 31
	err = interp.VerifyProgram(p)
	var ub *interp.UB
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, interp.InvalidValue, ub.Kind)
	assert.NoError(t, interp.VerifyProgram(&ir.Program{}))
}
