package interp_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// checked returns the functions of text, which are valid.
func checked(t *testing.T, text string) []*ir.Function {
	t.Helper()
	p := program(t, text)
	for _, f := range p.Funcs {
		require.NoError(t, ir.Check(f))
	}
	return p.Funcs
}

// kindOf runs f and returns its result, or the kind of what is undefined.
func kindOf(t *testing.T, f *ir.Function, args ...int64) (int64, interp.Kind) {
	t.Helper()
	r, err := interp.Run(f, args, interp.Options{Fuel: 20_000})
	if err == nil {
		return r.Value, none
	}
	var ub *interp.UB
	require.ErrorAs(t, err, &ub)
	return 0, ub.Kind
}

func TestSwitch(t *testing.T) {
	f := checked(t, `
func @f(%a i32) i32 {
  entry:
    switch %a {1: b1, -5..-2: b2, 3: b1, 2147483647: b2, else b3}
  b1:
    %a = 100
    goto exit
  b2:
    %a = 200
    goto exit
  b3:
    %a = 300
    goto exit
  exit:
    return %a
}
func @g(%a u64) i32 {
    local %r i32 = 1
  entry:
    switch %a {18446744073709551615: exit, 5..9223372036854775808: b1, else b1}
  b1:
    %r = 2
    goto exit
  exit:
    return %r
}
func @h(%a i32) i32 {
  entry:
    switch %a {1: exit, ?0: b1, 2..?1: b1, else exit}
  b1:
    goto exit
  exit:
    return %a
}`)
	for a, want := range map[int64]int64{1: 100, 3: 100, -5: 200, -2: 200, -3: 200, 2147483647: 200, 2: 300, -1: 300, -6: 300, 0: 300} {
		assert.Equal(t, want, run(t, f[0], a).Value, "%d", a)
	}
	assert.Equal(t, int64(1), run(t, f[1], -1).Value)
	assert.Equal(t, int64(2), run(t, f[1], math.MinInt64).Value)
	assert.Equal(t, int64(1), run(t, f[2], 1).Value, "a label that is known decides")
	_, err := interp.Run(f[2], []int64{7}, interp.Options{})
	assert.ErrorIs(t, err, interp.ErrSymbol, "the label could be 7")
}

// Pointers to the locals of other activations, alive or not.
func TestLifetimes(t *testing.T) {
	f := checked(t, `
func @alive(%n i32) i32 {
    static @p *i32
    local %x i32 = 1
  entry:
    if %n > 0 goto more else deep
  more:
    @p = &%x
    %n = @alive(%n - 1)
    goto exit
  deep:
    *@p = 42
    goto exit
  exit:
    return %x
}
func @gone(%n i32) i32 {
    static @p *i32
    static @q *i32
    local %x i32 = 1
    local %y i32 = 0
  entry:
    if %n > 1 goto more else last
  last:
    @p = &%x
    goto exit
  more:
    %y = @gone(1)
    if %n == 2 goto read else compare
  read:
    %y = *@p
    goto exit
  compare:
    if %n == 3 goto equal else overwrite
  equal:
    %y = @p == null:*i32
    goto exit
  overwrite:
    @p = @q
    %y = @p == null:*i32
    goto exit
  exit:
    return %y
}
func @param(%n i32) i32 {
    static @p *i32
  entry:
    if @p == null:*i32 goto first else second
  first:
    @p = &%n
    %n = %n + @param(0) * 0
    goto exit
  second:
    *@p = *@p * 2
    goto exit
  exit:
    return %n
}
func @fresh(%n i32) i32 {
    static @p *i32
    local %x i32 = 1
  entry:
    if %n > 0 goto more else exit
  more:
    %x = @fresh(%n - 1)
    @p = &%x
    *@p = *@p + 1
    goto exit
  exit:
    return %x
}
func @order(%n i32) i32 {
    static @p *i32
    local %x i32 = 1
  entry:
    switch %n {0: deep, 1: sequenced, 2: unsequenced, else twice}
  deep:
    *@p = *@p + 1
    goto exit
  sequenced:
    @p = &%x
    %n = @order(0)
    %x = %x + %n
    goto exit
  unsequenced:
    @p = &%x
    %x = %x + @order(0)
    goto exit
  twice:
    @p = &%n
    %x = @order(0) - @order(0)
    goto exit
  exit:
    return %x
}`)
	for _, c := range []struct {
		f    int
		arg  int64
		want int64
		kind interp.Kind
	}{
		{0, 1, 42, none},
		{1, 2, 0, interp.DanglingPointer},
		{1, 3, 0, interp.DanglingPointer},
		{1, 4, 1, none}, // a dangling pointer may be written over
		{2, 21, 0, interp.UnspecifiedOrder},
		{3, 5, 6, none}, // the memory of activations that have ended is used again
		{4, 1, 3, none},
		{4, 2, 0, interp.UnspecifiedOrder},
		{4, 7, 0, interp.UnspecifiedOrder},
	} {
		got, kind := kindOf(t, f[c.f], c.arg)
		assert.Equal(t, c.kind, kind, "@%s(%d)", f[c.f].Name, c.arg)
		assert.Equal(t, c.want, got, "@%s(%d)", f[c.f].Name, c.arg)
	}
	_, err := interp.Run(f[1], []int64{2}, interp.Options{})
	assert.ErrorContains(t, err, "@p points to %x of a function that has returned")
}

