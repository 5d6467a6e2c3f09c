package wasm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The reader shares no code with the writer except the names of instructions. It takes
// modules of the form that Emit writes, without imports, tables and element segments.

// decoded is a module that was read.
type decoded struct {
	types   []funcType
	funcs   []int // type of each
	pages   int   // of memory, or -1
	globals []decodedGlobal
	exports []decodedExport
	bodies  []body
	data    []decodedData
	calls   string
}

type funcType struct{ params, results []byte }

type decodedGlobal struct {
	t       byte
	mutable bool
	init    instr
}

type decodedExport struct {
	name  string
	kind  byte // 0 a function, 2 a memory, 3 a global
	index int
}

type decodedData struct {
	active bool
	offset instr
	bytes  []byte
}

type body struct {
	locals []byte
	code   []instr
}

// An instr is an instruction.
type instr struct {
	at    int // offset in the expression
	op    opcode
	x, y  uint64 // immediates: a constant's bits, an index, alignment and offset
	table []int  // labels of br_table, the default last
	match int    // of block, loop, if and else: the index of its end; of if: see other
	other int    // of if: the index of its else, or -1
}

var errModule = errors.New("wasm: malformed module")

// input is the rest of the bytes. An error is kept.
type input struct {
	buf []byte
	at  int
	err error
}

func (in *input) fail(format string, args ...any) {
	if in.err == nil {
		in.err = fmt.Errorf("%w: byte %d: %s", errModule, in.at, fmt.Sprintf(format, args...))
	}
	in.at = len(in.buf)
}

func (in *input) more() bool { return in.err == nil && in.at < len(in.buf) }

func (in *input) byte() byte {
	if in.at >= len(in.buf) {
		in.fail("unexpected end")
		return 0
	}
	in.at++
	return in.buf[in.at-1]
}

// u reads an unsigned number of at most so many bits.
func (in *input) u(bits int) uint64 {
	var v uint64
	for shift := 0; ; shift += 7 {
		b := in.byte()
		if in.err != nil {
			return 0
		}
		low := uint64(b & 0x7f)
		if shift >= bits || shift+7 > bits && low>>(bits-shift) != 0 {
			in.fail("number of more than %d bits", bits)
			return 0
		}
		if v |= low << shift; b&0x80 == 0 {
			return v
		}
	}
}

// s reads a signed one.
func (in *input) s(bits int) int64 {
	var v int64
	for shift := 0; ; shift += 7 {
		b := in.byte()
		if in.err != nil {
			return 0
		}
		if shift >= bits {
			in.fail("number of more than %d bits", bits)
			return 0
		}
		v |= int64(b&0x7f) << shift
		if b&0x80 != 0 {
			continue
		}
		if shift+7 < 64 && b&0x40 != 0 {
			v |= -1 << (shift + 7)
		}
		if bits < 64 && (v < -1<<(bits-1) || v >= 1<<(bits-1)) {
			in.fail("number of more than %d bits", bits)
			return 0
		}
		return v
	}
}

// count reads the number of the following elements, of at least so many bytes each.
func (in *input) count(least int) int {
	n := in.u(32)
	if n > uint64((len(in.buf)-in.at)/least) {
		in.fail("%d things in %d bytes", n, len(in.buf)-in.at)
		return 0
	}
	return int(n)
}

func (in *input) index() int { return int(in.u(32)) }

func (in *input) bytes() []byte {
	n := in.count(1)
	if in.err != nil {
		return nil
	}
	in.at += n
	return in.buf[in.at-n : in.at]
}

// read reads a module. The error says at which byte of which section it is malformed.
func read(module []byte) (*decoded, error) {
	if len(module) < 8 || string(module[:8]) != "\x00asm\x01\x00\x00\x00" {
		return nil, fmt.Errorf("%w: it does not begin as version 1", errModule)
	}
	d := &decoded{pages: -1}
	in := &input{buf: module, at: 8}
	last := byte(0)
	for in.more() {
		id := in.byte()
		section := in.bytes()
		if in.err != nil {
			break
		}
		if order := sectionOrder(id); id != 0 {
			if order <= last {
				return nil, fmt.Errorf("%w: section %d is out of order", errModule, id)
			}
			last = order
		}
		part := &input{buf: section}
		d.section(id, part)
		if part.err == nil && part.at != len(part.buf) {
			part.fail("section has %d bytes more", len(part.buf)-part.at)
		}
		if part.err != nil {
			return nil, fmt.Errorf("section %d: %w", id, part.err)
		}
	}
	if in.err != nil {
		return nil, in.err
	}
	if len(d.bodies) != len(d.funcs) {
		return nil, fmt.Errorf("%w: %d functions, %d bodies", errModule, len(d.funcs), len(d.bodies))
	}
	for _, t := range d.funcs {
		if t >= len(d.types) {
			return nil, fmt.Errorf("%w: there is no type %d", errModule, t)
		}
	}
	return d, nil
}

// sectionOrder returns the position of a section: that of the number of data segments
// is before the code.
func sectionOrder(id byte) byte {
	switch {
	case id == 12:
		return 20
	case id >= 10:
		return id + 11
	}
	return id + 1
}

