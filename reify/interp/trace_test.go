package interp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
)

const traced = `
func @f(%a i32, %b u64) i32 {
    static @g [2][2]u32
  entry:
    goto b1
  b1:
    %a = %a - 3
    @g[1][0] = u32(%a)
    if %b / u64(%a) goto exit else b1
  exit:
    return %a
}
`

func TestTrace(t *testing.T) {
	f := parse(t, traced)
	text, err := interp.Trace(f, []int64{2, -1}, interp.Options{})
	require.NoError(t, err)
	assert.Equal(t, `call @f(%a = 2, %b = 18446744073709551615)
0 entry: goto b1
1 b1: %a = -1; @g[1][0] = 4294967295; if 1 goto exit
2 exit: return -1
`, text)
}

func TestTraceOfAFailure(t *testing.T) {
	f := parse(t, traced)
	for _, c := range []struct {
		args []int64
		fuel int
		want string
	}{
		{[]int64{6, 2}, 0, `call @f(%a = 6, %b = 2)
0 entry: goto b1
1 b1: %a = 3; @g[1][0] = 3; if 0 goto b1
2 b1: %a = 0; @g[1][0] = 0;
error: undefined behaviour: DivisionByZero: 2 / 0: in @f block b1 (step 2): if %b / u64(%a) goto exit else b1
`},
		{[]int64{-1 << 31, 2}, 0, `call @f(%a = -2147483648, %b = 2)
0 entry: goto b1
1 b1:
error: undefined behaviour: SignedOverflow: -2147483648 - 3 does not fit i32: in @f block b1 (step 1): %a = %a - 3
`},
		{[]int64{6, 2}, 1, `call @f(%a = 6, %b = 2)
0 entry: goto b1
error: @f: out of fuel after 1 block visits
`},
		{[]int64{6}, 0, `call @f(%a = 6, %b)
error: @f: wrong number of arguments: 1 for 2 parameters
`},
	} {
		text, err := interp.Trace(f, c.args, interp.Options{Fuel: c.fuel})
		assert.Error(t, err)
		assert.Equal(t, c.want, text)
	}
}

func TestTraceCallback(t *testing.T) {
	f := parse(t, traced)
	var events []interp.Event
	_, err := interp.Run(f, []int64{2, -1}, interp.Options{Trace: func(e interp.Event) { events = append(events, e) }})
	require.NoError(t, err)
	require.Len(t, events, 5)
	assert.Equal(t, 2, events[2].Elem, "@g[1][0] is the third element")
	assert.Equal(t, f.Blocks[1], events[3].Block)
	assert.Equal(t, f.Blocks[2], events[3].To)
	assert.Nil(t, events[4].To)
	assert.Equal(t, int64(-1), events[4].Value)
}
