// Package jvm writes Java class files of functions with known answers, and reads them
// back. It knows no virtual machine.
//
//	Emit    cases → class: a method for each function, and what their calls print
//	Text    class → the assembly language of Jasmin and its kin, for people
//	Graphs  class → the control-flow graphs of its functions
//
// Integers of at most 32 bits are int, kept sign- or zero-extended, others long; u32 is an
// int whose sign is a bit like others. Records are taken apart, and what lasts is in
// fields. A jump is a goto or a branch, so the graph is that of the function, irreducible
// or not: classes have version 49, of which the verifier takes any flow and wants no
// table of frames. In the style frames they have version 53 and a table, unless a method
// is so long that a jump needs 32 bits.
//
// A class is called Cases. It is a java.util.function.ToLongFunction whose argument is a
// long[]: what is asked for, the index of a function, and arguments. It is asked to
// resolve what its code refers to (0), to give a function's globals and statics their
// initial values (1), to call it (2), and for their checksum (3). The last attribute of
// the class, which is called Calls, ends the file: a line for each call, an empty line,
// a line for each answer, and the length of all that in four bytes.
package jvm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"
	"strings"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// CallsAttribute is the name of the attribute with the calls and the answers. A line of
// the first is
//
//	NAME INDEX RESULT STATE ARGUMENT...
//
// RESULT being a type of package ir, and STATE 1 if there is a checksum of globals and
// statics. What is printed of it is "NAME VALUE" or "NAME traps KIND", and " state N".
// KIND is what kind of exception was thrown.
const CallsAttribute = "Calls"

// className is the name of classes. Methods of functions begin with an f.
const className = "Cases"

// A Unit is a function, its cases and how it is written.
type Unit struct {
	Claim *ir.Claim
	More  []*ir.Claim // further inputs of the function
	Style Style
}

func (u Unit) claims() []*ir.Claim { return append([]*ir.Claim{u.Claim}, u.More...) }

type module struct {
	pool      *pool
	frames    bool
	far       bool // a method has jumps of more than 16 bits, and no table of frames
	fields    []byte
	numFields int
	methods   []byte
	numMethod int
	helpers   map[string]bool
	used      []use
	seen      map[string]bool
}

func newModule(frames bool) *module {
	return &module{pool: newPool(), helpers: map[string]bool{}, seen: map[string]bool{}, frames: frames}
}

// A use is a static method of Java's library that code calls, or a class, which is to be
// there before the code is compiled.
type use struct{ class, name, descriptor string }

// A Class is what Emit writes.
type Class struct {
	Binary []byte
	// Answers are what the calls of each unit print, a line each.
	Answers []string
	// Locations tells of each unit where the blocks of its method begin, in ascending
	// order. The method is called as the function, with an f in front of it if it has none.
	Locations [][]Location
}

const (
	accPublic       = 0x0001
	accPrivate      = 0x0002
	accStatic       = 0x0008
	accFinal        = 0x0010
	accSynchronized = 0x0020 // ACC_SUPER of classes
	accVolatile     = 0x0040
)

// methodName returns the name of a function's method.
func methodName(f *ir.Function) string {
	if strings.HasPrefix(f.Name, "f") {
		return f.Name
	}
	return "f$" + f.Name
}

