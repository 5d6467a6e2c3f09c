package jvm

// An opcode is the opcode of an instruction (JVMS §6.5).
type opcode byte

// The operands of an opcode.
type operand byte

const (
	noOperand     operand = iota
	byteOperand           // a signed byte
	shortOperand          // a signed short
	localOperand          // a local variable, of one byte, or two behind wide
	iincOperand           // a local variable and a signed byte, twice as wide behind wide
	smallConstant         // an index of a byte into the constant pool
	constant              // an index of two bytes into the constant pool
	jumpOperand           // an offset of two bytes
	farJump               // an offset of four bytes
	tableOperand          // of tableswitch
	lookupOperand         // of lookupswitch
	arrayOperand          // of newarray: the code of a type
	multiOperand          // of multianewarray: a constant and a number of dimensions
	wideOperand           // wide: another instruction
)

// An operation is the name of an instruction, the values that it pops and pushes, one
// letter each, unless they depend on its operands, and the kind of its operands.
// Letters are those of descriptors, A being a reference of any kind.
type operation struct {
	name    string
	effect  string // "II:I"
	operand operand
}

// The instructions that are written by name.
const (
	opAconstNull, opIconst0, opLconst0, opFconst0, opDconst0        opcode = 0x01, 0x03, 0x09, 0x0b, 0x0e
	opBipush, opSipush, opLdc, opLdcW, opLdc2W, opIload             opcode = 0x10, 0x11, 0x12, 0x13, 0x14, 0x15
	opIaload, opIstore, opIastore, opPop, opPop2, opDup             opcode = 0x2e, 0x36, 0x4f, 0x57, 0x58, 0x59
	opDup2, opSwap, opIadd, opLadd, opIsub, opImul                  opcode = 0x5c, 0x5f, 0x60, 0x61, 0x64, 0x68
	opLmul, opIdiv, opIrem, opIneg, opIshl, opLshl                  opcode = 0x69, 0x6c, 0x70, 0x74, 0x78, 0x79
	opIshr, opLshr, opIushr, opLushr, opIand, opLand                opcode = 0x7a, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f
	opIor, opIxor, opLxor, opIinc, opI2l, opI2f, opL2i              opcode = 0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x88
	opL2f, opF2i, opF2l, opF2d, opD2i, opD2l, opD2f                 opcode = 0x89, 0x8b, 0x8c, 0x8d, 0x8e, 0x8f, 0x90
	opI2b, opI2c, opI2s, opLcmp, opFcmpl, opDcmpl, opIfeq           opcode = 0x91, 0x92, 0x93, 0x94, 0x95, 0x97, 0x99
	opIfne, opIfIcmpeq, opIfAcmpne, opGoto, opTableswitch           opcode = 0x9a, 0x9f, 0xa6, 0xa7, 0xaa
	opLookupswitch, opIreturn, opLreturn, opReturn, opGetstatic     opcode = 0xab, 0xac, 0xad, 0xb1, 0xb2
	opPutstatic, opGetfield, opPutfield, opInvokevirtual            opcode = 0xb3, 0xb4, 0xb5, 0xb6
	opInvokespecial, opInvokestatic, opNew, opNewarray, opAnewarray opcode = 0xb7, 0xb8, 0xbb, 0xbc, 0xbd
	opArraylength, opAthrow, opCheckcast, opMonitorenter            opcode = 0xbe, 0xbf, 0xc0, 0xc2
	opMonitorexit, opWide, opMultianewarray, opIfnull, opIfnonnull  opcode = 0xc3, 0xc4, 0xc5, 0xc6, 0xc7
	opGotoW                                                         opcode = 0xc8
)

