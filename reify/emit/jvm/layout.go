package jvm

import (
	"encoding/binary"
	"math"
	"slices"
)

// A method is one that is written.
type method struct {
	bytes []byte
	pcs   []int // of each instruction, and the length
	far   bool  // there are jumps of more than 16 bits, and so no table of frames
}

// length returns how many bytes of code it has: at most 65,535 in a class.
func (m *method) length() int { return m.pcs[len(m.pcs)-1] }

// write returns the Code attribute without its head: head, which jumps nowhere, and
// then c. locals are descriptors of local variables by slot, of which those of the
// signature come first; frames says whether a table of frames is written.
func (c *code) write(head *code, locals []string, frames bool) *method {
	list := slices.Concat(head.list, c.list)
	position := func(l int) int { return len(head.list) + c.labels[l].at }
	m := &method{pcs: make([]int, len(list)+1)}
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

// frames returns the table of frames: the types of local variables, which are the same
// from before the first label on, and of the stack at each label.
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