// Emit writes units as a class. Their functions have names of their own, and are
// concrete and supported. Equal arguments give equal bytes. It panics if the interpreter
// does not agree with a case.
func Emit(units []Unit) *Class {
	m := newModule(units[0].Style.Frames)
	out := &Class{}
	var text []byte
	written := make([]*function, len(units))
	state := make([][]*variable, len(units))
	for i, u := range units {
		for _, c := range u.claims() {
			if c.Trap == ir.OutOfBounds {
				u.Style.Flat = false
			}
		}
		w := newFunction(m, u.Claim.Func, u.Style)
		written[i] = w
		method, locations := w.write()
		flags := accFinal
		if !u.Style.Instance {
			flags = accStatic
		}
		if u.Style.Locked {
			flags |= accSynchronized
		}
		m.method(flags, methodName(w.f), signature(w.f), method)
		out.Locations = append(out.Locations, locations)
		var ends []*interp.Result
		own := w.lasting()
		for _, c := range u.claims() {
			if len(own) == 0 {
				break
			}
			r, err := interp.Run(w.f, c.Args, interp.Options{Under: c.Under})
			if trap := (*interp.Trap)(nil); err != nil && !errors.As(err, &trap) {
				panic(fmt.Sprintf("jvm: @%s: %v", w.f.Name, err))
			}
			ends = append(ends, r)
		}
		for _, x := range own {
			if x.known(ends) {
				state[i] = append(state[i], x)
			}
		}
		var want []byte
		for k, c := range u.claims() {
			name := w.f.Name
			if k > 0 {
				name += "#" + strconv.Itoa(k+1)
			}
			text = append(text, fmt.Sprintf("%s %d %s %d", name, i, w.f.Result, btoi(state[i] != nil))...)
			for _, a := range c.Args {
				text = strconv.AppendInt(append(text, ' '), a, 10)
			}
			text = append(text, '\n')
			want = append(append(append(want, name...), ' '), answer(c, u.Style)...)
			if state[i] != nil {
				want = strconv.AppendUint(append(want, " state "...), uint64(stateOf(state[i], ends[k].Vars)), 10)
			}
			want = append(want, '\n')
		}
		out.Answers = append(out.Answers, string(want))
	}
	m.lifecycle(written, state)
	text = append(text, '\n')
	for _, answer := range out.Answers {
		text = append(text, answer...)
	}
	out.Binary = m.assemble(text)
	return out
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// answer returns what is printed of a call.
func answer(c *ir.Claim, style Style) string {
	if c.Trap == ir.Unreached {
		return "traps " + thrown[style.Throw]
	}
	return c.Answer()
}

// stateOf returns the checksum of variables by the interpreter's values.
func stateOf(list []*variable, vars [][]int64) uint32 {
	var data []byte
	for _, x := range list {
		values := vars[x.v.Index]
		i := 0
		x.shape.cells(nil, func(c *column, _ []int) {
			v := uint64(values[i])
			i++
			if c.hidden {
				return
			}
			if t, ok := c.t.(ir.Float); ok && t.Bits == 32 {
				v = uint64(math.Float32bits(float32(math.Float64frombits(v))))
			}
			data = binary.LittleEndian.AppendUint64(data, v)
			data = data[:len(data)-8+bytes(c.t)]
		})
	}
	return crc32.ChecksumIEEE(data)
}

// bytes returns how many bytes of a scalar are summed up.
func bytes(t ir.Type) int {
	switch t := t.(type) {
	case ir.Int:
		return t.Bytes()
	case ir.Float:
		return t.Bits / 8
	}
	panic(fmt.Sprintf("jvm: bytes of %v", t))
}

// signature returns the descriptor of a function.
func signature(f *ir.Function) string {
	d := "("
	for _, v := range f.Params() {
		d += kind(v.Type)
	}
	return d + ")" + kind(f.Result)
}

// field declares the field of a column.
func (m *module) field(c *column, instance bool) {
	flags := accPrivate
	if !instance {
		flags |= accStatic
	}
	if c.volatile {
		flags |= accVolatile
	}
	m.declare(flags, c.name, c.descriptor)
}

func (m *module) declare(flags int, name, descriptor string) {
	for _, v := range []int{flags, m.pool.utf8(name), m.pool.utf8(descriptor), 0} {
		m.fields = binary.BigEndian.AppendUint16(m.fields, uint16(v))
	}
	m.numFields++
}

// method adds a method.
func (m *module) method(flags int, name, descriptor string, code *method) {
	for _, v := range []int{flags, m.pool.utf8(name), m.pool.utf8(descriptor), 1, m.pool.utf8("Code")} {
		m.methods = binary.BigEndian.AppendUint16(m.methods, uint16(v))
	}
	if n := code.length(); n > math.MaxUint16 {
		panic(fmt.Sprintf("jvm: %s has %d bytes", name, n))
	}
	m.far = m.far || code.far
	m.methods = binary.BigEndian.AppendUint32(m.methods, uint32(len(code.bytes)))
	m.methods = append(m.methods, code.bytes...)
	m.numMethod++
}

// invokeStatic calls a static method of Java's library.
func (m *module) invokeStatic(c *code, class, name, descriptor string) {
	m.use(use{class, name, descriptor})
	c.invoke(opInvokestatic, class, name, descriptor)
}

// uses notes that code makes objects of a class.
func (m *module) uses(class string) { m.use(use{class: class}) }

func (m *module) use(u use) {
	if key := u.class + " " + u.name + u.descriptor; !m.seen[key] {
		m.seen[key] = true
		m.used = append(m.used, u)
	}
}

// assemble returns the class, with a text in its last attribute.
func (m *module) assemble(text []byte) []byte {
	p := m.pool
	this, super, function := p.class(className), p.class("java/lang/Object"), p.class("java/util/function/ToLongFunction")
	attribute := p.utf8(CallsAttribute)
	version := 49
	if m.frames && !m.far {
		version = 53
	}
	b := binary.BigEndian.AppendUint32(nil, 0xcafebabe)
	b = binary.BigEndian.AppendUint32(b, uint32(version))
	short := func(list ...int) {
		for _, v := range list {
			b = binary.BigEndian.AppendUint16(b, uint16(v))
		}
	}
	if p.next > math.MaxUint16 {
		panic("jvm: too many constants")
	}
	short(p.next)
	b = append(b, p.buf...)
	short(accPublic|accFinal|accSynchronized, this, super, 1, function, m.numFields)
	b = append(b, m.fields...)
	short(m.numMethod)
	b = append(b, m.methods...)
	short(1, attribute)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)+4))
	b = append(b, text...)
	return binary.BigEndian.AppendUint32(b, uint32(len(text)))
}
