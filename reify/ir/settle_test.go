package ir

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSettleIsConcretizeInPlace(t *testing.T) {
	f := MustParse(`
func @f(%a i32) u32 {
    local %x [2]i32 = {?0, ?1}
  entry:
    goto b1
  b1:
    %x[?2] = %a * ?3 + %x[%a % ?4 + ?5] - i32(i64(%a) + ?6)
    if %a + ?7 < 0 goto b1 else exit
  exit:
    return checksum(%a, %x)
}
`).Funcs[0]
	m := NewModel(f)
	for i := range m.Syms {
		m.Syms[i] = int64(100 + i)
	}
	want := Concretize(f, m).String()
	Settle(f, m)
	require.Equal(t, want, f.String())
	require.Zero(t, f.Syms)
}
