package reduce

import "goreify/reify/ir"

// expressions returns an edit for each expression of p that make has something
// to put in the place of: not nil, and of the type of the expression, or any
// other one where the slot is loose. make is asked when the program is whole, and
// again when the edit is applied, since others may have changed what the
// expression is made of. Initial values are replaced as a whole.
func expressions(p *ir.Program, make func(e ir.Expr, s slot) ir.Expr) []edit {
	var list []edit
	offer := func(at *ir.Expr, s slot, make func(e ir.Expr, s slot) ir.Expr) {
		e := *at
		if s == leaf || make(e, s) == nil {
			return
		}
		list = append(list, func() {
			if *at != e {
				return // another edit of the list has replaced it
			}
			if with := make(e, s); with != nil {
				*at = with
			}
		})
	}
	for _, f := range p.Funcs {
		for _, x := range f.Vars {
			for i := range x.Init {
				if x.Init[i] != nil {
					offer(&x.Init[i], whole, func(e ir.Expr, s slot) ir.Expr {
						if with := make(e, s); with != nil && initialises(with) {
							return with
						}
						return nil
					})
				}
			}
		}
		v := slots{expr: func(at *ir.Expr, s slot) { offer(at, s, make) }}
		v.code(f)
	}
	return list
}

// initialises reports whether e, which reads no variable, can be an initial
// value: it is a constant or makes a call.
func initialises(e ir.Expr) bool {
	if _, ok := e.(*ir.Const); ok {
		return true
	}
	for at := range ir.SubExprs(&e) {
		if _, ok := (*at).(*ir.Call); ok {
			return true
		}
	}
	return false
}

// knownValues replaces expressions by the value that they have every time.
func knownValues(p *ir.Program, r *run) []edit {
	return expressions(p, func(e ir.Expr, s slot) ir.Expr {
		v, ok := r.values[e]
		if !ok || !constable(e, s) {
			return nil
		}
		return &ir.Const{T: e.Type(), V: v}
	})
}

// constable reports whether a constant can stand for e, which is none.
func constable(e ir.Expr, s slot) bool {
	if _, ok := e.(*ir.Const); ok {
		return false
	}
	return s == whole || e.Type().Standard()
}

// zeros and ones replace expressions by a constant, those first that are the
// most.
func zeros(p *ir.Program, _ *run) []edit { return fixed(p, 0) }
func ones(p *ir.Program, _ *run) []edit  { return fixed(p, 1) }

func fixed(p *ir.Program, v int64) []edit {
	return expressions(p, func(e ir.Expr, s slot) ir.Expr {
		if !constable(e, s) || !e.Type().Holds(v) {
			return nil
		}
		return &ir.Const{T: e.Type(), V: v}
	})
}

// operands returns the operands of e that may stand for it.
func operands(e ir.Expr) []ir.Expr {
	switch e := e.(type) {
	case *ir.Unary:
		return []ir.Expr{e.X}
	case *ir.Binary:
		return []ir.Expr{e.X, e.Y}
	case *ir.Select:
		return []ir.Expr{e.X, e.Y, e.If}
	case *ir.Convert:
		return []ir.Expr{e.X}
	case *ir.Builtin:
		return e.Args[:1]
	case *ir.Call:
		return e.Args
	}
	return nil
}

// firstOperands and otherOperands replace operators and calls by one of their
// operands, converted where its type is another.
func firstOperands(p *ir.Program, _ *run) []edit {
	return expressions(p, func(e ir.Expr, s slot) ir.Expr { return operand(e, s, 0) })
}

func otherOperands(p *ir.Program, _ *run) []edit {
	var list []edit
	for i := 1; i < 3; i++ {
		list = append(list, expressions(p, func(e ir.Expr, s slot) ir.Expr { return operand(e, s, i) })...)
	}
	return list
}

// operand returns operand i of e such that it can stand for e, or nil.
func operand(e ir.Expr, s slot, i int) ir.Expr {
	list := operands(e)
	if i >= len(list) {
		return nil
	}
	x := list[i]
	if s == loose || x.Type() == e.Type() {
		return x
	}
	if _, ok := e.(*ir.Convert); ok {
		return nil
	}
	return &ir.Convert{T: e.Type(), X: x}
}

