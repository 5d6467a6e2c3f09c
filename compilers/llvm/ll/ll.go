// Package ll reads, executes and writes LLVM IR: functions on integers of any width,
// floating-point numbers, vectors, pointers and memory, as clang and emit/llvm print them. It
// runs no compiler.
//
//	m, err := ll.Parse(text)              // of clang -S -emit-llvm
//	r, err := m.Run(m.Func("f"), args)    // the meaning of a call: a value, lane by lane
//	text = m.String()
//
// Execution is strict, as poison is no value: what branches on it, divides by it or uses
// it as an address is an error, and so is a freeze of it. undef is taken for poison. So a
// lane of a result that is not poison is the answer that every compiler must give.
//
// Metadata and most attributes, which promise things of a program or say how it is to be
// optimised, are left out at reading. ParseStrict keeps promises: a run judges whether they
// hold. Atomic accesses, scalable vectors, exceptions, infinities and NaN are not known:
// functions with them have an error.
package ll

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A Kind is a kind of types.
type Kind int

// The kinds. A vector's, an array's Elem is that of its N elements.
const (
	Void Kind = iota
	Int
	Float
	Ptr
	Vector
	Array
	Struct
)

// A Type is a type of LLVM. Two are equal if they print alike.
type Type struct {
	Kind   Kind
	Bits   int // of an Int or a Float
	N      int
	Elem   *Type
	Fields []*Type
	Packed bool // a Struct without padding
}

// IntType returns the integers of so many bits.
func IntType(bits int) *Type { return &Type{Kind: Int, Bits: bits} }

var (
	voidType = &Type{Kind: Void}
	ptrType  = &Type{Kind: Ptr}
)

// String returns the type as LLVM writes it.
func (t *Type) String() string {
	switch t.Kind {
	case Int:
		return "i" + strconv.Itoa(t.Bits)
	case Float:
		if t.Bits == 32 {
			return "float"
		}
		return "double"
	case Ptr:
		return "ptr"
	case Vector:
		return fmt.Sprintf("<%d x %v>", t.N, t.Elem)
	case Array:
		return fmt.Sprintf("[%d x %v]", t.N, t.Elem)
	case Struct:
		var fields []string
		for _, f := range t.Fields {
			fields = append(fields, f.String())
		}
		text := "{ " + strings.Join(fields, ", ") + " }"
		if t.Packed {
			return "<" + text + ">"
		}
		return text
	}
	return "void"
}

// Lanes returns how many lanes values of a type have: an Int and a Ptr have one.
func (t *Type) Lanes() int {
	if t.Kind == Vector {
		return t.N
	}
	return 1
}

// Scalar returns the type of the lanes.
func (t *Type) Scalar() *Type {
	if t.Kind == Vector {
		return t.Elem
	}
	return t
}

// Integers tells whether values are integers or vectors of them.
func (t *Type) Integers() bool { return t.Scalar().Kind == Int }

func same(a, b *Type) bool { return a.String() == b.String() }

// size returns the bytes of a type in memory, and from one element of an array to the next.
func (t *Type) size() (store, stride int) {
	switch t.Kind {
	case Int, Float:
		store = (t.Bits + 7) / 8
	case Ptr:
		store = 8
	case Vector:
		store = (t.N*t.Elem.Scalar().bits() + 7) / 8
	case Array:
		_, stride := t.Elem.size()
		return t.N * stride, t.N * stride
	case Struct:
		at, align := 0, 1
		for _, f := range t.Fields {
			a := t.alignOf(f)
			align = max(align, a)
			_, stride := f.size()
			at = roundUp(at, a) + stride
		}
		at = roundUp(at, align)
		return at, at
	}
	return store, roundUp(store, t.align())
}

func (t *Type) bits() int {
	if t.Kind == Ptr {
		return 64
	}
	return t.Bits
}

// alignOf returns the alignment of a field of a Struct.
func (t *Type) alignOf(field *Type) int {
	if t.Packed {
		return 1
	}
	return field.align()
}

