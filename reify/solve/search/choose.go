package search

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A policy is how daring the values are that choose gives to symbols. The
// statements that the path visits once can take anything that is defined;
// those it visits again must not overflow on later data.
type policy struct {
	factor  int64    // magnitude of multipliers, where it can be had
	self    int64    // the same for what multiplies the variable assigned to
	product int64    // magnitude of products, where it can be had
	addend  int64    // magnitude of what is added
	robust  bool     // prefer values that are right for any data
	result  interval // what the whole statement should come to, if it can
	dst     *ir.Var  // the variable assigned to, nil for a condition
}

// policyFor returns the policy for a statement or condition that the path visits
// n times and that has been given up fails times.
func (r *run) policyFor(t ir.Int, n, fails int) policy {
	m := policy{factor: 1 << 31, self: 1 << 31, addend: 1 << 31, product: 1 << 31, result: all(t)}
	if n > 1 {
		m.robust = true
		m.factor = []int64{200, 100, 40, 20, 12}[min(n-2, 4)]
		m.self = []int64{12, 5, 3}[min(n-2, 2)]
		m.addend = 1 << 31 / int64(n)
		if !r.daring {
			m.addend = 1 << 20 / int64(n)
			m.result = m.result.clamp(1 << 20)
			m.product = 1 << 24
		}
	}
	for range min(fails, 6) {
		m.factor = max(2, m.factor/32)
		m.self = max(1, m.self/8)
		m.addend = max(64, m.addend/64)
		m.robust = true
	}
	return m
}

// choose evaluates e in a state and gives values to the symbols it meets that
// have none, so that e is defined and, where that can be arranged, in want. It
// returns false if what it chose did not work out; the caller unsets the
// symbols and may try again.
func (r *run) choose(e ir.Expr, state []int64, want interval, m policy) (int64, bool) {
	if !r.hasUnset(e) {
		return r.eval(e, state)
	}
	switch e := e.(type) {
	case *ir.Sym:
		return r.assign(e, draw(r.s, want.and(all(e.T)).clamp(m.addend))), true
	case *ir.Load:
		at, ok := r.locate(e.Place, state, &m)
		if !ok {
			return 0, false
		}
		return r.load(e.Place, at, state)
	case *ir.Convert:
		of := e.X.Type()
		room, _ := converted(e.T, of, want)
		if room.empty() {
			room = all(of)
		}
		x, ok := r.choose(e.X, state, room, m)
		return e.T.Wrap(x), ok
	case *ir.Binary:
		return r.chooseBinary(e, e.X.Type(), state, want, m)
	case *ir.Unary:
		return r.chooseUnary(e, state, want, m)
	case *ir.Select:
		return r.chooseSelect(e, state, want, m)
	case *ir.Builtin:
		return r.chooseBuiltin(e, state, want, m)
	case *ir.PtrCompare:
		return r.comparePointers(e, state, &m)
	case *ir.PtrDiff:
		return r.subtractPointers(e, state, &m)
	case *ir.FloatCompare:
		return r.compareFloats(e, state, &m)
	case *ir.FloatToInt:
		return r.floatToInt(e, state, &m)
	}
	panic(fmt.Sprintf("search: symbol below %T", e))
}

// chooseOperator is choose for an operand of an operator on type t: asking each
// operator of a long sum for its type would take the square of its length.
func (r *run) chooseOperator(e ir.Expr, t ir.Int, state []int64, want interval, m policy) (int64, bool) {
	if b, is := e.(*ir.Binary); is && !b.Op.Yields01() && r.hasUnset(b) {
		return r.chooseBinary(b, t, state, want, m)
	}
	return r.choose(e, state, want, m)
}

// chooseBinary is choose for an operator whose operands have type t.
func (r *run) chooseBinary(e *ir.Binary, t ir.Int, state []int64, want interval, m policy) (int64, bool) {
	truth := want
	switch {
	case e.Op.Compares():
		want = all(t)
	case e.Op.Logical():
		return r.chooseLogical(e, state, want, m)
	}
	if sym, ok := e.X.(*ir.Sym); ok && !r.set[sym.ID] && !r.hasUnset(e.Y) {
		y, ok := r.eval(e.Y, state)
		if !ok {
			return 0, false
		}
		return r.chooseOperand(e, t, sym, y, state, want, m, left)
	}
	operand := all(t)
	if half := int64(want.width() / 2); half < 1<<15 && (e.Op == ir.Add || e.Op == ir.Sub) {
		// An index: a remainder of at most that magnitude can be moved into the
		// bounds, whatever the dividend is.
		operand = interval{-half, half}
	} else if e.Op > ir.Rem {
		operand = leftOperand(e.Op, t, want)
	}
	if e.Op.Compares() && truth.lo == truth.hi && !r.hasUnset(e.Y) {
		operand = r.sideOf(e, t, truth, state)
	}
	x, ok := r.chooseOperator(e.X, t, state, operand, m)
	if !ok {
		return 0, false
	}
	if sym, ok := e.Y.(*ir.Sym); ok && !r.set[sym.ID] {
		if m.robust && exact(t) && e.Op == ir.Add {
			b := r.bounds(e.X, t)
			if fits := (interval{want.lo - b.lo, want.hi - b.hi}).and(all(t)); !fits.empty() && want != all(t) {
				y := r.assign(sym, draw(r.s, fits))
				return x + y, true
			}
		}
		return r.chooseOperand(e, t, sym, x, state, want, m, right)
	}
	if e.Op.Compares() {
		if want = all(t); t != ir.U64 {
			want = compared(e.Op, t, x, truth, false)
		}
		if want.empty() {
			want = all(t)
		}
	} else if fits, ok := right(e.Op, t, x, want); ok && !fits.empty() {
		want = fits
	} else {
		want = rightOperand(e.Op, t, want)
	}
	y, ok := r.chooseOperator(e.Y, t, state, want, m)
	if !ok {
		return 0, false
	}
	return apply(e.Op, t, x, y)
}