// leaves replaces an expression by a variable that it is made of, however deep.
func leaves(p *ir.Program, _ *run) []edit {
	var list []edit
	for i := range 3 {
		list = append(list, expressions(p, func(e ir.Expr, s slot) ir.Expr {
			var loads []ir.Expr
			for at := range ir.SubExprs(&e) {
				if x, ok := (*at).(*ir.Load); ok && x != e && (s == loose || x.Type() == e.Type()) {
					loads = append(loads, x)
				}
			}
			if i >= len(loads) {
				return nil
			}
			return loads[i]
		})...)
	}
	return list
}

// plainer writes expressions in a shorter way that has the same value as long
// as nothing overflows.
func plainer(p *ir.Program, _ *run) []edit { return expressions(p, shorter) }

// shorter returns a shorter way to write e, or nil.
func shorter(e ir.Expr, s slot) ir.Expr {
	switch e := e.(type) {
	case *ir.Convert:
		return shorterConvert(e, s)
	case *ir.Unary:
		return shorterUnary(e, s)
	case *ir.Binary:
		if e.Op.Compares() {
			return shorterCompare(e, s)
		}
		return shorterSum(e)
	case *ir.FloatToInt:
		if of, ok := e.X.(*ir.FloatOf); ok {
			return &ir.Convert{T: e.T, X: of.X}
		}
	case *ir.FloatCompare:
		x, ok1 := e.X.(*ir.FloatOf)
		y, ok2 := e.Y.(*ir.FloatOf)
		if ok1 && ok2 && x.X.Type() == y.X.Type() && wide(x.X.Type()) {
			return &ir.Binary{Op: e.Op, X: x.X, Y: y.X}
		}
	case *ir.PtrCompare, *ir.PtrDiff:
	}
	return nil
}

// wide reports whether operators take operands of type t.
func wide(t ir.Int) bool { return t.Bits >= 32 && t.Standard() }

func shorterConvert(e *ir.Convert, s slot) ir.Expr {
	switch x := e.X.(type) {
	case *ir.Const:
		return &ir.Const{T: e.T, V: e.T.Wrap(x.V)}
	case *ir.Convert:
		return &ir.Convert{T: e.T, X: x.X}
	}
	if e.X.Type() == e.T || s == loose {
		return e.X
	}
	return nil
}

func shorterUnary(e *ir.Unary, s slot) ir.Expr {
	switch x := e.X.(type) {
	case *ir.Unary:
		if x.Op == e.Op && (e.Op != ir.LNot || s == loose) {
			return x.X // --x, ~~x, and !!x where it is a condition
		}
	case *ir.Binary:
		if e.Op == ir.LNot && x.Op.Compares() {
			return &ir.Binary{Op: inverse[x.Op], X: x.X, Y: x.Y}
		}
	case *ir.Const:
		if e.Op == ir.Neg && x.V != x.T.Min() {
			return &ir.Const{T: x.T, V: x.T.Wrap(-x.V)}
		}
	}
	return nil
}

// inverse holds the comparison that is true where another is false.
var inverse = map[ir.Op]ir.Op{ir.Lt: ir.Ge, ir.Ge: ir.Lt, ir.Le: ir.Gt, ir.Gt: ir.Le, ir.Eq: ir.Ne, ir.Ne: ir.Eq}

// mirrored holds the comparison for the operands in the other order.
var mirrored = map[ir.Op]ir.Op{ir.Lt: ir.Gt, ir.Gt: ir.Lt, ir.Le: ir.Ge, ir.Ge: ir.Le, ir.Eq: ir.Eq, ir.Ne: ir.Ne}

