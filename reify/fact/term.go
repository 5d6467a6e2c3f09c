package fact

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A term is a scalar of a variable or, if behind is set, the target of that pointer.
type term struct {
	v      *ir.Var
	elem   int
	behind bool
}

// place returns the term as an expression reads it.
func (t term) place() ir.Place {
	p := part(t.v, t.elem)
	if t.behind {
		return &ir.Deref{X: &ir.Load{Place: p}}
	}
	return p
}

// part returns a scalar of a variable, of which followed is true.
func part(v *ir.Var, elem int) ir.Place {
	var p ir.Place = &ir.VarRef{Var: v}
	for {
		switch t := p.Type().(type) {
		case ir.Array:
			n := ir.Count(t.Elem)
			p = &ir.Elem{Base: p, Index: &ir.Const{T: ir.I32, V: int64(elem / n)}}
			elem %= n
		case *ir.Record:
			field, first := t.At(elem)
			p = &ir.Member{Base: p, Field: field}
			elem -= first
		default:
			return p
		}
	}
}

// now returns the value of a term.
func (t term) now(w *watch) cell {
	c := w.cells[t.v.Index][t.elem]
	if !t.behind {
		return c
	}
	if !c.known || c.to == nil || w.cells[c.to.v.Index] == nil {
		return cell{}
	}
	want := ir.Cell(t.v.Type, t.elem).(ir.Pointer).Elem
	if ir.Cell(c.to.v.Type, c.to.elem) != want {
		return cell{}
	}
	return w.cells[c.to.v.Index][c.to.elem]
}

// An asker draws questions.
type asker struct {
	s    *choice.Stream
	vars []*ir.Var // that are followed
}

func newAsker(f *ir.Function, s *choice.Stream) *asker {
	a := &asker{s: s}
	for _, v := range f.Vars {
		if followed(v) {
			a.vars = append(a.vars, v)
		}
	}
	return a
}

// questions returns some questions, about the variables that n reads or writes, or
// about other variables.
func (a *asker) questions(n ir.Node) (list []question) {
	var near []*ir.Var
	var look func(n ir.Node) bool
	look = func(n ir.Node) bool {
		if r, ok := n.(*ir.VarRef); ok && followed(r.Var) {
			near = append(near, r.Var)
		}
		return ir.Parts(n, look)
	}
	if n != nil {
		look(n)
	}
	for range 1 + a.s.Weighted(4, 2, 1) {
		if q := a.question(near); q != nil {
			list = append(list, q)
		}
	}
	return list
}

// question returns a question, most likely about near variables; nil if it has not
// found any.
func (a *asker) question(near []*ir.Var) question {
	x, ok := a.term(near)
	if !ok {
		return nil
	}
	if _, ok := x.place().Type().(ir.Pointer); ok {
		q := &pointerQuestion{x: x}
		if y, ok := a.term(near); ok && y.place().Type() == x.place().Type() {
			q.y = &y
		}
		return q
	}
	q := &intQuestion{x: x}
	if a.s.Chance(1, 3) {
		if y, ok := a.term(near); ok && y != x {
			if _, ok := y.place().Type().(ir.Int); ok {
				q.y = &y
			}
		}
	}
	return q
}

// term draws an integer or a pointer.
func (a *asker) term(near []*ir.Var) (term, bool) {
	for range 4 {
		from := near
		if len(near) == 0 || a.s.Chance(1, 4) {
			from = a.vars
		}
		if len(from) == 0 {
			break
		}
		v := choice.Pick(a.s, from)
		t := term{v: v, elem: a.s.Intn(ir.Count(v.Type))}
		switch c := t.place().Type().(type) {
		case ir.Int:
			return t, c.Standard()
		case ir.Pointer:
			elem, ok := c.Elem.(ir.Int)
			t.behind = ok && elem.Standard() && !c.Volatile && a.s.Chance(1, 2)
			return t, true
		}
	}
	return term{}, false
}
