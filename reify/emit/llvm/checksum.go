package llvm

import (
	"fmt"
	"strings"

	"goreify/reify/ir"
)

// checksum extends a CRC-32 by the scalars of variables.
func (f *function) checksum(of []*ir.Var) string {
	crc := "0"
	for _, v := range of {
		crc = f.sum(crc, &ir.VarRef{Var: v}, v.Type)
	}
	return crc
}

func (f *function) sum(crc string, p ir.Place, t ir.Type) string {
	size, bits := 0, 64
	var x string
	switch t := t.(type) {
	case ir.Array:
		if root := ir.Root(p); root != nil && !root.Volatile && f.plainly(p, ir.Innermost(t)) {
			switch of := ir.Innermost(t).(type) {
			case ir.Int:
				return f.def("call i32 %s(i32 %s, ptr %s, i64 %d)", f.needCRCOf(container(of)), crc, f.locate(p).ptr, ir.Count(t))
			case ir.Vector:
				return f.def("call i32 %s(i32 %s, ptr %s, i64 %d)", f.needCRCOf(of), crc, f.locate(p).ptr, ir.Count(t)/of.Lanes)
			}
		}
		for i := range t.Len {
			crc = f.sum(crc, &ir.Elem{Base: p, Index: &ir.Const{T: ir.I64, V: int64(i)}}, t.Elem)
		}
		return crc
	case *ir.Record:
		for i := range t.Fields {
			if i == 0 || !t.Union {
				crc = f.sum(crc, &ir.Member{Base: p, Field: i}, t.Member(i))
			}
		}
		return crc
	case ir.Vector:
		if root := ir.Root(p); root != nil && root.Kind.Lasts() && !root.Volatile && f.plainly(p, t) {
			return f.def("call i32 %s(i32 %s, ptr %s, i64 1)", f.needCRCOf(t), crc, f.locate(p).ptr)
		}
		for i := range t.Lanes {
			crc = f.sum(crc, &ir.Elem{Base: p, Index: &ir.Const{T: ir.I64, V: int64(i)}}, t.Elem)
		}
		return crc
	case ir.Pointer, ir.Wide:
		return crc
	case ir.Int:
		size = t.Bytes()
		x = f.resize(f.load(p), t.Bits, 64, t.Signed)
	case ir.Float:
		size, bits = t.Bits/8, t.Bits
		x = f.resize(f.def("bitcast %s %s to i%d", floatType(t), f.load(p), bits), bits, 64, false)
	}
	return f.def("call i32 %s(i32 %s, i64 %s, i32 %d)", f.needCRC(), crc, x, size)
}

// plainly reports whether scalars or vectors of a place can be read without what the place says:
// it is no part of a union by which bits are cast, nor, of vectors, of any, where they may be
// behind less than their alignment.
func (f *function) plainly(p ir.Place, of ir.Type) bool {
	_, vector := of.(ir.Vector)
	return !ir.Any(p, func(n ir.Node) bool {
		m, ok := n.(*ir.Member)
		if !ok {
			return false
		}
		r := m.Base.Type().(*ir.Record)
		return r.Cast || vector && r.Union
	})
}

// crcFunc is the function that extends a CRC-32 by the lowest bytes of a value.
const crcFunc = "crc32"

const crcText = `define internal i32 @crc32(i32 %crc, i64 %value, i32 %size) noinline {
entry:
  %begin = xor i32 %crc, -1
  br label %bytes
bytes:
  %c = phi i32 [ %begin, %entry ], [ %next, %byte ]
  %v = phi i64 [ %value, %entry ], [ %rest, %byte ]
  %n = phi i32 [ %size, %entry ], [ %less, %byte ]
  %more = icmp ne i32 %n, 0
  br i1 %more, label %first, label %end
first:
  %low = trunc i64 %v to i32
  %one = and i32 %low, 255
  %mixed = xor i32 %c, %one
  br label %bit
bit:
  %b = phi i32 [ %mixed, %first ], [ %folded, %bit ]
  %i = phi i32 [ 8, %first ], [ %j, %bit ]
  %odd = and i32 %b, 1
  %mask = sub i32 0, %odd
  %poly = and i32 %mask, -306674912
  %half = lshr i32 %b, 1
  %folded = xor i32 %half, %poly
  %j = sub i32 %i, 1
  %again = icmp ne i32 %j, 0
  br i1 %again, label %bit, label %byte
byte:
  %next = phi i32 [ %folded, %bit ]
  %rest = lshr i64 %v, 8
  %less = sub i32 %n, 1
  br label %bytes
end:
  %out = xor i32 %c, -1
  ret i32 %out
}

`

// needCRC returns the function of checksums.
func (m *module) needCRC() string { return m.needHelper(crcFunc, crcText) }

// crcOfText is the function that extends a CRC-32 by objects that lie one after another, of a
// type and its size.
const crcOfText = `define internal i32 @%[1]s(i32 %%crc, ptr %%p, i64 %%n) noinline {
entry:
  br label %%next
next:
  %%i = phi i64 [ 0, %%entry ], [ %%j, %%one ]
  %%c = phi i32 [ %%crc, %%entry ], [ %%d, %%one ]
  %%more = icmp ult i64 %%i, %%n
  br i1 %%more, label %%one, label %%end
one:
  %%at = getelementptr %[2]s, ptr %%p, i64 %%i
  %%v = load %[2]s, ptr %%at
%[3]s  %%j = add i64 %%i, 1
  br label %%next
end:
  ret i32 %%c
}

`

// needCRCOf returns the function of checksums of many integers that have a whole number of
// bytes, or of many vectors.
func (m *module) needCRCOf(t ir.Type) string {
	m.needCRC()
	var body strings.Builder
	add := func(crc, x, sum string, of ir.Int) {
		if of.Bits < 64 {
			fmt.Fprintf(&body, "  %s.x = %sext %s %s to i64\n", x, map[bool]string{true: "s", false: "z"}[of.Signed], value(of), x)
			x += ".x"
		}
		fmt.Fprintf(&body, "  %s = call i32 @crc32(i32 %s, i64 %s, i32 %d)\n", sum, crc, x, of.Bytes())
	}
	name := crcFunc + "." + suffix(t)
	switch t := t.(type) {
	case ir.Int:
		t.Signed = false
		add("%c", "%v", "%d", t)
	case ir.Vector:
		if name += "." + sign(t.Elem.Signed); t.Elem.Standard() {
			name, t.Elem.Signed = crcFunc+"."+suffix(t), false
		}
		crc := "%c"
		for k := range t.Lanes {
			lane, sum := fmt.Sprintf("%%l%d", k), fmt.Sprintf("%%d%d", k)
			if k == t.Lanes-1 {
				sum = "%d"
			}
			fmt.Fprintf(&body, "  %s = extractelement %s %%v, i64 %d\n", lane, typ(t), k)
			add(crc, lane, sum, t.Elem)
			crc = sum
		}
	}
	return m.needHelper(name, fmt.Sprintf(crcOfText, name, typ(t), body.String()))
}
