package interp

import "goreify/reify/ir"

// An object consists of scalars, numbered in the order of ir.Count.

// arrayAt returns the array of elements of type elem, in an object of type t, that has
// an element at scalar i: its first scalar and its length. An object that is not an
// element of an array is treated as an array of length one (6.5.6p7). It returns false
// if no object of this type is at i.
func arrayAt(t ir.Type, i int, elem ir.Type) (first, length int, ok bool) {
	for {
		if i == first && alike(t, elem) {
			return first, 1, true
		}
		switch u := t.(type) {
		case ir.Array:
			n := ir.Count(u.Elem)
			if (i-first)%n == 0 && alike(u.Elem, elem) {
				return first, u.Len, true
			}
			first += (i - first) / n * n
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

// alike reports whether an object of type declared may be accessed by type by:
// it is the same, or that of the other sign (6.5p7).
func alike(declared, by ir.Type) bool {
	if declared == by {
		return true
	}
	d, ok := declared.(ir.Int)
	if !ok {
		return false
	}
	b, ok := by.(ir.Int)
	return ok && d.Bits == b.Bits && d.Standard() && b.Standard()
}

// overlap reports whether scalars i and j of an object of type t lie in
// different members of one union.
func overlap(t ir.Type, i, j int) bool {
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

// inUse yields the scalars of t, numbered from first on. Of a union it yields only
// those of the first member, which is the one that is initialised (6.7.9p10, p17) and
// that a checksum covers. It stops at the first error.
func inUse(t ir.Type, first int, yield func(i int, t ir.Type) error) error {
	switch u := t.(type) {
	case ir.Array:
		n := ir.Count(u.Elem)
		for k := range u.Len {
			if err := inUse(u.Elem, first+k*n, yield); err != nil {
				return err
			}
		}
	case ir.Vector:
		for k := range u.Lanes {
			if err := yield(first+k, u.Elem); err != nil {
				return err
			}
		}
	case ir.Wide: // starts at 0, and is in no checksum
	case *ir.Record:
		for k := range u.Fields {
			member := u.Member(k)
			if err := inUse(member, first, yield); err != nil || u.Union {
				return err
			}
			first += ir.Count(member)
		}
	default:
		return yield(first, t)
	}
	return nil
}
