package interp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

func ubOf(t *testing.T, f *ir.Function, args ...int64) *interp.UB {
	t.Helper()
	_, err := interp.Run(f, args, interp.Options{})
	var ub *interp.UB
	require.ErrorAs(t, err, &ub)
	return ub
}

// Each kind in a function of one block, beside its nearest defined neighbour.
func TestUndefinedBehaviour(t *testing.T) {
	const decls = "local %x i32\n local %y [2][3]i32 = {1, 2, 3, 4, 5, 6}\n local %z [2]i32\n static @g i32\n" +
		"volatile local %v i32 = 2\n volatile global @w [2]i32"
	for _, c := range []struct {
		kind              interp.Kind
		undefined, detail string
		defined           string
		want              int64 // of the defined one
	}{
		{interp.UninitializedRead, "%a = %x", "%x has no value", "%a = @g", 0},
		{interp.UninitializedRead, "%a = %z[1]", "%z[1] has no value", "%a = %y[1][0]", 4},
		{interp.UninitializedRead, "%y[%z[0]][0] = 1", "%z[0] has no value", "%y[0][0] = 1", maxI32},
		{interp.SignedOverflow, "%a = %a + 1", "2147483647 + 1 does not fit i32", "%a = %a + 0", maxI32},
		{interp.SignedOverflow, "%a = -2 - %a", "-2 - 2147483647 does not fit i32", "%a = -1 - %a", minI32},
		{interp.SignedOverflow, "%a = (-1 - %a) / -1", "-2147483648 / -1 does not fit i32", "%a = (0 - %a) / -1", maxI32},
		{interp.SignedOverflow, "%a = (-1 - %a) % -1", "-2147483648 % -1 does not fit i32", "%a = (0 - %a) % -1", 0},
		{interp.SignedOverflow, "%a = i32(i64(%a) * 4294967299)", "2147483647 * 4294967299 does not fit i64", "%a = i32(i64(%a) * 4294967298)", -2},
		{interp.DivisionByZero, "%a = %a / @g", "2147483647 / 0", "%a = %a / 1", maxI32},
		{interp.DivisionByZero, "%a = %a % @g", "2147483647 % 0", "%a = %a % 2", 1},
		{interp.DivisionByZero, "%a = i32(7 / u32(@g))", "7 / 0", "%a = i32(7 / u32(%y[0][0]))", 7},
		{interp.OutOfBounds, "%a = %y[0][3]", "index 3 into [3]i32 in %y", "%a = %y[0][2]", 3},
		{interp.OutOfBounds, "%a = %y[-1][3]", "index -1 into [2][3]i32 in %y", "%a = %y[0][0]", 1},
		{interp.OutOfBounds, "%y[2][0] = 1", "index 2 into [2][3]i32 in %y", "%y[1][2] = 1", maxI32},
		{interp.OutOfBounds, "%y[u64(0) - 1][0] = 1", "index 18446744073709551615 into [2][3]i32 in %y", "%y[u64(0) + 1][0] = 1", maxI32},
		{interp.UnsequencedAccess, "%a = %v + %v", "volatile %v is read twice", "%a = %v + %y[0][0] + %y[0][0]", 4},
		{interp.UnsequencedAccess, "%a = %v * 0 + %y[0][%v]", "volatile %v is read twice", "%a = %v * 0 + %y[0][@w[0]]", 1},
		{interp.UnsequencedAccess, "%y[0][%v] = %v", "volatile %v is read twice", "%v = %v + 1", maxI32},
		{interp.UnsequencedAccess, "%y[@w[0]][@w[0]] = 1", "volatile @w[0] is read twice", "@w[@w[0]] = @w[1]", maxI32},
		{interp.UnsequencedAccess, "%a = @w[1] - @w[1]", "volatile @w[1] is read twice", "%a = @w[1] - @w[0]", 0},
		{interp.UnsequencedAccess, "%a = @w[@w[0]]", "volatile @w[0] is read twice", "%a = @w[@w[1]]", 0},
	} {
		ub := ubOf(t, straight(t, "%a i32", "i32", decls, c.undefined, "%a"), maxI32)
		assert.Equal(t, &interp.UB{
			Kind: c.kind, Func: "f", Block: "entry", Stmt: c.undefined, Step: 0, Detail: c.detail,
		}, ub, "%s", c.undefined)

		r := run(t, straight(t, "%a i32", "i32", decls, c.defined, "%a"), maxI32)
		assert.Equal(t, c.want, r.Value, "%s", c.defined)
	}
}

