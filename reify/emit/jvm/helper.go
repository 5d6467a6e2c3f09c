package jvm

import (
	"fmt"
	"slices"
	"strings"

	"goreify/reify/ir"
)

// The methods that belong to no function. The virtual machine compiles those that begin
// with an f.
const (
	indexHelper = "fi$"       // (J)I: an index, or -1 if an int does not hold it
	boundHelper = "fb$"       // (II)I: an index, if it is below a length
	crcHelper   = "crc$"      // (IJI)I: adds the low bytes of a number to a checksum
	tableField  = "crc$table" // [I
	sumHelper   = "sum$"      // (I[xI)I: adds the elements of an array
	objectField = "self$"     // the object, for static methods
	objectType  = "Ljava/lang/Object;"
	thisType    = "L" + className + ";"
	arrayOfLong = "[J"
)

// ofFunction reports whether a method is that of a function.
func ofFunction(method string) bool {
	return strings.HasPrefix(method, "f") && method != indexHelper && method != boundHelper
}

// checksum pushes the checksum of variables, as ir.Checksum says.
func (w *function) checksum(list []*variable) {
	c := w.c
	c.int(-1)
	for _, x := range list {
		if x.boxed {
			w.checksumObject(x)
			continue
		}
		if x.shape == nil {
			continue
		}
		if x.shape.leaf() != nil && len(x.shape.leaf().dims) > 0 {
			w.sumArray(x.shape.leaf())
			continue
		}
		x.shape.cells(nil, func(col *column, indices []int) {
			if !col.hidden {
				w.get(col)
				if len(indices) > 0 {
					w.reachConstant(col, indices)
					c.element()
				}
				w.sumScalar(col.t)
			}
		})
	}
	c.int(-1, opIxor)
}

// leaf returns the column of a scalar, or of an array of scalars, else nil.
func (s *shape) leaf() *column {
	for s.elem != nil {
		s = s.elem
	}
	return s.col
}

// sumArray adds the elements of a column to the checksum on the stack.
func (w *function) sumArray(col *column) {
	c := w.c
	array := "[" + stored(col.t)
	outer := []int(nil)
	if len(col.descriptor) > len(array) {
		outer = col.dims[:len(col.dims)-1]
	}
	each(outer, nil, func(indices []int) {
		w.get(col)
		for _, i := range indices {
			c.int(int32(i))
			c.element()
		}
		c.int(int32(bytes(col.t)))
		c.invoke(opInvokestatic, className, w.m.helper(sumHelper+stored(col.t)), "(I"+array+"I)I")
	})
}

// sumScalar adds the scalar on the stack to the checksum below it.
func (w *function) sumScalar(t ir.Type) {
	w.m.toLong(w.c, kind(t))
	w.c.int(int32(bytes(t)))
	w.c.invoke(opInvokestatic, className, w.m.helper(crcHelper), "(IJI)I")
}

// toLong turns what is on the stack into a long with the same bits.
func (m *module) toLong(c *code, k string) {
	switch k {
	case "I":
		c.op(opI2l)
	case "F":
		m.invokeStatic(c, "java/lang/Float", "floatToRawIntBits", "(F)I")
		c.op(opI2l)
	case "D":
		m.invokeStatic(c, "java/lang/Double", "doubleToRawLongBits", "(D)J")
	}
}

// helper returns the name of a method that belongs to no function, and adds it unless
// the class has it.
func (m *module) helper(name string) string {
	if m.helpers[name] {
		return name
	}
	m.helpers[name] = true
	c := newCode(m.pool)
	head := newCode(m.pool)
	switch {
	case name == indexHelper:
		yes := c.label()
		c.load(0, "J")
		c.dup()
		c.op(opL2i, opI2l, opLcmp)
		c.jump(opIfeq, yes)
		c.int(-1, opIreturn)
		c.place(yes)
		c.load(0, "J", opL2i, opIreturn)
		m.method(accPrivate|accStatic, name, "(J)I", c.write(head, []string{"J", ""}, m.frames))
	case name == boundHelper:
		const exception = "java/lang/ArrayIndexOutOfBoundsException"
		wrong := c.label()
		c.load(0, "I")
		c.jump(opIfeq+conditions[ir.Lt], wrong)
		c.load(0, "I")
		c.load(1, "I")
		c.jump(opIfIcmpeq+conditions[ir.Ge], wrong)
		c.load(0, "I", opIreturn)
		c.place(wrong)
		c.create(exception)
		m.uses(exception)
		c.op(opAthrow)
		m.method(accPrivate|accStatic, name, "(II)I", c.write(head, []string{"I", "I"}, m.frames))
	case name == crcHelper:
		m.declare(accPrivate|accStatic, tableField, "[I")
		m.crc(c)
		m.method(accPrivate|accStatic, name, "(IJI)I", c.write(head, []string{"I", "J", "", "I"}, m.frames))
	default:
		array := "[" + name[len(sumHelper):]
		head.int(0)
		head.store(3, "I")
		loop, done := c.label(), c.label()
		c.place(loop)
		c.load(3, "I")
		c.load(1, array, opArraylength)
		c.jump(opIfIcmpeq+conditions[ir.Ge], done)
		c.load(0, "I")
		c.load(1, array)
		c.load(3, "I")
		c.element()
		m.toLong(c, c.stack[len(c.stack)-1])
		c.load(2, "I")
		c.invoke(opInvokestatic, className, m.helper(crcHelper), "(IJI)I")
		c.store(0, "I")
		c.add(instr{op: opIinc, a: 3, b: 1})
		c.jump(opGoto, loop)
		c.place(done)
		c.load(0, "I", opIreturn)
		m.method(accPrivate|accStatic, name, "(I"+array+"I)I", c.write(head, []string{"I", array, "I", "I"}, m.frames))
	}
	return name
}

