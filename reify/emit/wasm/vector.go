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

// A vector is one in a temporary variable.
type vector struct {
	t  ir.Vector
	at uint32
}

// scratch returns a temporary variable.
func (w *function) scratch(t ir.Vector) vector {
	if w.spare == nil {
		w.spare = map[uint32][]uint32{}
	}
	size := vectorSize(t)
	if list := w.spare[size]; len(list) > 0 {
		w.spare[size] = list[:len(list)-1]
		return vector{t, list[len(list)-1]}
	}
	return vector{t, w.m.alloc(size, v128Bytes)}
}

func (w *function) unscratch(v vector) {
	size := vectorSize(v.t)
	w.spare[size] = append(w.spare[size], v.at)
}

// lane returns the offset of a lane.
func lane(t ir.Vector, at uint32, i int) uint32 { return at + uint32(i*t.Elem.Bytes()) }

// pushLane pushes a lane.
func (w *function) pushLane(v vector, i int) {
	w.code.i32(0)
	w.loadFrom(v.t.Elem, lane(v.t, v.at, i))
}

// copyVector copies a vector from the address on top of the stack to that below.
func (w *function) copyVector(t ir.Vector) {
	w.code.i32(int64(t.Lanes * t.Elem.Bytes()))
	w.code.copy()
}

// assignVec stores a vector.
func (w *function) assignVec(s *ir.Assign) {
	c := &w.code
	v := w.vec(s.Src) // first: it may trap, and may read the place
	off := w.address(s.Dst)
	if w.wide(v.t) {
		c.i32(0)
		c.memory(opV128Load, v128Bytes, v.at)
		c.memory(opV128Store, v128Bytes, off)
	} else {
		w.add(off)
		c.i32(int64(v.at))
		w.copyVector(v.t)
	}
	w.unscratch(v)
}

// vec computes a vector into a temporary variable.
func (w *function) vec(e ir.Expr) vector {
	c := &w.code
	t := ir.TypeOf[ir.Vector](e)
	switch e := e.(type) {
	case *ir.VecCall:
		return w.vec(e.X)
	case *ir.Cast:
		from := w.vec(e.X)
		if vectorSize(from.t) != vectorSize(t) {
			panic(fmt.Sprintf("wasm: %v cast to %v", from.t, t))
		}
		return vector{t, from.at}
	}
	if w.wide(t) && w.direct128(e) {
		c.i32(0)
		w.v128(e)
		to := w.scratch(t)
		c.memory(opV128Store, v128Bytes, to.at)
		return to
	}
	var operands []vector
	switch e := e.(type) {
	case *ir.Load:
		to := w.scratch(t)
		c.i32(int64(to.at))
		w.add(w.address(e.Place))
		w.copyVector(t)
		return to
	case *ir.VecOf:
	default:
		ir.Parts(e, func(x ir.Node) bool {
			operands = append(operands, w.vec(x.(ir.Expr)))
			return true
		})
	}
	to := w.scratch(t)
	for i := range t.Lanes {
		w.lane(e, operands, to, i)
	}
	for _, x := range operands {
		w.unscratch(x)
	}
	return to
}

// lane computes a lane of e, whose operands are vectors or, of a VecOf, none.
func (w *function) lane(e ir.Expr, operands []vector, to vector, i int) {
	if s, ok := e.(*ir.Shuffle); ok && s.Index[i] < 0 {
		return
	}
	w.code.i32(0)
	switch e := e.(type) {
	case *ir.VecOf:
		w.expr(e.Lanes[i])
	case *ir.Unary:
		w.negative(e.Op, valueType(to.t.Elem), func() { w.pushLane(operands[0], i) })
	case *ir.Binary:
		w.binaryLane(e.Op, operands[0], operands[1], i)
	case *ir.Convert:
		w.pushLane(operands[0], i)
		w.convertInt(operands[0].t.Elem, to.t.Elem)
	case *ir.Shuffle:
		if n := operands[0].t.Lanes; e.Index[i] < n {
			w.pushLane(operands[0], e.Index[i])
		} else {
			w.pushLane(operands[1], e.Index[i]-n)
		}
	default:
		panic(fmt.Sprintf("wasm: unknown vector %T", e))
	}
	w.store(to.t.Elem, lane(to.t, to.at, i))
}

// binaryLane pushes a lane of x op y.
func (w *function) binaryLane(op ir.Op, x, y vector, i int) {
	c := &w.code
	if op.Compares() {
		c.i32(0)
	}
	w.pushLane(x, i)
	w.pushLane(y, i)
	if op.Shifts() && x.t.Elem.Bits < 32 {
		c.i32(int64(x.t.Elem.Bits-1), opAnd)
	}
	c.op(arithmetic(op, x.t.Elem))
	if op.Compares() {
		c.op(opSub) // -1 or 0
		if x.t.Elem.Bits > 32 {
			c.op(opI64ExtendS)
		}
	}
}

// direct128 reports whether e, whose operands have 16 bytes, has an instruction.
func (w *function) direct128(e ir.Expr) bool {
	switch e := e.(type) {
	case *ir.Load, *ir.Cast, *ir.VecCall, *ir.Unary:
		return true
	case *ir.VecOf:
		return w.constants(e) != nil
	case *ir.Binary:
		return w.wide(ir.TypeOf[ir.Vector](e.X)) && w.instruction(e) != 0
	case *ir.Shuffle:
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
func (w *function) instruction(e *ir.Binary) opcode {
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
		switch n = set.eq + numbers[e.Op]; {
		case set.signed && !elem.Signed:
			return 0
		case set.signed:
			n = set.eq + numbersOfOne[e.Op]
		case !elem.Signed:
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
		w.computed128(e)
		return
	}
	switch e := e.(type) {
	case *ir.Load:
		off := w.address(e.Place)
		c.memory(opV128Load, v128Bytes, off)
	case *ir.VecCall:
		w.v128(e.X)
	case *ir.Cast:
		if w.wide(ir.TypeOf[ir.Vector](e.X)) {
			w.v128(e.X)
		} else {
			w.computed128(e.X)
		}
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
	case *ir.Unary:
		w.v128(e.X)
		if e.Op == ir.Not {
			c.op(opV128Not)
		} else {
			c.op(prefixSIMD<<8 | simd[ir.TypeOf[ir.Vector](e).Elem.Bits].neg)
		}
	case *ir.Binary:
		w.v128(e.X)
		if v, ok := uniform(e.Y); ok && e.Op.Shifts() {
			c.i32(v)
		} else {
			w.v128(e.Y)
		}
		c.op(w.instruction(e))
	case *ir.Shuffle:
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

// computed128 pushes a vector of 16 bytes that is computed in a temporary variable.
func (w *function) computed128(e ir.Expr) {
	v := w.vec(e)
	w.code.i32(0)
	w.code.memory(opV128Load, v128Bytes, v.at)
	w.unscratch(v)
}
