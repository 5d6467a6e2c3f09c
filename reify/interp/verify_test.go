package interp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

const loop = `
func @f(%a i32, %b u64) u64 {
    local %x i32
  entry:
    goto b1
  b1:
    %a = %a - 1
    if %a <= 0 goto b2 else b1
  b2:
    if 1 / (%a + 1) == 0 goto b2 else exit
  exit:
    return u64(%a) - %b
}
`

func TestVerify(t *testing.T) {
	for _, c := range []struct{ name, line, err string }{
		{"right", "f(a = 2, b = 1) = 18446744073709551615 path entry b1 b1 b2 exit", ""},
		{"wrong value", "f(a = 2, b = 1) = 7 path entry b1 b1 b2 exit",
			"@f returns 18446744073709551615, the case says 7"},
		{"another block", "f(a = 2, b = 1) = 7 path entry b1 b2 b2 exit",
			"@f visits block b1 at step 2, the case says block b2"},
		{"ends too soon", "f(a = 2, b = 1) = 7 path entry b1 b1 b2 exit exit",
			"@f visits no block at step 5, the case says block exit"},
		{"goes on", "f(a = 2, b = 1) = 7 path entry b1 b1",
			"@f visits block b2 at step 3, the case says no block"},
		{"empty path", "f(a = 2, b = 1) = 7 path",
			"@f visits block entry at step 0, the case says no block"},
		{"undefined on the path", "f(a = 0, b = 1) = 7 path entry b1 b2 exit",
			"undefined behaviour: DivisionByZero: 1 / 0: in @f block b2 (step 2): if 1 / (%a + 1) == 0 goto b2 else exit"},
		{"undefined after the path", "f(a = 0, b = 1) = 7 path entry b1",
			"@f visits block b2 at step 2, the case says no block"},
		{"undefined off the path", "f(a = 0, b = 1) = 7 path entry b1 exit",
			"@f visits block b2 at step 2, the case says block exit"},
	} {
		f := parse(t, loop)
		err := interp.Verify(caseOf(t, f, c.line))
		if c.err == "" {
			assert.NoError(t, err, c.name)
		} else {
			assert.EqualError(t, err, c.err, c.name)
		}
	}
}

func TestVerifyErrorTypes(t *testing.T) {
	f := parse(t, loop)
	path := []int{0, 1, 2, 3}
	assert.ErrorAs(t, interp.Verify(&ir.Claim{Func: f, Args: []int64{1, 0}, Path: path, Want: 1}), new(*interp.Mismatch))
	assert.ErrorAs(t, interp.Verify(&ir.Claim{Func: f, Args: []int64{0, 0}, Path: path}), new(*interp.UB))
	assert.ErrorAs(t, interp.Verify(&ir.Claim{Func: f, Args: []int64{1 << 31, 0}, Path: path}), new(*interp.UB))
	assert.ErrorIs(t, interp.Verify(&ir.Claim{Func: f, Args: []int64{0}, Path: path}), interp.ErrArgs)
	assert.ErrorContains(t, interp.Verify(&ir.Claim{Func: f, Args: []int64{1, 0}, Path: []int{0, 17}}), "block number 17")

	f.Blocks[1].Stmts[0].(*ir.Assign).Src = &ir.Sym{T: ir.I32}
	assert.ErrorIs(t, interp.Verify(&ir.Claim{Func: f, Args: []int64{1, 0}, Path: path}), interp.ErrSymbol)
}

// caseOf reads the line of a case of f.
func caseOf(t *testing.T, f *ir.Function, line string) *ir.Claim {
	t.Helper()
	p, err := ir.Parse(fmt.Sprintf("%scase %s\n", f, line))
	require.NoError(t, err)
	return p.Claims[0]
}
