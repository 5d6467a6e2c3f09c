package search

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// agrees asserts that the interpreter and this engine find the same value of an
// expression, or both that it is undefined.
func agrees(t *testing.T, e ir.Expr) {
	t.Helper()
	f := &ir.Function{Name: "f", Result: ir.IntOf(e), Blocks: []*ir.Block{
		{Name: "entry", Term: nil},
		{Name: "exit", Index: 1, Term: &ir.Return{Val: e}},
	}}
	f.Blocks[0].Term = &ir.Goto{To: f.Blocks[1]}
	run := newRun(f, guide{}, choice.New(nil))
	got, ok := run.eval(e, nil)
	want, err := interp.Run(f, nil, interp.Options{Fuel: 2})
	require.Equal(t, err == nil, ok, "%v: %v", e, err)
	if ok {
		require.Equal(t, want.Value, got, "%v", e)
	}
}

func TestOperatorsAgreeWithTheInterpreter(t *testing.T) {
	s := choice.New([]byte("operators"))
	for _, typ := range []ir.Int{ir.I32, ir.I64, ir.U32, ir.U64} {
		var values []*ir.Const
		for _, v := range []int64{0, 1, 2, 3, 5, 30, 31, 32, 33, 62, 63, 64, -1, -2, -7, typ.Min(), typ.Min() + 1, typ.Max(), typ.Max() - 1, 1 << 30, 1 << 62, 0x12345678} {
			values = append(values, &ir.Const{T: typ, V: typ.Wrap(v)})
		}
		for range 10 {
			values = append(values, &ir.Const{T: typ, V: typ.Wrap(int64(s.Uint64()))})
		}
		for _, x := range values {
			for _, y := range values {
				for op := ir.Add; op <= ir.LOr; op++ {
					agrees(t, &ir.Binary{Op: op, X: x, Y: y})
				}
				agrees(t, &ir.Select{If: x, X: y, Y: x})
			}
			for op := ir.Neg; op <= ir.LNot; op++ {
				agrees(t, &ir.Unary{Op: op, X: x})
			}
			for fn := ir.Popcount; fn <= ir.Abs; fn++ {
				if fn.Signed() == typ.Signed {
					agrees(t, &ir.Builtin{Fn: fn, Args: []ir.Expr{x}})
				}
			}
			for _, to := range []ir.Int{ir.Bool, ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64} {
				agrees(t, &ir.Convert{T: to, X: x})
			}
			for _, float := range []ir.Float{ir.F32, ir.F64} {
				for _, to := range []ir.Int{ir.Bool, ir.I8, ir.U16, ir.I32, ir.U64} {
					agrees(t, &ir.Convert{T: to, X: &ir.Convert{T: float, X: x}})
				}
			}
		}
	}
}

func TestFloatsAgreeWithTheInterpreter(t *testing.T) {
	values := []float64{0, 1, -1, 0.5, 3, 10, 1.0 / 8, 1 << 24, 1<<24 + 1, 1 << 53, -7.25, 0.1, 1e10}
	for _, typ := range []ir.Float{ir.F32, ir.F64} {
		for _, x := range values {
			for _, y := range values {
				a, b := &ir.FloatConst{T: typ, V: x}, &ir.FloatConst{T: typ, V: y}
				for op := ir.Add; op <= ir.Div; op++ {
					sum := &ir.Binary{Op: op, X: a, Y: b}
					agrees(t, &ir.Convert{T: ir.I64, X: sum})
					agrees(t, &ir.Convert{T: ir.I64, X: &ir.Convert{T: ir.F32, X: &ir.Unary{Op: ir.Neg, X: sum}}})
				}
				for op := ir.Lt; op <= ir.Ne; op++ {
					agrees(t, &ir.Binary{Op: op, X: a, Y: b})
				}
			}
		}
	}
}
