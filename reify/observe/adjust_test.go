package observe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Whatever the types and the values, the ends of their ranges included, Adjust
// gives the right one without overflow.
func TestAdjust(t *testing.T) {
	s := choice.New([]byte("adjust"))
	types := []ir.Int{ir.Bool, ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}
	draw := func(t ir.Int) int64 {
		switch s.Intn(4) {
		case 0:
			return t.Min()
		case 1:
			return t.Max()
		}
		return t.Wrap(s.Constant(-1<<63, 1<<63-1))
	}
	for range 20_000 {
		from, to := choice.Pick(s, types), choice.Pick(s, types)
		is, want := draw(from), draw(to)
		p := &ir.Var{Name: "p", Type: from}
		e := Adjust(s, &ir.Load{Place: &ir.VarRef{Var: p}}, is, to, want)
		f := &ir.Function{Name: "f", Result: to, Vars: []*ir.Var{p}, Blocks: []*ir.Block{{Name: "only", Term: &ir.Return{Val: e}}}}
		require.NoError(t, ir.Check(f))
		r, err := interp.Run(f, []int64{is}, interp.Options{})
		require.NoError(t, err, "%s", f)
		require.Equal(t, want, r.Value, "%s of %d", f, is)
	}
}
