package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Harden adds statements to blocks of f that the path does not visit. There
// anything may stand, and a compiler must not let it show: most of what is
// added could overflow, divide by zero or leave an array, and some of it
// must. The share of blocks is o.Hostile percent. f has no symbols any more.
func Harden(f *ir.Function, path []int, o Options, s *choice.Stream) {
	visited := make([]bool, len(f.Blocks))
	for _, b := range path {
		visited[b] = true
	}
	var h interface{ statement(certain bool) ir.Stmt } = &hostile{s: s, f: f}
	if o.Policy != (Policy{}) || !simple(f) {
		h = newFoe(f, o.Policy, s)
	}
	for _, b := range f.Blocks {
		if visited[b.Index] || !s.Chance(o.Hostile, 100) {
			continue
		}
		// Undefined behaviour that is certain lets the compiler drop the
		// block and the branch to it, so it is the exception.
		certain := s.Chance(1, 6)
		if sw, ok := b.Term.(*ir.Switch); ok {
			widen(sw, s)
		}
		for range s.Range(1, 1+o.Assigns) {
			b.Stmts = append(b.Stmts, h.statement(false))
		}
		if certain {
			at := s.Intn(len(b.Stmts) + 1)
			b.Stmts = append(b.Stmts[:at], append([]ir.Stmt{h.statement(true)}, b.Stmts[at:]...)...)
		}
	}
}

// simple reports whether all scalars of f are i32.
func simple(f *ir.Function) bool {
	for _, v := range f.Vars {
		if ir.Innermost(v.Type) != ir.Type(ir.I32) {
			return false
		}
	}
	return true
}

// A hostile makes the statements of a function of the paper's subset.
type hostile struct {
	s *choice.Stream
	f *ir.Function

	binaries slab[ir.Binary]
	loads    slab[ir.Load]
	refs     slab[ir.VarRef]
	assigns  slab[ir.Assign]
	consts   slab[ir.Const]
}

// statement returns an assignment that is undefined when executed, certainly
// or perhaps.
func (h *hostile) statement(certain bool) ir.Stmt {
	v := choice.Pick(h.s, h.f.Vars)
	dst := h.target(v, false)
	if certain {
		switch h.s.Intn(5) {
		case 0:
			return h.store(dst, h.binary(ir.Div, h.any(), h.i32(0)))
		case 1:
			return h.store(dst, h.binary(ir.Rem, h.any(), h.i32(0)))
		case 2:
			return h.store(dst, h.binary(ir.Div, h.i32(ir.I32.Min()), h.i32(-1)))
		case 3:
			return h.store(dst, h.binary(ir.Add, h.i32(ir.I32.Max()), h.i32(h.s.Int64(1, 9))))
		case 4:
			return h.store(h.target(v, true), h.any())
		}
	}
	src := ir.Expr(h.any())
	for range h.s.Range(1, 5) {
		op := choice.Pick(h.s, []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Mul, ir.Div, ir.Rem})
		var y ir.Expr = h.any()
		if h.s.Chance(1, 2) {
			y = h.i32(factor(h.s, ir.I32))
		}
		src = h.binary(op, src, y)
	}
	return h.store(dst, src)
}

func (h *hostile) any() *ir.Load {
	return h.load(h.target(choice.Pick(h.s, h.f.Vars), false))
}

// farIndex is out of any bounds, but not so far that the address of an element
// of a global array cannot be linked: that would be an error of the program.
const farIndex = 1 << 20

// target returns v or an element of it, whose indices are unchecked variables
// or, if outside is set, constants out of bounds.
func (h *hostile) target(v *ir.Var, outside bool) ir.Place {
	var p ir.Place = h.ref(v)
	for {
		array, ok := p.Type().(ir.Array)
		if !ok {
			return p
		}
		index := ir.Expr(h.i32(int64(h.s.Intn(array.Len))))
		if w := choice.Pick(h.s, h.f.Vars); outside {
			index = h.i32(choice.Pick(h.s, []int64{-1, int64(array.Len), int64(array.Len) + 1, farIndex, -farIndex}))
		} else if w.Type == ir.Type(ir.I32) && h.s.Chance(1, 2) {
			index = h.load(h.ref(w))
		}
		p = &ir.Elem{Base: p, Index: index}
	}
}

func (h *hostile) binary(op ir.Op, x, y ir.Expr) *ir.Binary {
	e := h.binaries.new()
	*e = ir.Binary{Op: op, X: x, Y: y}
	return e
}

func (h *hostile) store(p ir.Place, e ir.Expr) *ir.Assign {
	a := h.assigns.new()
	*a = ir.Assign{Dst: p, Src: e}
	return a
}

func (h *hostile) i32(v int64) *ir.Const {
	c := h.consts.new()
	*c = ir.Const{T: ir.I32, V: v}
	return c
}

func (h *hostile) load(p ir.Place) *ir.Load {
	e := h.loads.new()
	e.Place = p
	return e
}

func (h *hostile) ref(v *ir.Var) *ir.VarRef {
	p := h.refs.new()
	p.Var = v
	return p
}
