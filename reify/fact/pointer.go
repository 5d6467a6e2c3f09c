package fact

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A pointerQuestion asks where a pointer points to, and whether another one points
// there, too.
type pointerQuestion struct {
	x       term
	y       *term // or nil
	visits  int
	unknown bool // at some visit
	null    bool // x is null, at some visit
	to      *target
	moves   bool // x has several targets
	equal   bool // x and y are equal, at some visit
	apart   bool // they point into different variables, or one is null, at some visit
	unclear bool // they are different in another way
}

func (q *pointerQuestion) see(w *watch) {
	q.visits++
	x := q.x.now(w)
	q.unknown = q.unknown || !x.known
	q.null = q.null || x.to == nil
	if q.to == nil {
		q.to = x.to
	} else if x.to != nil && *x.to != *q.to {
		q.moves = true
	}
	if q.y == nil {
		return
	}
	y := q.y.now(w)
	switch {
	case !y.known:
		q.unclear = true
	case x.to == nil && y.to == nil, x.to != nil && y.to != nil && *x.to == *y.to:
		q.equal = true
	case x.to == nil, y.to == nil, x.to.v != y.to.v:
		q.apart = true
	default:
		q.unclear = true
	}
}

func (q *pointerQuestion) fact(s *choice.Stream) ir.Expr {
	if q.visits == 0 || q.unknown {
		return nil
	}
	x := &ir.Load{Place: q.x.place()}
	compare := func(op ir.Op, y ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: x, Y: y} }
	if q.y != nil && !q.unclear && q.equal != q.apart && s.Chance(2, 3) {
		op := ir.Ne
		if q.equal {
			op = ir.Eq
		}
		return compare(op, &ir.Load{Place: q.y.place()})
	}
	t := ir.TypeOf[ir.Pointer](x)
	if !q.null && !q.moves && s.Chance(1, 2) {
		if p := part(q.to.v, q.to.elem); p.Type() == t.Elem {
			return compare(ir.Eq, &ir.AddrOf{Place: p})
		}
	}
	switch {
	case !q.null:
		return compare(ir.Ne, &ir.Null{T: t})
	case q.to == nil:
		return compare(ir.Eq, &ir.Null{T: t})
	}
	return nil
}
