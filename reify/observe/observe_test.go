package observe

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// The values of the package's example, and those of a second case.
func TestTracer(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
    local %i i32 = 0
    local %j i32
    volatile local %k i32 = 1
  entry:
    goto b1
  b1:
    %i = %i + 1
    if %i < 2 goto b1 else exit
  exit:
    return %a
}
case f(a = 7) = 7 path entry b1 b1 exit
case f(a = 8) = 8 path entry b1 b1 exit
`)
	require.NoError(t, p.Check())
	f := p.Funcs[0]
	tr := New(f)
	tr.History = true
	visits, err := tr.Run(p.Claims[0])
	require.NoError(t, err)
	assert.Equal(t, []int{1, 2, 1}, visits)
	require.Equal(t, 4, tr.Points())
	assert.Equal(t, []int{0, 1, 3}, []int{tr.First(f.Blocks[0]), tr.First(f.Blocks[1]), tr.First(f.Blocks[2])})
	a, i := f.Vars[0], f.Vars[1]
	assert.Equal(t, [][]Value{{{a, 7}, {i, 0}}, {{a, 7}}, {{a, 7}}, {{a, 7}, {i, 2}}}, tr.Values())

	_, err = tr.Run(p.Claims[1])
	require.NoError(t, err)
	assert.Equal(t, [][]Value{{{i, 0}}, nil, nil, {{i, 2}}}, tr.Values())
	row := func(a, i int64) Row { return Row{{a, true}, {i, true}, {}, {}} }
	assert.Equal(t, []Row{row(7, 0), row(8, 0)}, tr.Rows(0))
	assert.Equal(t, []Row{row(7, 0), row(7, 1), row(8, 0), row(8, 1)}, tr.Rows(1))
	assert.Equal(t, []Row{row(7, 1), row(7, 2), row(8, 1), row(8, 2)}, tr.Rows(2))
	assert.Equal(t, []Row{row(7, 2), row(8, 2)}, tr.Rows(3))

	p.Claims[0].Want++
	_, err = tr.Run(p.Claims[0])
	assert.EqualError(t, err, "@f returns 7 by way of [0 1 1 2], the case says 8 and [0 1 1 2]")
}
