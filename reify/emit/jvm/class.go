// Package jvm writes Java class files of functions with known answers, and reads them
// back. It knows no virtual machine.
//
//	Emit    cases → class: a method for each function, and what their calls print
//	Text    class → the assembly language of Jasmin and its kin, for people
//	Graphs  class → the control-flow graphs of its functions
//
// Integers of at most 32 bits are int, kept sign- or zero-extended, others long. A u32
// is an int whose sign bit is an ordinary bit. Records are split into scalars, and
// variables with static lifetime are in fields. A variable whose address is taken is an
// object, and a pointer an object and an index into it; see memory.go.
// A jump is a goto or a branch, so the graph is that of the
// function, irreducible or not. Classes have version 49, whose verifier accepts any
// control flow and needs no table of frames. In the style frames they have version 53
// and a table, unless a method is so long that a jump needs 32 bits.
//
// A class is called Cases. It is a java.util.function.ToLongFunction whose argument is
// a long[]: the request, the index of a function, and arguments. The requests are to
// resolve the references of its code (0), to give a function's globals and statics
// their initial values (1), to call it (2), and to return their checksum (3). The last
// attribute of the class has the name Calls and ends the file: a line for each call, an
// empty line, a line for each answer, and the length of all that in four bytes.
package jvm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
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
// Here RESULT is a type of package ir, and STATE is 1 if the call has a checksum of
// globals and statics. The output of a call is "NAME VALUE" or "NAME traps KIND", and "
// state N". KIND is the kind of exception that was thrown.
const CallsAttribute = "Calls"

// className is the name of classes. Methods of functions begin with an f.
const className = "Cases"

// A Unit is a function, its cases and its style.
type Unit struct {
	Claim *ir.Claim
	More  []*ir.Claim // further inputs of the function
	Style Style
	// Called are the styles of functions that it calls, directly or not, and that are
	// no units; all others have that of the first that calls them.
	Called map[*ir.Function]Style
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
	styles    map[*ir.Function]Style // of all functions of the class
	object    bool                   // code looks for the object in objectField
}

func newModule(frames bool) *module {
	return &module{pool: newPool(), helpers: map[string]bool{}, seen: map[string]bool{}, frames: frames}
}

// A use is a static method of Java's library that code calls, or a class, which must be
// loaded before the code is compiled.
type use struct{ class, name, descriptor string }

