package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A writer collects the text of a file.
type writer struct {
	buf     []byte
	helpers map[string]bool // that the file needs
	file    *file

	indirect []value
}

// function returns unit i of the file, to be written.
func (w *writer) function(i int) *function {
	return newFunction(w, w.file.units[i], w.file.named[i])
}

func (w *writer) str(s string) { w.buf = append(w.buf, s...) }

// A constant is a variable that holds one.
type constant struct {
	ir.Const
	name string
}

type floatConstant struct{ typ, literal, name string }

// A function is one unit while it is written.
type function struct {
	*writer
	unit  Unit
	fn    *ir.Function
	names names

	lines       []string // of the body so far
	indent      string   // of lines, beyond that of the function's body
	before      []string // lines that the current statement needs before it
	lazy        int      // nesting of operands that may not be evaluated
	read        []bool   // by ir.Var.Index: the variable has other uses than stores to it
	constants   []constant
	floats      []floatConstant
	temporaries []string        // declarations of variables
	jumps       []bool          // by block: it is the target of a jump
	sums        bool            // it has a checksum
	loop        string          // variable of loops over elements, or ""
	calls       bool            // the current statement calls a function
	hoists      bool            // its calls come before it
	narrow      bool            // it stores what may be a lane of a vector
	declared    map[string]bool // in the short form: what lines declares, or nothing has to
}

func newFunction(w *writer, u Unit, n names) *function {
	fn := u.Claim.Func
	for _, c := range u.More {
		if c.Func != fn {
			panic(fmt.Sprintf("emit/golang: a case of %s in a unit of %s", c.Func.Name, fn.Name))
		}
	}
	return &function{writer: w, unit: u, fn: fn, names: n, read: make([]bool, len(fn.Vars)), jumps: make([]bool, len(fn.Blocks))}
}

// write writes the declarations of the function in the package, and the function.
func (f *function) write() {
	f.body()
	f.str("\n")
	for i, r := range f.fn.Types {
		f.str("type " + f.names.records[i] + " struct {\n")
		for k := range r.Fields {
			f.str("\t" + fieldName(r, k) + " " + f.typeName(r.Member(k)) + "\n")
		}
		f.str("}\n\n")
	}
	for _, v := range f.fn.Vars {
		if v.Kind.Lasts() {
			f.str("var " + f.declaration(v) + "\n")
		}
	}
	for i, name := range f.names.inputs {
		t := f.fn.Vars[i].Type.(ir.Int)
		f.str("var " + name + " " + intName(t) + " = " + t.Format(f.unit.Claim.Args[i]) + "\n")
	}
	if f.unit.Style.Consts == Hidden {
		for _, k := range f.constants {
			f.str("var " + k.name + " " + intName(k.T) + " = " + k.T.Format(k.V) + "\n")
		}
	}
	f.str("\n")
	f.comment()
	if f.unit.Style.NoInline {
		if tested(f.unit) && !f.unit.Style.Short {
			f.str("//\n")
		}
		f.str("//go:noinline\n")
	}
	f.str("func " + f.names.fn + "(")
	for i, v := range f.fn.Params() {
		if i > 0 {
			f.str(", ")
		}
		f.str(f.names.vars[i] + " " + f.typeName(v.Type))
	}
	f.str(") " + intName(f.fn.Result) + " {\n")
	f.locals()
	for _, line := range f.lines {
		f.str(line + "\n")
	}
	f.str("}\n")
}

// declaration returns a variable with its type and initial value.
func (f *function) declaration(v *ir.Var) string {
	return f.own(v) + " " + f.typeName(v.Type) + f.initial(v)
}

func (f *function) initial(v *ir.Var) string {
	if v.Init == nil || f.unit.Style.Short && v.Kind == ir.Local && zeros(v.Init) {
		return ""
	}
	return " = " + f.value(v)
}

