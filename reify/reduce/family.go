package reduce

import "goreify/reify/ir"

// replacements lists the replacement of expressions of a family by those with the same
// type that candidates gives to become.
func replacements(p *ir.Program, family ir.Family, candidates func(e ir.Expr, become func(with ir.Expr))) []edit {
	var list []edit
	of(family, func(at *ir.Expr) {
		e := *at
		candidates(e, func(with ir.Expr) {
			if with.Type() == e.Type() {
				list = append(list, func() {
					if *at == e {
						*at = with
					}
				})
			}
		})
	}).program(p)
	return list
}

// floats replaces floating-point expressions by an operand of the same type, or
// by 0 or 1.
func floats(p *ir.Program, _ *run) []edit {
	return replacements(p, ir.Floats, func(e ir.Expr, become func(ir.Expr)) {
		switch e := e.(type) {
		case *ir.FloatConst:
			if e.V == 0 || e.V == 1 {
				return
			}
		case *ir.Unary:
			become(e.X)
		case *ir.Binary:
			become(e.X)
			become(e.Y)
		case *ir.Convert:
			become(e.X)
		}
		for v := range 2 {
			become(&ir.FloatConst{T: ir.TypeOf[ir.Float](e), V: float64(v)})
		}
	})
}

// vectors replaces vector expressions by the nearest ones below of the same type, or
// by zeros.
func vectors(p *ir.Program, _ *run) []edit {
	return replacements(p, ir.Vectors, func(e ir.Expr, become func(ir.Expr)) {
		below := false
		var nearest func(part ir.Node) bool
		nearest = func(part ir.Node) bool {
			x, ok := part.(ir.Expr)
			if !ok || ir.FamilyOf(x) != ir.Vectors {
				return true
			}
			below = true
			if ir.TypeOf[ir.Vector](x) != ir.TypeOf[ir.Vector](e) {
				return ir.Parts(x, nearest)
			}
			become(x)
			return true
		}
		if ir.Parts(e, nearest); below {
			zeros := &ir.VecOf{T: ir.TypeOf[ir.Vector](e)}
			for range zeros.T.Lanes {
				zeros.Lanes = append(zeros.Lanes, &ir.Const{T: zeros.T.Elem})
			}
			become(zeros)
		}
	})
}

// wides replaces wide expressions by an operand of the same type, by a conversion
// without the one below it, or by 0 or 1.
func wides(p *ir.Program, _ *run) []edit {
	return replacements(p, ir.Wides, func(e ir.Expr, become func(ir.Expr)) {
		switch e := e.(type) {
		case *ir.Convert:
			if k, ok := e.X.(*ir.Const); ok && (k.V == 0 || k.V == 1) {
				return
			}
			become(e.X)
			if x, ok := e.X.(*ir.Convert); ok && ir.FamilyOf(x) == ir.Wides {
				become(&ir.Convert{T: e.T, X: x.X})
			}
		case *ir.Unary:
			become(e.X)
		case *ir.Binary:
			become(e.X)
			become(e.Y)
		case *ir.Select:
			become(e.X)
			become(e.Y)
		}
		for i := range int64(2) {
			become(&ir.Convert{T: e.Type(), X: &ir.Const{T: ir.I32, V: i}})
		}
	})
}

// pointers replaces pointer expressions by an operand of the same type or by
// null, and initial values by null.
func pointers(p *ir.Program, _ *run) []edit {
	list := replacements(p, ir.Pointers, func(e ir.Expr, become func(ir.Expr)) {
		switch e := e.(type) {
		case *ir.Null:
			return
		case *ir.PtrAdd:
			become(e.X)
		case *ir.Cast:
			become(e.X)
		case *ir.Select:
			become(e.X)
			become(e.Y)
		case *ir.AddrOf:
			if d, ok := e.Place.(*ir.Deref); ok {
				become(d.X)
			}
		}
		become(&ir.Null{T: ir.TypeOf[ir.Pointer](e)})
	})
	for _, f := range ours(p) {
		for _, x := range f.Vars {
			for i := range x.Ptrs {
				if x.Ptrs[i] != nil {
					list = append(list, func() {
						if i < len(x.Ptrs) {
							x.Ptrs[i] = nil
						}
					})
				}
			}
		}
	}
	return list
}

// mostPointees bounds the variables that are tried in place of the target of a pointer.
const mostPointees = 4

// directs replaces the target of a pointer by a variable: the place whose address is
// taken there, or one whose address is taken somewhere.
func directs(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		targets := taken(f)
		v := slots{place: func(at *ir.Place) {
			d, ok := (*at).(*ir.Deref)
			if !ok {
				return
			}
			become := func(q ir.Place) {
				list = append(list, func() {
					if *at == ir.Place(d) {
						*at = q
					}
				})
			}
			if a, ok := d.X.(*ir.AddrOf); ok {
				become(a.Place)
				return
			}
			n := 0
			for _, x := range targets {
				if x.Type != d.Type() || x.Const || x.Volatile && !ir.TypeOf[ir.Pointer](d.X).Volatile || n == mostPointees {
					continue
				}
				n++
				become(&ir.VarRef{Var: x})
			}
		}}
		v.code(f)
	}
	return list
}

// taken returns the variables of f whose address, or that of a part of them, is
// taken, in order.
func taken(f *ir.Function) []*ir.Var {
	is := make(map[*ir.Var]bool)
	note := func(e ir.Expr) {
		if a, ok := e.(*ir.AddrOf); ok {
			if x := ir.Root(a.Place); x != nil {
				is[x] = true
			}
		}
	}
	of(ir.Pointers, func(at *ir.Expr) { note(*at) }).code(f)
	for _, x := range f.Vars {
		for _, e := range x.Ptrs {
			note(e)
		}
	}
	var list []*ir.Var
	for _, x := range f.Vars {
		if is[x] {
			list = append(list, x)
		}
	}
	return list
}
