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

func counted(t *testing.T, condition string) *ir.Function {
	p, err := ir.Parse(fmt.Sprintf(`
func @f(%%a i32) u32 {
    local %%i i32 = 0
    static @g [64]i32 = {%s}
  entry:
    goto b1
  b1:
    @g[%%i] = @g[%%i] + ?0
    %%i = %%i + 1
    if %s goto b1 else b2
  b2:
    %%a = %%a + ?1
    if %%a - ?2 < 0 goto b2 else exit
  exit:
    return checksum(%%a, %%i, @g)
}
`, zeros, condition))
	require.NoError(t, err)
	return p.Funcs[0]
}

const zeros = "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, " +
	"0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0"

// A loop whose condition has no symbols goes round as often as it says, and the
// length that is wanted is that of the rest.
func TestFixedLoops(t *testing.T) {
	for seed := range uint64(30) {
		f := counted(t, "%i < 64")
		s := choice.New(choice.Derive(seed, "fixed"))
		path, m, st, err := search.Engine{}.Find(f, solve.Target{Length: 8, Free: true}, s)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(path), 64+8+2+32+8)
		rounds := 0
		for _, b := range path {
			if b == 1 {
				rounds++
			}
		}
		assert.Equal(t, 64, rounds)
		assert.LessOrEqual(t, st.Walks, 6)
		run, err := interp.Run(ir.Concretize(f, m), m.Args, interp.Options{Fuel: len(path) + 1})
		require.NoError(t, err)
		assert.Equal(t, path, run.Path)
	}
}

// One that has no end is given up.
func TestFixedLoopsWithoutEnd(t *testing.T) {
	f := counted(t, "@g[0] * 0 == 0")
	for i := range f.Blocks[1].Stmts {
		if i > 0 {
			f.Blocks[1].Stmts = f.Blocks[1].Stmts[:1]
		}
	}
	_, _, st, err := search.Engine{}.Find(f, solve.Target{Length: 8, Free: true}, choice.New(choice.Derive(1, "fixed")))
	require.ErrorIs(t, err, solve.ErrUnknown)
	assert.LessOrEqual(t, st.Walks, search.DefaultWalks)
}
