package jvm

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// An instr is an instruction whose place is not known yet.
type instr struct {
	op     opcode
	a, b   int32 // what follows: a local, a constant, a label
	choice *choices
}

// choices are those of a switch: a label for each value from lo on, or for each of
// the values, which ascend.
type choices struct {
	lo      int32
	values  []int32 // of lookupswitch
	labels  []int
	fallout int
}

// A label is a place that is jumped to.
type label struct {
	at    int // index of the instruction behind it, or -1
	known bool
	stack []string // what is on the operand stack there, if that is known
}

// A handler is a line of the table of exceptions.
type handler struct {
	from, to, target int // labels
	catch            int // constant, or 0: all
}

// A code collects the instructions of a method, and what is on the operand stack: a
// descriptor for each value.
type code struct {
	p        *pool
	list     []instr
	labels   []label
	handlers []handler
	stack    []string
	depth    int // in slots
	deepest  int
	dead     bool // nothing comes here
}

func newCode(p *pool) *code { return &code{p: p} }

// slots returns how many slots a value of a descriptor takes.
func slots(descriptor string) int {
	if descriptor == "J" || descriptor == "D" {
		return 2
	}
	return 1
}

func (c *code) push(descriptor string) {
	switch descriptor {
	case "B", "S", "C", "Z":
		descriptor = "I"
	}
	c.stack = append(c.stack, descriptor)
	c.depth += slots(descriptor)
	c.deepest = max(c.deepest, c.depth)
}

func (c *code) pop() string {
	if len(c.stack) == 0 {
		panic("jvm: nothing is on the stack")
	}
	top := c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
	c.depth -= slots(top)
	return top
}

// add appends an instruction, and does what it does to the stack by its effect.
func (c *code) add(i instr) {
	effect := operations[i.op].effect
	if effect == "" {
		panic("jvm: " + operations[i.op].name + " has an effect of its own")
	}
	pops, pushes, _ := strings.Cut(effect, ":")
	for range pops {
		c.pop()
	}
	c.raw(i)
	if pushes != "" {
		c.push(pushes)
	}
}

// raw appends an instruction.
func (c *code) raw(i instr) {
	if c.dead {
		panic("jvm: " + operations[i.op].name + " is never reached")
	}
	c.list = append(c.list, i)
}

// op appends an instruction without operands.
func (c *code) op(o opcode) { c.add(instr{op: o}) }

// dup doubles what is on top.
func (c *code) dup() {
	top := c.stack[len(c.stack)-1]
	if slots(top) == 2 {
		c.raw(instr{op: opDup2})
	} else {
		c.raw(instr{op: opDup})
	}
	c.push(top)
}

// drop takes away what is on top.
func (c *code) drop() {
	if slots(c.pop()) == 2 {
		c.raw(instr{op: opPop2})
	} else {
		c.raw(instr{op: opPop})
	}
}

func (c *code) int(v int32) {
	switch {
	case v >= -1 && v <= 5:
		c.op(opIconst0 + opcode(v))
	case v == int32(int8(v)):
		c.add(instr{op: opBipush, a: v})
	case v == int32(int16(v)):
		c.add(instr{op: opSipush, a: v})
	default:
		c.constant(c.p.int(v), "I")
	}
}

// constant pushes a constant of the pool.
func (c *code) constant(at int, descriptor string) {
	o := opLdc
	switch {
	case slots(descriptor) == 2:
		o = opLdc2W
	case at > 0xff:
		o = opLdcW
	}
	c.raw(instr{op: o, a: int32(at)})
	c.push(descriptor)
}

func (c *code) long(v int64) {
	switch {
	case v == 0 || v == 1:
		c.op(opLconst0 + opcode(v))
	case v == int64(int16(v)):
		c.int(int32(v))
		c.op(opI2l)
	default:
		c.constant(c.p.long(v), "J")
	}
}

// number pushes a constant of kind I or J.
func (c *code) number(kind string, v int64) {
	if kind == "J" {
		c.long(v)
	} else {
		c.int(int32(v))
	}
}

func (c *code) float(kind string, v float64) {
	switch {
	case kind == "F" && (v == 0 || v == 1 || v == 2) && !math.Signbit(v):
		c.op(opFconst0 + opcode(v))
	case kind == "F":
		c.constant(c.p.float(float32(v)), "F")
	case (v == 0 || v == 1) && !math.Signbit(v):
		c.op(opDconst0 + opcode(v))
	default:
		c.constant(c.p.double(v), "D")
	}
}

