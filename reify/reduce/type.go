package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// types makes the integer types of a program plainer: all of them i32, then the
// bit-fields, then one type at a time; in the end 64 bits signed.
func types(p *ir.Program, _ *run) []edit {
	used := intTypes(p)
	all := func(t ir.Int) ir.Int { return ir.I32 }
	plain := func(t ir.Int) ir.Int {
		if t.Standard() {
			return t
		}
		if t.Bits > 32 {
			return ir.Int{Bits: 64, Signed: t.Signed}
		}
		return ir.I32
	}
	var list []edit
	offer := func(ints func(ir.Int) ir.Int) {
		if slices.ContainsFunc(used, func(t ir.Int) bool { return ints(t) != t }) && retypable(p, ints) {
			list = append(list, func() {
				if retypable(p, ints) {
					retype(p, ints, nil)
				}
			})
		}
	}
	one := func(from, to ir.Int) func(ir.Int) ir.Int {
		return func(t ir.Int) ir.Int {
			if t == from {
				return to
			}
			return t
		}
	}
	offer(all)
	offer(plain)
	for _, t := range used {
		if t.Standard() {
			offer(one(t, ir.I32))
		}
	}
	offer(one(ir.U64, ir.I64))
	return list
}

// intTypes returns the integer types that p uses besides i32, from small to
// large.
func intTypes(p *ir.Program) []ir.Int {
	is := make(map[ir.Int]bool)
	note := func(t ir.Type) ir.Type {
		switch t := t.(type) {
		case ir.Int:
			is[t] = true
		case ir.Vector:
			is[t.Elem] = true
		}
		return t
	}
	for _, f := range ours(p) {
		eachType(f, note)
		note(f.Result)
		for _, r := range f.Types {
			for i := range r.Fields {
				note(r.Member(i))
			}
		}
		v := of(ir.Vectors, func(at *ir.Expr) { note((*at).Type()) })
		v.expr = func(at *ir.Expr, _ slot) { note(ir.IntOf(*at)) }
		v.function(f)
	}
	delete(is, ir.I32)
	var list []ir.Int
	for t := range is {
		list = append(list, t)
	}
	slices.SortFunc(list, func(s, t ir.Int) int {
		if s.Bits != t.Bits {
			return s.Bits - t.Bits
		}
		if s.Signed {
			return -1
		}
		return 1
	})
	return list
}

// variableTypes makes variables i32, or arrays of it, unless pointers point to them.
// Values that are read from one are converted to its former type, where that matters.
func variableTypes(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		pointed := append(taken(f), summed(f)...)
		for _, x := range f.Vars {
			if t, ok := ir.Innermost(x.Type).(ir.Int); ok && t != ir.I32 && !slices.Contains(pointed, x) {
				list = append(list, func() { retype(p, func(t ir.Int) ir.Int { return t }, x) })
			}
		}
	}
	return list
}

// summed returns the variables of f that a checksum is assigned to, which has a type of
// its own.
func summed(f *ir.Function) []*ir.Var {
	var list []*ir.Var
	v := slots{stmt: func(at *ir.Stmt) {
		if a, ok := (*at).(*ir.Assign); ok {
			if _, ok := a.Src.(*ir.Checksum); ok {
				list = append(list, ir.Root(a.Dst))
			}
		}
	}}
	v.code(f)
	return list
}

// retypable reports whether p is valid with its integer types replaced: no two labels
// of a switch become equal, checksums keep their type, and so do members of unions by
// which bits are cast.
func retypable(p *ir.Program, ints func(ir.Int) ir.Int) bool {
	ok := true
	for _, f := range ours(p) {
		for _, r := range f.Types {
			ok = ok && !(r.Cast && slices.ContainsFunc(r.Fields, func(m ir.Field) bool {
				t, is := ir.Innermost(m.Type).(ir.Int)
				return is && ints(t) != t
			}))
		}
		v := slots{stmt: func(at *ir.Stmt) {
			a, is := (*at).(*ir.Assign)
			if !is {
				return
			}
			if _, is := a.Src.(*ir.Checksum); is && ints(ir.U32) != ir.U32 {
				ok = false
			}
		}}
		v.code(f)
		for _, b := range f.Blocks {
			if t, is := b.Term.(*ir.Switch); is {
				c := &ir.Switch{Cases: slices.Clone(t.Cases)}
				for i := range c.Cases {
					k := &c.Cases[i]
					k.Lo = retyped(k.Lo, ints)
					if k.Hi != nil {
						k.Hi = retyped(k.Hi, ints)
					}
				}
				ok = ok && !overlap(c)
			}
		}
	}
	return ok
}