// A Class is the output of Emit.
type Class struct {
	Binary []byte
	// Answers are the outputs of the calls of each unit, a line each.
	Answers []string
	// Locations lists for each function where the blocks of its method begin, in
	// ascending order: first the functions of the units and then their callees, each
	// once. The method has the name of the function, with an f in front of it unless it
	// begins with one.
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

// Emit writes units as a class. Their functions have names of their own, call each other
// alone, and are concrete and supported. Equal arguments give equal bytes. It panics if the interpreter does not agree with
// a case.
func Emit(units []Unit) *Class {
	m := newModule(units[0].Style.Frames)
	m.styles = map[*ir.Function]Style{}
	var order []*ir.Function
	add := func(f *ir.Function, style Style) {
		if _, ok := m.styles[f]; !ok {
			m.styles[f] = style
			order = append(order, f)
		}
	}
	for _, u := range units {
		add(u.Claim.Func, u.Style)
	}
	for _, u := range units {
		for _, f := range u.Claim.Func.Reached() {
			if style, ok := u.Called[f]; ok {
				add(f, style)
			}
		}
	}
	for i := 0; i < len(order); i++ {
		for call := range order[i].Calls() {
			add(call.Func, m.styles[order[i]])
		}
	}
	for _, u := range units {
		if !slices.ContainsFunc(u.claims(), func(c *ir.Claim) bool { return c.Trap == ir.OutOfBounds }) {
			continue
		}
		for _, f := range u.Claim.Func.Reached() {
			checked := m.styles[f]
			checked.Flat = false
			m.styles[f] = checked
		}
	}
	out := &Class{}
	written := map[*ir.Function]*function{}
	var list []*function
	for _, f := range order {
		w := newFunction(m, f, m.styles[f])
		written[f] = w
		list = append(list, w)
		method, locations := w.write()
		flags := accFinal
		if !w.style.Instance {
			flags = accStatic
		}
		if w.style.Locked {
			flags |= accSynchronized
		}
		m.method(flags, methodName(f), signature(f), method)
		out.Locations = append(out.Locations, locations)
	}
	var text []byte
	var all []*tested
	for i, u := range units {
		t := m.test(u, written)
		all = append(all, t)
		var want []byte
		for k, c := range u.claims() {
			name := c.Func.Name
			if k > 0 {
				name += "#" + strconv.Itoa(k+1)
			}
			text = append(text, fmt.Sprintf("%s %d %s %d", name, i, c.Func.Result, btoi(t.lasts()))...)
			for _, a := range c.Args {
				text = strconv.AppendInt(append(text, ' '), a, 10)
			}
			text = append(text, '\n')
			want = append(append(append(want, name...), ' '), t.answers[k]...)
			if t.lasts() {
				want = strconv.AppendUint(append(want, " state "...), uint64(t.sum(t.ends[k])), 10)
			}
			want = append(want, '\n')
		}
		out.Answers = append(out.Answers, string(want))
	}
	m.lifecycle(list, all)
	text = append(text, '\n')
	for _, answer := range out.Answers {
		text = append(text, answer...)
	}
	out.Binary = m.assemble(text)
	return out
}

// deepest is how deep calls of a case may be nested.
const deepest = 1 << 14

// A tested is a unit as its class has it.
type tested struct {
	w       *function
	reached []*function   // the functions that its calls reach, itself first
	state   [][]*variable // variables of the checksums after each call, for each function that is reached
	ends    []*interp.Result
	answers []string // the outputs of the calls, without the checksum
}

// test runs the cases of a unit as far as needed.
func (m *module) test(u Unit, written map[*ir.Function]*function) *tested {
	f := u.Claim.Func
	t := &tested{w: written[f]}
	for _, g := range f.Reached() {
		t.reached = append(t.reached, written[g])
	}
	lasts := slices.ContainsFunc(t.reached, func(w *function) bool { return len(w.lasting()) > 0 })
	for _, c := range u.claims() {
		at := f.Name // of the function that traps
		if lasts || c.Trap == ir.Unreached && len(t.reached) > 1 {
			r, err := interp.Run(f, c.Args, interp.Options{Under: c.Under, Depth: deepest, Callees: true})
			trap := (*interp.Trap)(nil)
			if errors.As(err, &trap) {
				at = trap.Func
			} else if err != nil {
				panic(fmt.Sprintf("jvm: @%s: %v", f.Name, err))
			}
			t.ends = append(t.ends, r)
		}
		text := c.Answer()
		if c.Trap == ir.Unreached {
			i := slices.IndexFunc(t.reached, func(w *function) bool { return w.f.Name == at })
			text = "traps " + thrown[t.reached[i].style.Throw]
		}
		t.answers = append(t.answers, text)
	}
	for _, w := range t.reached {
		var list []*variable
		for _, x := range w.lasting() {
			if x.known(t.ends) {
				list = append(list, x)
			}
		}
		t.state = append(t.state, list)
	}
	return t
}

// lasts tells whether there is anything to sum up after a call.
func (t *tested) lasts() bool {
	return slices.ContainsFunc(t.state, func(list []*variable) bool { return list != nil })
}

// sum returns the checksum that is printed after a call: the sum of the checksums of
// all functions, by the interpreter.
func (t *tested) sum(end *interp.Result) (sum uint32) {
	for _, list := range t.state {
		var vars []*ir.Var
		for _, x := range list {
			vars = append(vars, x.v)
		}
		if vars != nil {
			sum += end.Sum(vars)
		}
	}
	return sum
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
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

// invokeFunction calls a function, whose arguments are on the stack, on its object if
// the methods have one.
func (m *module) invokeFunction(c *code, f *ir.Function) {
	o := opInvokestatic
	if m.styles[f].Instance {
		o = opInvokevirtual
	}
	c.invoke(o, className, methodName(f), signature(f))
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