// chooseOperand gives a value to sym, an operand of e whose other operand is
// v, both of type t. invert says which values are right.
func (r *run) chooseOperand(e *ir.Binary, t ir.Int, sym *ir.Sym, v int64, state []int64, want interval, m policy, invert inversion) (int64, bool) {
	value := func(w int64) (int64, bool) {
		if e.Y == ir.Expr(sym) {
			return apply(e.Op, t, v, w)
		}
		return apply(e.Op, t, w, v)
	}
	if (e.Op == ir.And || e.Op == ir.Or) && want.lo == want.hi {
		if w := want.lo; e.Op == ir.And && v&w == w || e.Op == ir.Or && v|w == w {
			// What the other operand hides is free.
			hidden := ^v
			if e.Op == ir.Or {
				hidden = v
			}
			r.assign(sym, t.Wrap(w&^hidden|hidden&draw(r.s, all(t))))
			return w, true
		}
	}
	if e.Op == ir.Xor || e.Op < ir.Mul && t == ir.U64 {
		return r.chooseWrapping(e, t, sym, v, want, m, value)
	}
	if fits, ok := invert(e.Op, t, v, want); ok {
		if fits.empty() {
			return 0, false
		}
		var w int64
		if e.Op == ir.Mul {
			limit := m.factor
			if load, ok := e.X.(*ir.Load); ok && m.dst != nil && ir.Root(load.Place) == m.dst {
				limit = m.self
			}
			if v != 0 {
				limit = max(1, min(limit, m.product/max(v, -v)))
			}
			w = drawFactor(r.s, fits, limit)
			if r.guide.Unit > 0 && r.s.Chance(r.guide.Unit, 100) {
				if one := sign(r.s); fits.holds(one) {
					w = one
				}
			}
			if w == -1 && limit == m.self && m.robust && fits.holds(1) {
				w = 1 // what is to go round should move one way, not to and fro
			}
		} else if e.Op.Shifts() {
			w = draw(r.s, fits)
		} else if aim, ok := r.aim(e.Op, t, v, fits, state, m, invert); ok {
			w = aim
		} else {
			w = draw(r.s, fits.clamp(m.addend))
		}
		r.assign(sym, w)
		return value(w)
	}
	domain := all(t)
	if e.Op == ir.Rem && want.width() < 1<<16 {
		domain = interval{1, max(1, plus(want.hi, 1))}.and(all(t))
	}
	if e.Op > ir.Rem && !e.Op.Compares() {
		if e.Y == ir.Expr(sym) {
			domain = rightOperand(e.Op, t, want)
		} else {
			domain = leftOperand(e.Op, t, want)
		}
	}
	const tries = 12
	for range tries {
		w := drawFactor(r.s, domain, 1<<62)
		if e.Op == ir.Rem && (w == 1 || w == -1) && domain.hi > 1 && r.s.Chance(15, 16) {
			continue // the remainder would always be 0
		}
		if got, ok := value(w); ok && (!exact(t) || want.holds(got) || e.Op == ir.Rem) {
			r.assign(sym, w)
			return got, true
		}
	}
	return 0, false
}

// aim now and then returns the operand that makes the result 0, an end of the
// type's range or the value of some variable: where branches turn and
// overflow is near.
func (r *run) aim(op ir.Op, t ir.Int, v int64, fits interval, state []int64, m policy, invert inversion) (int64, bool) {
	if !r.s.Chance(1, 7) {
		return 0, false
	}
	var target int64
	switch r.s.Intn(4) {
	case 0:
		target = 0
	case 1:
		if m.robust && !r.daring {
			return 0, false
		}
		target = t.Min()
		if r.s.Chance(1, 2) {
			target = t.Max()
		}
	default:
		target = choice.Pick(r.s, state)
	}
	got, ok := invert(op, t, v, interval{target, target})
	got = got.and(fits)
	if !ok || got.empty() {
		return 0, false
	}
	return got.lo, true
}

func (r *run) assign(sym *ir.Sym, v int64) int64 {
	r.syms[sym.ID], r.set[sym.ID] = v, true
	return v
}
