//go:build cgo && z3

package z3

import (
	"errors"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// C evaluates the right operand of && and ||, and one of those of ?:, depending on
// another value. Conditions of an operand under such a guard are required only where
// the guard holds.
type guarding struct {
	guard z3.Bool // of the expression at hand
	on    bool    // there is a guard
	// Entries that were added to the caches under any guard. They must not be found
	// after it, when their conditions need not hold.
	fits []uint64
	divs []dividing
}

// under calls f, which encodes an operand that is evaluated only if c holds. It does
// not call f if c is known to be false.
func (a *arithmetic) under(c z3.Bool, f func() error) error {
	if holds, known := a.known(c); known {
		if holds {
			return f()
		}
		return nil
	}
	outer := a.guarding
	if outer.on {
		c = a.both(outer.guard, c)
	}
	a.guard, a.on = c, true
	err := f()
	for _, key := range a.fits[len(outer.fits):] {
		delete(a.fitted, key)
	}
	for _, key := range a.divs[len(outer.divs):] {
		delete(a.divisions, key)
	}
	a.guarding = outer
	if errors.Is(err, solve.ErrUnsat) { // c must not hold then
		a.formula = append(a.formula, a.not(c))
		return nil
	}
	return err
}

// known returns whether c holds, if that is the same for all values of the symbols.
func (a *arithmetic) known(c z3.Bool) (holds, known bool) {
	return a.keepBool(a.ctx.Simplify(c, nil).(z3.Bool)).AsBool()
}

// require adds a condition of the path, under the guard if the expression at hand has
// one.
func (a *arithmetic) require(c z3.Bool) {
	if a.on {
		c = a.either(a.not(a.guard), c)
	}
	a.formula = append(a.formula, c)
}

func (a *arithmetic) falsity() z3.Bool { return a.keepBool(a.ctx.FromBool(false)) }

// logical returns the truth of && and ||.
func (e *encoder) logical(x *ir.Binary) (z3.Bool, error) {
	l, err := e.condition(x.X)
	if err != nil {
		return l, err
	}
	open, join := l, e.both
	if x.Op == ir.LOr {
		open, join = e.not(l), e.either
	}
	r := e.falsity()
	if err := e.under(open, func() error {
		c, err := e.condition(x.Y)
		if err == nil {
			r = c
		}
		return err
	}); err != nil {
		return l, err
	}
	return join(l, r), nil
}

// valueUnder returns the value of x, which is evaluated only if c holds.
func (e *encoder) valueUnder(c z3.Bool, x ir.Expr) (value, error) {
	result := e.constant(ir.IntOf(x), 0)
	err := e.under(c, func() error {
		v, err := e.expr(x)
		if err == nil {
			result = v
		}
		return err
	})
	return result, err
}

// selected returns the value of x.If ? x.X : x.Y.
func (e *encoder) selected(x *ir.Select) (value, error) {
	c, err := e.condition(x.If)
	if err != nil {
		return value{}, err
	}
	l, err := e.valueUnder(c, x.X)
	if err != nil {
		return l, err
	}
	r, err := e.valueUnder(e.not(c), x.Y)
	if err != nil {
		return r, err
	}
	if holds, known := e.known(c); known {
		if holds {
			return l, nil
		}
		return r, nil
	}
	return e.choose(c, l, r), nil
}
