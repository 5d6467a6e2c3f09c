package llvm

import (
	"fmt"

	"goreify/reify/ir"
)

// A location is where an object, or a part of one, is.
type location struct {
	t        ir.Type
	ptr      string  // its address, or that of the union or vector that it is a part of
	v        *ir.Var // the variable without an address, in the place of ptr
	volatile bool
	align    string // what loads and stores say of the alignment
	metadata string // what a load says of the integer
	// union is that by which bits are cast, and shift the lowest of its bits, of its width.
	union *ir.Record
	shift string
	// whole is the vector of which it is a lane, and lane its index, an i64.
	whole ir.Type
	lane  string
}

// locate evaluates the indices and pointers of a place.
func (f *function) locate(p ir.Place) location {
	switch p := p.(type) {
	case *ir.VarRef:
		l := location{t: p.Var.Type, volatile: p.Var.Volatile, ptr: f.vars[p.Var.Index]}
		if f.free[p.Var.Index] {
			l.v = p.Var
		}
		return l
	case *ir.Deref:
		t := pointer(p.X)
		return location{t: t.Elem, ptr: f.expr(p.X), volatile: t.Volatile, align: ", align 1"}
	case *ir.Member:
		l := f.locate(p.Base)
		r := l.t.(*ir.Record)
		l.t = r.Member(p.Field)
		switch {
		case r.Cast:
			l.union, l.shift = r, "0"
		case r.Union:
			l.align = ", align 1"
		default:
			l.ptr = f.def("getelementptr %s%s, ptr %s, i64 0, i32 %d", f.inside(), f.mem(r), l.ptr, p.Field)
		}
		return l
	case *ir.Elem:
		l := f.locate(p.Base)
		index := f.index(p.Index)
		switch t := l.t.(type) {
		case ir.Vector:
			l.whole, l.lane, l.t = t, index, t.Elem
			return l
		case ir.Array:
			if l.union != nil {
				l.shift = f.moved(l, t, index)
			} else {
				l.ptr = f.def("getelementptr %s%s, ptr %s, i64 0, i64 %s", f.inside(), f.mem(t), l.ptr, index)
			}
			l.t = t.Elem
			return l
		}
	}
	panic(fmt.Sprintf("emit/llvm: unknown place %v", p))
}

// moved returns the lowest bit of an element of an array in a union by which bits are cast.
func (f *function) moved(l location, t ir.Array, index string) string {
	width := fmt.Sprintf("i%d", l.union.Width())
	bits := ir.Field{Type: t.Elem}.ScalarBits() * ir.Count(t.Elem)
	k := index
	if width != "i64" {
		k = f.def("trunc i64 %s to %s", index, width)
	}
	by := f.def("mul %s %s, %d", width, k, bits)
	if l.shift == "0" {
		return by
	}
	return f.def("add %s %s, %s", width, l.shift, by)
}

// pointer returns the type of a pointer.
func pointer(e ir.Expr) ir.Pointer { return ir.TypeOf[ir.Pointer](e) }

// inside returns what is said of an address in an object: no index is negative.
func (f *function) inside() string {
	switch {
	case f.knows():
		return "inbounds nuw "
	case f.style.Promises:
		return "inbounds "
	}
	return ""
}

// index returns an index as an i64.
func (f *function) index(e ir.Expr) string {
	t := ir.IntOf(e)
	if c, ok := e.(*ir.Const); ok {
		return constant(ir.I64, t.Wrap(c.V))
	}
	return f.resize(f.expr(e), t.Bits, 64, t.Signed)
}

// resize returns an integer in another width.
func (f *function) resize(x string, from, to int, signed bool) string {
	switch {
	case from == to:
		return x
	case from > to:
		return f.def("trunc i%d %s to i%d", from, x, to)
	case signed:
		return f.def("sext i%d %s to i%d", from, x, to)
	}
	return f.def("zext i%d %s to i%d", from, x, to)
}

func (l location) access() string {
	if l.volatile {
		return "volatile "
	}
	return ""
}

// load returns what a place holds.
func (f *function) load(p ir.Place) string { return f.loadFrom(f.locate(p)) }

func (f *function) loadFrom(l location) string {
	switch {
	case l.whole != nil:
		lane := l
		l.t, l.whole = l.whole, nil
		return f.def("extractelement %s %s, i64 %s", typ(lane.whole), f.loadFrom(l), lane.lane)
	case l.v != nil:
		return f.values[l.v.Index]
	case l.union != nil:
		width := l.union.Width()
		all := f.def("load %si%d, ptr %s", l.access(), width, l.ptr)
		if l.shift != "0" {
			all = f.def("lshr i%d %s, %s", width, all, l.shift)
		}
		bits := ir.Field{Type: l.t}.ScalarBits()
		if bits < width {
			all = f.def("trunc i%d %s to i%d", width, all, bits)
		}
		if t, ok := l.t.(ir.Float); ok {
			all = f.def("bitcast i%d %s to %s", bits, all, floatType(t))
		}
		return all
	}
	x := f.def("load %s%s, ptr %s%s%s", l.access(), f.mem(l.t), l.ptr, l.aligned(), l.metadata)
	if t, ok := l.t.(ir.Int); ok && t.Bits < 8*t.Bytes() {
		return f.def("trunc %s %s to %s", stored(t), x, value(t))
	}
	return x
}

// aligned returns the alignment that an access states, if any: vectors alone may be behind
// less than their own.
func (l location) aligned() string {
	if _, ok := l.t.(ir.Vector); ok {
		return l.align
	}
	return ""
}

// store stores a value in a place.
func (f *function) store(p ir.Place, x string) { f.storeTo(f.locate(p), x) }

func (f *function) storeTo(l location, x string) {
	switch {
	case l.whole != nil:
		whole, lane := l.whole, l.lane
		elem := l.t
		l.t, l.whole = whole, nil
		all := f.def("insertelement %s %s, %s %s, i64 %s", typ(whole), f.loadFrom(l), typ(elem), x, lane)
		f.storeTo(l, all)
		return
	case l.v != nil:
		f.values[l.v.Index] = x
		return
	case l.union != nil:
		width, bits := l.union.Width(), ir.Field{Type: l.t}.ScalarBits()
		if t, ok := l.t.(ir.Float); ok {
			x = f.def("bitcast %s %s to i%d", floatType(t), x, bits)
		}
		if bits < width {
			x = f.def("zext i%d %s to i%d", bits, x, width)
			mask := fmt.Sprint(int64(uint64(1)<<bits - 1))
			if l.shift != "0" {
				x = f.def("shl i%d %s, %s", width, x, l.shift)
				mask = f.def("shl i%d %s, %s", width, mask, l.shift)
			}
			keep := f.def("xor i%d %s, -1", width, mask)
			rest := f.def("and i%d %s, %s", width, f.def("load %si%d, ptr %s", l.access(), width, l.ptr), keep)
			x = f.def("or i%d %s, %s", width, rest, x)
		}
		f.line("store %si%d %s, ptr %s", l.access(), width, x, l.ptr)
		return
	}
	if t, ok := l.t.(ir.Int); ok {
		x = f.resize(x, t.Bits, 8*t.Bytes(), t.Signed)
	}
	f.line("store %s%s %s, ptr %s%s", l.access(), f.mem(l.t), x, l.ptr, l.aligned())
}