// kindIndex returns where a descriptor stands among int, long, float, double, reference.
func kindIndex(descriptor string) opcode {
	switch descriptor[0] {
	case 'J':
		return 1
	case 'F':
		return 2
	case 'D':
		return 3
	case 'L', '[', 'N':
		return 4
	}
	return 0
}

// load pushes a local variable.
func (c *code) load(at int, descriptor string) {
	k := kindIndex(descriptor)
	if at < 4 {
		c.raw(instr{op: 0x1a + 4*k + opcode(at)})
	} else {
		c.raw(instr{op: opIload + k, a: int32(at)})
	}
	c.push(descriptor)
}

// store pops into a local variable.
func (c *code) store(at int, descriptor string) {
	c.pop()
	k := kindIndex(descriptor)
	if at < 4 {
		c.raw(instr{op: 0x3b + 4*k + opcode(at)})
	} else {
		c.raw(instr{op: opIstore + k, a: int32(at)})
	}
}

// arrayKind returns where the elements of an array stand among int, long, float,
// double, reference, byte, char, short.
func arrayKind(array string) opcode {
	switch array[1] {
	case 'B', 'Z':
		return 5
	case 'C':
		return 6
	case 'S':
		return 7
	}
	return kindIndex(array[1:])
}

// element replaces an array and an index by the element.
func (c *code) element() {
	c.pop()
	array := c.pop()
	c.raw(instr{op: opIaload + arrayKind(array)})
	c.push(array[1:])
}

// setElement pops a value into an element: the array, the index and it are on top.
func (c *code) setElement() {
	c.pop()
	c.pop()
	array := c.pop()
	c.raw(instr{op: opIastore + arrayKind(array)})
}

// newArray replaces the lengths of all dimensions by an array of a descriptor.
func (c *code) newArray(descriptor string, dimensions int) {
	for range dimensions {
		c.pop()
	}
	if dimensions == 1 {
		for k, name := range arrayCodes {
			if name == descriptor[1:] {
				c.raw(instr{op: opNewarray, a: int32(k)})
			}
		}
	} else {
		c.raw(instr{op: opMultianewarray, a: int32(c.p.class(descriptor)), b: int32(dimensions)})
	}
	c.push(descriptor)
}

// field gets or puts a field.
func (c *code) field(o opcode, class, name, descriptor string) {
	if o == opPutstatic || o == opPutfield {
		c.pop()
	}
	if o == opGetfield || o == opPutfield {
		c.pop()
	}
	c.raw(instr{op: o, a: int32(c.p.member(tagField, class, name, descriptor))})
	if o == opGetstatic || o == opGetfield {
		c.push(descriptor)
	}
}

// invoke calls a method.
func (c *code) invoke(o opcode, class, name, descriptor string) {
	params, result := splitDescriptor(descriptor)
	for range params {
		c.pop()
	}
	if o != opInvokestatic {
		c.pop()
	}
	c.raw(instr{op: o, a: int32(c.p.member(tagMethod, class, name, descriptor))})
	if result != "V" {
		c.push(result)
	}
}

// splitDescriptor returns the parameters and the result of a method, or nothing if it
// is malformed.
func splitDescriptor(d string) (params []string, result string) {
	if !strings.HasPrefix(d, "(") {
		return nil, ""
	}
	for rest := d[1:]; ; {
		if after, ok := strings.CutPrefix(rest, ")"); ok {
			return params, after
		}
		n := 0
		for n < len(rest) && rest[n] == '[' {
			n++
		}
		if n == len(rest) {
			return nil, ""
		}
		end := n + 1
		if rest[n] == 'L' {
			semicolon := strings.IndexByte(rest[n:], ';')
			if semicolon < 0 {
				return nil, ""
			}
			end = n + semicolon + 1
		}
		params, rest = append(params, rest[:end]), rest[end:]
	}
}

// label returns a new one.
func (c *code) label() int {
	c.labels = append(c.labels, label{at: -1})
	return len(c.labels) - 1
}

// reaches notes that a label is jumped to with the stack as it is.
func (c *code) reaches(l int) {
	at := &c.labels[l]
	if at.known {
		if !slices.Equal(at.stack, c.stack) {
			panic(fmt.Sprintf("jvm: a label with %v is reached with %v", at.stack, c.stack))
		}
		return
	}
	at.known, at.stack = true, slices.Clone(c.stack)
}

// place puts a label here. If nothing has come to either, the stack is empty.
func (c *code) place(l int) {
	at := &c.labels[l]
	if c.dead {
		c.dead = false
		c.stack, c.depth = slices.Clone(at.stack), 0
		for _, d := range c.stack {
			c.depth += slots(d)
		}
		c.deepest = max(c.deepest, c.depth)
	}
	c.reaches(l)
	at.at = len(c.list)
}

