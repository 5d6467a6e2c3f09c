package interp

import (
	"fmt"
	"math/big"
	"slices"

	"goreify/reify/ir"
)

// Held runs claims and returns what held in all of them. The error is that of a call that
// does not end as its claim says.
func Held(claims ...*ir.Claim) (*ir.Held, error) {
	h := ir.NewHeld()
	for _, c := range claims {
		o := Options{Under: c.Under, Fuel: DefaultFuel, Held: h}
		o.Enter = func(c Call) {
			for i, v := range c.Func.Params() {
				if t, ok := v.Type.(ir.Int); ok && i < len(c.Args) {
					h.Value(v, t, c.Args[i])
				}
			}
		}
		o.Leave = func(c Call) { h.Value(c.Func, c.Func.Result, c.Value) }
		r, err := Run(c.Func, c.Args, o)
		if err == nil && (!slices.Equal(r.Path, c.Path) || r.Value != c.Want) {
			err = &Mismatch{c.Func.Name, -1, c.Answer(), c.Func.Result.Format(r.Value)}
		}
		if err != nil {
			return nil, fmt.Errorf("@%s: what holds in a call: %w", c.Func.Name, err)
		}
	}
	return h, nil
}

// holds notes an operation on two integers.
func (m *machine) holds(e *ir.Binary, t ir.Int, x, y int64) {
	if m.o.Held != nil {
		m.o.Held.Op(e, ir.Promised(e.Op, t, x, y))
	}
}

func (m *machine) holdsWide(e *ir.Binary, t ir.Wide, x, y *big.Int) {
	if m.o.Held != nil {
		m.o.Held.Op(e, ir.PromisedWide(e.Op, t, x, y))
	}
}

// holdsOf notes a conversion of an integer from a width to another, and holdsOfWide that of one
// that may be wide.
func (m *machine) holdsOf(e *ir.Convert, from, to int, x int64) {
	m.o.Held.Op(e, ir.PromisedOf(from, to, x))
}

func (m *machine) holdsOfWide(e *ir.Convert, from, to int, x *big.Int) {
	m.o.Held.Op(e, ir.PromisedOfWide(from, to, x))
}

// holdsLoad notes an integer that is read.
func (m *machine) holdsLoad(e *ir.Load, t ir.Int, v int64) {
	if m.o.Held != nil {
		m.o.Held.Value(e, t, v)
	}
}
