package ir

import "slices"

// A Record is a struct or a union. Like all types it is compared with ==: each
// declaration makes a type of its own, which belongs to one function.
type Record struct {
	Name   string // unique among the records of the function
	Union  bool   // only the member that was last written has a value, unless Cast
	Cast   bool   // a union by which bits are cast; see Width
	Fields []Field
}

// Width returns how many bits each member of a union has by which bits are cast
// (C11 6.5.2.3p3, footnote 95): 8 to 64. The first member is a scalar, an integer
// or floating-point number, the others are scalars or arrays of them, and all have
// the same bits. Those of the first element are the low ones, also where the high
// ones come first in memory: the C writer counts from the other end there. A
// floating-point member has a value if the bits are those of a normal number or 0.
func (r *Record) Width() int { return scalarBits(r.Fields[0].Type) }

// scalarBits returns the bits of an integer or floating-point number, 0 of others.
func scalarBits(t Type) int {
	switch t := t.(type) {
	case Int:
		return t.Bits
	case Float:
		return t.Bits
	}
	return 0
}

// ScalarBits returns the bits of the scalar or of an element of a field of a union
// by which bits are cast.
func (f Field) ScalarBits() int { return scalarBits(Innermost(f.Type)) }

// castPart returns the union by which bits are cast that contains p, which is valid;
// nil if there is no such union.
func castPart(p Place) *Record {
	for {
		switch q := p.(type) {
		case *Elem:
			p = q.Base
		case *Member:
			if r := q.Base.Type().(*Record); r.Cast {
				return r
			}
			p = q.Base
		default:
			return nil
		}
	}
}

// A Field is a member of a record.
type Field struct {
	Name string // unique in the record
	Type Type   // of a bit-field: the type that it is declared with
	Bits int    // the width of a bit-field, at most that of its type; 0 for all other members
}

func (*Record) isType() {}

// String returns the name.
func (r *Record) String() string {
	if r == nil { // as in types that the checker rejects
		return "<nil>"
	}
	return r.Name
}

// Member returns the type of a field as a place: that of a bit-field has its
// width.
func (r *Record) Member(field int) Type {
	f := r.Fields[field]
	if t, ok := f.Type.(Int); ok && f.Bits > 0 {
		return Int{Bits: f.Bits, Signed: t.Signed}.Boxed()
	}
	return f.Type
}

// Offset returns how many scalars of the record come before those of a field.
func (r *Record) Offset(field int) int {
	n := 0
	for _, f := range r.Fields[:field] {
		n += Count(f.Type)
	}
	return n
}

// At returns the field that scalar i of the record lies in, which is less than
// Count, and the first scalar of that field.
func (r *Record) At(i int) (field, first int) {
	for {
		n := Count(r.Fields[field].Type)
		if i < first+n {
			return field, first
		}
		first += n
		field++
	}
}

// HasUnion reports whether t is a union or contains one. Targets of pointers do not
// count.
func HasUnion(t Type) bool {
	switch t := t.(type) {
	case Array:
		return HasUnion(t.Elem)
	case *Record:
		return t.Union || slices.ContainsFunc(t.Fields, func(f Field) bool { return HasUnion(f.Type) })
	}
	return false
}
