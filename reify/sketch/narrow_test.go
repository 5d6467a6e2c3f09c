package sketch

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// returns makes f, whose variables are there, return e.
func returns(f *ir.Function, e ir.Expr) {
	f.Result = ir.IntOf(e)
	exit := &ir.Block{Name: "exit", Index: 1, Term: &ir.Return{Val: e}}
	f.Blocks = []*ir.Block{{Name: "entry", Term: &ir.Goto{To: exit}}, exit}
}

// defined runs a function of an expression of parameters of several types, which
// must be defined whatever they are.
func defined(t *testing.T, stream string, of func(w *exprWriter) ir.Expr) {
	s := choice.New([]byte(stream))
	for range 2000 {
		f := &ir.Function{Name: "f"}
		w := new(exprWriter)
		w.draws = draws{o: Options{Vars: 3}, s: s, f: f}
		w.palette = w.newPalette()
		types := []ir.Int{ir.Bool, ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64}
		for range 3 {
			w.register(newSource(w.newVar(ir.Param, choice.Pick(s, types))))
		}
		w.palette.declared(w.counts)
		returns(f, of(w))
		require.NoError(t, ir.Check(f), f)
		require.Zero(t, f.Syms)
		for range 10 {
			var args []int64
			for _, v := range f.Vars {
				args = append(args, constant(s, v.Type.(ir.Int)))
			}
			_, err := interp.Run(f, args, interp.Options{Fuel: 3})
			require.NoError(t, err, "%v of %s", args, f)
		}
	}
}

func TestNarrowIsDefined(t *testing.T) {
	defined(t, "narrow", func(w *exprWriter) ir.Expr {
		return w.narrow(choice.Pick(w.s, computed[:]))
	})
}

func TestTruthIsDefined(t *testing.T) {
	defined(t, "truth", func(w *exprWriter) ir.Expr { return w.truthNumber(choice.Pick(w.s, computed[:])) })
}

// Truth values are 0 or 1.
func TestTruthIsBinary(t *testing.T) {
	defined(t, "binary", func(w *exprWriter) ir.Expr {
		// Else the quotient is undefined.
		e := w.truth(w.s.Range(0, 3))
		return bin(ir.Div, constantOf(ir.I32, 1), bin(ir.Le, convert(ir.U32, e), constantOf(ir.U32, 1)))
	})
}