// value returns the initial value of a variable, which has one or starts at zero.
func (f *function) value(v *ir.Var) string {
	if v.Init != nil {
		at := 0
		return string(f.literal(nil, v.Type, v.Init, &at))
	}
	switch v.Type.(type) {
	case ir.Int, ir.Float:
		return "0"
	case ir.Pointer:
		return "nil"
	}
	return f.typeName(v.Type) + "{}"
}

// locals writes the declarations at the start of the function.
func (f *function) locals() {
	var unused, pointers []string
	for _, v := range f.fn.Vars {
		if v.Kind == ir.Local && !f.declared[f.own(v)] {
			f.str("\tvar " + f.declaration(v) + "\n")
			pointers = append(pointers, f.pointers(v)...)
		}
		if array := f.names.arrays[v.Index]; array != "" {
			f.str("\tvar " + f.names.vars[v.Index] + " []" + f.typeName(v.Type.(ir.Array).Elem) + " = " + array + "[:]\n")
		}
		if !f.read[v.Index] && !f.declared[f.own(v)] && (v.Kind == ir.Local || f.names.arrays[v.Index] != "") {
			unused = append(unused, f.names.vars[v.Index])
		}
	}
	if f.unit.Style.Consts != Hidden {
		for _, k := range f.constants {
			f.str("\tvar " + k.name + " " + intName(k.T) + " = " + k.T.Format(k.V) + "\n")
		}
	}
	for _, k := range f.floats {
		f.str("\tvar " + k.name + " " + k.typ + " = " + k.literal + "\n")
	}
	for _, declaration := range f.temporaries {
		if name, _, _ := strings.Cut(declaration, " "); !f.declared[name] {
			f.str("\tvar " + declaration + "\n")
		}
	}
	if f.sums {
		f.str("\tvar crc uint32\n")
	}
	for _, name := range unused {
		f.str("\t_ = " + name + "\n")
	}
	for _, line := range pointers {
		f.str("\t" + line + "\n")
	}
}

// comment writes the claims about the function, a line for each case.
func (f *function) comment() {
	if !tested(f.unit) || f.unit.Style.Short {
		return
	}
	for _, c := range f.unit.Claims() {
		f.str("// " + frame.Said(f.names.fn, c) + " by way of " + strings.Join(frame.Way(c.Path, f.names.labels), " ") + ".\n")
	}
}

// temporary returns a new variable of the function.
func (f *function) temporary(t ir.Int) string {
	name := f.names.local.add("t" + strconv.Itoa(len(f.temporaries)+1))
	f.temporaries = append(f.temporaries, name+" "+intName(t))
	return name
}

// body makes the lines of the blocks, and before them those of initial values that are not
// constant.
func (f *function) body() {
	for _, v := range f.fn.Vars {
		for i, e := range v.Init {
			if e == nil || isConst(e) {
				continue
			}
			f.begin(e)
			value := f.expr(e)
			if t, ok := ir.Cell(v.Type, i).(ir.Float); ok {
				value = f.typeName(t) + "(" + value + ")"
			}
			f.flush()
			f.line(f.cell(f.own(v), v.Type, i) + " = " + value)
		}
	}
	if !f.unit.Style.Structured || !f.structured() {
		f.flat()
	}
	if f.unit.Style.Short {
		f.declare()
	}
}

// flat writes the blocks one after the other, joined by gotos.
func (f *function) flat() {
	blocks := f.fn.Blocks
	order := frame.Blocks(len(blocks), f.unit.Style.Order, "Go block order")
	starts := make([]int, len(order))
	for i, b := range order {
		starts[i] = len(f.lines)
		f.stmts(blocks[b])
		next := -1
		if f.unit.Style.Cond == FallThrough && i+1 < len(order) {
			next = order[i+1]
		}
		f.term(blocks[b].Term, next)
	}
	for i, b := range slices.Backward(order) {
		if f.jumps[b] {
			f.lines = slices.Insert(f.lines, starts[i], f.names.labels[b]+":")
		}
	}
}

