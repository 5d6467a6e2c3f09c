package wasm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A section is one of a module.
type section struct {
	id   byte
	data []byte
}

// The sections of a module that are read or written here.
const (
	customID   = 0
	typeID     = 1
	importID   = 2
	functionID = 3
	globalID   = 6
	exportID   = 7
	codeID     = 10
)

// A binaryModule is a module that is rewritten for engines that make no calls with
// arguments.
type binaryModule struct {
	sections []section
	exports  map[string]int // functions by the names of their exports
	calls    []call
}

// A call is a line of the section with the calls.
type call struct {
	name, function string
	kind           string // of the result: "u32"
	args           []string
	want           string // that it is said to come to, if the module tells
}

var errModule = errors.New("the module is cut short")

// reader takes numbers and bytes off a text. It remembers that there were too few.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) u() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > uint64(len(r.rest))+1<<31 {
		r.rest, r.err = nil, errModule
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.rest, r.err = nil, errModule
		return nil
	}
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *reader) byte() byte {
	if text := r.bytes(1); text != nil {
		return text[0]
	}
	return 0
}

// parseModule reads what is needed of a module.
func parseModule(module []byte) (*binaryModule, error) {
	head := []byte("\x00asm\x01\x00\x00\x00")
	if !bytes.HasPrefix(module, head) {
		return nil, errors.New("no module of version 1")
	}
	m := &binaryModule{exports: map[string]int{}}
	r := reader{rest: module[len(head):]}
	for len(r.rest) > 0 {
		id := r.byte()
		m.sections = append(m.sections, section{id, r.bytes(r.u())})
	}
	if r.err != nil {
		return nil, r.err
	}
	exports := reader{rest: m.find(exportID)}
	for n := exports.u(); n > 0 && exports.err == nil; n-- {
		name := string(exports.bytes(exports.u()))
		kind, index := exports.byte(), exports.u()
		if kind == 0 {
			m.exports[name] = index
		}
	}
	if m.find(importID) != nil {
		return nil, errors.New("the module has imports")
	}
	want := strings.Split(string(m.custom(answersSection)), "\n")
	for line := range strings.Lines(string(m.custom(callsSection))) {
		if f := strings.Fields(line); len(f) >= 3 {
			c := call{name: f[0], function: f[1], kind: f[2], args: f[3:]}
			if len(m.calls) < len(want) {
				if text, ok := strings.CutPrefix(want[len(m.calls)], c.name+" "); ok {
					c.want = text
				}
			}
			if _, ok := m.exports[c.function]; !ok {
				return nil, fmt.Errorf("no export %q", c.function)
			}
			m.calls = append(m.calls, c)
		}
	}
	return m, nil
}

// find returns the content of a section, or nil.
func (m *binaryModule) find(id byte) []byte {
	for _, s := range m.sections {
		if s.id == id {
			return s.data
		}
	}
	return nil
}

// custom returns the content of a custom section.
func (m *binaryModule) custom(name string) []byte {
	for _, s := range m.sections {
		r := reader{rest: s.data}
		if s.id == customID && string(r.bytes(r.u())) == name {
			return r.rest
		}
	}
	return nil
}

// grown returns a vector, which begins with the number of its elements, with further
// ones. old is that number.
func grown(vector []byte, elements ...[]byte) (grown []byte, old int) {
	r := reader{rest: vector}
	if len(vector) > 0 {
		old = r.u()
	}
	grown = binary.AppendUvarint(nil, uint64(old+len(elements)))
	return append(append(grown, r.rest...), bytes.Join(elements, nil)...), old
}

// with returns a copy with the content of sections changed, or put in.
func (m *binaryModule) with(changed map[byte][]byte) []byte {
	// As the specification orders them; that of the number of segments comes before code.
	order := func(id byte) int {
		if id == 12 {
			return 2*codeID - 1
		}
		return 2 * int(id)
	}
	list := slices.DeleteFunc(slices.Clone(m.sections), func(s section) bool { return s.id == customID || changed[s.id] != nil })
	for id, data := range changed {
		list = append(list, section{id, data})
	}
	slices.SortFunc(list, func(a, b section) int { return order(a.id) - order(b.id) })
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range list {
		out = binary.AppendUvarint(append(out, s.id), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out
}

func exportEntry(name string, index int) []byte {
	out := append(binary.AppendUvarint(nil, uint64(len(name))), name...)
	return binary.AppendUvarint(append(out, 0), uint64(index))
}

func codeEntry(body []byte) []byte {
	body = append(append([]byte{0}, body...), 0x0b) // no locals; end
	return append(binary.AppendUvarint(nil, uint64(len(body))), body...)
}

// Value types and instructions.
const (
	typeI32, typeI64                                 = 0x7f, 0x7e
	opCall, opGlobalSet, opI32Const, opI64Const      = 0x10, 0x24, 0x41, 0x42
	opExtendS, opExtendU                        byte = 0xac, 0xad
)

// wide tells whether the result is an i64.
func (c call) wide() bool { return strings.HasSuffix(c.kind, "64") }

// appendCall appends what sets all that lasts and makes a call.
func (m *binaryModule) appendCall(body []byte, c call) []byte {
	if reset, ok := m.exports[c.function+".reset"]; ok {
		body = binary.AppendUvarint(append(body, opCall), uint64(reset))
	}
	for _, arg := range c.args {
		digits, wide := strings.CutSuffix(arg, "n")
		v, _ := strconv.ParseInt(digits, 10, 64) // our own text
		op := byte(opI32Const)
		if wide {
			op = opI64Const
		} else {
			v = int64(int32(v))
		}
		body = appendSigned(append(body, op), v)
	}
	return binary.AppendUvarint(append(body, opCall), uint64(m.exports[c.function]))
}

// appendSigned appends a number in LEB128.
func appendSigned(text []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(text, low)
		}
		text = append(text, low|0x80)
	}
}