// What calls do to locals of their own is nobody's business, though these have
// the same place in memory.
func TestCallsWithPointersOfTheirOwn(t *testing.T) {
	f := checked(t, `
func @f(%n i32) i32 {
    local %x i32 = 1
    local %p *i32 = &%x
  entry:
    *%p = @g(%n) * 100 + @h(%n) + @g(%n) + *%p
    return %x
}
func @g(%n i32) i32 {
    local %y i32 = 1
    local %q *i32 = &%y
  entry:
    *%q = %n + @h(1) - @h(2)
    return %y + *%q
}
func @h(%n i32) i32 {
    local %z [3]i32 = {5, 6, 7}
    local %q *i32 = &%z[1]
  entry:
    *%q = *%q + %z[0]
    return *(%q + -1) + %z[%n]
}`)
	got, kind := kindOf(t, f[0], 1)
	assert.Equal(t, none, kind)
	assert.Equal(t, int64(1027), got)
}

// What one case leaves in a static pointer the next one finds: dangling, if it
// points to a local.
func TestPointersInAProgram(t *testing.T) {
	p := program(t, `
func @f(%n i32) i32 {
    static @g [3]i32 = {4, 5, 6}
    static @p *i32 = &@g[2]
    local %x i32 = 1
  entry:
    if %n == 0 goto read else set
  set:
    @p = &%x
    goto exit
  read:
    %x = *@p
    @p = @p + -1
    goto exit
  exit:
    return %x
}
case f(n = 0) = 6 path entry read exit
case f(n = 0) = 5 path entry read exit
case f(n = 1) = 1 path entry set exit
`)
	require.NoError(t, interp.VerifyProgram(p))
	r, err := interp.RunProgram(p, interp.Options{})
	require.NoError(t, err)
	f := p.Funcs[0]
	for i, want := range []int{1, 0} {
		index, elem, behind := interp.PointsTo(r[i].Vars[2][0])
		assert.Equal(t, f.Vars[1], f.Vars[index])
		assert.Equal(t, want, elem)
		assert.False(t, behind)
	}
	index, elem, _ := interp.PointsTo(r[2].Vars[2][0])
	assert.Equal(t, []any{3, 0}, []any{index, elem})

	p.Claims = append(p.Claims, p.Claims[0])
	err = interp.VerifyProgram(p)
	var ub *interp.UB
	require.ErrorAs(t, err, &ub)
	assert.Equal(t, interp.DanglingPointer, ub.Kind)
}

// The same pointers are the same numbers however the run came to them.
func TestPointersInResults(t *testing.T) {
	const text = `
func @f(%n i32) i32 {
    local %a i32
    local %b [4]i32
    local %p *i32
    local %q *i32
    local %r *i32
    local %s *i32
  entry:
    if %n goto b1 else b2
  b1:
    %p = &%a
    %q = &%b[3] + 1
    goto exit
  b2:
    %q = &%b[4]
    %p = &%a
    goto exit
  exit:
    %r = null:*i32
    return 0
}`
	f := checked(t, text)[0]
	one, two := run(t, f, 1), run(t, f, 0)
	assert.Equal(t, one.Vars[3:], two.Vars[3:])
	index, elem, behind := interp.PointsTo(one.Vars[4][0])
	assert.Equal(t, []any{2, 4, true}, []any{index, elem, behind})
	assert.Equal(t, int64(0), one.Vars[5][0])
	assert.True(t, one.Defined(f.Vars[5], 0))
	assert.False(t, one.Defined(f.Vars[6], 0))
}

