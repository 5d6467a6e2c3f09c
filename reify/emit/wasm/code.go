package wasm

import "encoding/binary"

// code is a sequence of instructions in the binary format.
type code struct{ buf []byte }

func (c *code) byte(b byte) { c.buf = append(c.buf, b) }

// u appends an unsigned number, in LEB128.
func (c *code) u(v uint64) { c.buf = binary.AppendUvarint(c.buf, v) }

// s appends a signed number, in LEB128.
func (c *code) s(v int64) {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			c.buf = append(c.buf, b)
			return
		}
		c.buf = append(c.buf, b|0x80)
	}
}

// op appends instructions without immediates, or the first part of another.
func (c *code) op(list ...opcode) {
	for _, o := range list {
		if o > 0xff {
			c.buf = append(c.buf, byte(o>>8))
			c.u(uint64(o & 0xff))
			continue
		}
		c.buf = append(c.buf, byte(o))
	}
}

// at appends an instruction with an index, and what comes then.
func (c *code) at(o opcode, index int, then ...opcode) {
	c.buf = append(c.buf, byte(o))
	c.u(uint64(index))
	c.op(then...)
}

func (c *code) i32(v int64, then ...opcode) {
	c.buf = append(c.buf, byte(opI32Const))
	c.s(int64(int32(v)))
	c.op(then...)
}

// number appends a constant of a value type, i32 or i64, and what comes then, on that type.
func (c *code) number(t byte, v int64, then ...opcode) {
	if t != typeI64 {
		c.i32(v, then...)
		return
	}
	c.buf = append(c.buf, byte(opI64Const))
	c.s(v)
	for _, o := range then {
		c.op(o.of(t))
	}
}

func (c *code) i64(v int64, then ...opcode) { c.number(typeI64, v, then...) }

// memory appends an access to memory of so many bytes, a power of two.
func (c *code) memory(o opcode, bytes int, offset uint32) {
	c.op(o)
	align := 0
	for bytes > 1<<align {
		align++
	}
	c.u(uint64(align))
	c.u(uint64(offset))
}

// copy appends memory.copy, from the address below the size to the one below that.
func (c *code) copy() {
	c.op(opMemoryCopy)
	c.byte(0)
	c.byte(0)
}

// block begins a block, loop or if with at most one result.
func (c *code) block(o opcode, result byte) {
	c.buf = append(c.buf, byte(o), result)
}

// bytes appends a vector of bytes: their number first.
func (c *code) bytes(b []byte) {
	c.u(uint64(len(b)))
	c.buf = append(c.buf, b...)
}

func (c *code) name(s string) {
	c.u(uint64(len(s)))
	c.buf = append(c.buf, s...)
}
