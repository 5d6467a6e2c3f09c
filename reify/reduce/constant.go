package reduce

import (
	"math/bits"

	"goreify/reify/ir"
)

// ranks is the number of constants that are tried in place of one, besides 0 and 1.
const ranks = 4

// simpler returns the constant of a rank to try in the place of v, from bold to timid:
// half its bits, one digit and zeros, half of it, two digits and zeros. It reports
// whether such a constant exists, which costs less. Numbers below 100 stay.
func simpler(t ir.Int, v int64, rank int) (int64, bool) {
	negative, m := t.Signed && v < 0, uint64(v)
	if negative {
		m = -m
	}
	if m < 100 {
		return 0, false
	}
	digit := uint64(1)
	for m/digit >= 10 {
		digit *= 10
	}
	switch rank {
	case 0:
		m >>= bits.Len64(m) / 2
	case 1:
		m -= m % digit
	case 2:
		m /= 2
	case 3:
		m -= m % (digit / 10)
	}
	c := int64(m)
	if negative {
		c = -c
	}
	return c, t.Holds(c) && cost(c) < cost(v)
}

// A constant is the place of a constant: in an expression, an initial value, a label,
// or among the arguments of a case.
type constant struct {
	t    ir.Int
	get  func() int64
	set  func(v int64)
	with ir.Op // of the arithmetic that it is an operand of, or noOp
}

const noOp ir.Op = -1

// constants returns the constants of p. A constant that was set by one of the edits is
// not set by another, unless it conflicts with its neighbours.
func constants(p *ir.Program) []constant {
	var list []constant
	for _, k := range p.Claims {
		for i, x := range k.Func.Params() {
			list = append(list, constant{
				t:   x.Type.(ir.Int),
				get: func() int64 { return k.Args[i] },
				set: func(v int64) { k.Args[i] = v }, with: noOp,
			})
		}
	}
	for _, f := range ours(p) {
		list = append(list, initialConstants(f)...)
		operandOf := make(map[ir.Expr]ir.Op)
		v := slots{expr: func(at *ir.Expr, s slot) {
			switch e := (*at).(type) {
			case *ir.Binary:
				if !e.Op.Yields01() {
					operandOf[e.X], operandOf[e.Y] = e.Op, e.Op
				}
			case *ir.Const:
				if s != leaf {
					with, ok := operandOf[e]
					if !ok {
						with = noOp
					}
					list = append(list, constant{e.T, func() int64 { return e.V }, func(v int64) { e.V = v }, with})
				}
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
			}, noOp})
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
		}, noOp})
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

// zeroConstants and oneConstants replace constants by 0, and by 1 or -1, except an
// operand that would make its operator needless: other passes leave that out.
func zeroConstants(p *ir.Program, _ *run) []edit {
	return replaced(p, func(k constant, _ int64) (int64, bool) { return 0, k.with == noOp })
}

func oneConstants(p *ir.Program, _ *run) []edit {
	apart := func(k constant) bool { return k.with != ir.Mul && k.with != ir.Div }
	return append(
		replaced(p, func(k constant, _ int64) (int64, bool) { return 1, apart(k) }),
		replaced(p, func(k constant, v int64) (int64, bool) { return -1, apart(k) && k.t.Signed && v < 0 })...)
}

// mostConstants is the most constants with which simplerConstants looks at a
// program. One with more is not small yet, and each try costs a test.
const mostConstants = 60

// simplerConstants replaces constants by those that cost less, the boldest
// first.
func simplerConstants(p *ir.Program, _ *run) []edit {
	if len(constants(p)) > mostConstants {
		return nil
	}
	var list []edit
	for rank := range ranks {
		list = append(list, replaced(p, func(k constant, v int64) (int64, bool) { return simpler(k.t, v, rank) })...)
	}
	return list
}

// replaced returns an edit for each constant that has a lighter replacement.
func replaced(p *ir.Program, with func(k constant, v int64) (int64, bool)) []edit {
	var list []edit
	for _, k := range constants(p) {
		before := k.get()
		v, ok := with(k, before)
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