// nullary returns the module with an export for each call, "c0" and so on, which takes no
// arguments, and behind it "s0", which is what lasts, if there is that. There are no other
// exports.
func (m *binaryModule) nullary() []byte {
	types, first := grown(m.find(typeID), []byte{0x60, 0, 1, typeI32}, []byte{0x60, 0, 1, typeI64})
	_, count := grown(m.find(functionID))
	var functions, codes, exports [][]byte
	for i, c := range m.calls {
		t := first
		if c.wide() {
			t++
		}
		exports = append(exports, exportEntry(fmt.Sprintf("c%d", i), count+len(functions)))
		functions = append(functions, binary.AppendUvarint(nil, uint64(t)))
		codes = append(codes, codeEntry(m.appendCall(nil, c)))
		if state, ok := m.exports[c.function+".state"]; ok {
			exports = append(exports, exportEntry(fmt.Sprintf("s%d", i), state))
		}
	}
	changed := map[byte][]byte{typeID: types}
	changed[functionID], _ = grown(m.find(functionID), functions...)
	changed[codeID], _ = grown(m.find(codeID), codes...)
	changed[exportID], _ = grown(nil, exports...)
	return m.with(changed)
}

// initialiser is the export that wizer calls.
const initialiser = "wizer-initialize"

// initialised returns the module with one export, which makes the calls that keep says
// and leaves in two new globals each, from first on, what they come to and what lasts.
func (m *binaryModule) initialised(keep func(call) bool) (module []byte, first int) {
	types, t := grown(m.find(typeID), []byte{0x60, 0, 0})
	_, count := grown(m.find(functionID))
	var globals [][]byte
	_, first = grown(m.find(globalID))
	var body []byte
	set := func() { body = binary.AppendUvarint(append(body, opGlobalSet), uint64(first+len(globals))) }
	next := func() { globals = append(globals, []byte{typeI64, 1, opI64Const, 0, 0x0b}) }
	for _, c := range m.calls {
		if !keep(c) {
			continue
		}
		body = m.appendCall(body, c)
		if !c.wide() {
			body = append(body, opExtendS)
		}
		set()
		next()
		if state, ok := m.exports[c.function+".state"]; ok {
			body = append(binary.AppendUvarint(append(body, opCall), uint64(state)), opExtendU)
			set()
		}
		next()
	}
	changed := map[byte][]byte{typeID: types}
	changed[functionID], _ = grown(m.find(functionID), binary.AppendUvarint(nil, uint64(t)))
	changed[codeID], _ = grown(m.find(codeID), codeEntry(body))
	changed[globalID], _ = grown(m.find(globalID), globals...)
	changed[exportID], _ = grown(nil, exportEntry(initialiser, count))
	return m.with(changed), first
}

// globals returns the initial values of the i64s among the globals of a module, from one
// on to the end, all of which are i64s.
func (m *binaryModule) globals(first int) (values []int64, err error) {
	r := reader{rest: m.find(globalID)}
	n := r.u()
	for i := range n {
		_, _ = r.byte(), r.byte() // type and mutability
		op := r.byte()
		var v int64
		switch op {
		case opI32Const, opI64Const:
			shift := 0
			for {
				b := r.byte()
				v |= int64(b&0x7f) << shift
				shift += 7
				if b&0x80 == 0 {
					if shift < 64 && b&0x40 != 0 {
						v |= -1 << shift
					}
					break
				}
			}
		case 0x43:
			r.bytes(4)
		case 0x44:
			r.bytes(8)
		case 0xfd:
			_, _ = r.u(), r.bytes(16) // v128.const
		default:
			return nil, fmt.Errorf("a global begins with the instruction %#x", op)
		}
		if r.byte() != 0x0b || r.err != nil {
			return nil, errModule
		}
		if i >= first {
			values = append(values, v)
		}
	}
	return values, nil
}
