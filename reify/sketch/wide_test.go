package sketch

import (
	"testing"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

func TestOddIsDefined(t *testing.T) {
	defined(t, "odd", func(w *exprWriter) ir.Expr {
		w.p.Odd = 1
		w.wide = w.newWides()
		return w.odd(w.s.Range(1, 3))
	})
}

// Wide integers neither overflow nor are shifted too far, whatever their width is.
func TestWideIsDefined(t *testing.T) {
	defined(t, "wide", func(w *exprWriter) ir.Expr {
		p := choice.Pick(w.s, []WidthShares{{Int128: 1}, {BitInt: 1}, {Int128: 1, BitInt: 1}})
		w.p.WidthShares = p
		w.wide = w.newWides()
		return w.wideNumber()
	})
}
