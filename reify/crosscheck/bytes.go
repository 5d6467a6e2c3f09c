package crosscheck

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// bytes draws memcpy, memmove or memset of elements of two arrays, between which
// pointers choose.
func (r *room) bytes(depth int) made {
	elem := r.bytewise()
	var out []*ir.Var
	for range 2 {
		v := &ir.Var{Kind: choice.Pick(r.s, []ir.Kind{ir.Local, ir.Static}), Type: ir.Array{Elem: elem, Len: r.s.Range(1, 5)}}
		for i := range ir.Count(v.Type) {
			v.Init = append(v.Init, r.initial(ir.Cell(v.Type, i)))
		}
		out = append(out, v)
	}
	at := func() ir.Expr {
		v := choice.Pick(r.s, out)
		return &ir.AddrOf{Place: &ir.Elem{Base: &ir.VarRef{Var: v}, Index: r.small(v.Type.(ir.Array).Len - 1)}}
	}
	pointer := func() ir.Expr {
		if r.s.Chance(1, 3) {
			return &ir.Select{If: r.integer(choice.Pick(r.s, wide), depth-1), X: at(), Y: at()}
		}
		return at()
	}
	if r.s.Chance(1, 3) {
		b := r.integer(choice.Pick(r.s, wide), depth-1)
		if r.s.Chance(1, 2) {
			b = &ir.Const{T: ir.I32, V: choice.Pick(r.s, []int64{0, 1, 255, -1})}
		}
		return made{stmts: []ir.Stmt{&ir.Fill{Dst: pointer(), Byte: b, N: r.small(4)}}, out: out}
	}
	s := &ir.Transfer{Move: r.s.Chance(1, 2), Dst: pointer(), Src: pointer(), N: r.small(4)}
	return made{stmts: []ir.Stmt{s}, out: out}
}

// small returns a constant from 0 to most.
func (r *room) small(most int) ir.Expr {
	return &ir.Const{T: choice.Pick(r.s, wide), V: int64(r.s.Range(0, most))}
}

// bytewise draws the type of elements whose bytes are set.
func (r *room) bytewise() ir.Type {
	var types []ir.Type
	for _, t := range r.types {
		if ir.Bytewise(t) {
			types = append(types, t)
		}
	}
	if len(types) > 0 && r.s.Chance(1, 3) {
		return choice.Pick(r.s, types)
	}
	if r.s.Chance(1, 10) {
		return choice.Pick(r.s, []ir.Float{ir.F32, ir.F64})
	}
	return choice.Pick(r.s, integers)
}
