package wasm

import (
	"encoding/binary"
	"fmt"

	"goreify/reify/ir"
)

// Vectors are in memory. Vectors of 16 bytes are computed as v128 if there is an
// instruction. All others are computed lane by lane, in temporary variables with
// addresses of their own: see Supports for the functions that this excludes.

const (
	opV128Load  opcode = prefixSIMD << 8
	opV128Store opcode = prefixSIMD<<8 | 11
	opV128Const opcode = prefixSIMD<<8 | 12
	opShuffle   opcode = prefixSIMD<<8 | 13
	opSplat     opcode = prefixSIMD<<8 | 15 // i8x16, then i16x8, i32x4, i64x2
	opV128Not   opcode = prefixSIMD<<8 | 77
	v128Bytes          = 16
)

// simd are the numbers of instructions by the width of the lanes; 0 for no instruction.
var simd = map[int]struct {
	neg, add, sub, mul, shl opcode // shr_s and shr_u follow shl
	eq                      opcode // the others follow as in numbers
	signed                  bool   // there are comparisons with a sign alone
}{
	8:  {neg: 97, add: 110, sub: 113, shl: 107, eq: 35},
	16: {neg: 129, add: 142, sub: 145, mul: 149, shl: 139, eq: 45},
	32: {neg: 161, add: 174, sub: 177, mul: 181, shl: 171, eq: 55},
	64: {neg: 193, add: 206, sub: 209, mul: 213, shl: 203, eq: 214, signed: true},
}

// vectorSize returns the bytes of a vector, including its padding lanes.
func vectorSize(t ir.Vector) uint32 { return uint32(t.Padded() * t.Elem.Bytes()) }

// wide reports whether a vector is computed as v128.
func (w *function) wide(t ir.Vector) bool {
	return !w.style.Lanes && vectorSize(t) == v128Bytes && t.Padded() == t.Lanes
}

// scratch returns the address of a temporary variable of so many bytes.
func (w *function) scratch(size uint32) uint32 {
	if w.spare == nil {
		w.spare = map[uint32][]uint32{}
	}
	if list := w.spare[size]; len(list) > 0 {
		w.spare[size] = list[:len(list)-1]
		return list[len(list)-1]
	}
	return w.m.alloc(size, v128Bytes)
}

func (w *function) unscratch(t ir.Vector, at uint32) {
	w.spare[vectorSize(t)] = append(w.spare[vectorSize(t)], at)
}

// lane returns the offset of a lane.
func lane(t ir.Vector, at uint32, i int) uint32 { return at + uint32(i*t.Elem.Bytes()) }

// pushLane pushes a lane of a temporary variable.
func (w *function) pushLane(t ir.Vector, at uint32, i int) {
	w.code.i32(0)
	w.loadFrom(t.Elem, lane(t, at, i))
}

// assignVec stores a vector.
func (w *function) assignVec(s *ir.AssignVec) {
	c := &w.code
	t := ir.TypeOf[ir.Vector](s.Src)
	at := w.vec(s.Src) // first: it may trap, and may read the place
	off := w.address(s.Dst)
	if w.wide(t) {
		c.i32(0)
		c.memory(opV128Load, v128Bytes, at)
		c.memory(opV128Store, v128Bytes, off)
	} else {
		if off != 0 {
			c.i32(int64(off))
			c.op(opI32Add)
		}
		c.i32(int64(at))
		c.i32(int64(t.Lanes * t.Elem.Bytes()))
		c.op(opMemoryCopy)
		c.byte(0)
		c.byte(0)
	}
	w.unscratch(t, at)
}

