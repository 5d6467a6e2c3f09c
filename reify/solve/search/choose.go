package search

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A policy decides how daring the values are that choose gives to symbols. A statement
// that the path visits once can have any defined value; one that it visits again must
// not overflow on later data.
type policy struct {
	factor  int64    // magnitude of multipliers, where it can be had
	self    int64    // the same for factors of the assigned variable
	product int64    // magnitude of products, where it can be had
	addend  int64    // magnitude of summands
	robust  bool     // prefer values that are right for any data
	result  interval // the wanted result of the whole statement, if possible
	dst     *ir.Var  // the assigned variable, nil for a condition
}

// policyFor returns the policy for a statement or condition of type t that the path
// visits n times and that has been given up fails times.
func (ev *evaluator) policyFor(t ir.Int, n, fails int) policy {
	pol := policy{factor: 1 << 31, self: 1 << 31, addend: 1 << 31, product: 1 << 31, result: all(t)}
	if n > 1 {
		pol.robust = true
		pol.factor = []int64{200, 100, 40, 20, 12}[min(n-2, 4)]
		pol.self = []int64{12, 5, 3}[min(n-2, 2)]
		pol.addend = 1 << 31 / int64(n)
		if !ev.daring {
			pol.addend = 1 << 20 / int64(n)
			pol.result = pol.result.clamp(1 << 20)
			pol.product = 1 << 24
		}
	}
	for range min(fails, 6) {
		pol.factor = max(2, pol.factor/32)
		pol.self = max(1, pol.self/8)
		pol.addend = max(64, pol.addend/64)
		pol.robust = true
	}
	return pol
}

// choose evaluates e in a state and gives values to the symbols in it that have none,
// so that e is defined and, if possible, in want. It returns false if its choice did
// not work out; the caller unsets the symbols and may try again.
func (ev *evaluator) choose(e ir.Expr, state []int64, want interval, pol *policy) (int64, bool) {
	if !ev.hasUnset(e) {
		return ev.eval(e, state)
	}
	switch e := e.(type) {
	case *ir.Sym:
		return ev.assign(e, draw(ev.s, want.and(all(e.T)).clamp(pol.addend))), true
	case *ir.Load:
		return ev.read(e.Place, state, pol)
	case *ir.Convert:
		of, ok := ir.AsInt(e.X)
		if !ok {
			return ev.toInt(e, state, pol)
		}
		t := e.T.(ir.Int)
		room, _ := converted(t, of, want)
		if room.empty() {
			room = all(of)
		}
		x, ok := ev.chooseOperator(e.X, of, state, room, pol)
		return t.Wrap(x), ok
	case *ir.Binary:
		t, ok := ir.AsInt(e.X)
		if !ok {
			return ev.operator(e, state, pol)
		}
		return ev.chooseBinary(e, t, state, want, pol)
	case *ir.Unary:
		return ev.chooseUnary(e, state, want, pol)
	case *ir.Select:
		return ev.chooseSelect(e, state, want, pol)
	case *ir.Builtin:
		return ev.chooseBuiltin(e, state, want, pol)
	}
	panic(fmt.Sprintf("search: symbol below %T", e))
}

// chooseAt is choose for the expression of a site.
func (ev *evaluator) chooseAt(at *site, state []int64, want interval, pol *policy) (int64, bool) {
	if at.binary != nil && ev.hasUnset(at.binary) {
		return ev.chooseBinary(at.binary, at.over, state, want, pol)
	}
	return ev.choose(at.expr, state, want, pol)
}

// chooseOperator is choose for an operand of an operator on type t: asking each
// operator of a long sum for its type would take the square of its length.
func (ev *evaluator) chooseOperator(e ir.Expr, t ir.Int, state []int64, want interval, pol *policy) (int64, bool) {
	if b, is := e.(*ir.Binary); is && direct(b, t) {
		if !ev.hasUnset(b) {
			return ev.evalBinary(b, t, state)
		}
		return ev.chooseBinary(b, t, state, want, pol)
	}
	return ev.choose(e, state, want, pol)
}