func (d *decoded) section(id byte, in *input) {
	switch id {
	case 0:
		name := string(in.bytes())
		if name == CallsSection {
			d.calls = string(in.buf[in.at:])
		}
		in.at = len(in.buf)
	case 1:
		for range in.count(3) {
			if b := in.byte(); b != 0x60 {
				in.fail("type %#x", b)
			}
			d.types = append(d.types, funcType{in.bytes(), in.bytes()})
		}
	case 3:
		for range in.count(1) {
			d.funcs = append(d.funcs, in.index())
		}
	case 5:
		for range in.count(2) {
			if limits := in.byte(); limits > 1 {
				in.fail("limits %#x", limits)
			} else if d.pages = in.index(); limits == 1 {
				in.index()
			}
		}
	case 6:
		for range in.count(3) {
			g := decodedGlobal{t: in.byte(), mutable: in.byte() == 1}
			g.init = in.constant()
			d.globals = append(d.globals, g)
		}
	case 7:
		for range in.count(3) {
			d.exports = append(d.exports, decodedExport{string(in.bytes()), in.byte(), in.index()})
		}
	case 10:
		locals := 0
		for range in.count(2) {
			b := &input{buf: in.bytes()}
			if in.err != nil {
				return
			}
			d.bodies = append(d.bodies, b.body())
			if locals += len(d.bodies[len(d.bodies)-1].locals); locals > maxModuleLocals {
				b.fail("too many locals")
			}
			if b.err != nil {
				in.err = fmt.Errorf("function %d: %w", len(d.bodies)-1, b.err)
				return
			}
		}
	case 11:
		for range in.count(2) {
			seg := decodedData{}
			switch kind := in.byte(); kind {
			case 0:
				seg.active, seg.offset = true, in.constant()
			case 1:
			default:
				in.fail("data segment of kind %d", kind)
			}
			seg.bytes = in.bytes()
			d.data = append(d.data, seg)
		}
	case 12:
		in.index()
	default:
		in.fail("unknown section")
	}
}

// constant reads an expression of one constant.
func (in *input) constant() instr {
	i := in.instr(in.at)
	switch i.op {
	case opI32Const, opI64Const, opF32Const, opF64Const:
	default:
		in.fail("no constant")
	}
	if b := in.byte(); b != byte(opEnd) {
		in.fail("no end of a constant")
	}
	return i
}

// maxLocals bounds the locals of a function, and maxModuleLocals those of all
// functions: a few bytes can declare many.
const (
	maxLocals       = 50_000
	maxModuleLocals = 20 * maxLocals
)

func (in *input) body() (b body) {
	for range in.count(2) {
		n := in.u(32)
		t := in.byte()
		if uint64(len(b.locals))+n > maxLocals {
			in.fail("too many locals")
			return b
		}
		for range n {
			b.locals = append(b.locals, t)
		}
	}
	start := in.at
	var open []int
	for in.err == nil {
		if !in.more() {
			in.fail("code without an end")
			return b
		}
		i := in.instr(start)
		at := len(b.code)
		b.code = append(b.code, i)
		switch i.op {
		case opBlock, opLoop, opIf:
			open = append(open, at)
		case opElse:
			if len(open) == 0 || b.code[open[len(open)-1]].op != opIf || b.code[open[len(open)-1]].other >= 0 {
				in.fail("else without if")
				return b
			}
			b.code[open[len(open)-1]].other = at
		case opEnd:
			if len(open) == 0 {
				if in.more() {
					in.fail("code behind the end")
				}
				return b
			}
			begin := &b.code[open[len(open)-1]]
			open = open[:len(open)-1]
			if begin.match = at; begin.other >= 0 {
				b.code[begin.other].match = at
			}
		}
	}
	return b
}

// instr reads an instruction of an expression that begins at start.
func (in *input) instr(start int) instr {
	i := instr{at: in.at - start, other: -1}
	i.op = opcode(in.byte())
	if i.op == prefixMisc || i.op == prefixSIMD {
		n := in.u(32)
		if n > 0xff {
			in.fail("unknown instruction %#x %d", i.op, n)
			return i
		}
		i.op = i.op<<8 | opcode(n)
	}
	o, ok := operations[i.op]
	if !ok {
		in.fail("unknown instruction %#x", uint16(i.op))
		return i
	}
	switch o.imm {
	case immNone:
	case immBlock:
		if i.x = uint64(in.byte()); i.x != typeNone && (i.x < typeV128 || i.x > typeI32) {
			in.fail("block of type %#x", i.x)
		}
	case immIndex:
		i.x = in.u(32)
	case immInit:
		i.x, i.y = in.u(32), in.u(32)
	case immTable:
		for range in.count(1) + 1 {
			i.table = append(i.table, in.index())
		}
	case immMemory:
		i.x, i.y = in.u(32), in.u(32)
	case immZero:
		in.zero()
	case immCopy:
		in.zero()
		in.zero()
	case immI32:
		i.x = uint64(in.s(32))
	case immI64:
		i.x = uint64(in.s(64))
	case immV128, immShuffle:
		b := in.fixed(16)
		i.x, i.y = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	case immF32:
		i.x = uint64(binary.LittleEndian.Uint32(in.fixed(4)))
	case immF64:
		i.x = binary.LittleEndian.Uint64(in.fixed(8))
	default:
		in.fail("unknown instruction %#x", uint16(i.op))
	}
	return i
}

func (in *input) zero() {
	if in.byte() != 0 {
		in.fail("another memory than the first")
	}
}

func (in *input) fixed(n int) []byte {
	if len(in.buf)-in.at < n {
		in.fail("unexpected end")
		return make([]byte, n)
	}
	in.at += n
	return in.buf[in.at-n : in.at]
}

// float returns the number of a constant.
func (i instr) float() float64 {
	if i.op == opF32Const {
		return float64(math.Float32frombits(uint32(i.x)))
	}
	return math.Float64frombits(i.x)
}
