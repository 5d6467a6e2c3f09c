package reduce_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/reduce"
)

// Functions of others go unless they matter, and of those that do the answers that are
// not asked for.
func TestForeignGoes(t *testing.T) {
	p := ir.MustParse(`
foreign @rab(%x u32) u32 {
    answer (3) = 9
    answer (4) = 16
    answer (5) = 25
    c "unsigned rab(unsigned x) { return x * x; }"
}
foreign @rcd(%x i32) i32 {
    answer (1) = -1
    answer (7) = -7
    c "int rcd(int x) { return -x; }"
}
func @g(%a i32) u32 {
    local %b i32 = 3
  entry:
    %b = @rcd(%b + 4) + 9
    if %a < %b goto left else right
  left:
    goto exit
  right:
    %b = @rcd(1)
    goto exit
  exit:
    return @rab(u32(%b) + 2) + 1
}
case g(a = 1) = 17 path entry left exit
`)
	require.NoError(t, p.Check())
	require.NoError(t, interp.VerifyProgram(p))
	test := func(_ context.Context, c reduce.Candidate) (bool, error) {
		called := false
		_, err := interp.RunProgram(c.Program, interp.Options{Leave: func(c interp.Call) { called = called || c.Func.Name == "rab" }})
		return called && err == nil, nil
	}
	r, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{Test: test, Forms: 1, Workers: 1})
	require.NoError(t, err)
	require.NoError(t, interp.VerifyProgram(r.Program))
	require.Len(t, r.Program.Funcs, 2, "%s", r.Program)
	left := r.Program.Funcs[0]
	require.NotNil(t, left.Foreign, "%s", r.Program)
	assert.Equal(t, "rab", left.Name)
	assert.Len(t, left.Foreign.Answers, 1, "%s", r.Program)
	assert.Len(t, r.Program.Funcs[1].Blocks, 1)
	assert.Len(t, p.Funcs[0].Foreign.Answers, 3, "what was given is as it was")
}