// An operand is one of a binary operator whose operands have type t: a symbol
// without a value. The other one has the value other.
type operand struct {
	e     *ir.Binary
	t     ir.Int
	sym   *ir.Sym
	other int64
	right bool // the symbol is e.Y
}

// result returns the result of the operation if the symbol is w.
func (o *operand) result(w int64) (int64, bool) {
	if o.right {
		return apply(o.e.Op, o.t, o.other, w)
	}
	return apply(o.e.Op, o.t, w, o.other)
}

// invert returns the values of the symbol for which the result is in want, as
// an inversion does.
func (o *operand) invert(want interval) (interval, bool) {
	if o.right {
		return right(o.e.Op, o.t, o.other, want)
	}
	return left(o.e.Op, o.t, o.other, want)
}

// chooseBinary is choose for an operator whose operands have type t.
func (ev *evaluator) chooseBinary(e *ir.Binary, t ir.Int, state []int64, want interval, pol *policy) (int64, bool) {
	truth := want
	switch {
	case e.Op.Compares():
		want = all(t)
	case e.Op.Logical():
		return ev.chooseLogical(e, state, want, pol)
	}
	if sym, ok := e.X.(*ir.Sym); ok && !ev.set[sym.ID] && !ev.hasUnset(e.Y) {
		y, ok := ev.evalOperand(e.Y, t, state)
		if !ok {
			return 0, false
		}
		return ev.chooseOperand(operand{e, t, sym, y, false}, state, want, pol)
	}
	room := all(t)
	if half := int64(want.width() / 2); half < 1<<15 && (e.Op == ir.Add || e.Op == ir.Sub) {
		// An index: a remainder of at most that magnitude can be moved into the
		// bounds, whatever the dividend is.
		room = interval{-half, half}
	} else if e.Op.OnBits() {
		room = leftOperand(e.Op, t, want)
	} else if ev.factors && e.Op == ir.Mul && !ev.hasUnset(e.Y) {
		if y, ok := ev.evalOperand(e.Y, t, state); ok {
			if fits, ok := left(e.Op, t, y, want); ok && !fits.empty() {
				room = fits
			}
		}
	}
	if e.Op.Compares() && truth.lo == truth.hi && !ev.hasUnset(e.Y) {
		room = ev.sideOf(e, t, truth, state)
	}
	x, ok := ev.chooseOperator(e.X, t, state, room, pol)
	if !ok {
		return 0, false
	}
	if sym, ok := e.Y.(*ir.Sym); ok && !ev.set[sym.ID] {
		if pol.robust && exact(t) && e.Op == ir.Add {
			b := ev.bounds(e.X, t)
			if fits := (interval{want.lo - b.lo, want.hi - b.hi}).and(all(t)); !fits.empty() && want != all(t) {
				y := ev.assign(sym, draw(ev.s, fits))
				return x + y, true
			}
		}
		return ev.chooseOperand(operand{e, t, sym, x, true}, state, want, pol)
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
	y, ok := ev.chooseOperator(e.Y, t, state, want, pol)
	if !ok {
		return 0, false
	}
	return apply(e.Op, t, x, y)
}

// chooseOperand gives a value to the symbol of o, so that the operation has a wanted
// result.
func (ev *evaluator) chooseOperand(o operand, state []int64, want interval, pol *policy) (int64, bool) {
	op, t := o.e.Op, o.t
	if (op == ir.And || op == ir.Or) && want.lo == want.hi {
		if w := want.lo; op == ir.And && o.other&w == w || op == ir.Or && o.other|w == w {
			// An operand whose value is hidden by the other one is free.
			hidden := ^o.other
			if op == ir.Or {
				hidden = o.other
			}
			ev.assign(o.sym, t.Wrap(w&^hidden|hidden&draw(ev.s, all(t))))
			return w, true
		}
	}
	if op == ir.Xor || t == ir.U64 && (op == ir.Add || op == ir.Sub) {
		return ev.chooseWrapping(o, want, pol)
	}
	if fits, ok := o.invert(want); ok {
		if fits.empty() {
			return 0, false
		}
		var w int64
		if op == ir.Mul {
			w = ev.chooseFactor(o, fits, pol)
		} else if op.Shifts() {
			w = draw(ev.s, fits)
		} else if aim, ok := ev.aim(o, state, fits, pol); ok {
			w = aim
		} else {
			w = draw(ev.s, fits.clamp(pol.addend))
		}
		return o.result(ev.assign(o.sym, w))
	}
	domain := all(t)
	switch {
	case op == ir.Rem && want.width() < 1<<16:
		domain = interval{1, max(1, plus(want.hi, 1))}.and(all(t))
	case op.OnBits() && o.right:
		domain = rightOperand(op, t, want)
	case op.OnBits():
		domain = leftOperand(op, t, want)
	}
	const tries = 12
	for range tries {
		w := drawFactor(ev.s, domain, 1<<62)
		if op == ir.Rem && (w == 1 || w == -1) && domain.hi > 1 && ev.s.Chance(15, 16) {
			continue // the remainder would always be 0
		}
		if got, ok := o.result(w); ok && (!exact(t) || want.holds(got) || op == ir.Rem) {
			ev.assign(o.sym, w)
			return got, true
		}
	}
	return 0, false
}

// chooseFactor draws a value that fits for a factor.
func (ev *evaluator) chooseFactor(o operand, fits interval, pol *policy) int64 {
	limit := pol.factor
	if load, ok := o.e.X.(*ir.Load); ok && pol.dst != nil && ir.Root(load.Place) == pol.dst {
		limit = pol.self
	}
	if o.other != 0 {
		limit = max(1, min(limit, pol.product/max(o.other, -o.other)))
	}
	w := drawFactor(ev.s, fits, limit)
	if ev.unit > 0 && ev.s.Chance(ev.unit, 100) {
		if one := sign(ev.s); fits.holds(one) {
			w = one
		}
	}
	if w == -1 && limit == pol.self && pol.robust && fits.holds(1) {
		w = 1 // a loop should move its variables in one direction
	}
	return w
}

// aim now and then returns the operand, of those that fit, for which the result is 0,
// an end of the type's range or the value of some variable: near such values branches
// turn and operations overflow.
func (ev *evaluator) aim(o operand, state []int64, fits interval, pol *policy) (int64, bool) {
	if !ev.s.Chance(1, 7) {
		return 0, false
	}
	var target int64
	switch ev.s.Intn(4) {
	case 0:
		target = 0
	case 1:
		if pol.robust && !ev.daring {
			return 0, false
		}
		target = o.t.Min()
		if ev.s.Chance(1, 2) {
			target = o.t.Max()
		}
	default:
		target = choice.Pick(ev.s, state)
	}
	got, ok := o.invert(interval{target, target})
	got = got.and(fits)
	if !ok || got.empty() {
		return 0, false
	}
	return got.lo, true
}

// chooseUnevaluated gives values to those symbols below e that have none, such that e
// is defined if that is easy. e is not evaluated here: later it may be.
func (ev *evaluator) chooseUnevaluated(e ir.Expr, state []int64, pol *policy) {
	if !ev.hasUnset(e) {
		return
	}
	ev.choose(e, state, all(ir.IntOf(e)), pol)
	root := e // which is to move to the heap only here
	for at := range ir.SubExprs(&root) {
		if sym, ok := (*at).(*ir.Sym); ok && !ev.set[sym.ID] {
			ev.assign(sym, draw(ev.s, all(sym.T).clamp(pol.addend)))
		}
	}
}