func TestChecksumOfAllTypes(t *testing.T) {
	f := checked(t, `
func @f(%b bool) u32 {
    union U {w i64, n i8}
    struct S {x i16, f i32:5, p *i32, y [2]U, z u8}
    local %s S = {-2, -3, null, 5, _, 6, _, 200}
    local %d f64 = -3
    local %g [2]f32 = {7, 0}
    local %v <2>u16 = {1, 65535}
    global @z U
  entry:
    return checksum(%b, %s, %d, %g, %v, @z)
}`)[0]
	le := binary.LittleEndian
	data := []byte{1, 0xfe, 0xff, 0xfd}
	data = le.AppendUint64(data, 5)
	data = le.AppendUint64(data, 6)
	data = append(data, 200)
	data = le.AppendUint64(data, math.Float64bits(-3))
	data = le.AppendUint32(data, math.Float32bits(7))
	data = le.AppendUint32(data, 0)
	data = append(data, 1, 0, 0xff, 0xff)
	data = le.AppendUint64(data, 0)
	assert.Equal(t, int64(crc32.ChecksumIEEE(data)), run(t, f, 1).Value)

	f = checked(t, `
func @f() u32 {
    union U {w i64, n i8}
    local %u U
  entry:
    %u.n = 1
    return checksum(%u)
}`)[0]
	_, kind := kindOf(t, f)
	assert.Equal(t, interp.InactiveMember, kind)
}

func TestInvalidBool(t *testing.T) {
	f := checked(t, `
func @f(%b bool) bool {
  entry:
    return %b
}`)[0]
	assert.Equal(t, int64(1), run(t, f, 1).Value)
	_, kind := kindOf(t, f, 2)
	assert.Equal(t, interp.InvalidValue, kind)
}

// What has not passed the checker stops the run.
func TestIllTypedStatementsPanic(t *testing.T) {
	entry := func(f *ir.Function) *ir.Block { return f.Blocks[0] }
	const text = `
func @f(%a i32) i32 {
    struct S {x i32:5}
    local %p *i32
    local %c *const i32 = null
    local %s S
    local %d f64
    local %g f32
    local %v <2>i32
  entry:
    %p = null:*i32
    switch %a {1: exit, else exit}
  exit:
    return %a
}`
	place := func(f *ir.Function, i int) ir.Place { return &ir.VarRef{Var: f.Vars[i]} }
	for name, spoil := range map[string]func(f *ir.Function) ir.Stmt{
		"qualifier lost": func(f *ir.Function) ir.Stmt {
			return &ir.Assign{Dst: place(f, 1), Src: &ir.Load{Place: place(f, 2)}}
		},
		"address of a bit-field": func(f *ir.Function) ir.Stmt {
			return &ir.Assign{Dst: place(f, 1), Src: &ir.AddrOf{Place: &ir.Member{Base: place(f, 3)}}}
		},
		"address of a lane": func(f *ir.Function) ir.Stmt {
			e := &ir.Elem{Base: place(f, 6), Index: &ir.Const{T: ir.I32}}
			return &ir.Assign{Dst: place(f, 1), Src: &ir.AddrOf{Place: e}}
		},
		"float to double": func(f *ir.Function) ir.Stmt {
			return &ir.Assign{Dst: place(f, 4), Src: &ir.FloatConst{T: ir.F32}}
		},
		"mixed operands": func(f *ir.Function) ir.Stmt {
			x := &ir.Binary{X: &ir.FloatConst{T: ir.F32}, Y: &ir.FloatConst{T: ir.F64}}
			return &ir.Assign{Dst: place(f, 4), Src: x}
		},
		"narrow operand": func(f *ir.Function) ir.Stmt {
			return &ir.Assign{Dst: place(f, 0), Src: &ir.Unary{Op: ir.Not, X: &ir.Const{T: ir.I8}}}
		},
		"lanes": func(f *ir.Function) ir.Stmt {
			return &ir.Assign{Dst: place(f, 6), Src: &ir.VecOf{T: ir.Vector{Elem: ir.I32, Lanes: 2}}}
		},
	} {
		f := checked(t, text)[0]
		entry(f).Stmts[0] = spoil(f)
		assert.Error(t, ir.Check(f), "%s", name)
		assert.Panics(t, func() { _, _ = interp.Run(f, []int64{1}, interp.Options{}) }, "%s", name)
	}
	f := checked(t, text)[0]
	entry(f).Term.(*ir.Switch).Cases[0].Lo = &ir.Const{T: ir.I64}
	assert.Panics(t, func() { _, _ = interp.Run(f, []int64{1}, interp.Options{}) })
}