// shorterCompare takes a constant that is added on the left of a comparison to
// the one on its right: x - 3 <= 4 is x <= 7, and x - y <= 0 is x <= y.
func shorterCompare(e *ir.Binary, s slot) ir.Expr {
	right, ok := e.Y.(*ir.Const)
	if !ok {
		if left, ok := e.X.(*ir.Const); ok {
			if _, both := shorterCompare(&ir.Binary{Op: mirrored[e.Op], X: e.Y, Y: left}, s).(*ir.Binary); both {
				return shorterCompare(&ir.Binary{Op: mirrored[e.Op], X: e.Y, Y: left}, s)
			}
		}
		return nil
	}
	if right.V == 0 && e.Op == ir.Ne && s == loose {
		return e.X
	}
	sum, ok := e.X.(*ir.Binary)
	if !ok || sum.Op != ir.Add && sum.Op != ir.Sub {
		return nil
	}
	if k, ok := sum.Y.(*ir.Const); ok {
		v, ok := moved(right, sum.Op, k)
		if !ok {
			return nil
		}
		return &ir.Binary{Op: e.Op, X: sum.X, Y: v}
	}
	if right.V == 0 && sum.Op == ir.Sub {
		return &ir.Binary{Op: e.Op, X: sum.X, Y: sum.Y}
	}
	return nil
}

// moved returns right - k for Add, and right + k for Sub, if the type holds it.
func moved(right *ir.Const, op ir.Op, k *ir.Const) (*ir.Const, bool) {
	v := right.V + k.V
	if op == ir.Add {
		v = right.V - k.V
	}
	overflows := op == ir.Sub && (v > right.V) != (k.V > 0) && k.V != 0 ||
		op == ir.Add && (v < right.V) != (k.V > 0) && k.V != 0
	if overflows && right.T.Signed {
		return nil, false
	}
	if right.T.Signed && !right.T.Holds(v) {
		return nil, false
	}
	return &ir.Const{T: right.T, V: right.T.Wrap(v)}, true
}

// shorterSum adds up two constants of a sum: x + 3 - 5 is x - 2; it leaves out
// neutral operands; and it writes x - -5 as x + 5.
func shorterSum(e *ir.Binary) ir.Expr {
	k, ok := e.Y.(*ir.Const)
	if !ok || e.Op != ir.Add && e.Op != ir.Sub {
		return nil
	}
	if sum, ok := e.X.(*ir.Binary); ok && (sum.Op == ir.Add || sum.Op == ir.Sub) {
		if j, ok := sum.Y.(*ir.Const); ok {
			// x + j + k: j+k is j - (-k); moved knows whether it fits.
			var v *ir.Const
			if sum.Op == e.Op {
				v, ok = moved(j, ir.Sub, k)
			} else {
				v, ok = moved(j, ir.Add, k)
			}
			if !ok {
				return nil
			}
			return &ir.Binary{Op: sum.Op, X: sum.X, Y: v}
		}
	}
	if k.T.Signed && k.V < 0 && k.V != k.T.Min() {
		return &ir.Binary{Op: ir.Add + ir.Sub - e.Op, X: e.X, Y: &ir.Const{T: k.T, V: -k.V}}
	}
	return nil
}

// overflows replaces a builtin that tells of overflow by the operation alone, or
// by an answer.
func overflows(p *ir.Program, _ *run) []edit {
	var list []edit
	v := slots{stmt: func(at *ir.Stmt) {
		s, ok := (*at).(*ir.Overflow)
		if !ok {
			return
		}
		become := func(with func() ir.Stmt) {
			list = append(list, func() {
				if *at == ir.Stmt(s) {
					*at = with()
				}
			})
		}
		t := s.Dst.Type().(ir.Int)
		become(func() ir.Stmt {
			return &ir.Assign{Dst: s.Dst, Src: &ir.Binary{Op: s.Op, X: converted(t, s.X), Y: converted(t, s.Y)}}
		})
		for _, flag := range []int64{0, 1} {
			become(func() ir.Stmt { return &ir.Assign{Dst: s.Flag, Src: &ir.Const{T: ir.I32, V: flag}} })
		}
	}}
	v.program(p)
	return list
}

// converted returns e as a value of type t.
func converted(t ir.Int, e ir.Expr) ir.Expr {
	if e.Type() == t {
		return e
	}
	return &ir.Convert{T: t, X: e}
}
