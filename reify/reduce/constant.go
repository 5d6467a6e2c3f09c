package reduce

import (
	"math/bits"

	"goreify/reify/ir"
)

// ranks is how many constants are tried in the place of one, besides 0 and 1.
const ranks = 5

// simpler returns the constant of a rank to try in the place of v, from bold to
// timid: without the sign, with half the bits, a power of ten, one digit and
// zeros, half of it. It reports whether there is one, which costs less than v.
func simpler(t ir.Int, v int64, rank int) (int64, bool) {
	negative, m := t.Signed && v < 0, uint64(v)
	if negative {
		m = -m
	}
	digit := uint64(1)
	for m/digit >= 10 {
		digit *= 10
	}
	switch rank {
	case 0:
		negative = false
	case 1:
		m >>= bits.Len64(m) / 2
	case 2:
		m = digit
	case 3:
		m -= m % digit
	case 4:
		m /= 2
	}
	c := int64(m)
	if negative {
		c = -c
	}
	return c, t.Holds(c) && cost(c) < cost(v)
}

// A constant is a place where one stands: in an expression, an initial value, a
// label, or among the arguments of a case.
type constant struct {
	t   ir.Int
	get func() int64
	set func(v int64)
}

// constants returns those of p. What one of them was set to is not undone by
// another, but for one that does not go with its neighbours.
func constants(p *ir.Program) []constant {
	var list []constant
	for _, k := range p.Cases {
		for i, x := range k.Func.Params() {
			list = append(list, constant{
				t:   x.Type.(ir.Int),
				get: func() int64 { return k.Args[i] },
				set: func(v int64) { k.Args[i] = v },
			})
		}
	}
	for _, f := range p.Funcs {
		list = append(list, initialConstants(f)...)
		v := slots{expr: func(at *ir.Expr, s slot) {
			if k, ok := (*at).(*ir.Const); ok && s != leaf {
				list = append(list, constant{k.T, func() int64 { return k.V }, func(v int64) { k.V = v }})
			}
		}}
		v.code(f)
		for _, b := range f.Blocks {
			if t, ok := b.Term.(*ir.Switch); ok {
				list = append(list, switchLabels(t)...)
			}
		}
	}
	return list
}

// initialConstants returns those of the initial values of f.
func initialConstants(f *ir.Function) []constant {
	var list []constant
	for _, x := range f.Vars {
		for i, e := range x.Init {
			k, ok := e.(*ir.Const)
			if !ok {
				continue
			}
			to, isFloat := ir.Cell(x.Type, i).(ir.Float)
			list = append(list, constant{k.T, func() int64 { return k.V }, func(v int64) {
				if !isFloat || to == ir.F64 || int64(float32(v)) == v {
					k.V = v
				}
			}})
		}
	}
	return list
}

// switchLabels returns the constants of a switch, which keep apart from each other.
func switchLabels(t *ir.Switch) []constant {
	var list []constant
	add := func(k *ir.Const) {
		list = append(list, constant{k.T, func() int64 { return k.V }, func(v int64) {
			before := k.V
			if k.V = v; overlap(t) {
				k.V = before
			}
		}})
	}
	for _, c := range t.Cases {
		lo, ok := c.Lo.(*ir.Const)
		if !ok {
			continue
		}
		add(lo)
		if hi, ok := c.Hi.(*ir.Const); ok {
			add(hi)
		}
	}
	return list
}

// overlap reports whether labels of t share a value, or one is an empty range.
func overlap(t *ir.Switch) bool {
	type span struct{ lo, hi uint64 }
	var list []span
	for _, c := range t.Cases {
		lo, ok := c.Lo.(*ir.Const)
		if !ok {
			continue
		}
		hi := lo
		if c.Hi != nil {
			hi = c.Hi.(*ir.Const)
		}
		s := span{uint64(lo.V), uint64(hi.V)}
		if lo.T.Signed {
			s.lo ^= 1 << 63
			s.hi ^= 1 << 63
		}
		if s.lo > s.hi {
			return true
		}
		for _, other := range list {
			if s.lo <= other.hi && other.lo <= s.hi {
				return true
			}
		}
		list = append(list, s)
	}
	return false
}

// zeroConstants and oneConstants replace constants by 0, and by 1 or -1.
func zeroConstants(p *ir.Program, _ *run) []edit {
	return replaced(p, func(_ ir.Int, _ int64) (int64, bool) { return 0, true })
}

func oneConstants(p *ir.Program, _ *run) []edit {
	return append(
		replaced(p, func(_ ir.Int, _ int64) (int64, bool) { return 1, true }),
		replaced(p, func(t ir.Int, v int64) (int64, bool) { return -1, t.Signed && v < 0 })...)
}

// simplerConstants replaces constants by those that cost less, the boldest
// first.
func simplerConstants(p *ir.Program, _ *run) []edit {
	var list []edit
	for rank := range ranks {
		list = append(list, replaced(p, func(t ir.Int, v int64) (int64, bool) { return simpler(t, v, rank) })...)
	}
	return list
}

// replaced returns an edit for each constant that has something lighter to be
// replaced with.
func replaced(p *ir.Program, with func(t ir.Int, v int64) (int64, bool)) []edit {
	var list []edit
	for _, k := range constants(p) {
		before := k.get()
		v, ok := with(k.t, before)
		if !ok || !k.t.Holds(v) || cost(v) >= cost(before) {
			continue
		}
		list = append(list, func() {
			if k.get() == before {
				k.set(v)
			}
		})
	}
	return list
}
