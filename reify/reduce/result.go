package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// mostResults is how many scalars of one variable are tried as results.
const mostResults = 4

// mostTerms is how many scalars at most are returned as a sum.
const mostTerms = 16

// results replaces the checksum that a function returns by 0, by the value of one of the
// variables, whose type becomes that of the function, by the sum of all, by a lane of a vector that
// becomes volatile, or by the value of one while the others become globals.
func results(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		exit := f.Blocks[len(f.Blocks)-1]
		ret := exit.Term.(*ir.Return)
		if k, ok := ret.Val.(*ir.Const); !ok || f.Result != ir.I32 || k.V != 0 {
			e := ret.Val
			list = append(list, func() {
				if ret.Val == e {
					returns(p, f, ret, &ir.Const{T: ir.I32})
				}
			})
		}
		switch e := ret.Val.(type) {
		case *ir.Checksum:
			become := func(with func() ir.Expr) {
				list = append(list, func() {
					if ret.Val == ir.Expr(e) {
						returns(p, f, ret, with())
					}
				})
			}
			var all []ir.Place
			for _, x := range e.Of {
				some := scalars(&ir.VarRef{Var: x}, mostTerms)
				all = append(all, some...)
				for _, place := range some[:min(len(some), mostResults)] {
					become(func() ir.Expr { return &ir.Load{Place: place} })
					if _, ok := x.Type.(ir.Vector); ok { // which may be wrong in memory alone
						become(func() ir.Expr {
							x.Volatile = true
							return &ir.Load{Place: place}
						})
					}
				}
			}
			if len(all) < 2 || len(all) > mostTerms {
				continue
			}
			become(func() ir.Expr { return total(ir.Xor, all) })
			become(func() ir.Expr { return total(ir.Add, all) })
			if len(e.Of) > mostResults {
				continue
			}
			for _, x := range e.Of {
				if t, ok := x.Type.(ir.Int); !ok || !t.Standard() {
					continue
				}
				become(func() ir.Expr {
					for _, y := range e.Of {
						if y != x && y.Kind == ir.Local {
							y.Kind = ir.Global
						}
					}
					return &ir.Load{Place: &ir.VarRef{Var: x}}
				})
			}
		case *ir.Convert:
			if ir.IsInt(e.X) && ir.IntOf(e.X).Standard() {
				list = append(list, func() {
					if ret.Val == ir.Expr(e) {
						returns(p, f, ret, e.X)
					}
				})
			}
		}
	}
	return list
}

// returns makes f return e, and its calls conversions to the type that they had.
func returns(p *ir.Program, f *ir.Function, ret *ir.Return, e ir.Expr) {
	before := f.Result
	ret.Val, f.Result = e, ir.IntOf(e)
	if before == f.Result {
		return
	}
	var calls []*ir.Expr
	v := slots{expr: func(at *ir.Expr, s slot) {
		if call, ok := (*at).(*ir.Call); ok && call.Func == f && s != loose {
			calls = append(calls, at)
		}
	}}
	v.program(p)
	for _, at := range calls {
		*at = &ir.Convert{T: before, X: *at}
	}
}

// total returns the sum of some places, by + or ^, as a number without sign.
func total(op ir.Op, all []ir.Place) ir.Expr {
	t := ir.U32
	for _, p := range all {
		if p.Type().(ir.Int).Bits > 32 {
			t = ir.U64
		}
	}
	var sum ir.Expr
	for _, p := range all {
		term := converted(t, &ir.Load{Place: p})
		if sum == nil {
			sum = term
		} else {
			sum = &ir.Binary{Op: op, X: sum, Y: term}
		}
	}
	return sum
}

// scalars returns the first scalars of integer type in p, so many at most.
func scalars(p ir.Place, most int) []ir.Place {
	var list []ir.Place
	switch t := p.Type().(type) {
	case ir.Int:
		if t.Standard() {
			return []ir.Place{p}
		}
	case ir.Array:
		for i := range min(t.Len, most) {
			list = append(list, scalars(&ir.Elem{Base: ir.CopyPlace(p), Index: &ir.Const{T: ir.I32, V: int64(i)}}, most)...)
		}
	case ir.Vector:
		for i := range min(t.Lanes, most) {
			list = append(list, &ir.Elem{Base: ir.CopyPlace(p), Index: &ir.Const{T: ir.I32, V: int64(i)}})
		}
	case *ir.Record:
		for i := range t.Fields {
			list = append(list, scalars(&ir.Member{Base: ir.CopyPlace(p), Field: i}, most)...)
		}
	}
	return list[:min(len(list), most)]
}

// checksums leaves variables out of checksums, those that come first first.
func checksums(p *ir.Program, _ *run) []edit {
	var list []edit
	v := slots{expr: func(at *ir.Expr, _ slot) {
		sum, ok := (*at).(*ir.Checksum)
		if !ok {
			return
		}
		for _, x := range sum.Of {
			list = append(list, func() {
				if i := slices.Index(sum.Of, x); i >= 0 && len(sum.Of) > 1 {
					sum.Of = slices.Delete(sum.Of, i, i+1)
				}
			})
		}
	}}
	v.program(p)
	return list
}
