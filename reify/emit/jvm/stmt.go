package jvm

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// stmt writes a statement.
func (w *function) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Assign:
		w.assign(s)
	case *ir.Transfer:
		w.transfer(s)
	case *ir.Fill:
		w.fill(s)
	case *ir.Unreachable:
		w.throw(nil)
	case *ir.Assume:
		if w.style.Throw == Negative {
			w.throw(s.Cond)
			return
		}
		holds := w.c.label()
		w.cond(s.Cond, holds, true)
		w.throw(nil)
		w.c.place(holds)
	default:
		panic(fmt.Sprintf("jvm: unknown statement %T", s))
	}
}

func (w *function) assign(s *ir.Assign) {
	switch s.Dst.Type().(type) {
	case *ir.Record:
		from, _ := copied(s)
		if w.inMemory(s.Dst) {
			w.copyObject(s.Dst, from)
		} else {
			w.copy(s.Dst, from)
		}
	case ir.Pointer:
		w.pointer(s.Src)
		w.storePointer(s.Dst)
	default:
		if !w.increment(s) {
			w.storeTo(s.Dst, func() { w.expr(s.Src) }, ir.Harmless(s.Src))
		}
	}
}

// copied returns the place of the record that s copies, or false.
func copied(s *ir.Assign) (ir.Place, bool) {
	if _, ok := s.Dst.Type().(*ir.Record); !ok {
		return nil, false
	}
	return s.Src.(*ir.Load).Place, true
}

// increment writes x = x + 5 as iinc, if the style does.
func (w *function) increment(s *ir.Assign) bool {
	v, ok := s.Dst.(*ir.VarRef)
	b, sum := s.Src.(*ir.Binary)
	if !w.style.Increment || !ok || !sum || b.Op != ir.Add && b.Op != ir.Sub {
		return false
	}
	x, _ := b.X.(*ir.Load)
	k, constant := b.Y.(*ir.Const)
	if x == nil || !constant || kind(k.T) != "I" {
		return false
	}
	ref, ok := x.Place.(*ir.VarRef)
	if !ok || ref.Var != v.Var {
		return false
	}
	by := int64(int32(k.V))
	if b.Op == ir.Sub {
		by = -by
	}
	to := w.vars[v.Var.Index].cols[0]
	if to.in != local || to.whole || by != int64(int16(by)) {
		return false
	}
	w.c.add(instr{op: opIinc, a: int32(to.slot), b: int32(by)})
	return true
}

// throw ends the function; with a condition, unless that holds, which only an array of
// negative length can do.
func (w *function) throw(unless ir.Expr) {
	c := w.c
	const object = "java/lang/Object"
	create := func(class string) {
		c.create(class)
		w.m.uses(class)
	}
	after := func() { // code that only a verifier may take for reachable
		c.dead = true
		c.stack, c.depth = nil, 0
		c.place(c.label())
	}
	switch w.style.Throw {
	case Thrown:
		create("java/lang/IllegalStateException")
		c.op(opAthrow)
		after()
	case Negative:
		if unless != nil {
			w.expr(&ir.Select{If: unless, X: &ir.Const{T: ir.I32, V: 1}, Y: &ir.Const{T: ir.I32, V: -1}})
		} else {
			c.int(-1)
		}
		c.newArray("[I", 1)
		c.drop()
	case Cast:
		create(object)
		c.pop()
		c.raw(instr{op: opCheckcast, a: int32(c.p.class("[I"))})
		c.push("[I")
		c.drop()
	case Null:
		c.op(opAconstNull, opAthrow)
		after()
	case Store:
		c.int(1)
		c.pop()
		c.raw(instr{op: opAnewarray, a: int32(c.p.class(integerClass))})
		c.push("[L" + integerClass + ";")
		c.int(0)
		create(object)
		c.setElement()
		w.m.uses(integerClass)
	}
}

// thrown are the kinds of traps of the ways to end.
var thrown = [numThrows]string{"unreachable", "negative-length", "class-cast", "null", "array-store"}

// copy copies the columns of a record. Indices are evaluated once, since the store may
// change their operands.
func (w *function) copy(dst, src ir.Place) {
	from, at := w.resolve(src)
	to, there := w.resolve(dst)
	var sources, list []*column
	from.leaves(func(c *column) { sources = append(sources, c) })
	to.leaves(func(c *column) { list = append(list, c) })
	throws := func(e ir.Expr) bool { return !ir.Harmless(e) }
	if slices.ContainsFunc(at, throws) || slices.ContainsFunc(there, throws) {
		w.touch(src) // exceptions are thrown in order: the source first
		w.touch(dst)
	}
	var temps []int
	hold := func(c *column, indices []ir.Expr) func(i int) {
		slots := make([]int, len(indices))
		for i, e := range indices {
			if _, ok := e.(*ir.Const); !ok {
				w.index(c, e)
				slots[i] = w.temp("I")
				w.c.store(slots[i], "I")
				temps = append(temps, slots[i])
			}
		}
		return func(i int) {
			if _, ok := indices[i].(*ir.Const); ok {
				w.index(c, indices[i])
			} else {
				w.c.load(slots[i], "I")
			}
		}
	}
	read, write := hold(sources[0], at), hold(list[0], there)
	for i, source := range sources {
		one := list[i]
		each(source.dims[len(at):], nil, func(rest []int) {
			value := func() {
				w.get(source)
				if len(source.dims) > 0 {
					w.reachBoth(source, at, read, rest)
					w.c.element()
					w.widen(source.t)
				}
			}
			if len(one.dims) == 0 {
				w.set(one, value)
				return
			}
			w.get(one)
			w.reachBoth(one, there, write, rest)
			value()
			w.c.setElement()
		})
	}
	for _, at := range slices.Backward(temps) {
		w.release(at, "I")
	}
}

// reachBoth is reach for indices of which the first are expressions, which index
// pushes, and the others are known.
func (w *function) reachBoth(c *column, indices []ir.Expr, index func(i int), rest []int) {
	known := constants(indices)
	if known != nil || len(indices) == 0 {
		known = append(known, rest...)
	}
	w.reach(c, len(indices)+len(rest), func(i int) {
		if i < len(indices) {
			index(i)
		} else {
			w.c.int(int32(rest[i-len(indices)]))
		}
	}, known)
}

// each calls do for all indices into so many dimensions, which it may not keep.
func each(dims, indices []int, do func([]int)) {
	if len(dims) == 0 {
		do(indices)
		return
	}
	for i := range dims[0] {
		each(dims[1:], append(indices, i), do)
	}
}

// touch reads a scalar of a place, if that has indices, and drops its value.
func (w *function) touch(p ir.Place) {
	s, indices := w.resolve(p)
	if len(indices) == 0 {
		return
	}
	var c *column
	s.leaves(func(one *column) {
		if c == nil {
			c = one
		}
	})
	w.get(c)
	w.reachBoth(c, indices, func(i int) { w.index(c, indices[i]) }, make([]int, len(c.dims)-len(indices)))
	w.c.element()
	w.c.drop()
}
