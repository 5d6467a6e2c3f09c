package jvm

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// An instr is an instruction whose position is not known yet.
type instr struct {
	op     opcode
	a, b   int32 // its operand: a local, a constant, a label
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

// A label is a target of jumps.
type label struct {
	at    int // index of the instruction behind it, or -1
	known bool
	stack []string // the operand stack there, if known
}

// A handler is a line of the table of exceptions.
type handler struct {
	from, to, target int // labels
	catch            int // constant, or 0: all
}

// A code collects the instructions of a method, and tracks the operand stack: a
// descriptor for each value.
type code struct {
	p        *pool
	list     []instr
	labels   []label
	handlers []handler
	stack    []string
	depth    int // in slots
	deepest  int
	dead     bool // the code here is not reachable
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

// add appends an instruction, and applies its effect to the stack.
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

// op appends instructions without operands; after some of them control does not go on.
func (c *code) op(list ...opcode) {
	for _, o := range list {
		c.add(instr{op: o})
		c.dead = o >= opIreturn && o <= opReturn || o == opAthrow
	}
}

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

// int pushes a constant, and appends what comes then; so do the others.
func (c *code) int(v int32, then ...opcode) {
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
	c.op(then...)
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

func (c *code) long(v int64, then ...opcode) {
	switch {
	case v == 0 || v == 1:
		c.op(opLconst0 + opcode(v))
	case v == int64(int16(v)):
		c.int(int32(v))
		c.op(opI2l)
	default:
		c.constant(c.p.long(v), "J")
	}
	c.op(then...)
}

// number pushes a constant of kind I or J, and what comes then is of that kind.
func (c *code) number(kind string, v int64, then ...opcode) {
	if kind == "J" {
		c.long(v)
	} else {
		c.int(int32(v))
	}
	for _, o := range then {
		c.op(of(kind, o))
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

// kindIndex returns the index of a descriptor among int, long, float, double,
// reference.
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
func (c *code) load(at int, descriptor string, then ...opcode) {
	k := kindIndex(descriptor)
	if at < 4 {
		c.raw(instr{op: 0x1a + 4*k + opcode(at)})
	} else {
		c.raw(instr{op: opIload + k, a: int32(at)})
	}
	c.push(descriptor)
	c.op(then...)
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

// arrayKind returns the index of an element type among int, long, float, double,
// reference, byte, char, short.
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
	switch element := descriptor[1:]; {
	case dimensions == 1 && kindIndex(element) == 4:
		c.raw(instr{op: opAnewarray, a: int32(c.p.class(classOf(element)))})
	case dimensions == 1:
		for k, name := range arrayCodes {
			if name == element {
				c.raw(instr{op: opNewarray, a: int32(k)})
			}
		}
	default:
		c.raw(instr{op: opMultianewarray, a: int32(c.p.class(descriptor)), b: int32(dimensions)})
	}
	c.push(descriptor)
}

// classOf returns the class of a descriptor in the form for instructions.
func classOf(descriptor string) string {
	if descriptor[0] == 'L' {
		return descriptor[1 : len(descriptor)-1]
	}
	return descriptor
}

// create pushes a new object of a class.
func (c *code) create(class string) {
	c.raw(instr{op: opNew, a: int32(c.p.class(class))})
	c.push("L" + class + ";")
	c.dup()
	c.invoke(opInvokespecial, class, "<init>", "()V")
}

// cast checks at run time that the value on top is a reference of a kind.
func (c *code) cast(descriptor string) {
	if c.pop() != descriptor {
		c.raw(instr{op: opCheckcast, a: int32(c.p.class(classOf(descriptor)))})
	}
	c.push(descriptor)
}

// swap changes the two values on top, of one slot each.
func (c *code) swap() {
	c.raw(instr{op: opSwap})
	n := len(c.stack)
	c.stack[n-2], c.stack[n-1] = c.stack[n-1], c.stack[n-2]
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

// place puts a label here. If neither is reached, the stack is empty.
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

// choose pops the operand of a switch.
func (c *code) choose(o opcode, s *choices) {
	c.add(instr{op: o, choice: s})
	for _, l := range s.labels {
		c.reaches(l)
	}
	c.reaches(s.fallout)
	c.dead = true
}

// cover makes a third label the handler of exceptions between two labels; on the stack
// there is the exception alone.
func (c *code) cover(from, to, target, catch int) {
	c.handlers = append(c.handlers, handler{from, to, target, catch})
	at := &c.labels[target]
	at.known, at.stack = true, []string{throwable}
}

const throwable = "Ljava/lang/Throwable;"
