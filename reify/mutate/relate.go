package mutate

import (
	"iter"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/observe"
)

// relate replaces a constant or a variable that is read on the path by an expression
// that has its value on every visit. Such an expression is another variable and a
// distance, a product with a condition that holds, or a choice whose other arm is dead.
func (m *mutant) relate() *ir.Block {
	at := m.spot()
	var places []*ir.Expr
	hints := map[*ir.Expr]bool{}
	for e := range operands(at) {
		switch x := (*e).(type) {
		case *ir.Const:
			if x.T.Standard() {
				places = append(places, e)
			}
		case *ir.Load:
			if ir.IntOf(x).Standard() {
				places = append(places, e)
			}
		case *ir.Builtin:
			if x.Fn.Hints() {
				hints[&x.Args[1]] = true
			}
		}
	}
	if len(places) == 0 {
		return nil
	}
	place := choice.Pick(m.s, places)
	if hints[place] {
		return nil
	}
	rows := m.rows(at)
	vars := m.scalars(rows)
	if len(rows) == 0 || len(vars) == 0 {
		return nil
	}
	var e ir.Expr
	if m.s.Chance(1, 3) {
		e = m.conditional(at, *place)
	} else {
		e = m.related(*place, rows, vars)
	}
	if e == nil {
		return nil
	}
	*place = e
	return at.b
}

// operands yields the expressions at a spot, except the labels of a switch and a whole
// result.
func operands(at spot) iter.Seq[*ir.Expr] {
	if st := at.stmt(); st != nil {
		return ir.StmtExprs(st)
	}
	switch t := at.b.Term.(type) {
	case *ir.If:
		return ir.SubExprs(&t.Cond)
	case *ir.Switch:
		return ir.SubExprs(&t.X)
	case *ir.Return:
		if _, sum := t.Val.(*ir.Checksum); !sum {
			return ir.SubExprs(&t.Val)
		}
	}
	return func(func(*ir.Expr) bool) {}
}

// conditional returns an expression that is x if a condition holds, which is true on
// every visit, and 0 or a dead operand else. It is nil if it finds no condition.
func (m *mutant) conditional(at spot, x ir.Expr) ir.Expr {
	holds := m.predicate(at, true)
	if holds == nil {
		return nil
	}
	t := ir.IntOf(x)
	w := t
	if w.Bits < 32 {
		w = ir.I32
	}
	x = observe.Convert(x, t, w)
	if m.s.Chance(1, 2) {
		return observe.Convert(&ir.Binary{Op: ir.Mul, X: x, Y: observe.Convert(holds, ir.I32, w)}, w, t)
	}
	return observe.Convert(&ir.Select{If: holds, X: x, Y: m.anything(w)}, w, t)
}

// related returns an expression in a variable that equals x on every visit, or nil.
func (m *mutant) related(x ir.Expr, rows []observe.Row, vars []*ir.Var) ir.Expr {
	vals, of := values(x, rows)
	if vals == nil {
		return nil
	}
	t := ir.IntOf(x)
	const tries = 6
	for range tries {
		y := choice.Pick(m.s, vars)
		if y == of {
			continue
		}
		w := promoted(y)
		if t.Bits > w.Bits || t.Bits == w.Bits && m.s.Chance(1, 2) {
			w = t
		}
		d, same, alike := int64(0), true, true
		for i, row := range rows {
			v, fits := observe.Subtract(w, w.Wrap(vals[i]), w.Wrap(row[y.Index].V))
			if i == 0 {
				d = v
			}
			same = same && fits && v == d
			alike = alike && vals[i] == vals[0] && row[y.Index] == rows[0][y.Index]
		}
		switch {
		case alike && m.s.Chance(3, 4):
			return observe.Adjust(m.s, load(y), rows[0][y.Index].V, t, vals[0])
		case same:
			sum := &ir.Binary{Op: ir.Add, X: observe.Convert(load(y), y.Type.(ir.Int), w), Y: &ir.Const{T: w, V: d}}
			return observe.Convert(sum, w, t)
		}
	}
	return nil
}

// values returns the value of a constant or a variable in each row, and the variable,
// or nil if a value is not known.
func values(x ir.Expr, rows []observe.Row) (vals []int64, of *ir.Var) {
	for _, row := range rows {
		switch x := x.(type) {
		case *ir.Const:
			vals = append(vals, x.V)
		case *ir.Load:
			ref, ok := x.Place.(*ir.VarRef)
			if !ok || ref.Var.Index >= len(row) || !row[ref.Var.Index].Known {
				return nil, nil
			}
			of = ref.Var
			vals = append(vals, row[of.Index].V)
		}
	}
	return vals, of
}
