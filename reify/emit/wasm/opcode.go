package wasm

// Value types, as the binary format has them.
const (
	typeI32  = 0x7f
	typeI64  = 0x7e
	typeF32  = 0x7d
	typeF64  = 0x7c
	typeV128 = 0x7b
	typeNone = 0x40 // of a block without results
)

// An opcode is an instruction: those behind a prefix are prefix<<8 | number.
type opcode uint16

const (
	prefixMisc = 0xfc
	prefixSIMD = 0xfd
)

// Opcodes that are written by name: those of numbers are of i32 if they name no type.
const (
	opUnreachable, opNop, opBlock, opLoop, opIf, opElse             opcode = 0x00, 0x01, 0x02, 0x03, 0x04, 0x05
	opEnd, opBr, opBrIf, opBrTable, opReturn, opCall                opcode = 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10
	opDrop, opSelect, opLocalGet, opLocalSet, opLocalTee            opcode = 0x1a, 0x1b, 0x20, 0x21, 0x22
	opGlobalGet, opGlobalSet, opI32Load, opF32Load, opI32Load8S     opcode = 0x23, 0x24, 0x28, 0x2a, 0x2c
	opI32Load8U, opI32Load16S, opI32Load16U, opI32Store, opF32Store opcode = 0x2d, 0x2e, 0x2f, 0x36, 0x38
	opI32Store8, opI32Store16, opI32Const, opI64Const, opF32Const   opcode = 0x3a, 0x3b, 0x41, 0x42, 0x43
	opF64Const, opEqz, opEq, opNe, opLeU, opF32Eq, opClz            opcode = 0x44, 0x45, 0x46, 0x47, 0x4d, 0x5b, 0x67
	opCtz, opPopcnt, opAdd, opSub, opMul, opDivS, opAnd             opcode = 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x71
	opOr, opXor, opShl, opShrS, opShrU, opRotl, opF32Neg            opcode = 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x8c
	opF32Add, opI32WrapI64, opI32TruncF32S, opI64ExtendS            opcode = 0x92, 0xa7, 0xa8, 0xac
	opI64ExtendU, opI64TruncF32S, opF32FromI32S, opF32Demote        opcode = 0xad, 0xae, 0xb2, 0xb6
	opI32OfF32, opI32Extend8S, opI32Extend16S                       opcode = 0xbc, 0xc0, 0xc1

	opI32TruncSat opcode = prefixMisc << 8 // f32 s, the others follow as from opI32TruncF32S
	opMemoryInit  opcode = prefixMisc<<8 | 8
	opMemoryCopy  opcode = prefixMisc<<8 | 10
	opMemoryFill  opcode = prefixMisc<<8 | 11
)

// of returns the instruction on another type that does what o does: o is one on i32, or on
// f32 for a floating-point type. An instruction without types is itself.
func (o opcode) of(t byte) opcode {
	if t != typeI64 && t != typeF64 {
		return o
	}
	for _, group := range [...]struct{ first, last, by opcode }{
		{opI32Load, opF32Const, 1}, {opEqz, 0x4f, 11}, {opF32Eq, 0x60, 6}, {opClz, 0x78, 18}, {0x8b, 0x98, 14}, {opF32FromI32S, opF32Demote, 5}, {opI32OfF32, opI32OfF32, 1},
	} {
		if o >= group.first && o <= group.last {
			return o + group.by
		}
	}
	return o
}

// An immediate is the kind of the operands of an opcode.
type immediate byte

const (
	immNone    immediate = iota
	immBlock             // a block type
	immIndex             // of a label, a function, a local, a global
	immTable             // of br_table
	immMemory            // alignment and offset
	immZero              // a byte that is 0: memory.size, memory.fill
	immInit              // a segment and a memory
	immCopy              // two memories
	immI32               // a constant
	immI64               //
	immF32               //
	immF64               //
	immV128              //
	immShuffle           // 16 lanes
)

// An operation is the description of an opcode: its name in text, and its immediates.
type operation struct {
	name string
	imm  immediate
}

// operations are those that the reader knows, and so all that are written.
var operations = map[opcode]operation{
	0x00: {"unreachable", immNone}, 0x01: {"nop", immNone},
	0x02: {"block", immBlock}, 0x03: {"loop", immBlock}, 0x04: {"if", immBlock}, 0x05: {"else", immNone}, 0x0b: {"end", immNone},
	0x0c: {"br", immIndex}, 0x0d: {"br_if", immIndex}, 0x0e: {"br_table", immTable}, 0x0f: {"return", immNone},
	0x10: {"call", immIndex},
	0x1a: {"drop", immNone}, 0x1b: {"select", immNone},
	0x20: {"local.get", immIndex}, 0x21: {"local.set", immIndex}, 0x22: {"local.tee", immIndex},
	0x23: {"global.get", immIndex}, 0x24: {"global.set", immIndex},
	0x3f: {"memory.size", immZero}, 0x40: {"memory.grow", immZero},
	0x41: {"i32.const", immI32}, 0x42: {"i64.const", immI64}, 0x43: {"f32.const", immF32}, 0x44: {"f64.const", immF64},
	opMemoryInit: {"memory.init", immInit}, prefixMisc<<8 | 9: {"data.drop", immIndex},
	opMemoryCopy: {"memory.copy", immCopy}, opMemoryFill: {"memory.fill", immZero},
}