const (
	minI32 = -1 << 31
	maxI32 = 1<<31 - 1
)

func TestUndefinedBehaviourInTerminators(t *testing.T) {
	f := parse(t, `
func @f(%a i32) i32 {
    local %x i32
  entry:
    goto b1
  b1:
    %a = %a - 1
    if 10 / %a > 2 goto b1 else exit
  exit:
    return %x
}
`)
	assert.Equal(t, "undefined behaviour: DivisionByZero: 10 / 0: in @f block b1 (step 3): if 10 / %a > 2 goto b1 else exit",
		ubOf(t, f, 3).Error())
	ub := ubOf(t, f, 9)
	assert.Equal(t, "return %x", ub.Stmt)
	assert.Equal(t, 2, ub.Step)

	f = straight(t, "", "u32", "local %z [2]i32", "%z[0] = 1", "checksum(%z)")
	assert.Equal(t, "%z[1] has no value", ubOf(t, f).Detail)
}

// Statements, conditions and what is returned are full expressions of their
// own; a checksum reads each scalar in a call of its own.
func TestUnsequencedAccessInTerminators(t *testing.T) {
	const text = `
func @f(%%a i32) u32 {
    volatile local %%v i32 = 5
  entry:
    goto b1
  b1:
    %%v = %%v - 1
    %%a = %%v
    if %s > 0 goto b1 else exit
  exit:
    return %s
}
`
	f := parse(t, fmt.Sprintf(text, "%v", "checksum(%v, %a, %v)"))
	assert.Len(t, run(t, f, 0).Path, 7)

	f = parse(t, fmt.Sprintf(text, "%v - 3 * %v", "0"))
	ub := ubOf(t, f, 0)
	assert.Equal(t, interp.UnsequencedAccess, ub.Kind)
	assert.Equal(t, "if %v - 3 * %v > 0 goto b1 else exit", ub.Stmt)
	assert.Equal(t, 1, ub.Step)

	f = parse(t, fmt.Sprintf(text, "%v", "u32(%v) + u32(%v)"))
	ub = ubOf(t, f, 0)
	assert.Equal(t, interp.UnsequencedAccess, ub.Kind)
	assert.Equal(t, "return u32(%v) + u32(%v)", ub.Stmt)
}

func TestInvalidValue(t *testing.T) {
	f := straight(t, "%a u8", "i32", "local %x i8 = 5", "%x = 6", "i32(%a)")
	assert.Equal(t, int64(255), run(t, f, 255).Value)

	ub := ubOf(t, f, 256)
	assert.Equal(t, &interp.UB{
		Kind: interp.InvalidValue, Func: "f", Detail: "argument %a is 256, which u8 does not hold",
	}, ub)
	assert.Equal(t, "undefined behaviour: InvalidValue: argument %a is 256, which u8 does not hold: in @f", ub.Error())
	assert.Equal(t, interp.InvalidValue, ubOf(t, f, -1).Kind)

	c := f.Blocks[0].Stmts[0].(*ir.Assign).Src.(*ir.Const)
	c.V = -128
	run(t, f, 0)
	c.V = -129
	ub = ubOf(t, f, 0)
	assert.Equal(t, interp.InvalidValue, ub.Kind)
	assert.Equal(t, "constant is -129, which i8 does not hold", ub.Detail)

	c.V = 0
	f.Vars[1].Init[0].(*ir.Const).V = 128
	assert.Equal(t, "initial value of %x is 128, which i8 does not hold", ubOf(t, f, 0).Detail)
}