func (t *Type) align() int {
	switch t.Kind {
	case Array:
		return t.Elem.align()
	case Struct:
		most := 1
		for _, f := range t.Fields {
			most = max(most, t.alignOf(f))
		}
		return most
	}
	store := 8
	if t.Kind != Ptr {
		store = (t.Lanes()*t.Scalar().bits() + 7) / 8
	}
	align := 1
	for align < store && align < 64 && (t.Kind == Vector || align < 16) {
		align *= 2
	}
	return align
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// A Lane is an integer, from 0 to 2^bits-1, the bits of a floating-point number, or an
// address; or poison.
type Lane struct {
	Poison bool
	N      *big.Int // the integer, or the offset of an address
	object *object  // of an address; nil for null
}

// A Promise is said of an argument, of a result, or of what is loaded. The zero value
// promises nothing.
type Promise struct {
	NoUndef bool     // it is not poison: else the program is undefined
	Lo, Hi  *big.Int // it is in this range, without Hi, that may wrap: else it is poison
}

// A Value is the value of a type: lanes, or Elems for arrays and structs.
type Value struct {
	Type  *Type
	Lanes []Lane
	Elems []Value
}

// Poisoned tells whether a lane is poison.
func (v Value) Poisoned() bool {
	return slices.ContainsFunc(v.Lanes, func(l Lane) bool { return l.Poison }) || slices.ContainsFunc(v.Elems, Value.Poisoned)
}

// Defined tells whether a lane is not.
func (v Value) Defined() bool {
	return slices.ContainsFunc(v.Lanes, func(l Lane) bool { return !l.Poison })
}

// String returns the value as an operand without its type.
func (v Value) String() string {
	if v.Type.Kind == Vector {
		return Operand{Type: v.Type, Const: v.Lanes}.constant()
	}
	if len(v.Lanes) == 1 {
		return lane(v.Type, v.Lanes[0])
	}
	return fmt.Sprint(v.Elems)
}

// An Operand is a local value by its name, or a constant: lanes, a global's address with
// an offset, the address of a block, or elements.
type Operand struct {
	Type   *Type
	Local  string // without the %
	Const  []Lane
	Global string // without the @
	Block  string // of the function Global
	Offset int64
	Elems  []Operand // of an array or a struct
}

// Constant returns the operand that is a value of integers, or an address in a global
// variable. Its poison is zero. It returns false for other values.
func (v Value) Constant() (Operand, bool) {
	o := Operand{Type: v.Type}
	if v.Type.Kind == Ptr && !v.Lanes[0].Poison && v.Lanes[0].object != nil {
		o.Global, o.Offset = v.Lanes[0].object.name, v.Lanes[0].N.Int64()
		return o, v.Lanes[0].object.global
	}
	for _, l := range v.Lanes {
		if l.Poison {
			l = Lane{N: new(big.Int)}
		}
		o.Const = append(o.Const, l)
	}
	return o, v.Type.Integers()
}

// An Instr is an instruction.
type Instr struct {
	Name     string // of the result, without the %; "" if it has none
	Op       string // "add", "icmp", "call", ...
	Type     *Type  // of the result
	Flags    []string
	Args     []Operand
	Pred     string   // of icmp and fcmp
	Elem     *Type    // of alloca, getelementptr
	Labels   []string // of br, indirectbr and switch: to go to; of phi: that its Args come from
	Index    []int    // of extractvalue and insertvalue, the mask of shufflevector, -1 for poison
	Callee   string
	Attrs    []string  // a call's calling convention; zeroext and signext, of its result and of its Args
	Promises []Promise // of the result, and of a call's Args; nil if there are none
	Align    int       // of load, store and alloca, or 0
	Volatile bool
}

// A Block is a basic block, whose last instruction is its terminator.
type Block struct {
	Name   string
	Instrs []*Instr
}

// A Param is a parameter; Attr is zeroext, signext or nothing.
type Param struct {
	Type    *Type
	Name    string
	Attr    string
	Promise Promise
}

// A Func is a function with a body or, without blocks, a declaration.
type Func struct {
	Name     string
	Result   *Type
	Attr     string // zeroext or signext of the result
	Promise  Promise
	CC       string // calling convention, or nothing
	Internal bool
	Params   []Param
	VarArg   bool
	Attrs    []string // "minsize", `"target-cpu"="z13"`
	Blocks   []*Block
}

// A Global is a global variable.
type Global struct {
	Name     string
	Type     *Type
	Constant bool
	Internal bool
	Init     *Operand // nil if it is defined elsewhere
	Align    int
}

// A Module is what a file has.
type Module struct {
	Layout, Triple string
	Big            bool // the first byte of an integer is its highest, also if no layout says it
	Steps          int  // instructions that a run may execute; 0 is a million
	Globals        []*Global
	Funcs          []*Func
}

// Func returns the function of a name, or nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Main returns the function main and the arguments of a program that is given none, or nil if
// there is no main.
func (m *Module) Main() (main *Func, args []Operand) {
	if main = m.Func("main"); main != nil {
		for n, param := range main.Params {
			args = append(args, Number(param.Type, max(0, 1-int64(n))))
		}
	}
	return main, args
}

// BigEndian tells whether the first byte of an integer in memory is its highest.
func (m *Module) BigEndian() bool { return m.Big || strings.HasPrefix(m.Layout, "E") }

// Instrs returns the instructions in their order.
func (f *Func) Instrs() (list []*Instr) {
	for _, b := range f.Blocks {
		list = append(list, b.Instrs...)
	}
	return list
}

// Clone returns a copy that shares nothing with the function except constants.
func (f *Func) Clone() *Func {
	c := *f
	c.Params, c.Attrs = slices.Clone(f.Params), slices.Clone(f.Attrs)
	c.Blocks = nil
	for _, b := range f.Blocks {
		d := &Block{Name: b.Name}
		for _, i := range b.Instrs {
			j := *i
			j.Args, j.Labels, j.Flags, j.Index, j.Attrs, j.Promises = slices.Clone(i.Args), slices.Clone(i.Labels), slices.Clone(i.Flags), slices.Clone(i.Index), slices.Clone(i.Attrs), slices.Clone(i.Promises)
			d.Instrs = append(d.Instrs, &j)
		}
		c.Blocks = append(c.Blocks, d)
	}
	return &c
}

// Number returns the operand that is an integer, in each lane.
func Number(t *Type, n int64) Operand {
	o := Operand{Type: t}
	for range t.Lanes() {
		o.Const = append(o.Const, Lane{N: wrap(big.NewInt(n), t.Scalar().Bits)})
	}
	return o
}

// Bits returns the lane that is an integer of 128 bits.
func Bits(high, low uint64) Lane {
	n := new(big.Int).SetUint64(high)
	return Lane{N: n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(low))}
}
