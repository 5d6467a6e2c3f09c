//go:build cgo && z3

package z3

import (
	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// labels requires that no two labels of a switch share a value and that no
// range is empty. It is called for every switch, met or not: symbols among the
// labels of one that is not met must differ as well.
func (e *encoder) labels(t *ir.Switch) {
	for i, c := range t.Cases {
		if c.Hi != nil {
			e.require(e.compare(ir.Le, e.label(c.Lo), e.label(c.Hi)))
		}
		for _, d := range t.Cases[:i] {
			if fixed(c) && fixed(d) {
				continue // the checker has seen to it
			}
			below := e.compare(ir.Lt, e.label(last(c)), e.label(d.Lo))
			above := e.compare(ir.Gt, e.label(c.Lo), e.label(last(d)))
			e.require(e.either(below, above))
		}
	}
}

// last returns the largest value of a label.
func last(c ir.SwitchCase) ir.Expr {
	if c.Hi != nil {
		return c.Hi
	}
	return c.Lo
}

// fixed reports whether a label has no symbol.
func fixed(c ir.SwitchCase) bool {
	_, lo := c.Lo.(*ir.Const)
	_, hi := last(c).(*ir.Const)
	return lo && hi
}

// label returns the value of a constant or symbol.
func (e *encoder) label(x ir.Expr) value {
	if c, ok := x.(*ir.Const); ok {
		return e.constant(c.T, c.V)
	}
	return e.symbol(x.(*ir.Sym), additive)
}

// switched requires that t goes to block next, which is one of its targets.
func (e *encoder) switched(t *ir.Switch, next int) error {
	v, err := e.expr(t.X)
	if err != nil {
		return err
	}
	taken := e.falsity()
	for _, c := range t.Cases {
		is := e.labelled(v, c)
		switch {
		case t.Default.Index == next && c.To.Index != next:
			e.require(e.not(is))
		case c.To.Index == next:
			taken = e.either(taken, is)
		}
	}
	if t.Default.Index != next {
		e.require(taken)
	}
	return nil
}

// labelled returns whether v is one of the values of a label.
func (e *encoder) labelled(v value, c ir.SwitchCase) z3.Bool {
	if c.Hi == nil {
		return e.compare(ir.Eq, v, e.label(c.Lo))
	}
	return e.both(e.compare(ir.Ge, v, e.label(c.Lo)), e.compare(ir.Le, v, e.label(c.Hi)))
}
