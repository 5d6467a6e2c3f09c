package jvm

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/answers"
	"goreify/reify/emit/frame"
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

// A Unit is a function that Supports accepts, with its claims.
type Unit = frame.Unit[Style]

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
// alone, and are concrete and supported. Equal arguments give equal bytes. A method that
// would be too long for a class is written in the plainest style.
func Emit(units []Unit) *Class {
	m := newModule(units[0].Style.Frames)
	order := frame.ByUnit(units)
	// An array that may have to throw is an array of arrays.
	order.Without(units, ir.OutOfBounds, func(s *Style) { s.Flat = false })
	m.styles = order.Styles
	out := &Class{}
	written := map[*ir.Function]*function{}
	var list []*function
	for _, f := range order.Funcs {
		fields, n := m.fields, m.numFields
		w := newFunction(m, f, m.styles[f])
		method, locations := w.write()
		if method.length() > math.MaxUint16 {
			m.fields, m.numFields = fields, n
			m.styles[f] = Style{Throw: w.style.Throw, Instance: w.style.Instance}
			w = newFunction(m, f, m.styles[f])
			method, locations = w.write()
		}
		written[f] = w
		list = append(list, w)
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
		for k, c := range u.Claims() {
			text = append(text, fmt.Sprintf("%s %d %s %d", answers.Name(c.Func.Name, k), i, c.Func.Result, btoi(t.lasts()))...)
			for _, a := range c.Args {
				text = strconv.AppendInt(append(text, ' '), a, 10)
			}
			text = append(text, '\n')
		}
		out.Answers = append(out.Answers, frame.Lines(u.Claim.Func.Name, t.answers(u)))
	}
	m.lifecycle(list, all)
	text = append(text, '\n')
	for _, answer := range out.Answers {
		text = append(text, answer...)
	}
	out.Binary = m.assemble(text)
	return out
}

// A tested is a unit as its class has it.
type tested struct {
	w       *function
	reached []*function   // the functions that its calls reach, itself first
	state   [][]*variable // variables of the checksums after each call, for each function that is reached
}

// test returns a unit as its class has it.
func (m *module) test(u Unit, written map[*ir.Function]*function) *tested {
	t := &tested{w: written[u.Claim.Func]}
	for _, g := range u.Claim.Func.Reached() {
		t.reached = append(t.reached, written[g])
	}
	state := u.Lasting()
	for _, w := range t.reached {
		var list []*variable
		for _, x := range w.lasting() {
			if slices.Contains(state, x.v) {
				list = append(list, x)
			}
		}
		t.state = append(t.state, list)
	}
	return t
}

// answers returns the outcomes of the calls.
func (t *tested) answers(u Unit) []string {
	sum := t.sum
	if !t.lasts() {
		sum = nil
	}
	return u.Answers(func(c *ir.Claim) string {
		if c.Trap != ir.Unreached {
			return c.Answer()
		}
		i := slices.IndexFunc(t.reached, func(w *function) bool { return w.f == c.End.Trapped })
		return answers.Trap(thrown[t.reached[i].style.Throw])
	}, sum)
}

// lasts tells whether there is anything to sum up after a call.
func (t *tested) lasts() bool {
	return slices.ContainsFunc(t.state, func(list []*variable) bool { return list != nil })
}

// sum returns the checksum that is printed after a call: the sum of the checksums of
// all functions.
func (t *tested) sum(end *ir.End) (sum uint32) {
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