// crc writes the loop over the low bytes of a number.
func (m *module) crc(c *code) {
	const sum, v, n = 0, 1, 3
	loop := c.label()
	c.place(loop)
	c.field(opGetstatic, className, tableField, "[I")
	c.load(sum, "I")
	c.load(v, "J", opL2i, opIxor)
	c.int(255, opIand)
	c.element()
	c.load(sum, "I")
	c.int(8, opIushr, opIxor)
	c.store(sum, "I")
	c.load(v, "J")
	c.int(8, opLushr)
	c.store(v, "J")
	c.add(instr{op: opIinc, a: n, b: -1})
	c.load(n, "I")
	c.jump(opIfeq+conditions[ir.Gt], loop)
	c.load(sum, "I", opIreturn)
}

// lifecycle writes the methods that serve requests: resolve, reset, call and state, and
// one that chooses among them.
func (m *module) lifecycle(list []*function, units []*tested) {
	reset := map[*function]string{} // the method that gives variables their initial values
	for i, w := range list {
		if len(w.lasting()) > 0 {
			reset[w] = fmt.Sprintf("reset$%d", i)
			m.own(w, reset[w], "()V", w.reset(w.lasting()))
		}
	}
	m.dispatch("reset", units, func(t *tested, _ int, c *code) {
		for _, w := range t.reached {
			if reset[w] != "" {
				m.invokeOwn(c, w, reset[w], "()V")
			}
		}
		c.long(0)
	})
	m.dispatch("call", units, func(t *tested, _ int, c *code) {
		w := t.w
		if w.style.Instance {
			c.load(0, thisType)
		}
		for k, v := range w.f.Params() {
			c.load(1, arrayOfLong)
			c.int(int32(k + 2))
			c.element()
			if kind(v.Type) == "I" {
				c.op(opL2i)
			}
		}
		m.invokeFunction(c, w.f)
		if kind(w.f.Result) == "I" {
			c.op(opI2l)
		}
	})
	state := map[string]string{} // the methods that sum variables up
	m.dispatch("state", units, func(t *tested, _ int, c *code) {
		if !t.lasts() {
			c.long(0)
			return
		}
		c.int(0)
		for k, w := range t.reached {
			if t.state[k] == nil {
				continue
			}
			key := fmt.Sprint(slices.Index(list, w))
			for _, x := range t.state[k] {
				key += fmt.Sprint(" ", x.v.Index)
			}
			if state[key] == "" {
				state[key] = fmt.Sprintf("state$%d", len(state))
				m.own(w, state[key], "()I", w.sum(t.state[k]))
			}
			m.invokeOwn(c, w, state[key], "()I")
			c.op(opIadd)
		}
		c.op(opI2l)
	})
	m.resolve()
	m.serve()
	c := newCode(m.pool)
	c.load(0, thisType)
	c.invoke(opInvokespecial, "java/lang/Object", "<init>", "()V")
	if m.object {
		m.declare(accPrivate|accStatic, objectField, thisType)
		c.load(0, thisType)
		c.field(opPutstatic, className, objectField, thisType)
	}
	c.op(opReturn)
	m.method(accPublic, "<init>", "()V", c.write(newCode(m.pool), []string{thisType}, false))
}

// beside returns a method of a function beside the function's.
func (w *function) beside(end opcode, write func(r *function)) *method {
	r := &function{
		m: w.m, f: w.f, c: newCode(w.m.pool), style: Style{Instance: w.style.Instance}, free: map[string][]int{},
		vars: w.vars, untyped: w.untyped,
	}
	if w.style.Instance {
		r.locals = []string{thisType}
	}
	return r.body(func() {
		write(r)
		r.c.op(end)
	})
}

// body returns a method of which the parameters are the local variables there are.
func (w *function) body(write func()) *method {
	w.shared, w.top = len(w.locals), len(w.locals)
	write()
	body := w.c
	w.c = newCode(w.m.pool)
	w.clear()
	return body.write(w.c, w.locals, w.m.frames)
}

// reset returns a method that gives variables their initial values.
func (w *function) reset(list []*variable) *method {
	return w.beside(opReturn, func(r *function) {
		for _, x := range list {
			r.initialise(x)
		}
		for _, x := range list {
			r.addresses(x)
		}
	})
}

