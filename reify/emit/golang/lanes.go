package golang

import (
	"strconv"

	"goreify/reify/ir"
	"goreify/reify/lower"
)

// stmts writes the statements of a block. Those that do the same with elements side by
// side, as the lanes of vectors are, are a loop if the style says so.
func (f *function) stmts(b *ir.Block) {
	list := b.Stmts
	index := &ir.Var{Type: ir.I32, Index: len(f.names.vars)}
	for len(list) > 0 {
		s, from, n := lower.Roll(list, index)
		whole := f.whole(s, from, n)
		switch {
		case n > 0 && f.unit.Style.Vectors == Loops:
			f.over(s, index, int(from), n)
		case whole != nil:
			f.stmt(whole)
		default:
			f.stmt(list[0])
			n = 1
		}
		list = list[n:]
	}
}

// whole returns the assignment of an array that a statement makes, element by element,
// for n values of an index, or nil.
func (f *function) whole(s ir.Stmt, from int64, n int) ir.Stmt {
	if n == 0 || from != 0 {
		return nil
	}
	a := s.(*ir.Assign)
	load, ok := a.Src.(*ir.Load)
	if !ok {
		return nil
	}
	source, ok := load.Place.(*ir.Elem)
	to, ok1 := a.Dst.(*ir.Elem)
	if !ok || !ok1 || !f.rolled(source.Index) || !f.rolled(to.Index) {
		return nil
	}
	for _, p := range []ir.Place{source.Base, to.Base} {
		if v, ok := p.(*ir.VarRef); ok && f.names.arrays[v.Var.Index] != "" || p.Type() != ir.Type(ir.Array{Elem: to.Type(), Len: n}) {
			return nil // a slice, or a part of an array
		}
	}
	return &ir.Assign{Dst: to.Base, Src: &ir.Load{Place: source.Base}}
}

// rolled reports whether an index is that of a loop over elements.
func (f *function) rolled(e ir.Expr) bool {
	load, ok := e.(*ir.Load)
	if !ok {
		return false
	}
	v, ok := load.Place.(*ir.VarRef)
	return ok && v.Var.Index >= len(f.fn.Vars)
}

// over writes a statement for n values of an index.
func (f *function) over(s ir.Stmt, index *ir.Var, from, n int) {
	if f.loop == "" {
		f.loop = f.names.local.add("lane")
	}
	vars, read, indent := f.names.vars, f.read, f.indent
	f.names.vars, f.read = append(vars[:index.Index:index.Index], f.loop), append(read, true)
	i := f.loop
	f.line("for " + i + " := " + strconv.Itoa(from) + "; " + i + " < " + strconv.Itoa(from+n) + "; " + i + "++ {")
	f.indent += "\t"
	f.stmt(s)
	f.names.vars, f.read, f.indent = vars, f.read[:len(read)], indent
	f.line("}")
}

// unpromoted returns the operands of an operator as they were before they were converted
// from a type of less than 32 bits, which Go computes in, other than C. Constants have
// that type. It returns false unless both have one type.
func unpromoted(x, y ir.Expr) (to ir.Int, list [2]ir.Expr, ok bool) {
	for i, e := range []ir.Expr{x, y} {
		if k, ok := e.(*ir.Convert); ok && ir.IsInt(k.X) {
			t := ir.IntOf(k.X)
			if !t.Standard() || t == ir.Bool || t.Bits > 16 || to.Bits > 0 && to != t {
				return to, list, false
			}
			to, list[i] = t, k.X
		}
	}
	if to.Bits == 0 {
		return to, list, false
	}
	for i, e := range []ir.Expr{x, y} {
		if list[i] != nil {
			continue
		}
		k, ok := e.(*ir.Const)
		if !ok || to.Wrap(k.V) != k.V {
			return to, list, false
		}
		list[i] = &ir.Const{T: to, V: k.V}
	}
	return to, list, true
}

// appendNarrow appends an operator whose result is converted to the type that its
// operands were converted from, of less than 32 bits: the operator in that type does the
// same in Go. It returns false for all else.
func (f *function) appendNarrow(text []byte, e *ir.Convert, prec int) ([]byte, bool) {
	switch x := e.X.(type) {
	case *ir.Binary:
		if t, list, ok := unpromoted(x.X, x.Y); ok && e.T == t.Boxed() && !x.Op.Yields01() {
			return f.appendBinary(text, &ir.Binary{Op: x.Op, X: list[0], Y: list[1]}, prec), true
		}
	case *ir.Unary:
		if t, list, ok := unpromoted(x.X, x.X); ok && e.T == t.Boxed() && x.Op != ir.LNot {
			return f.appendExpr(text, &ir.Unary{Op: x.Op, X: list[0]}, prec), true
		}
	}
	return text, false
}

// ofLanes reports whether a statement stores what may be a lane of a vector: an element
// of at most 16 bits, the index of which is constant or that of a loop over such ones.
func (f *function) ofLanes(s ir.Stmt) bool {
	a, ok := s.(*ir.Assign)
	if !ok {
		return false
	}
	p, ok := a.Dst.(*ir.Elem)
	if !ok {
		return false
	}
	t, ok := p.Type().(ir.Int)
	if !ok || t.Bits > 16 {
		return false
	}
	_, constant := p.Index.(*ir.Const)
	return constant || f.rolled(p.Index)
}