// operations are the instructions that classes of this package may have, by opcode.
var operations = func() (all [256]operation) {
	set := func(first opcode, effect string, o operand, names ...string) {
		for i, name := range names {
			all[int(first)+i] = operation{name, effect, o}
		}
	}
	set(0x00, ":", noOperand, "nop")
	set(opAconstNull, ":N", noOperand, "aconst_null")
	set(0x02, ":I", noOperand, "iconst_m1", "iconst_0", "iconst_1", "iconst_2", "iconst_3", "iconst_4", "iconst_5")
	set(opLconst0, ":J", noOperand, "lconst_0", "lconst_1")
	set(opFconst0, ":F", noOperand, "fconst_0", "fconst_1", "fconst_2")
	set(opDconst0, ":D", noOperand, "dconst_0", "dconst_1")
	set(opBipush, ":I", byteOperand, "bipush")
	set(opSipush, ":I", shortOperand, "sipush")
	set(opLdc, "", smallConstant, "ldc")
	set(opLdcW, "", constant, "ldc_w", "ldc2_w")
	kinds := "IJFDA"
	prefix := "ilfda"
	arrays := "IJFDABCS"
	names := []string{"iaload", "laload", "faload", "daload", "aaload", "baload", "caload", "saload"}
	for i := range 8 {
		kind := arrays[i : i+1]
		if i > 4 {
			kind = "I"
		}
		set(opIaload+opcode(i), "AI:"+kind, noOperand, names[i])
		set(opIastore+opcode(i), "AI"+kind+":", noOperand, names[i][:1]+"astore")
	}
	for i := range 5 {
		kind := kinds[i : i+1]
		set(opIload+opcode(i), ":"+kind, localOperand, prefix[i:i+1]+"load")
		set(opIstore+opcode(i), kind+":", localOperand, prefix[i:i+1]+"store")
		for n := range 4 {
			digit := "_" + string(rune('0'+n))
			set(opcode(0x1a+4*i+n), ":"+kind, noOperand, prefix[i:i+1]+"load"+digit)
			set(opcode(0x3b+4*i+n), kind+":", noOperand, prefix[i:i+1]+"store"+digit)
		}
	}
	set(opPop, "", noOperand, "pop", "pop2", "dup", "dup_x1", "dup_x2", "dup2", "dup2_x1", "dup2_x2", "swap")
	for i, name := range []string{"add", "sub", "mul", "div", "rem"} {
		for k := range 4 {
			kind := kinds[k : k+1]
			set(opIadd+opcode(4*i+k), kind+kind+":"+kind, noOperand, prefix[k:k+1]+name)
		}
	}
	for k := range 4 {
		set(opIneg+opcode(k), kinds[k:k+1]+":"+kinds[k:k+1], noOperand, prefix[k:k+1]+"neg")
	}
	for i, name := range []string{"shl", "shr", "ushr"} {
		set(opIshl+opcode(2*i), "II:I", noOperand, "i"+name)
		set(opIshl+opcode(2*i+1), "JI:J", noOperand, "l"+name)
	}
	for i, name := range []string{"and", "or", "xor"} {
		set(opIand+opcode(2*i), "II:I", noOperand, "i"+name)
		set(opIand+opcode(2*i+1), "JJ:J", noOperand, "l"+name)
	}
	set(opIinc, ":", iincOperand, "iinc")
	at := opI2l
	for i := range 4 {
		for k := range 4 {
			if i != k {
				set(at, kinds[i:i+1]+":"+kinds[k:k+1], noOperand, prefix[i:i+1]+"2"+prefix[k:k+1])
				at++
			}
		}
	}
	set(opI2b, "I:I", noOperand, "i2b", "i2c", "i2s")
	set(opLcmp, "JJ:I", noOperand, "lcmp")
	set(opFcmpl, "FF:I", noOperand, "fcmpl", "fcmpg")
	set(opDcmpl, "DD:I", noOperand, "dcmpl", "dcmpg")
	set(opIfeq, "I:", jumpOperand, "ifeq", "ifne", "iflt", "ifge", "ifgt", "ifle")
	set(opIfIcmpeq, "II:", jumpOperand, "if_icmpeq", "if_icmpne", "if_icmplt", "if_icmpge", "if_icmpgt", "if_icmple")
	set(0xa5, "AA:", jumpOperand, "if_acmpeq", "if_acmpne")
	set(opGoto, ":", jumpOperand, "goto")
	set(opTableswitch, "I:", tableOperand, "tableswitch")
	set(opLookupswitch, "I:", lookupOperand, "lookupswitch")
	for k := range 5 {
		set(opIreturn+opcode(k), kinds[k:k+1]+":", noOperand, prefix[k:k+1]+"return")
	}
	set(opReturn, ":", noOperand, "return")
	set(opGetstatic, "", constant, "getstatic", "putstatic", "getfield", "putfield", "invokevirtual", "invokespecial", "invokestatic")
	set(opNew, ":A", constant, "new")
	set(opNewarray, "I:A", arrayOperand, "newarray")
	set(opAnewarray, "I:A", constant, "anewarray")
	set(opArraylength, "A:I", noOperand, "arraylength")
	set(opAthrow, "A:", noOperand, "athrow")
	set(opCheckcast, "A:A", constant, "checkcast")
	set(0xc1, "A:I", constant, "instanceof")
	set(opMonitorenter, "A:", noOperand, "monitorenter", "monitorexit")
	set(opWide, "", wideOperand, "wide")
	set(opMultianewarray, "", multiOperand, "multianewarray")
	set(opIfnull, "A:", jumpOperand, "ifnull", "ifnonnull")
	set(opGotoW, ":", farJump, "goto_w")
	return all
}()

// arrayCodes are the types of newarray (JVMS table 6.5.newarray-A).
var arrayCodes = map[byte]string{4: "Z", 5: "C", 6: "F", 7: "D", 8: "B", 9: "S", 10: "I", 11: "J"}