// retyped returns a constant of another type.
func retyped(e ir.Expr, ints func(ir.Int) ir.Int) ir.Expr {
	k, ok := e.(*ir.Const)
	if !ok {
		return e
	}
	t := ints(k.T)
	return &ir.Const{T: t, V: t.Wrap(k.V)}
}

// A retyper replaces the integer types of a program. Each expression gets the
// type that ints makes of its own. It is converted if its operands then give it
// another type.
type retyper struct {
	ints  func(ir.Int) ir.Int
	exprs map[ir.Expr]ir.Int // the types before
	vecs  map[ir.Expr]ir.Vector
	args  map[*ir.Builtin]ir.Int // those of first arguments
}

// retype replaces the types of p by the results of ints. If x is not nil, it becomes an
// i32, or an array of them, whatever ints returns.
func retype(p *ir.Program, ints func(ir.Int) ir.Int, x *ir.Var) {
	r := &retyper{ints, make(map[ir.Expr]ir.Int), make(map[ir.Expr]ir.Vector), make(map[*ir.Builtin]ir.Int)}
	v := of(ir.Vectors, func(at *ir.Expr) { r.vecs[*at] = ir.TypeOf[ir.Vector](*at) })
	v.expr = func(at *ir.Expr, _ slot) {
		r.exprs[*at] = ir.IntOf(*at)
		if e, ok := (*at).(*ir.Builtin); ok && ir.IsInt(e.Args[0]) {
			r.args[e] = ir.IntOf(e.Args[0])
		}
	}
	v.program(p)
	for _, f := range ours(p) {
		r.declarations(f, x)
	}
	for _, f := range ours(p) {
		r.code(f)
	}
	for _, k := range p.Claims {
		for i, y := range k.Func.Params() {
			if i < len(k.Args) {
				k.Args[i] = y.Type.(ir.Int).Wrap(k.Args[i])
			}
		}
		k.Want = k.Func.Result.Wrap(k.Want)
	}
}

// declarations replaces the types of what f declares, and constants in initial
// values.
func (r *retyper) declarations(f *ir.Function, x *ir.Var) {
	for _, rec := range f.Types {
		for i := range rec.Fields {
			m := &rec.Fields[i]
			if m.Bits == 0 {
				continue // with the other types
			}
			if t := r.ints(rec.Member(i).(ir.Int)); t.Standard() {
				m.Type, m.Bits = t, 0
			}
		}
	}
	bitField := make(map[*ir.Field]ir.Type)
	for _, rec := range f.Types {
		for i := range rec.Fields {
			if m := &rec.Fields[i]; m.Bits > 0 {
				bitField[m] = m.Type
			}
		}
	}
	eachType(f, r.typ)
	for _, rec := range f.Types {
		for i := range rec.Fields {
			if t, ok := bitField[&rec.Fields[i]]; ok {
				rec.Fields[i].Type = t
			}
		}
	}
	if _, ok := f.Blocks[len(f.Blocks)-1].Term.(*ir.Return).Val.(*ir.Checksum); !ok {
		f.Result = r.ints(f.Result)
	}
	if x != nil && slices.Contains(f.Vars, x) {
		x.Type = mapType(x.Type, func(t ir.Type) ir.Type {
			if _, ok := t.(ir.Int); ok {
				return ir.I32
			}
			return t
		})
	}
	for _, y := range f.Vars {
		if y.Init == nil {
			continue
		}
		for i, c := range cellsOf(y.Type, false) {
			t, ok := c.t.(ir.Int)
			if k, is := y.Init[i].(*ir.Const); ok && is {
				y.Init[i] = &ir.Const{T: t, V: t.Wrap(k.V)}
			}
		}
	}
}

// typ returns the replacement of a type.
func (r *retyper) typ(t ir.Type) ir.Type {
	switch t := t.(type) {
	case ir.Int:
		return r.ints(t)
	case ir.Vector:
		return ir.Vector{Elem: r.ints(t.Elem), Lanes: t.Lanes}
	}
	return t
}

// assigned turns *at, which has been retyped, into a value of type t.
func assigned(at *ir.Expr, t ir.Int) {
	switch e := (*at).(type) {
	case *ir.Const:
		*at = &ir.Const{T: t, V: t.Wrap(e.V)}
	case *ir.Convert:
		if !ir.IsInt(e.X) {
			*at = converted(t, e)
		} else if *at = e.X; ir.IntOf(e.X) != t {
			*at = &ir.Convert{T: t.Boxed(), X: e.X}
		}
	default:
		*at = converted(t, e)
	}
}
