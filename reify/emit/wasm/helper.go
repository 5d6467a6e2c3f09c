package wasm

import (
	"encoding/binary"
	"hash/crc32"

	"goreify/reify/ir"
)

// checksum pushes the checksum of variables, as ir.Checksum says.
func (w *function) checksum(list []*slot) {
	c := &w.code
	c.i32(-1)
	for _, s := range list {
		w.sum(s)
	}
	c.i32(-1, opXor)
}

// sum adds a variable to the checksum on the stack.
func (w *function) sum(s *slot) {
	c := &w.code
	if s.in == local || s.in == globally {
		if _, ok := s.v.Type.(ir.Pointer); ok {
			return
		}
		w.loadVar(s)
		w.sumScalar(s.v.Type)
		return
	}
	if plain(s.v.Type) && len(s.spots) > 1 {
		w.whole(s)
		n, _ := w.m.size(s.v.Type)
		c.i32(int64(n))
		c.at(opCall, w.m.helper("crcs"))
		return
	}
	for _, at := range s.spots {
		if _, ok := at.t.(ir.Pointer); ok || at.hidden {
			continue
		}
		off := w.base(s, at.offset)
		if at.bits > 0 {
			w.loadBits(at, off)
			w.sumScalar(ir.Int{Bits: at.bits, Signed: at.signed})
			continue
		}
		w.loadFrom(at.t, off)
		w.sumScalar(at.t)
	}
}

// loadVar pushes the value of a local or global.
func (w *function) loadVar(s *slot) {
	if s.in == globally {
		w.code.at(opGlobalGet, s.index)
		return
	}
	w.code.at(opLocalGet, s.index)
}

// sumScalar adds the scalar on the stack to the checksum below it.
func (w *function) sumScalar(t ir.Type) {
	c := &w.code
	bytes := 0
	switch t := t.(type) {
	case ir.Int:
		bytes = t.Bytes()
	case ir.Float:
		bytes = t.Bits / 8
		c.op(opI32OfF32.of(valueType(t)))
	}
	if bytes < 8 {
		c.op(opI64ExtendU)
	}
	c.i32(int64(bytes))
	c.at(opCall, w.m.helper("crc"))
}

// helper returns the index of a function that belongs to no function of ours:
//
//	crc(sum i32, v i64, n i32) i32          adds the low n bytes of v to a checksum
//	crcs(sum i32, address i32, n i32) i32   adds n bytes, from 1, of memory
//	mulhi(x i64, y i64) i64                 the high half of a product without signs
func (m *module) helper(name string) int {
	if at, ok := m.helpers[name]; ok {
		return at
	}
	w := &function{m: m}
	var signature []byte
	switch name {
	case "crc":
		signature = []byte{typeI32, typeI64, typeI32, ':', typeI32}
		w.crc(true)
	case "crcs":
		signature = []byte{typeI32, typeI32, typeI32, ':', typeI32}
		w.crc(false)
	case "mulhi":
		signature = []byte{typeI64, typeI64, ':', typeI64}
		w.mulhi()
	default:
		panic("wasm: unknown helper " + name)
	}
	at := m.add(string(signature), w.body())
	m.helpers[name] = at
	return at
}

// crcTable returns the address of the table for checksums.
func (m *module) crcTable() uint32 {
	if m.table == 0 {
		m.table = m.alloc(4*256, 4)
		var data []byte
		for _, v := range crc32.IEEETable {
			data = binary.LittleEndian.AppendUint32(data, v)
		}
		m.initial = append(m.initial, segment{m.table, data})
	}
	return m.table
}

// crc writes the loop over the bytes of a number or of memory.
func (w *function) crc(number bool) {
	const sum, from, n = 0, 1, 2
	c := &w.code
	table := w.m.crcTable()
	c.block(opLoop, typeNone)
	c.at(opLocalGet, sum)
	c.at(opLocalGet, from)
	if number {
		c.op(opI32WrapI64)
	} else {
		c.memory(opI32Load8U, 1, 0)
	}
	c.op(opXor)
	c.i32(255, opAnd)
	c.i32(2, opShl)
	c.memory(opI32Load, 4, table)
	c.at(opLocalGet, sum)
	c.i32(8, opShrU, opXor)
	c.at(opLocalSet, sum)
	c.at(opLocalGet, from)
	if number {
		c.i64(8, opShrU)
	} else {
		c.i32(1, opAdd)
	}
	c.at(opLocalSet, from)
	c.at(opLocalGet, n)
	c.i32(1, opSub)
	c.at(opLocalTee, n)
	c.at(opBrIf, 0, opEnd)
	c.at(opLocalGet, sum)
}

// mulhi multiplies halves (Knuth, 4.3.1, algorithm M).
func (w *function) mulhi() {
	const x, y = 0, 1
	w.params = 2
	c := &w.code
	t, u := w.local(typeI64), w.local(typeI64)
	low := func(at int) {
		c.at(opLocalGet, at)
		c.i64(0xffffffff, opAnd)
	}
	high := func(at int) {
		c.at(opLocalGet, at)
		c.i64(32, opShrU)
	}
	high(x) // t = xh*yl + (xl*yl >> 32)
	low(y)
	c.op(opMul.of(typeI64))
	low(x)
	low(y)
	c.op(opMul.of(typeI64))
	c.i64(32, opShrU, opAdd)
	c.at(opLocalSet, t)
	low(x) // u = xl*yh + low(t)
	high(y)
	c.op(opMul.of(typeI64))
	low(t)
	c.op(opAdd.of(typeI64))
	c.at(opLocalSet, u)
	high(x) // xh*yh + high(t) + high(u)
	high(y)
	c.op(opMul.of(typeI64))
	high(t)
	c.op(opAdd.of(typeI64))
	high(u)
	c.op(opAdd.of(typeI64))
}
