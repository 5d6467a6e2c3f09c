package jvm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A decoded is a class that was read.
type decoded struct {
	major      int
	pool       []entry // the first is nothing
	flags      int
	this       string
	super      string
	interfaces []string
	fields     []member
	methods    []member
	text       string // of the last attribute, without its length
}

// An entry is a constant.
type entry struct {
	tag  byte
	text string
	bits uint64 // of a number; of others the indices that it refers to, 16 bits each, the first one highest
}

// A member is a field or a method.
type member struct {
	flags            int
	name, descriptor string
	code             []decodedInstr // nil for a field
	stack, locals    int
	handlers         []decodedHandler
}

type decodedInstr struct {
	op      opcode
	at      int   // its place
	a, b    int   // the operand; of a jump its target
	table   []int // of a switch the targets, the last one the default
	values  []int32
	ordered bool // values are those from values[0] on
}

type decodedHandler struct{ from, to, target, catch int }

// A reader reads big-endian numbers; err is set once it reads beyond the end.
type reader struct {
	data []byte
	at   int
	err  error
}

var errShort = errors.New("the class ends early")

func (r *reader) bytes(n int) []byte {
	if r.err == nil && (n < 0 || n > len(r.data)-r.at) {
		r.err = errShort
	}
	if r.err != nil {
		return nil
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *reader) u1() int {
	if b := r.bytes(1); b != nil {
		return int(b[0])
	}
	return 0
}

func (r *reader) u2() int {
	if b := r.bytes(2); b != nil {
		return int(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) s4() int {
	if b := r.bytes(4); b != nil {
		return int(int32(binary.BigEndian.Uint32(b)))
	}
	return 0
}

// read reads a class.
func read(class []byte) (*decoded, error) {
	r := &reader{data: class}
	d := &decoded{}
	if magic := r.s4(); uint32(magic) != 0xcafebabe {
		return nil, errors.New("jvm: this is no class")
	}
	r.u2()
	d.major = r.u2()
	n := r.u2()
	d.pool = make([]entry, 1, max(n, 1))
	for len(d.pool) < n && r.err == nil {
		e := entry{tag: byte(r.u1())}
		switch e.tag {
		case tagUtf8:
			e.text = string(r.bytes(r.u2()))
		case tagInteger, tagFloat:
			e.bits = uint64(uint32(r.s4()))
		case tagLong, tagDouble:
			e.bits = uint64(r.s4())<<32 | uint64(uint32(r.s4()))
		case tagClass, tagString:
			e.bits = uint64(r.u2())
		case tagField, tagMethod, tagNamed:
			e.bits = uint64(r.u2())<<16 | uint64(r.u2())
		default:
			return nil, fmt.Errorf("jvm: constant %d has the tag %d, which none of ours has", len(d.pool), e.tag)
		}
		d.pool = append(d.pool, e)
		if e.tag == tagLong || e.tag == tagDouble {
			d.pool = append(d.pool, entry{})
		}
	}
	d.flags, d.this, d.super = r.u2(), d.class(r.u2()), d.class(r.u2())
	for range r.u2() {
		d.interfaces = append(d.interfaces, d.class(r.u2()))
	}
	for k := range 2 {
		for range r.u2() {
			m := member{flags: r.u2(), name: d.utf8(r.u2()), descriptor: d.utf8(r.u2())}
			for range r.u2() {
				name, data := d.utf8(r.u2()), r.bytes(r.s4())
				if k == 1 && name == "Code" && r.err == nil {
					if err := m.read(data); err != nil {
						return nil, fmt.Errorf("jvm: %s: %w", m.name, err)
					}
				}
				if r.err != nil {
					return nil, fmt.Errorf("jvm: %w", r.err)
				}
			}
			if r.err != nil {
				return nil, fmt.Errorf("jvm: %w", r.err)
			}
			if k == 0 {
				d.fields = append(d.fields, m)
			} else {
				d.methods = append(d.methods, m)
			}
		}
	}
	for range r.u2() {
		name, data := d.utf8(r.u2()), r.bytes(r.s4())
		if r.err != nil {
			break
		}
		if name == CallsAttribute {
			d.text = string(data[:max(0, len(data)-4)])
		}
	}
	if r.err == nil && r.at != len(class) {
		r.err = errors.New("there is something behind the class")
	}
	if r.err != nil {
		return nil, fmt.Errorf("jvm: %w", r.err)
	}
	return d, nil
}

// read reads a Code attribute.
func (m *member) read(data []byte) error {
	r := &reader{data: data}
	m.stack, m.locals = r.u2(), r.u2()
	code := r.bytes(r.s4())
	for range r.u2() {
		m.handlers = append(m.handlers, decodedHandler{r.u2(), r.u2(), r.u2(), r.u2()})
		if r.err != nil {
			return r.err
		}
	}
	if r.err != nil {
		return r.err
	}
	c := &reader{data: code}
	m.code = []decodedInstr{}
	for c.at < len(code) && c.err == nil {
		i := decodedInstr{at: c.at}
		i.op = opcode(c.u1())
		kind := operations[i.op].operand
		if operations[i.op].name == "" {
			return fmt.Errorf("byte %d: %#x is no instruction of ours", i.at, byte(i.op))
		}
		wide := kind == wideOperand
		if wide {
			i.op = opcode(c.u1())
			if kind = operations[i.op].operand; kind != localOperand && kind != iincOperand {
				return fmt.Errorf("byte %d: wide %#x", i.at, byte(i.op))
			}
		}
		switch kind {
		case byteOperand:
			i.a = int(int8(c.u1()))
		case smallConstant, arrayOperand:
			i.a = c.u1()
		case shortOperand:
			i.a = int(int16(c.u2()))
		case constant:
			i.a = c.u2()
		case multiOperand:
			i.a, i.b = c.u2(), c.u1()
		case localOperand, iincOperand:
			if wide {
				i.a = c.u2()
			} else {
				i.a = c.u1()
			}
			switch {
			case kind == iincOperand && wide:
				i.b = int(int16(c.u2()))
			case kind == iincOperand:
				i.b = int(int8(c.u1()))
			}
		case jumpOperand:
			i.a = i.at + int(int16(c.u2()))
		case farJump:
			i.a = i.at + c.s4()
		case tableOperand, lookupOperand:
			c.bytes(padding(i.at))
			fallout := i.at + c.s4()
			n := 0
			if i.ordered = kind == tableOperand; i.ordered {
				lo, hi := c.s4(), c.s4()
				if n = hi - lo + 1; n < 0 || n > len(code) {
					return fmt.Errorf("byte %d: a table from %d to %d", i.at, lo, hi)
				}
				for v := range n {
					i.values, i.table = append(i.values, int32(lo+v)), append(i.table, i.at+c.s4())
				}
			} else {
				if n = c.s4(); n < 0 || n > len(code) {
					return fmt.Errorf("byte %d: %d labels", i.at, n)
				}
				for range n {
					i.values, i.table = append(i.values, int32(c.s4())), append(i.table, i.at+c.s4())
				}
			}
			i.table = append(i.table, fallout)
		}
		m.code = append(m.code, i)
	}
	return c.err
}

func (d *decoded) utf8(at int) string {
	if at < len(d.pool) && d.pool[at].tag == tagUtf8 {
		return d.pool[at].text
	}
	return "?"
}

func (d *decoded) class(at int) string {
	if at < len(d.pool) && d.pool[at].tag == tagClass {
		return d.utf8(int(d.pool[at].bits))
	}
	return "?"
}

// constant returns a constant as jasm has it.
func (d *decoded) constant(at int) string {
	if at >= len(d.pool) {
		return "?"
	}
	switch e := d.pool[at]; e.tag {
	case tagInteger:
		return "int " + strconv.Itoa(int(int32(e.bits)))
	case tagLong:
		return "long " + strconv.FormatInt(int64(e.bits), 10) + "l"
	case tagFloat:
		return "float " + strconv.FormatFloat(float64(math.Float32frombits(uint32(e.bits))), 'g', -1, 32) + "f"
	case tagDouble:
		return "double " + strconv.FormatFloat(math.Float64frombits(e.bits), 'g', -1, 64)
	case tagClass:
		return "class " + quotedClass(d.class(at))
	case tagField, tagMethod:
		named := entry{}
		if k := int(e.bits & 0xffff); k < len(d.pool) {
			named = d.pool[k]
		}
		kind := "Method"
		if e.tag == tagField {
			kind = "Field"
		}
		name := d.utf8(int(named.bits >> 16))
		if strings.HasPrefix(name, "<") {
			name = strconv.Quote(name)
		}
		return fmt.Sprintf("%s %s.%s:%q", kind, quotedClass(d.class(int(e.bits>>16))), name, d.utf8(int(named.bits&0xffff)))
	}
	return "?"
}

// quotedClass returns a class as jasm has it: the descriptor of an array in quotation marks.
func quotedClass(name string) string {
	if strings.HasPrefix(name, "[") {
		return strconv.Quote(name)
	}
	return name
}

// Instructions returns how many instructions the functions of a class have, or 0 if it
// is malformed.
func Instructions(class []byte) int {
	d, err := read(class)
	if err != nil {
		return 0
	}
	n := 0
	for _, m := range d.methods {
		if ofFunction(m.name) {
			n += len(m.code)
		}
	}
	return n
}