// line adds a line.
func (f *function) line(text string) { f.lines = append(f.lines, "\t"+f.indent+text) }

// flush writes the lines that the current statement needs before it.
func (f *function) flush() {
	for _, line := range f.before {
		f.line(line)
	}
	f.before = f.before[:0]
}

// jump returns a jump to a block.
func (f *function) jump(to *ir.Block) string {
	f.jumps[to.Index] = true
	return "goto " + f.names.labels[to.Index]
}

// term writes the end of a block; next is the block that is written after it, if a
// jump to it may be left out.
func (f *function) term(t ir.Term, next int) {
	switch t := t.(type) {
	case *ir.Goto:
		if t.To.Index != next {
			f.line(f.jump(t.To))
		}
	case *ir.If:
		f.branch(t, next)
	case *ir.Switch:
		f.choice(t, func(to *ir.Block) { f.line("\t" + f.jump(to)) })
	case *ir.Return:
		f.result(t)
	default:
		panic(fmt.Sprintf("emit/golang: unknown terminator %T", t))
	}
}

func (f *function) branch(t *ir.If, next int) {
	f.begin(t.Cond)
	negate := f.unit.Style.Cond == Inverted || t.Then.Index == next
	then, other := t.Then, t.Else
	if negate {
		then, other = other, then
	}
	cond := string(f.appendCond(nil, t.Cond, anyPrec, negate))
	f.flush()
	f.line("if " + cond + " {")
	f.line("\t" + f.jump(then))
	switch {
	case f.unit.Style.Cond == IfElse:
		f.line("} else {")
		f.line("\t" + f.jump(other))
		f.line("}")
	case other.Index == next:
		f.line("}")
	default:
		f.line("}")
		f.line(f.jump(other))
	}
}

// mostListed is how many values of a label that is a range are listed.
const mostListed = 8

// listed tells whether a label is written as a list of values.
func listed(c ir.SwitchCase) bool {
	lo, hi := frame.Limits(c)
	return uint64(hi)-uint64(lo) < mostListed
}

// chained tells whether some labels of a switch are written as a chain of if.
func (f *function) chained(t *ir.Switch) bool {
	return f.unit.Style.Chains || slices.ContainsFunc(t.Cases, func(c ir.SwitchCase) bool { return !listed(c) })
}

// choice writes a switch; to writes the transfer of control to one of its targets, one
// step deeper.
func (f *function) choice(t *ir.Switch, to func(*ir.Block)) {
	f.begin(t.X)
	x := string(f.appendVariable(nil, t.X, anyPrec))
	f.flush()
	of := ir.IntOf(t.X)
	chains := f.unit.Style.Chains || !slices.ContainsFunc(t.Cases, listed)
	switch {
	case len(t.Cases) == 0: // it may trap all the same
		f.line("_ = " + x)
	case f.chained(t):
		name := f.temporary(of)
		f.line(name + " = " + x)
		x = name
	}
	type label struct {
		text string
		to   *ir.Block
	}
	var labels []label
	for _, c := range t.Cases {
		lo, hi := frame.Limits(c)
		if chains || !listed(c) {
			cond := x + " == " + of.Format(lo)
			if c.Hi != nil {
				cond = x + " >= " + of.Format(lo) + " && " + x + " <= " + of.Format(hi)
			}
			f.line("if " + cond + " {")
			to(c.To)
			f.line("}")
			continue
		}
		var values []string
		for v := lo; ; v++ {
			values = append(values, of.Format(v))
			if v == hi {
				break
			}
		}
		labels = append(labels, label{"case " + strings.Join(values, ", ") + ":", c.To})
	}
	if chains {
		f.line("{")
		to(t.Default)
		f.line("}")
		return
	}
	f.line("switch " + x + " {")
	for _, l := range labels {
		f.line(l.text)
		to(l.to)
	}
	f.line("default:")
	to(t.Default)
	f.line("}")
}
