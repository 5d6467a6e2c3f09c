package search

import (
	"goreify/reify/ir"
	"goreify/reify/repair"
)

// replaceUndefined makes a site defined at the last position of the path, where it is
// undefined. Operations that are undefined are replaced; one that has been replaced
// before becomes one that is always defined (section 3.2 of the YARPGen paper). Then
// the walk goes back to the first visit of the block, where the site may now have
// another value. The result is whether an operation was replaced.
func (r *run) replaceUndefined(at *site, pos int) bool {
	if !r.guide.Repair {
		return false
	}
	state := r.state(pos + 1)
	info := &r.blocks[at.block]
	first := len(info.visits) == 1
	fresh := false
	for _, sym := range at.syms {
		if !r.set[sym.ID] {
			fresh = true
			r.assign(sym, draw(r.s, all(sym.T).clamp(16)))
		}
	}
	replaced := false
	const most = 100
	for range most {
		f, undefined := r.faultIn(at, state)
		if !undefined {
			break
		}
		// Symbols that are met again can be chosen otherwise.
		if f.at == nil || !first && at.fails == 0 && hasSymbol(f.at) && !r.s.Chance(1, 3) {
			break
		}
		if !r.replace(f, state) {
			break
		}
		replaced = true
		r.stats.Repairs++
		r.refresh(at)
	}
	if !replaced {
		if fresh {
			r.unset(at.syms)
		}
		return false
	}
	r.best = found{} // of the function as it was
	info.rooms = info.rooms[:0]
	r.back(int(info.visits[0]))
	return true
}

// replace puts another expression in the place of a fault.
func (r *run) replace(f fault, state []int64) bool {
	if r.replaced == nil {
		r.replaced = map[*ir.Expr]int{}
	}
	again := r.replaced[f.at]
	r.replaced[f.at]++
	var e ir.Expr
	switch {
	case again > 2:
	case f.len > 0:
		e = repair.Index(*f.at, f.len)
	default:
		if again == 0 {
			e = repair.Operation(*f.at, r.operandValues(*f.at, state))
		}
		if e == nil {
			e = repair.Always(*f.at)
		}
	}
	if e == nil {
		return false
	}
	*f.at = e
	return true
}

// operandValues returns the values of the integers among the operands of e.
func (r *run) operandValues(e ir.Expr, state []int64) []int64 {
	var values []int64
	ir.Parts(e, func(n ir.Node) bool {
		if x, ok := n.(ir.Expr); ok && ir.IsInt(x) {
			v, _ := r.eval(x, state)
			values = append(values, v)
		}
		return true
	})
	return values
}

func hasSymbol(at *ir.Expr) bool {
	for e := range ir.SubExprs(at) {
		if _, ok := (*e).(*ir.Sym); ok {
			return true
		}
	}
	return false
}

// refresh updates a site whose expression has been replaced.
func (r *run) refresh(at *site) {
	if at.expr == nil {
		return
	}
	at.compute(*r.slot(at))
	if at.pivots != nil {
		at.pivots = pivots(at.expr, at.over, pivot{sure: true}, nil)
	}
}

// slot returns the address of the expression of a site.
func (r *run) slot(at *site) *ir.Expr {
	if s, ok := at.stmt.(*ir.Assign); ok {
		return &s.Src
	}
	switch t := r.f.Blocks[at.block].Term.(type) {
	case *ir.If:
		return &t.Cond
	case *ir.Switch:
		return &t.X
	case *ir.Return:
		return &t.Val
	}
	panic("search: site without an expression")
}
