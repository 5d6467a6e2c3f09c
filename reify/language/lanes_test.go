package language

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Lanes of any width are for LLVM IR alone. They wrap and are converted as integers of that
// width.
func TestOddLanes(t *testing.T) {
	const text = `func @f(%a i32) u32 {
    global @g <3>u7 = {100, 1, 127}
    local %v <3>i24
  entry:
    %v = convert(<3>i24, <3>i32{%a, 8388608, -1})
    @g = @g + convert(<3>u7, %v)
    goto exit
  exit:
    return u32(@g[0]) + u32(i32(%v[1]) < 0)
}
case f(a = 30) = 3 path entry exit
`
	p, err := ir.Parse(text)
	require.NoError(t, err)
	require.NoError(t, ir.Check(p.Funcs[0]))
	require.NoError(t, interp.Verify(p.Claims[0]))
	for _, l := range All() {
		if err := l.Supports(p.Funcs[0]); l.OddLanes {
			assert.NoError(t, err, l.Name)
		} else {
			assert.Error(t, err, l.Name)
		}
	}
	assert.ErrorIs(t, C.Supports(p.Funcs[0]), errOddLanes)
	for wrong, said := range map[string]string{
		"func @f() i32 {\n  struct r {v <3>i24}\n  local %r r\n entry:\n  return 0\n}\n":                                                   "member v is <3>i24",
		"func @f() i32 {\n  local %v <5>i24\n  local %w <3>i32\n entry:\n  %w = bitcast(<3>i32, %v)\n  goto exit\n exit:\n  return 0\n}\n": "<5>i24 cast to <3>i32",
		"func @f() i32 {\n  local %v <3>u1\n entry:\n  return 0\n}\n":                                                                      "u1",
		"func @f() i32 {\n  local %v i24\n entry:\n  return 0\n}\n":                                                                        "i24",
	} {
		p, err := ir.Parse(wrong)
		if err == nil {
			err = ir.Check(p.Funcs[0])
		}
		assert.ErrorContains(t, err, said)
	}
}
