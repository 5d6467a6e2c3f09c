package search

import (
	"fmt"

	"goreify/reify/ir"
)

// A pointer is kept as a number. 0 is null. A pointer to a scalar of a state is two
// more than twice its number. A pointer behind the last element of an array is one more
// than that of the element.

func address(at int, behind bool) int64 {
	x := int64(at)<<1 + 2
	if behind {
		x++
	}
	return x
}

func target(x int64) (at int, behind bool) { return int(x>>1) - 1, x&1 != 0 }

// pointer returns the value of e in a state, or false if that is undefined. If pol
// is not nil, symbols in it that have no value get one.
func (ev *evaluator) pointer(e ir.Expr, state []int64, pol *policy) (int64, bool) {
	switch e := e.(type) {
	case *ir.AddrOf:
		return ev.addressOf(e.Place, state, pol)
	case *ir.Load:
		return ev.read(e.Place, state, pol)
	case *ir.Null:
		return 0, true
	case *ir.PtrAdd:
		x, ok := ev.pointer(e.X, state, pol)
		if !ok {
			return 0, false
		}
		elem := ir.TypeOf[ir.Pointer](e.X).Elem
		k, n, ok := ev.within(x, elem)
		if !ok {
			return 0, false
		}
		i, ok := ev.number(e.Index, state, interval{int64(-k), int64(n - 1 - k)}, pol)
		if !ok || i < int64(-k) || i > int64(n-k) || i < 0 && !ir.IntOf(e.Index).Signed {
			return 0, false
		}
		at, _ := target(x)
		size := ir.Count(elem)
		return element(at-min(k, n-1)*size, k+int(i), n, size), true
	case *ir.Cast:
		x, ok := ev.pointer(e.X, state, pol)
		if !ok || x == 0 {
			return x, ok
		}
		_, _, ok = ev.within(x, e.T.(ir.Pointer).Elem)
		return x, ok
	case *ir.Select:
		taken, _, ok := ev.sides(e, state, pol)
		if !ok {
			return 0, false
		}
		return ev.pointer(taken, state, pol)
	}
	panic(fmt.Sprintf("search: unknown pointer expression %T", e))
}

// element returns a pointer to element k of an array of n, or behind it. Each has
// size scalars.
func element(first, k, n, size int) int64 {
	return address(first+min(k, n-1)*size, k == n)
}

func (ev *evaluator) addressOf(p ir.Place, state []int64, pol *policy) (int64, bool) {
	switch p := p.(type) {
	case *ir.Deref:
		return ev.pointer(p.X, state, pol)
	case *ir.Elem:
		first, ok := ev.locate(p.Base, state, pol)
		if !ok {
			return 0, false
		}
		size, n := elements(p.Base.Type())
		i, ok := ev.number(p.Index, state, interval{0, int64(n) - 1}, pol)
		if !ok || i < 0 || i > int64(n) {
			return 0, false
		}
		return element(first, int(i), n, size), true
	}
	at, ok := ev.locate(p, state, pol)
	return address(at, false), ok
}

// within returns the index of the element of an array that a pointer to elem points to,
// and the length of the array; an object that is not an element counts as an array of
// one.
func (l *layout) within(x int64, elem ir.Type) (k, n int, ok bool) {
	if x == 0 {
		return 0, 0, false
	}
	at, behind := target(x)
	v := l.vars[l.varAt(at)]
	first, n, ok := arrayAt(v.Type, at-l.offset[v.Index], elem)
	if !ok {
		return 0, 0, false
	}
	k = (at - l.offset[v.Index] - first) / ir.Count(elem)
	if behind {
		k++
	}
	return k, n, true
}

// arrayAt returns where in an object of type t the array begins of which an element, of
// type elem or its like, begins at scalar i, and its length. The interpreter has a
// similar function on purpose: it is to judge this one.
func arrayAt(t ir.Type, i int, elem ir.Type) (first, n int, ok bool) {
	for {
		if i == first && alike(t, elem) {
			return first, 1, true
		}
		switch u := t.(type) {
		case ir.Array:
			size := ir.Count(u.Elem)
			if (i-first)%size == 0 && alike(u.Elem, elem) {
				return first, u.Len, true
			}
			first += (i - first) / size * size
			t = u.Elem
		case *ir.Record:
			k, at := u.At(i - first)
			first += at
			t = u.Member(k)
		default:
			return 0, 0, false
		}
	}
}

// alike reports whether an object of type t can be accessed as an elem: they are equal
// except perhaps for the sign of an integer (6.5p7).
func alike(t, elem ir.Type) bool {
	if t == elem {
		return true
	}
	a, ok := t.(ir.Int)
	if !ok {
		return false
	}
	b, ok := elem.(ir.Int)
	return ok && a.Bits == b.Bits && a.Standard() && b.Standard()
}

// follow returns where the target of x begins, which is accessed as an elem.
func (l *layout) follow(x int64, elem ir.Type) (int, bool) {
	at, behind := target(x)
	if x == 0 || behind {
		return 0, false
	}
	v := l.vars[l.varAt(at)]
	_, _, ok := arrayAt(v.Type, at-l.offset[v.Index], elem)
	return at, ok
}

// comparePointers returns whether the pointers x and y compare as e says, or false if that
// is undefined.
func (l *layout) comparePointers(e *ir.Binary, x, y int64) (int64, bool) {
	if equality := e.Op == ir.Eq || e.Op == ir.Ne; !equality || x != y && x != 0 && y != 0 {
		if x == 0 || y == 0 {
			return 0, false
		}
		a, behindA := target(x)
		b, behindB := target(y)
		same := l.varAt(a) == l.varAt(b)
		switch {
		case !same && (!equality || behindA != behindB):
			return 0, false
		case same && l.overlap(a, b):
			return 0, false
		case same && (behindA || behindB) && !l.sameArray(x, y, ir.TypeOf[ir.Pointer](e.X).Elem):
			return 0, false
		}
	}
	return apply(e.Op, ir.I64, x, y)
}

// sameArray reports whether x and y point into one array of elements, or behind
// it.
func (l *layout) sameArray(x, y int64, elem ir.Type) bool {
	if x == 0 || y == 0 {
		return false
	}
	i, _, ok := l.within(x, elem)
	j, _, too := l.within(y, elem)
	a, behindA := target(x)
	b, behindB := target(y)
	if behindA {
		i--
	}
	if behindB {
		j--
	}
	return ok && too && l.varAt(a) == l.varAt(b) && a-i*ir.Count(elem) == b-j*ir.Count(elem)
}

// distance returns how many elements x is behind y, or false if that is undefined.
func (l *layout) distance(x, y int64, elem ir.Type) (int64, bool) {
	i, _, _ := l.within(x, elem)
	j, _, _ := l.within(y, elem)
	return int64(i - j), l.sameArray(x, y, elem)
}

// overlap reports whether two scalars of a variable lie in different members of
// one union.
func (l *layout) overlap(i, j int) bool {
	v := l.varAt(i)
	if !l.unions || v != l.varAt(j) {
		return false
	}
	t := l.vars[v].Type
	i, j = i-l.offset[v], j-l.offset[v]
	for {
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			if i/n != j/n {
				return false
			}
			i, j, t = i%n, j%n, u.Elem
		case *ir.Record:
			k, first := u.At(i)
			if other, _ := u.At(j); other != k {
				return u.Union
			}
			i, j, t = i-first, j-first, u.Fields[k].Type
		default:
			return false
		}
	}
}