// Names of consecutive instructions.
func init() {
	number := func(first opcode, imm immediate, names ...string) {
		for i, name := range names {
			operations[first+opcode(i)] = operation{name, imm}
		}
	}
	number(0x28, immMemory, "i32.load", "i64.load", "f32.load", "f64.load",
		"i32.load8_s", "i32.load8_u", "i32.load16_s", "i32.load16_u",
		"i64.load8_s", "i64.load8_u", "i64.load16_s", "i64.load16_u", "i64.load32_s", "i64.load32_u",
		"i32.store", "i64.store", "f32.store", "f64.store", "i32.store8", "i32.store16", "i64.store8", "i64.store16", "i64.store32")
	number(0x45, immNone,
		"i32.eqz", "i32.eq", "i32.ne", "i32.lt_s", "i32.lt_u", "i32.gt_s", "i32.gt_u", "i32.le_s", "i32.le_u", "i32.ge_s", "i32.ge_u",
		"i64.eqz", "i64.eq", "i64.ne", "i64.lt_s", "i64.lt_u", "i64.gt_s", "i64.gt_u", "i64.le_s", "i64.le_u", "i64.ge_s", "i64.ge_u",
		"f32.eq", "f32.ne", "f32.lt", "f32.gt", "f32.le", "f32.ge", "f64.eq", "f64.ne", "f64.lt", "f64.gt", "f64.le", "f64.ge",
		"i32.clz", "i32.ctz", "i32.popcnt", "i32.add", "i32.sub", "i32.mul", "i32.div_s", "i32.div_u", "i32.rem_s", "i32.rem_u",
		"i32.and", "i32.or", "i32.xor", "i32.shl", "i32.shr_s", "i32.shr_u", "i32.rotl", "i32.rotr",
		"i64.clz", "i64.ctz", "i64.popcnt", "i64.add", "i64.sub", "i64.mul", "i64.div_s", "i64.div_u", "i64.rem_s", "i64.rem_u",
		"i64.and", "i64.or", "i64.xor", "i64.shl", "i64.shr_s", "i64.shr_u", "i64.rotl", "i64.rotr",
		"f32.abs", "f32.neg", "f32.ceil", "f32.floor", "f32.trunc", "f32.nearest", "f32.sqrt", "f32.add", "f32.sub", "f32.mul", "f32.div", "f32.min", "f32.max", "f32.copysign",
		"f64.abs", "f64.neg", "f64.ceil", "f64.floor", "f64.trunc", "f64.nearest", "f64.sqrt", "f64.add", "f64.sub", "f64.mul", "f64.div", "f64.min", "f64.max", "f64.copysign",
		"i32.wrap_i64", "i32.trunc_f32_s", "i32.trunc_f32_u", "i32.trunc_f64_s", "i32.trunc_f64_u", "i64.extend_i32_s", "i64.extend_i32_u",
		"i64.trunc_f32_s", "i64.trunc_f32_u", "i64.trunc_f64_s", "i64.trunc_f64_u",
		"f32.convert_i32_s", "f32.convert_i32_u", "f32.convert_i64_s", "f32.convert_i64_u", "f32.demote_f64",
		"f64.convert_i32_s", "f64.convert_i32_u", "f64.convert_i64_s", "f64.convert_i64_u", "f64.promote_f32",
		"i32.reinterpret_f32", "i64.reinterpret_f64", "f32.reinterpret_i32", "f64.reinterpret_i64",
		"i32.extend8_s", "i32.extend16_s", "i64.extend8_s", "i64.extend16_s", "i64.extend32_s")
	lanes := []string{"i8x16", "i16x8", "i32x4", "i64x2"}
	operations[opV128Load] = operation{"v128.load", immMemory}
	operations[opV128Store] = operation{"v128.store", immMemory}
	operations[opV128Const] = operation{"v128.const", immV128}
	operations[opShuffle] = operation{"i8x16.shuffle", immShuffle}
	number(opV128Not, immNone, "v128.not", "v128.and", "v128.andnot", "v128.or", "v128.xor")
	for i, shape := range lanes {
		n := func(o opcode, name string) {
			if o != 0 {
				operations[prefixSIMD<<8|o] = operation{shape + "." + name, immNone}
			}
		}
		set := simd[8<<i]
		operations[opSplat+opcode(i)] = operation{shape + ".splat", immNone}
		n(set.neg, "neg")
		n(set.add, "add")
		n(set.sub, "sub")
		n(set.mul, "mul")
		n(set.shl, "shl")
		n(set.shl+1, "shr_s")
		n(set.shl+2, "shr_u")
		compare := []string{"eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u"}
		if set.signed {
			compare = []string{"eq", "ne", "lt_s", "gt_s", "le_s", "ge_s"}
		}
		for k, name := range compare {
			n(set.eq+opcode(k), name)
		}
	}
	number(opI32TruncSat, immNone, "i32.trunc_sat_f32_s", "i32.trunc_sat_f32_u", "i32.trunc_sat_f64_s", "i32.trunc_sat_f64_u",
		"i64.trunc_sat_f32_s", "i64.trunc_sat_f32_u", "i64.trunc_sat_f64_s", "i64.trunc_sat_f64_u")
}