// vec computes a vector into a temporary variable, and returns its address.
func (w *function) vec(e ir.Expr) uint32 {
	c := &w.code
	t := ir.TypeOf[ir.Vector](e)
	switch x := e.(type) {
	case *ir.VecCall:
		return w.vec(x.X)
	case *ir.VecCast:
		from := ir.TypeOf[ir.Vector](x.X)
		at := w.vec(x.X)
		if vectorSize(from) != vectorSize(t) {
			panic(fmt.Sprintf("wasm: %v cast to %v", from, t))
		}
		return at
	}
	if w.wide(t) && w.direct128(e) {
		c.i32(0)
		w.v128(e)
		at := w.scratch(v128Bytes)
		c.memory(opV128Store, v128Bytes, at)
		return at
	}
	size := vectorSize(t)
	switch e := e.(type) {
	case *ir.VecLoad:
		at := w.scratch(size)
		c.i32(int64(at))
		off := w.address(e.Place)
		if off != 0 {
			c.i32(int64(off))
			c.op(opI32Add)
		}
		c.i32(int64(t.Lanes * t.Elem.Bytes()))
		c.op(opMemoryCopy)
		c.byte(0)
		c.byte(0)
		return at
	case *ir.VecOf:
		at := w.scratch(size)
		for i, x := range e.Lanes {
			c.i32(0)
			w.expr(x)
			w.store(t.Elem, lane(t, at, i))
		}
		return at
	case *ir.VecUnary:
		x := w.vec(e.X)
		at := w.scratch(size)
		k := valueType(t.Elem)
		for i := range t.Lanes {
			c.i32(0)
			if e.Op == ir.Neg {
				c.number(k, 0)
				w.pushLane(t, x, i)
				c.op(of(k, opI32Sub, opI64Sub))
			} else {
				w.pushLane(t, x, i)
				c.number(k, -1)
				c.op(of(k, opI32Xor, opI64Xor))
			}
			w.store(t.Elem, lane(t, at, i))
		}
		w.unscratch(t, x)
		return at
	case *ir.VecBinary:
		x, y := w.vec(e.X), w.vec(e.Y)
		at := w.scratch(size)
		for i := range t.Lanes {
			w.binaryLane(e, x, y, at, i)
		}
		w.unscratch(ir.TypeOf[ir.Vector](e.X), x)
		w.unscratch(ir.TypeOf[ir.Vector](e.Y), y)
		return at
	case *ir.VecShuffle:
		x, y := w.vec(e.X), w.vec(e.Y)
		at := w.scratch(size)
		from := ir.TypeOf[ir.Vector](e.X)
		for i, k := range e.Index {
			if k < 0 {
				continue
			}
			c.i32(0)
			if k < from.Lanes {
				w.pushLane(from, x, k)
			} else {
				w.pushLane(from, y, k-from.Lanes)
			}
			w.store(t.Elem, lane(t, at, i))
		}
		w.unscratch(from, x)
		w.unscratch(from, y)
		return at
	case *ir.VecConvert:
		x := w.vec(e.X)
		from := ir.TypeOf[ir.Vector](e.X)
		at := w.scratch(size)
		for i := range t.Lanes {
			c.i32(0)
			w.pushLane(from, x, i)
			w.convert(from.Elem, t.Elem)
			w.store(t.Elem, lane(t, at, i))
		}
		w.unscratch(from, x)
		return at
	}
	panic(fmt.Sprintf("wasm: unknown vector %T", e))
}

// binaryLane computes a lane.
func (w *function) binaryLane(e *ir.VecBinary, x, y, at uint32, i int) {
	c := &w.code
	operand, t := ir.TypeOf[ir.Vector](e.X), ir.TypeOf[ir.Vector](e)
	k := valueType(operand.Elem)
	c.i32(0)
	if e.Op.Compares() {
		c.i32(0)
	}
	w.pushLane(operand, x, i)
	w.pushLane(operand, y, i)
	if e.Op.Shifts() && operand.Elem.Bits < 32 {
		c.i32(int64(operand.Elem.Bits - 1))
		c.op(opI32And)
	}
	c.op(arithmetic(e.Op, operand.Elem))
	if e.Op.Compares() {
		c.op(opI32Sub) // -1 or 0
		if k == typeI64 {
			c.op(opI64ExtendS)
		}
	}
	w.store(t.Elem, lane(t, at, i))
}

// direct128 reports whether e, whose operands have 16 bytes, has an instruction.
func (w *function) direct128(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.VecLoad, *ir.VecCast, *ir.VecCall:
		return true
	case *ir.VecOf:
		return w.constants(e) != nil
	case *ir.VecUnary:
		return true
	case *ir.VecBinary:
		return w.wide(ir.TypeOf[ir.Vector](e.X)) && w.instruction(e) != 0
	case *ir.VecShuffle:
		return w.wide(ir.TypeOf[ir.Vector](e.X))
	}
	return false
}