// jump jumps to a label, always or as an instruction says.
func (c *code) jump(o opcode, l int) {
	c.add(instr{op: o, a: int32(l)})
	c.reaches(l)
	c.dead = o == opGoto
}

// choose pops what a switch goes by.
func (c *code) choose(o opcode, s *choices) {
	c.add(instr{op: o, choice: s})
	for _, l := range s.labels {
		c.reaches(l)
	}
	c.reaches(s.fallout)
	c.dead = true
}

// end appends an instruction that nothing comes after.
func (c *code) end(o opcode) {
	c.op(o)
	c.dead = true
}

// cover says that what is thrown between two labels goes to a third, on which it alone
// is on the stack.
func (c *code) cover(from, to, target, catch int) {
	c.handlers = append(c.handlers, handler{from, to, target, catch})
	at := &c.labels[target]
	at.known, at.stack = true, []string{throwable}
}

const throwable = "Ljava/lang/Throwable;"

// A method is one that is written.
type method struct {
	bytes  []byte
	pcs    []int // of each instruction
	far    bool  // there are jumps of more than 16 bits
	frames bool
}

// write returns the Code attribute without its head: head, which jumps nowhere, and
// then c. locals are descriptors of local variables by slot, of which those of the
// signature come first; frames says whether a table of frames is written.
func (c *code) write(head *code, locals []string, frames bool) *method {
	list := slices.Concat(head.list, c.list)
	position := func(l int) int { return len(head.list) + c.labels[l].at }
	m := &method{pcs: make([]int, len(list)+1), frames: frames}
	wide := make([]bool, len(list))
	for changed := true; changed; {
		pc := 0
		for i, in := range list {
			m.pcs[i] = pc
			pc += in.size(pc, wide[i])
		}
		m.pcs[len(list)] = pc
		changed = false
		if pc <= math.MaxInt16 {
			break
		}
		for i, in := range list {
			if k := operations[in.op].operand; k != jumpOperand || wide[i] {
				continue
			}
			if offset := m.pcs[position(int(in.a))] - m.pcs[i]; offset != int(int16(offset)) {
				wide[i], changed, m.far = true, true, true
			}
		}
	}
	pc := func(l int) int { return m.pcs[position(l)] }
	if n := m.pcs[len(list)]; n > math.MaxUint16 {
		panic(fmt.Sprintf("jvm: a method of %d bytes", n))
	}
	b := binary.BigEndian.AppendUint16(nil, uint16(max(c.deepest, head.deepest)))
	b = binary.BigEndian.AppendUint16(b, uint16(len(locals)))
	b = binary.BigEndian.AppendUint32(b, uint32(m.pcs[len(list)]))
	for i, in := range list {
		b = in.appendTo(b, m.pcs[i], wide[i], pc)
	}
	b = binary.BigEndian.AppendUint16(b, uint16(len(c.handlers)))
	for _, h := range c.handlers {
		for _, v := range []int{pc(h.from), pc(h.to), pc(h.target), h.catch} {
			b = binary.BigEndian.AppendUint16(b, uint16(v))
		}
	}
	table := []byte(nil)
	if frames && !m.far {
		table = c.frames(locals, pc)
	}
	if table == nil {
		b = binary.BigEndian.AppendUint16(b, 0)
	} else {
		b = binary.BigEndian.AppendUint16(b, 1)
		b = binary.BigEndian.AppendUint16(b, uint16(c.p.utf8("StackMapTable")))
		b = binary.BigEndian.AppendUint32(b, uint32(len(table)))
		b = append(b, table...)
	}
	m.bytes = b
	return m
}

// size returns how many bytes an instruction takes at a place.
func (i instr) size(pc int, wide bool) int {
	switch operations[i.op].operand {
	case noOperand:
		return 1
	case byteOperand, smallConstant, arrayOperand:
		return 2
	case localOperand:
		if i.a > 0xff {
			return 4
		}
		return 2
	case iincOperand:
		if i.a > 0xff || i.b != int32(int8(i.b)) {
			return 6
		}
		return 3
	case shortOperand, constant:
		return 3
	case jumpOperand:
		switch {
		case !wide:
			return 3
		case i.op == opGoto:
			return 5
		}
		return 8 // the other condition, and goto_w
	case multiOperand:
		return 4
	case tableOperand:
		return 1 + padding(pc) + 12 + 4*len(i.choice.labels)
	case lookupOperand:
		return 1 + padding(pc) + 8 + 8*len(i.choice.labels)
	}
	panic("jvm: size of " + operations[i.op].name)
}

// padding returns how many bytes are between the opcode of a switch and what it has.
func padding(pc int) int { return 3 - pc%4 }