func TestInitialPointers(t *testing.T) {
	f := checked(t, `
func @f() i32 {
    struct N {v i32, next *N}
    local %c N = {3, null}
    local %b N = {2, &%c}
    local %a N = {1, &%b}
    static @t [2]*i32 = {&@u[1], &@u[0]}
    static @u [2]i32 = {10, 20}
    local %e [3]*i32 = {null, &@u[2], &%a.v}
  entry:
    return %a.next->next->v * 1000 + *@t[0] + *%e[2] + i32(%e[1] - @t[1])
}`)[0]
	assert.Equal(t, int64(3023), run(t, f).Value)
}

// A state with pointers comes back when they point to the same places.
func TestEndlessLoopOfPointers(t *testing.T) {
	const text = `
func @f() i32 {
    volatile local %%v i32 = 1
    local %%x [2]i32 = {0, 0}
    local %%p *i32 = &%%x[0]
    local %%q *volatile i32 = &%%v
    local %%d f64 = 1
  entry:
    goto loop
  loop:
    %s
    if %%p == &%%x[1] goto loop else loop2
  loop2:
    %%p = &%%x[1]
    goto loop
  exit:
    return 0
}`
	for stmt, want := range map[string]interp.Kind{
		"%p = &%x[0]":                          interp.EndlessLoop,
		"%d = -%d":                             interp.EndlessLoop,
		"%x[0] = %x[0] + 1":                    none,
		"%d = %d + 1.0":                        none,
		"%x[0] = *%q":                          none,
		"%x[0] = *cast(*i32, %p)":              interp.EndlessLoop,
		"%x[0] = i32(cast(*i32, %p) - &%x[0])": interp.EndlessLoop,
	} {
		f := parse(t, fmt.Sprintf(text, stmt))
		_, err := interp.Run(f, nil, interp.Options{Fuel: 3000})
		var ub *interp.UB
		if want == none {
			assert.ErrorIs(t, err, interp.ErrFuel, "%s", stmt)
		} else if assert.ErrorAs(t, err, &ub, "%s", stmt) {
			assert.Equal(t, want, ub.Kind, "%s", stmt)
		}
	}
}

func TestTraceOfTheLanguage(t *testing.T) {
	f := checked(t, `
func @f(%a i32) i32 {
    struct S {x i32, d f64, p *S}
    local %s S = {1, 2, null}
    local %t S
    local %v <2>i8
    local %q *i32
  entry:
    %s.p = &%s
    %t.x = 1
    %s = %t
    %v = <2>i8{1, -1}
    %s.d = 1.5
    %t.x, %a = add_overflow(%a, 1)
    %q = &%a + 1
    %q = %q + -1
    *%q = 5
    switch %a {5: exit, else more}
  more:
    unreachable
    goto exit
  exit:
    return %a
}`)[0]
	text, err := interp.Trace(f, []int64{2147483647}, interp.Options{})
	require.NoError(t, err)
	assert.Equal(t, `call @f(%a = 2147483647)
0 entry: %s.p = &%s.x; %t.x = 1; %s.x = 1; %s.d = nothing; %s.p = nothing; %v[0] = 1; %v[1] = -1; %s.d = 1.5; %a = -2147483648; %t.x = 1; %q = behind &%a; %q = &%a; %a = 5; switch 5 goto exit
1 exit: return 5
`, text)
}
