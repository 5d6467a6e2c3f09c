package mutate

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
)

// A term is an integer expression, and its value at each visit.
type term struct {
	e      ir.Expr
	t      ir.Int // at least 32 bits wide
	vals   []int64
	lo, hi int64 // bounds by its type, or by the types of its variables
}

// predicate returns a comparison that has the value want on every visit of a spot, or
// nil if it finds none. It is defined there. The types do not decide it, and mostly a
// value varies from visit to visit if there are several.
func (m *mutant) predicate(at spot, want bool) ir.Expr {
	rows := m.rows(at)
	vars := m.scalars(rows)
	if len(rows) == 0 || len(vars) == 0 {
		return nil
	}
	return m.predicateOn(rows, vars, want)
}

// predicateOn is predicate in some of the variables, which have values in all rows.
func (m *mutant) predicateOn(rows []observe.Row, vars []*ir.Var, want bool) ir.Expr {
	const tries = 8
	for try := range tries {
		x, ok := m.term(rows, vars)
		if !ok {
			continue
		}
		if v := x.vals[0]; try < tries/2 && len(rows) > 1 && !m.s.Chance(1, 4) && !slices.ContainsFunc(x.vals, func(other int64) bool { return other != v }) {
			continue
		}
		op := choice.Pick(m.s, comparisons)
		c := m.near(x)
		yes, no := false, false
		for _, v := range x.vals {
			if holds(x.t, op, v, c) {
				yes = true
			} else {
				no = true
			}
		}
		if yes && no || decided(x, op, c) {
			continue
		}
		if yes != want {
			op = op.Negated()
		}
		return &ir.Binary{Op: op, X: x.e, Y: &ir.Const{T: x.t, V: c}}
	}
	return nil
}

// near returns a constant that is related to the values of a term.
func (m *mutant) near(x term) int64 {
	least := slices.MinFunc(x.vals, func(a, b int64) int { return compare(x.t, a, b) })
	most := slices.MaxFunc(x.vals, func(a, b int64) int { return compare(x.t, a, b) })
	switch m.s.Intn(6) {
	case 0:
		return least
	case 1:
		return most
	case 2:
		return x.t.Wrap(least - int64(m.s.Range(1, 9)))
	case 3:
		return x.t.Wrap(most + int64(m.s.Range(1, 9)))
	case 4:
		return x.t.Wrap(choice.Pick(m.s, x.vals) ^ 1<<m.s.Intn(x.t.Bits))
	}
	return m.constant(x.t).V
}

// term returns a term in one or two variables, or false if it overflows on some
// visit.
func (m *mutant) term(rows []observe.Row, vars []*ir.Var) (term, bool) {
	x, y := choice.Pick(m.s, vars), choice.Pick(m.s, vars)
	t := promoted(x)
	op := choice.Pick(m.s, []ir.Op{ir.Sub, ir.Add, ir.And, ir.Xor})
	one := m.s.Chance(1, 3)
	if !one && promoted(y).Bits > t.Bits {
		t = promoted(y)
	}
	r := term{e: observe.Convert(load(x), x.Type.(ir.Int), t), t: t, lo: t.Min(), hi: t.Max()}
	if one && x.Type.(ir.Int).Bits < 32 {
		r.lo, r.hi = x.Type.(ir.Int).Min(), x.Type.(ir.Int).Max()
	}
	mask := m.constant(t)
	masked := !one && m.s.Chance(1, 4)
	for _, row := range rows {
		v := t.Wrap(row[x.Index].V)
		switch w := t.Wrap(row[y.Index].V); {
		case one:
		case masked:
			v &= mask.V
		default:
			var ok bool
			if v, ok = compute(t, op, v, w); !ok {
				return r, false
			}
		}
		r.vals = append(r.vals, v)
	}
	switch {
	case one:
	case masked:
		r.e = &ir.Binary{Op: ir.And, X: r.e, Y: mask}
	default:
		r.e = &ir.Binary{Op: op, X: r.e, Y: observe.Convert(load(y), y.Type.(ir.Int), t)}
	}
	return r, true
}

// promoted returns the type that C computes with a variable in.
func promoted(v *ir.Var) ir.Int {
	if t := v.Type.(ir.Int); t.Bits >= 32 {
		return t
	}
	return ir.I32
}

// compute returns x op y in t, and whether that is defined.
func compute(t ir.Int, op ir.Op, x, y int64) (int64, bool) {
	switch op {
	case ir.And:
		return x & y, true
	case ir.Xor:
		return x ^ y, true
	case ir.Add:
		if !t.Signed {
			return t.Wrap(x + y), true
		}
		if y == t.Min() { // the type has no negative values
			return 0, false
		}
		return observe.Subtract(t, x, -y)
	}
	return observe.Subtract(t, x, y)
}

// compare returns a negative number if x is less than y in t, and so on.
func compare(t ir.Int, x, y int64) int {
	less, more := x < y, x > y
	if !t.Signed {
		less, more = uint64(x) < uint64(y), uint64(x) > uint64(y)
	}
	switch {
	case less:
		return -1
	case more:
		return 1
	}
	return 0
}

// holds reports whether x op y, a comparison in t, is true.
func holds(t ir.Int, op ir.Op, x, y int64) bool {
	c := compare(t, x, y)
	switch op {
	case ir.Lt:
		return c < 0
	case ir.Le:
		return c <= 0
	case ir.Gt:
		return c > 0
	case ir.Ge:
		return c >= 0
	case ir.Eq:
		return c == 0
	}
	return c != 0
}

// decided reports whether the comparison of a term with c has one value only, as
// far as the bounds of the term tell.
func decided(x term, op ir.Op, c int64) bool {
	low, high := compare(x.t, c, x.lo), compare(x.t, c, x.hi)
	if low < 0 || high > 0 {
		return true
	}
	switch op {
	case ir.Lt, ir.Ge:
		return low == 0
	case ir.Le, ir.Gt:
		return high == 0
	}
	return x.lo == x.hi
}