// constants returns the bytes of a vector of constants, or nil.
func (w *function) constants(e *ir.VecOf) []byte {
	var data []byte
	for _, x := range e.Lanes {
		k, ok := x.(*ir.Const)
		if !ok {
			return nil
		}
		data = binary.LittleEndian.AppendUint64(data, uint64(k.V))
		data = data[:len(data)-8+e.T.Elem.Bytes()]
	}
	return data
}

// uniform returns the constant that all lanes of e are, or false.
func uniform(e ir.Expr) (int64, bool) {
	of, ok := e.(*ir.VecOf)
	if !ok {
		return 0, false
	}
	var v int64
	for i, x := range of.Lanes {
		k, ok := x.(*ir.Const)
		if !ok || i > 0 && k.V != v {
			return 0, false
		}
		v = k.V
	}
	return v, true
}

// instruction returns that of an operator on v128, or 0.
func (w *function) instruction(e *ir.VecBinary) opcode {
	elem := ir.TypeOf[ir.Vector](e.X).Elem
	set := simd[elem.Bits]
	n := opcode(0)
	switch e.Op {
	case ir.Add:
		n = set.add
	case ir.Sub:
		n = set.sub
	case ir.Mul:
		n = set.mul
	case ir.And:
		n = 78
	case ir.Or:
		n = 80
	case ir.Xor:
		n = 81
	case ir.Shl, ir.Shr:
		if _, ok := uniform(e.Y); !ok {
			return 0
		}
		n = set.shl
		if e.Op == ir.Shr {
			if n++; !elem.Signed {
				n++
			}
		}
	case ir.Eq, ir.Ne:
		n = set.eq + numbers[e.Op]
	case ir.Lt, ir.Le, ir.Gt, ir.Ge:
		n = set.eq + numbers[e.Op]
		if set.signed { // eq ne lt_s gt_s le_s ge_s
			if !elem.Signed {
				return 0
			}
			n = set.eq + numbers[e.Op]/2 + 1
		} else if !elem.Signed {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return prefixSIMD<<8 | n
}

// v128 pushes a vector of 16 bytes.
func (w *function) v128(e ir.Expr) {
	c := &w.code
	if !w.wide(ir.TypeOf[ir.Vector](e)) {
		panic("wasm: a vector that is no v128")
	}
	if !w.direct128(e) {
		at := w.vec(e)
		c.i32(0)
		c.memory(opV128Load, v128Bytes, at)
		w.unscratch(ir.TypeOf[ir.Vector](e), at)
		return
	}
	switch e := e.(type) {
	case *ir.VecLoad:
		off := w.address(e.Place)
		c.memory(opV128Load, v128Bytes, off)
	case *ir.VecCall:
		w.v128(e.X)
	case *ir.VecCast:
		if w.wide(ir.TypeOf[ir.Vector](e.X)) {
			w.v128(e.X)
			return
		}
		at := w.vec(e.X)
		c.i32(0)
		c.memory(opV128Load, v128Bytes, at)
		w.unscratch(e.T, at)
	case *ir.VecOf:
		if v, ok := uniform(e); ok {
			k := valueType(e.T.Elem)
			c.number(k, v)
			n := opcode(0)
			for bits := 8; bits < e.T.Elem.Bits; bits *= 2 {
				n++
			}
			c.op(opSplat + n)
			return
		}
		c.op(opV128Const)
		c.buf = append(c.buf, w.constants(e)...)
	case *ir.VecUnary:
		w.v128(e.X)
		if e.Op == ir.Not {
			c.op(opV128Not)
		} else {
			c.op(prefixSIMD<<8 | simd[ir.TypeOf[ir.Vector](e).Elem.Bits].neg)
		}
	case *ir.VecBinary:
		w.v128(e.X)
		if v, ok := uniform(e.Y); ok && e.Op.Shifts() {
			c.i32(v)
		} else {
			w.v128(e.Y)
		}
		c.op(w.instruction(e))
	case *ir.VecShuffle:
		w.v128(e.X)
		w.v128(e.Y)
		c.op(opShuffle)
		bytes := ir.TypeOf[ir.Vector](e).Elem.Bytes()
		for _, k := range e.Index {
			for b := range bytes {
				c.byte(byte(max(k, 0)*bytes + b))
			}
		}
	}
}