// sum returns a method that returns the checksum of variables.
func (w *function) sum(list []*variable) *method {
	return w.beside(opIreturn, func(r *function) { r.checksum(list) })
}

// own adds a method of a function beside the function's.
func (m *module) own(w *function, name, descriptor string, code *method) {
	flags := accPrivate | accStatic
	if w.style.Instance {
		flags = accFinal
	}
	m.method(flags, name, descriptor, code)
}

// invokeOwn calls it.
func (m *module) invokeOwn(c *code, w *function, name, descriptor string) {
	if w.style.Instance {
		c.load(0, thisType)
		c.invoke(opInvokevirtual, className, name, descriptor)
		return
	}
	c.invoke(opInvokestatic, className, name, descriptor)
}

// dispatch writes a method that does an action for the unit whose index the second
// element of an array is.
func (m *module) dispatch(name string, list []*tested, do func(t *tested, i int, c *code)) {
	c := newCode(m.pool)
	s := &choices{fallout: c.label()}
	for range list {
		s.labels = append(s.labels, c.label())
	}
	c.load(1, arrayOfLong)
	c.int(1)
	c.element()
	c.op(opL2i)
	c.choose(opTableswitch, s)
	for i, t := range list {
		c.place(s.labels[i])
		do(t, i, c)
		c.op(opLreturn)
	}
	c.place(s.fallout)
	c.long(0, opLreturn)
	m.method(accFinal, name, "([J)J", c.write(newCode(m.pool), []string{thisType, arrayOfLong}, m.frames))
}

// resolve writes a method that calls the callees of the others, so that they are loaded
// when the others are compiled, and makes the table for checksums.
func (m *module) resolve() {
	c, head := newCode(m.pool), newCode(m.pool)
	for _, u := range m.used {
		if u.name == "" {
			c.raw(instr{op: opNew, a: int32(m.pool.class(u.class))})
			c.push("L" + u.class + ";")
			c.drop()
			continue
		}
		params, result := splitDescriptor(u.descriptor)
		for _, p := range params {
			switch p[0] {
			case 'F', 'D':
				c.float(p, 1)
			case '[', 'L': // an array, whose elements from 1 on are used
				if p == objectType {
					p = "[I"
				}
				c.int(2)
				c.newArray(p, 1)
			default:
				c.number(p, 1)
			}
		}
		c.invoke(opInvokestatic, u.class, u.name, u.descriptor)
		if result != "V" {
			c.drop()
		}
	}
	locals := []string{thisType}
	if m.helpers[crcHelper] {
		const array, i, k, v = 1, 2, 3, 4
		locals = append(locals, "[I", "I", "I", "I")
		head.int(256)
		head.newArray("[I", 1)
		head.store(array, "[I")
		for _, at := range []int{i, k, v} {
			head.int(0)
			head.store(at, "I")
		}
		outer, inner := c.label(), c.label()
		c.place(outer)
		c.load(i, "I")
		c.store(v, "I")
		c.int(8)
		c.store(k, "I")
		c.place(inner)
		c.load(v, "I")
		c.int(1, opIushr)
		c.load(v, "I")
		c.int(1, opIand, opIneg)
		polynomial := uint32(0xedb88320)
		c.int(int32(polynomial), opIand, opIxor)
		c.store(v, "I")
		c.add(instr{op: opIinc, a: k, b: -1})
		c.load(k, "I")
		c.jump(opIfne, inner)
		c.load(array, "[I")
		c.load(i, "I")
		c.load(v, "I")
		c.setElement()
		c.add(instr{op: opIinc, a: i, b: 1})
		c.load(i, "I")
		c.int(256)
		c.jump(opIfIcmpeq+conditions[ir.Lt], outer)
		c.load(array, "[I")
		c.field(opPutstatic, className, tableField, "[I")
	}
	c.op(opReturn)
	m.method(accFinal, "resolve", "()V", c.write(head, locals, m.frames))
}

// serve writes applyAsLong.
func (m *module) serve() {
	c, head := newCode(m.pool), newCode(m.pool)
	head.load(1, objectType)
	head.pop()
	head.raw(instr{op: opCheckcast, a: int32(m.pool.class(arrayOfLong))})
	head.push(arrayOfLong)
	head.store(2, arrayOfLong)
	s := &choices{fallout: c.label()}
	names := []string{"reset", "call", "state"}
	s.lo = 1
	for range names {
		s.labels = append(s.labels, c.label())
	}
	c.load(2, arrayOfLong)
	c.int(0)
	c.element()
	c.op(opL2i)
	c.choose(opTableswitch, s)
	for i, name := range names {
		c.place(s.labels[i])
		c.load(0, thisType)
		c.load(2, arrayOfLong)
		c.invoke(opInvokevirtual, className, name, "([J)J")
		c.op(opLreturn)
	}
	c.place(s.fallout)
	c.load(0, thisType)
	c.invoke(opInvokevirtual, className, "resolve", "()V")
	c.long(0, opLreturn)
	m.method(accPublic, "applyAsLong", "(Ljava/lang/Object;)J", c.write(head, []string{thisType, objectType, arrayOfLong}, m.frames))
}