// appendTo appends an instruction as it is at a place.
func (i instr) appendTo(b []byte, pc int, wide bool, place func(label int) int) []byte {
	short := func(v int32) { b = binary.BigEndian.AppendUint16(b, uint16(v)) }
	word := func(v int) { b = binary.BigEndian.AppendUint32(b, uint32(v)) }
	switch kind := operations[i.op].operand; kind {
	case noOperand:
		return append(b, byte(i.op))
	case byteOperand, smallConstant, arrayOperand:
		return append(b, byte(i.op), byte(i.a))
	case localOperand, iincOperand:
		large := i.size(pc, wide) > 3
		if large {
			b = append(b, byte(opWide), byte(i.op))
			short(i.a)
		} else {
			b = append(b, byte(i.op), byte(i.a))
		}
		switch {
		case kind == iincOperand && large:
			short(i.b)
		case kind == iincOperand:
			b = append(b, byte(i.b))
		}
		return b
	case shortOperand, constant, multiOperand:
		b = append(b, byte(i.op))
		short(i.a)
		if kind == multiOperand {
			b = append(b, byte(i.b))
		}
		return b
	case jumpOperand:
		offset := place(int(i.a)) - pc
		switch {
		case !wide:
			b = append(b, byte(i.op))
			short(int32(offset))
		case i.op == opGoto:
			b = append(b, byte(opGotoW))
			word(offset)
		default:
			b = append(b, byte(i.op.negated()))
			short(8)
			b = append(b, byte(opGotoW))
			word(offset - 3)
		}
		return b
	case tableOperand, lookupOperand:
		b = append(b, byte(i.op))
		b = append(b, make([]byte, padding(pc))...)
		s := i.choice
		word(place(s.fallout) - pc)
		if kind == tableOperand {
			word(int(s.lo))
			word(int(s.lo) + len(s.labels) - 1)
		} else {
			word(len(s.labels))
		}
		for k, l := range s.labels {
			if kind == lookupOperand {
				word(int(s.values[k]))
			}
			word(place(l) - pc)
		}
		return b
	}
	panic("jvm: encoding " + operations[i.op].name)
}

// negated returns the conditional jump that is taken where o is not.
func (o opcode) negated() opcode {
	if o >= opIfnull {
		return o ^ 1
	}
	return (o - opIfeq) ^ 1 + opIfeq
}

// frames returns the table of what is in local variables, all of which have their
// types from before the first label on, and on the stack at each label.
func (c *code) frames(locals []string, pc func(label int) int) []byte {
	at := map[int][]string{}
	for l, label := range c.labels {
		if label.at >= 0 {
			at[pc(l)] = label.stack
		}
	}
	var places []int
	for p := range at {
		places = append(places, p)
	}
	slices.Sort(places)
	if len(places) == 0 {
		return nil
	}
	b := binary.BigEndian.AppendUint16(nil, uint16(len(places)))
	last := -1
	for i, p := range places {
		delta, stack := p-last-1, at[p]
		last = p
		switch {
		case i > 0 && len(stack) == 0 && delta < 64:
			b = append(b, byte(delta)) // same_frame
		case i > 0 && len(stack) == 0:
			b = append(b, 251) // same_frame_extended
			b = binary.BigEndian.AppendUint16(b, uint16(delta))
		case i > 0 && len(stack) == 1 && delta < 64:
			b = append(b, 64+byte(delta)) // same_locals_1_stack_item_frame
			b = c.appendTypes(b, stack)
		default:
			b = append(b, 255) // full_frame
			b = binary.BigEndian.AppendUint16(b, uint16(delta))
			values := slices.DeleteFunc(slices.Clone(locals), func(d string) bool { return d == "" })
			b = binary.BigEndian.AppendUint16(b, uint16(len(values)))
			b = c.appendTypes(b, values)
			b = binary.BigEndian.AppendUint16(b, uint16(len(stack)))
			b = c.appendTypes(b, stack)
		}
	}
	return b
}

// appendTypes appends verification types (JVMS §4.7.4).
func (c *code) appendTypes(b []byte, list []string) []byte {
	for _, d := range list {
		switch d[0] {
		case 'F':
			b = append(b, 2)
		case 'D':
			b = append(b, 3)
		case 'J':
			b = append(b, 4)
		case 'N':
			b = append(b, 5)
		case '[':
			b = binary.BigEndian.AppendUint16(append(b, 7), uint16(c.p.class(d)))
		case 'L':
			b = binary.BigEndian.AppendUint16(append(b, 7), uint16(c.p.class(d[1:len(d)-1])))
		default:
			b = append(b, 1)
		}
	}
	return b
}
