package wasm

import (
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"goreify/reify/answers"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// CallsSection is the name of the custom section with the calls. A line of it is
//
//	NAME EXPORT RESULT ARGUMENT...
//
// Here RESULT is a type of package ir, and an argument is a number, with an n behind it
// if it is an i64. The output of a call is "NAME VALUE" or "NAME traps KIND", and "
// state N" if the module has an export EXPORT.state. KIND is divide-by-zero, overflow
// (of a division or a conversion), out-of-bounds or unreachable.
const CallsSection = "calls"

// AnswersSection is the name of the custom section with the outputs of the calls if all
// answers are right.
const AnswersSection = "answers"

// A Unit is a function that Supports accepts, with its claims.
type Unit = frame.Unit[Style]

// The memory of a module: null, the stack, which grows down, and variables that have
// an address of their own.
const pageBytes = 1 << 16

type module struct {
	types     []string // parameters, then results: a function type each as (kinds) "pp:r"
	funcs     []int    // type of each
	bodies    [][]byte
	globals   []global
	table     uint32 // address of the table for checksums, or 0
	stackTop  uint32 // the stack lies below, down to null
	next      uint32 // address that is free
	records   map[*ir.Record]*record
	index     map[*ir.Function]int
	helpers   map[string]int
	exports   code
	exported  int
	sp        int // global of the stack pointer, or -1
	initial   []segment
	room      code // for code of functions
	locations [][]Location
}

// A segment is an active one.
type segment struct {
	address uint32
	bytes   []byte
}

type global struct {
	t     byte
	value int64 // bits of a float
}

// A Location says where the code of a node begins in the body of a function.
type Location struct {
	Offset int // in the expression, behind the locals
	Block  int // index in Function.Blocks, or -1: a dispatcher
}

// A Module is the output of Emit.
type Module struct {
	Binary []byte
	// Answers are the outputs of the calls of each unit, a line each.
	Answers []string
	// Locations lists for each function of the binary where its nodes begin; functions
	// that are in no unit have none.
	Locations [][]Location
}

// Emit writes units as a module. Their functions have names of their own, call each
// other alone, and are concrete and supported. Equal arguments give equal bytes.
func Emit(units []Unit) *Module {
	m := &module{records: map[*ir.Record]*record{}, index: map[*ir.Function]int{}, helpers: map[string]int{}, sp: -1}
	order := frame.OrderOf(units, frame.Same)
	// A conversion that may have to trap does not saturate.
	order.Without(units, ir.Truncate, func(s *Style) { s.Saturate = false })
	for i, f := range order.Funcs {
		m.index[f] = i
		m.funcs = append(m.funcs, m.signature(f))
	}
	for _, u := range units {
		// No variable has the address null.
		m.stackTop = max(m.stackTop, (m.frames(u)/pageBytes+1)*pageBytes)
	}
	m.next = m.stackTop
	m.bodies = make([][]byte, len(order.Funcs))
	m.locations = make([][]Location, len(order.Funcs))
	written := map[*ir.Function]*function{}
	for i, f := range order.Funcs {
		w := newFunction(m, f, order.Styles[f])
		m.bodies[i], m.locations[i] = w.write()
		written[f] = w
	}
	var calls []byte
	var want []string
	for _, u := range units {
		f := u.Claim.Func
		var all []*function
		for _, g := range f.Reached() {
			all = append(all, written[g])
		}
		state := u.Lasting()
		m.lifecycle(all, state)
		var sum func(*ir.End) uint32
		if len(state) > 0 {
			sum = func(end *ir.End) uint32 { return end.Sum(state) }
		}
		for i, c := range u.Claims() {
			calls = appendCall(calls, answers.Name(f.Name, i), c)
		}
		want = append(want, frame.Lines(f.Name, u.Answers(answer, sum)))
	}
	return &Module{Binary: m.assemble(calls, want), Answers: want, Locations: m.locations}
}

// answer returns the output of a call. Engines do not distinguish all traps.
func answer(c *ir.Claim) string {
	if c.Trap == ir.DivideOverflow || c.Trap == ir.Truncate {
		return answers.Trap("overflow")
	}
	return c.Answer()
}

func appendCall(list []byte, name string, c *ir.Claim) []byte {
	list = append(list, name...)
	list = append(list, ' ')
	list = append(list, c.Func.Name...)
	list = append(list, ' ')
	list = append(list, c.Func.Result.String()...)
	for i, v := range c.Func.Params() {
		list = append(list, ' ')
		list = strconv.AppendInt(list, c.Args[i], 10)
		if valueType(v.Type) == typeI64 {
			list = append(list, 'n')
		}
	}
	return append(list, '\n')
}

func (m *module) signature(f *ir.Function) int {
	var params []byte
	for _, v := range f.Params() {
		params = append(params, valueType(v.Type))
	}
	return m.typeOf(string(params) + ":" + string(valueType(f.Result)))
}

// typeOf returns the index of a function type: parameters, a colon, results.
func (m *module) typeOf(signature string) int {
	for i, t := range m.types {
		if t == signature {
			return i
		}
	}
	m.types = append(m.types, signature)
	return len(m.types) - 1
}

// add adds a function that is in no unit.
func (m *module) add(signature string, body []byte) int {
	m.funcs = append(m.funcs, m.typeOf(signature))
	m.bodies = append(m.bodies, body)
	m.locations = append(m.locations, nil)
	return len(m.funcs) - 1
}

func (m *module) export(name string, kind byte, index int) {
	m.exports.name(name)
	m.exports.byte(kind)
	m.exports.u(uint64(index))
	m.exported++
}

// alloc returns the address of so many bytes that last.
func (m *module) alloc(size, align uint32) uint32 {
	at := (m.next + align - 1) / align * align
	m.next = at + size
	return at
}

func (m *module) global(t byte, value int64) int {
	m.globals = append(m.globals, global{t, value})
	return len(m.globals) - 1
}

// stack returns the global that is the stack pointer.
func (m *module) stack() int {
	if m.sp < 0 {
		m.sp = m.global(typeI32, int64(m.stackTop))
	}
	return m.sp
}

// lifecycle exports the first of some functions, which calls the others. If they have
// variables with static lifetime, or if there is a stack, which a trap leaves as it is,
// it also exports a function that resets all that. A third export sums up some of the
// variables.
func (m *module) lifecycle(all []*function, state []*ir.Var) {
	f := all[0].f
	m.export(f.Name, 0, m.index[f])
	reset := &function{m: m}
	if m.sp >= 0 {
		reset.code.i32(int64(m.stackTop))
		reset.code.at(opGlobalSet, m.sp)
	}
	for _, one := range all {
		reset.slots = one.slots
		for _, s := range one.lasting() {
			reset.initialise(s)
		}
	}
	if len(reset.code.buf) > 0 {
		m.export(f.Name+".reset", 0, m.add(":", reset.body()))
	}
	if len(state) == 0 {
		return
	}
	var list []*slot
	for _, one := range all {
		for _, s := range one.lasting() {
			if slices.Contains(state, s.v) {
				list = append(list, s)
			}
		}
	}
	sum := &function{m: m}
	sum.checksum(list)
	m.export(f.Name+".state", 0, m.add(":"+string(rune(typeI32)), sum.body()))
}

// assemble returns the module.
func (m *module) assemble(calls []byte, want []string) []byte {
	out := code{buf: append(make([]byte, 0, 4096), 0, 'a', 's', 'm', 1, 0, 0, 0)}
	var c code
	section := func(id byte) {
		out.byte(id)
		out.bytes(c.buf)
		c.buf = c.buf[:0]
	}

	c.u(uint64(len(m.types)))
	for _, t := range m.types {
		c.byte(0x60)
		params, results := t, ""
		for i := range len(t) {
			if t[i] == ':' {
				params, results = t[:i], t[i+1:]
				break
			}
		}
		c.name(params)
		c.name(results)
	}
	section(1)

	c.u(uint64(len(m.funcs)))
	for _, t := range m.funcs {
		c.u(uint64(t))
	}
	section(3)

	if m.next > m.stackTop || m.sp >= 0 {
		c.u(1)
		c.byte(0)
		c.u(uint64((m.next + pageBytes - 1) / pageBytes))
		section(5)
	}
	if len(m.globals) > 0 {
		c.u(uint64(len(m.globals)))
		for _, g := range m.globals {
			c.byte(g.t)
			c.byte(1)
			c.constant(g.t, g.value)
			c.op(opEnd)
		}
		section(6)
	}

	c.u(uint64(m.exported))
	c.buf = append(c.buf, m.exports.buf...)
	section(7)

	if len(m.initial) > 0 {
		c.u(uint64(len(m.initial)))
		section(12)
	}
	c.u(uint64(len(m.bodies)))
	for _, b := range m.bodies {
		c.bytes(b)
	}
	section(10)
	if len(m.initial) > 0 {
		c.u(uint64(len(m.initial)))
		for _, s := range m.initial {
			c.byte(0)
			c.i32(int64(s.address), opEnd)
			c.bytes(s.bytes)
		}
		section(11)
	}
	c.name(CallsSection)
	c.buf = append(c.buf, calls...)
	section(0)
	c.name(AnswersSection)
	for _, text := range want {
		c.buf = append(c.buf, text...)
	}
	section(0)
	return out.buf
}

// constant appends a constant of any number type, a float as its bits.
func (c *code) constant(t byte, v int64) {
	switch t {
	case typeF32:
		c.op(opF32Const)
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(v))
	case typeF64:
		c.op(opF64Const)
		c.buf = binary.LittleEndian.AppendUint64(c.buf, uint64(v))
	default:
		c.number(t, v)
	}
}

// float appends a constant of a type.
func (c *code) float(t ir.Float, v float64) {
	if t.Bits == 32 {
		c.constant(typeF32, int64(math.Float32bits(float32(v))))
		return
	}
	c.constant(typeF64, int64(math.Float64bits(v)))
}