// The loops differ in what they leave of the state after each time round.
func TestEndlessLoop(t *testing.T) {
	for _, c := range []struct {
		name, decls, body string
		endless           bool
	}{
		{"nothing changes", "", "", true},
		{"state settles", "", "%i = %i / 2", true},
		{"state turns", "", "%i = (%i + 7) % 100", true},
		{"unsigned turns", "local %u u8 = 0", "%u = u8(i32(%u) + 1)", true},
		{"element settles", "local %y [4]i32", "%y[%i % 4] = %i\n%i = (%i + 1) % 12", true},
		{"finite", "", "%i = %i + 1", false},
		{"finite, inner state turns", "local %u u8 = 0", "%u = u8(i32(%u) + 1)\n%i = %i + i32(%u) / 255", false},
	} {
		f := parse(t, `
func @f(%i i32) i32 {
    `+c.decls+`
  entry:
    goto head
  head:
    if %i < 5000 goto body else exit
  body:
    `+c.body+`
    goto head
  exit:
    return %i
}
`)
		r, err := interp.Run(f, []int64{0}, interp.Options{Fuel: 10_000_000})
		if !c.endless {
			assert.NoError(t, err, c.name)
			continue
		}
		var ub *interp.UB
		if assert.ErrorAs(t, err, &ub, c.name) {
			assert.Equal(t, interp.EndlessLoop, ub.Kind, c.name)
			assert.Contains(t, []string{"head", "body"}, ub.Block)
			assert.Equal(t, r.Steps-1, ub.Step)
			assert.Less(t, r.Steps, 3000, "%s: found soon", c.name)
		}
	}
}

// What the state must be compared with: Step of the UB is exact evidence that
// the state at that step is one met before.
func TestEndlessLoopSaysHowLongTheCycleIs(t *testing.T) {
	f := parse(t, `
func @f(%i i32) i32 {
  entry:
    goto b1
  b1:
    %i = (%i + 1) % 7
    if %i < 7 goto b1 else exit
  exit:
    return 0
}
`)
	assert.Equal(t, "the state is that of 7 block visits ago", ubOf(t, f, 0).Detail)
}

// A loop that accesses a volatile object may go on for ever, and does.
func TestVolatileAccessMakesALoopDefined(t *testing.T) {
	for _, access := range []string{"%x = %v", "%v = 0", "%x = %w[%x]", "%w[0] = %x"} {
		f := parse(t, `
func @f() i32 {
    local %x i32 = 0
    volatile local %v i32 = 0
    volatile local %w [2]i32 = {0, 0}
  entry:
    goto b1
  b1:
    `+access+`
    goto b2
  b2:
    if %x == 0 goto b1 else exit
  exit:
    return 0
}
`)
		r, err := interp.Run(f, nil, interp.Options{Fuel: 20_000})
		require.ErrorIs(t, err, interp.ErrFuel, access)
		assert.Equal(t, 20_000, r.Steps)
	}
}

// Only accesses in the loop count, not those before it, nor those of an outer
// loop that is left for good.
func TestVolatileAccessBeforeALoopDoesNotMatter(t *testing.T) {
	f := parse(t, `
func @f() i32 {
    volatile local %v i32 = 0
    local %x i32 = 0
  entry:
    goto b1
  b1:
    %v = %v + 1
    if %v < 400 goto b1 else b2
  b2:
    %x = 1 - %x
    if %x < 2 goto b2 else exit
  exit:
    return 0
}
`)
	ub := ubOf(t, f)
	assert.Equal(t, interp.EndlessLoop, ub.Kind)
	assert.Equal(t, "b2", ub.Block)
}

func TestKindString(t *testing.T) {
	seen := map[string]bool{}
	for k := interp.UninitializedRead; k <= interp.Inexact; k++ {
		assert.NotEmpty(t, k.String())
		seen[k.String()] = true
	}
	assert.Len(t, seen, 23)
	assert.Equal(t, "UnspecifiedOrder", interp.UnspecifiedOrder.String())
	assert.Equal(t, "Inexact", interp.Inexact.String())
	assert.Equal(t, "Kind(23)", interp.Kind(23).String())
}
