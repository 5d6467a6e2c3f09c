package widths

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/core/coretest"
)

// defined runs a function of an expression of parameters of several types, which
// must be defined whatever they are.
func defined(t *testing.T, stream string, shares func(*choice.Stream) Shares, of func(w *widths) ir.Expr) {
	s := choice.New([]byte(stream))
	for range 2000 {
		f := &ir.Function{Name: "f"}
		p := shares(s)
		w := p.New(core.NewWriter(f, core.Config{Options: core.Options{Vars: 3}}, s)).(*widths)
		types := []ir.Int{ir.Bool, ir.I8, ir.U8, ir.I16, ir.U16, ir.I32, ir.U32, ir.I64, ir.U64}
		for range 3 {
			w.Register(core.NewSource(w.NewVar(ir.Param, choice.Pick(s, types))))
		}
		w.Declare()
		coretest.Returning(f, of(w))
		require.NoError(t, ir.Check(f), f)
		require.Zero(t, f.Syms)
		for range 10 {
			args, err := coretest.Run(f, s, 3)
			require.NoError(t, err, "%v of %s", args, f)
		}
	}
}

func TestNarrowIsDefined(t *testing.T) {
	defined(t, "narrow", func(*choice.Stream) Shares { return Shares{Widths: 1} }, func(w *widths) ir.Expr {
		return w.narrow(choice.Pick(w.S, core.Computed[:]))
	})
}

func TestTruthIsDefined(t *testing.T) {
	defined(t, "truth", func(*choice.Stream) Shares { return Shares{Truths: 1} }, func(w *widths) ir.Expr {
		return w.truthNumber(choice.Pick(w.S, core.Computed[:]))
	})
}

// Truth values are 0 or 1.
func TestTruthIsBinary(t *testing.T) {
	defined(t, "binary", func(*choice.Stream) Shares { return Shares{Truths: 1} }, func(w *widths) ir.Expr {
		// Else the quotient is undefined.
		e := w.truth(w.S.Range(0, 3))
		return core.Bin(ir.Div, core.Const(ir.I32, 1), core.Bin(ir.Le, core.Convert(ir.U32, e), core.Const(ir.U32, 1)))
	})
}

func TestOddIsDefined(t *testing.T) {
	defined(t, "odd", func(*choice.Stream) Shares { return Shares{Odd: 1} }, func(w *widths) ir.Expr {
		return w.odd(w.S.Range(1, 3))
	})
}

// Wide integers neither overflow nor are shifted too far, whatever their width is.
func TestWideIsDefined(t *testing.T) {
	defined(t, "wide", func(s *choice.Stream) Shares {
		return choice.Pick(s, []Shares{{Int128: 1}, {BitInt: 1}, {Int128: 1, BitInt: 1}})
	}, func(w *widths) ir.Expr { return w.wideNumber() })
}
