package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// expressions returns an edit for each expression of p for which make returns a
// replacement. The replacement has the type of the expression, or any type if the slot
// is loose; nil is none. make is called when the edits are listed, and again when the
// edit is applied, since others may have changed the parts of the expression. Initial
// values are replaced as a whole.
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
	for _, f := range ours(p) {
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

// knownValues replaces variables, and expressions that no operator uses, by the value
// that they have every time. Operators on constants alone are then computed by shorter.
func knownValues(p *ir.Program, r *run) []edit {
	return expressions(p, func(e ir.Expr, s slot) ir.Expr {
		v, ok := r.values[e]
		if _, load := e.(*ir.Load); !ok || s == typed && !load || !constable(e, s) {
			return nil
		}
		return &ir.Const{T: ir.IntOf(e), V: v}
	})
}

// constable reports whether e, which is not a constant, can be replaced by one.
func constable(e ir.Expr, s slot) bool {
	return !isConst(e) && (s == whole || ir.IntOf(e).Standard())
}

// zeros and ones replace expressions by a constant where no operator uses them: sources
// of assignments, conditions, indices.
func zeros(p *ir.Program, _ *run) []edit { return fixed(p, 0) }
func ones(p *ir.Program, _ *run) []edit  { return fixed(p, 1) }

func fixed(p *ir.Program, v int64) []edit {
	return expressions(p, func(e ir.Expr, s slot) ir.Expr {
		if s == typed || !constable(e, s) || !ir.IntOf(e).Holds(v) {
			return nil
		}
		return &ir.Const{T: ir.IntOf(e), V: v}
	})
}

// operands returns the operands of e that may replace it: integers.
func operands(e ir.Expr) []ir.Expr {
	list := operandsOf(e)
	if len(list) > 0 && !ir.IsInt(list[0]) {
		return nil
	}
	return list
}

func operandsOf(e ir.Expr) []ir.Expr {
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
// operands, converted if it has another type. A constant is taken only if all
// operands are constants.
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

// operand returns operand i of e converted such that it can replace e, or nil.
func operand(e ir.Expr, s slot, i int) ir.Expr {
	list := operands(e)
	if i >= len(list) {
		return nil
	}
	x := list[i]
	if isConst(x) && slices.ContainsFunc(list, func(x ir.Expr) bool { return !isConst(x) }) {
		return nil
	}
	if s == loose || ir.IntOf(x) == ir.IntOf(e) {
		return x
	}
	if _, ok := e.(*ir.Convert); ok {
		return nil
	}
	return &ir.Convert{T: ir.IntOf(e).Boxed(), X: x}
}

func isConst(e ir.Expr) bool {
	_, ok := e.(*ir.Const)
	return ok
}

// leaves replaces an expression that no operator uses by one of its variables, at any
// depth.
func leaves(p *ir.Program, _ *run) []edit {
	var list []edit
	for i := range 3 {
		list = append(list, expressions(p, func(e ir.Expr, s slot) ir.Expr {
			if s == typed || !operates(e) {
				return nil
			}
			n := 0
			for at := range ir.SubExprs(&e) {
				if x, ok := (*at).(*ir.Load); ok && (s == loose || ir.IntOf(x) == ir.IntOf(e)) {
					if n == i {
						return x
					}
					n++
				}
			}
			return nil
		})...)
	}
	return list
}

// operates reports whether an operand of e is an operator again. If not, firstOperands
// and otherOperands try all replacements that leaves could.
func operates(e ir.Expr) bool {
	for _, x := range operands(e) {
		if operands(x) != nil {
			return true
		}
	}
	return false
}

// overflows replaces a builtin that reports overflow by the operation, by a constant
// result, or by both.
func overflows(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, b := range f.Blocks {
			for _, s := range b.Stmts {
				s, ok := s.(*ir.Overflow)
				if !ok {
					continue
				}
				become := func(with func() []ir.Stmt) {
					list = append(list, func() {
						if i := slices.Index(b.Stmts, ir.Stmt(s)); i >= 0 {
							b.Stmts = slices.Replace(b.Stmts, i, i+1, with()...)
						}
					})
				}
				t := s.Dst.Type().(ir.Int)
				value := func() ir.Stmt {
					in := t
					if !wide(t) {
						in = ir.I32
					}
					return &ir.Assign{Dst: s.Dst, Src: converted(t, &ir.Binary{Op: s.Op, X: converted(in, s.X), Y: converted(in, s.Y)})}
				}
				flag := func(v int64) ir.Stmt {
					return &ir.Assign{Dst: s.Flag, Src: &ir.Const{T: s.Flag.Type().(ir.Int), V: v}}
				}
				become(func() []ir.Stmt { return []ir.Stmt{value()} })
				for v := range int64(2) {
					become(func() []ir.Stmt { return []ir.Stmt{flag(v)} })
					become(func() []ir.Stmt { return []ir.Stmt{value(), flag(v)} })
				}
			}
		}
	}
	return list
}

// converted returns e as a value of type t.
func converted(t ir.Int, e ir.Expr) ir.Expr {
	if ir.IntOf(e) == t {
		return e
	}
	return &ir.Convert{T: t.Boxed(), X: e}
}
