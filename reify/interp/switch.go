package interp

import (
	"fmt"

	"goreify/reify/ir"
)

// target returns the block that t goes to for a value of type of (6.8.4.2p5).
func (at *frame) target(t *ir.Switch, of ir.Int, value int64) (*ir.Block, error) {
	var open *ir.Sym // a label that the value may turn out to have
	bound := func(e ir.Expr) (int64, error) {
		switch e := e.(type) {
		case *ir.Const:
			if e.T != of {
				panic(fmt.Sprintf("interp: label of %s in a switch on %s", e.T, of))
			}
			if !holds(of, e.V) {
				return 0, at.invalid(of, e.V, "label")
			}
			return e.V, nil
		case *ir.Sym:
			open = e
			return 0, nil
		}
		panic(fmt.Sprintf("interp: a %T as a label", e))
	}
	for _, c := range t.Cases {
		before := open
		lo, err := bound(c.Lo)
		if err != nil {
			return nil, err
		}
		hi := lo
		if c.Hi != nil {
			if hi, err = bound(c.Hi); err != nil {
				return nil, err
			}
		}
		if open == before && compare(ir.Le, of, lo, value) == 1 && compare(ir.Le, of, value, hi) == 1 {
			return c.To, nil
		}
	}
	if open != nil {
		return nil, at.symbol(open)
	}
	return t.Default, nil
}
