package llvm

import (
	"slices"

	"goreify/reify/ir"
)

// A part is some bits of a value, moved to another place.
type part struct {
	of       ir.Expr
	mask     int64
	from, to int64 // of the lowest bit
}

// partOf returns the part that an expression is: ((x >> from) & mask) << to, or the same
// without the last shift.
func partOf(e ir.Expr) (p part, ok bool) {
	shifted := func(e ir.Expr, op ir.Op) (ir.Expr, int64) {
		if b, ok := bare(e).(*ir.Binary); ok && b.Op == op {
			if by, ok := constantOf(bare(b.Y)); ok {
				return b.X, by
			}
		}
		return e, 0
	}
	e, p.to = shifted(e, ir.Shl)
	and, ok := bare(e).(*ir.Binary)
	if !ok || and.Op != ir.And {
		return p, false
	}
	if p.mask, ok = constantOf(bare(and.Y)); !ok {
		return p, false
	}
	p.of, p.from = shifted(and.X, ir.Shr)
	p.of = bare(p.of)
	return p, isNumber(p.of) && !signed(p.of.Type()) && p.of.Type() == and.Type()
}

// whole writes the sum of all bits of a value, and all its bits or bytes in the other order,
// as intrinsics.
func (f *function) whole(e ir.Expr) (string, bool) {
	top, ok := e.(*ir.Binary)
	if !ok || top.Op != ir.Add && top.Op != ir.Or {
		return "", false
	}
	var list []part
	var parts func(e ir.Expr) bool
	parts = func(e ir.Expr) bool {
		e = bare(e)
		if b, ok := e.(*ir.Binary); ok && b.Op == top.Op {
			return parts(b.X) && parts(b.Y)
		}
		p, ok := partOf(e)
		list = append(list, p)
		return ok && p.mask == list[0].mask && alike(p.of, list[0].of)
	}
	if !parts(e) || len(list) < 2 {
		return "", false
	}
	x, unit, name := list[0].of, 1, "ctpop"
	if list[0].mask == 255 {
		unit = 8
	}
	if top.Op == ir.Add && unit > 1 { // the sum of the bytes
		return "", false
	}
	bits := unit * len(list)
	slices.SortFunc(list, func(a, b part) int { return int(a.from - b.from) })
	if top.Op == ir.Or {
		if name = "bitreverse"; unit == 8 {
			name = "bswap"
		}
	}
	for n, p := range list {
		to := 0
		if top.Op == ir.Or {
			to = bits - unit*(n+1)
		}
		if p.from != int64(unit*n) || p.to != int64(to) {
			return "", false
		}
	}
	t := x.Type()
	if c, ok := x.(*ir.Convert); ok && bits < width(t) && isNumber(c.X) && !signed(c.X.Type()) {
		x, t = c.X, c.X.Type()
	}
	if list[0].mask != 1<<unit-1 || bits != width(t) || name == "bswap" && bits%16 != 0 || x == list[0].of && t != e.Type() {
		return "", false
	}
	return f.resize(f.intrinsic(name, t, f.expr(x)), bits, width(e.Type()), false), true
}
