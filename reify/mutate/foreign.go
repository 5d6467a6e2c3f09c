package mutate

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
)

// ForeignPass is the name of the pass that uses the calls of Inject.
const ForeignPass = "foreign"

// foreign makes code depend on the answer of a foreign function, which Inject has put
// into a variable. One form is a condition that is false on every visit, with dead code
// behind it or a live statement where it is true. Another form replaces a constant, if
// the answer is always the same.
func (m *mutant) foreign() *ir.Block {
	var list []spot
	answers := map[ir.Stmt]*ir.Var{}
	for _, at := range m.spots(func(at spot) bool { return at.k > 0 }) {
		before := at.b.Stmts[at.k-1]
		if v := answered(before); v != nil && v.Index < len(m.seed.fn.Vars) {
			answers[before] = v
			list = append(list, at)
		}
	}
	if len(list) == 0 {
		return nil
	}
	at := choice.Pick(m.s, list)
	v := answers[at.b.Stmts[at.k-1]]
	rows := m.rows(at)
	if len(rows) == 0 || slices.ContainsFunc(rows, func(r observe.Row) bool { return !r[v.Index].Known }) {
		return nil
	}
	same := !slices.ContainsFunc(rows, func(r observe.Row) bool { return r[v.Index].V != rows[0][v.Index].V })
	if same && m.s.Chance(1, 2) && m.compensate(at, v, rows[0][v.Index].V) {
		return at.b
	}
	never := m.predicateOn(rows, []*ir.Var{v}, false)
	if never == nil {
		return nil
	}
	if at.stmt() != nil && m.s.Chance(1, 2) {
		rest := m.split(at.b, at.k+1)
		guarded := m.split(at.b, at.k)
		m.guard(at.b, never, m.deadBlock(guarded, rest), guarded)
		return at.b
	}
	rest := m.split(at.b, at.k)
	m.guard(at.b, never, m.deadBlock(at.b, rest), rest)
	return at.b
}

// answered returns the variable that a statement sets to the answer of a foreign
// function, or nil.
func answered(s ir.Stmt) *ir.Var {
	a, ok := s.(*ir.Assign)
	if !ok {
		return nil
	}
	call, ok := a.Src.(*ir.Call)
	if !ok || call.Func.Foreign == nil {
		return nil
	}
	dst, ok := a.Dst.(*ir.VarRef)
	if !ok {
		return nil
	}
	return dst.Var
}

// compensate replaces a constant at a spot by an expression in v, which always has the
// value is. It reports whether there is such a constant.
func (m *mutant) compensate(at spot, v *ir.Var, is int64) bool {
	exprs := ir.TermExprs(at.b.Term)
	if s := at.stmt(); s != nil {
		exprs = ir.StmtExprs(s)
	} else if _, labels := at.b.Term.(*ir.Switch); labels {
		return false // labels stay constant
	}
	var list []*ir.Expr
	hints := map[*ir.Expr]bool{}
	for e := range exprs {
		switch x := (*e).(type) {
		case *ir.Const:
			list = append(list, e)
		case *ir.Builtin:
			if x.Fn.Hints() {
				hints[&x.Args[1]] = true
			}
		}
	}
	list = slices.DeleteFunc(list, func(e *ir.Expr) bool { return hints[e] })
	if len(list) == 0 {
		return false
	}
	e := choice.Pick(m.s, list)
	k := (*e).(*ir.Const)
	*e = observe.Adjust(m.s, load(v), is, k.T, k.V)
	return true
}
