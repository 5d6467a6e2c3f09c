package llvm

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A function is one while it is written.
type function struct {
	*module
	fn      *ir.Function
	style   Style
	name    string
	records map[*ir.Record]string
	vars    []string        // by ir.Var.Index: the address, or of what has none "%" and the name
	local   map[string]bool // names in the function, of values and labels
	labels  []string        // by ir.Block.Index

	eager  int // how many operands are being written that need not be evaluated
	lines  []string
	temps  int
	texts  map[string]string // of instructions, by their values, in the style of idioms
	label  string            // of the block of LLVM that is being written
	values []string          // by ir.Var.Index: the value of a variable without an address
	free   []bool            // by ir.Var.Index: it has no address
	live   [][]bool          // by ir.Block.Index and ir.Var.Index: its value may be read from there on
	edges  [][]edge          // by ir.Block.Index: those that lead there
	phis   []int             // by ir.Block.Index: the line before which its phis stand
	start  [][]string        // by ir.Block.Index and ir.Var.Index: the values there
}

// An edge leads from a block of LLVM, where the variables have some values.
type edge struct {
	from   string
	values []string
}

func newFunction(m *module, fn *ir.Function, style Style) *function {
	n := len(fn.Blocks)
	return &function{
		module: m, fn: fn, style: style, name: m.names[fn], records: map[*ir.Record]string{},
		texts: map[string]string{}, vars: make([]string, len(fn.Vars)), local: map[string]bool{}, labels: make([]string, n),
		values: make([]string, len(fn.Vars)), edges: make([][]edge, n), phis: make([]int, n), start: make([][]string, n),
	}
}

// own returns a name of the function, or, if it is taken, the name with a number.
func (f *function) own(base string) string {
	name := base
	for n := 2; f.local[name]; n++ {
		name = base + "." + strconv.Itoa(n)
	}
	f.local[name] = true
	return name
}

// line writes an instruction without a value.
func (f *function) line(format string, args ...any) {
	f.lines = append(f.lines, "  "+fmt.Sprintf(format, args...))
}

// def writes an instruction and returns its value.
func (f *function) def(format string, args ...any) string {
	v := "%" + strconv.Itoa(f.temps)
	f.temps++
	text := fmt.Sprintf(format, args...)
	f.lines = append(f.lines, "  "+v+" = "+text)
	if f.style.Idioms {
		f.texts[v] = text
	}
	return v
}

// begin begins a block of LLVM.
func (f *function) begin(label string) {
	f.label = label
	f.lines = append(f.lines, label+":")
}

// within returns a label of a block within the one that is being written.
func (f *function) within(what string) string { return f.own(f.label + "." + what) }

// changes reports whether a variable of the function that lasts has to get its initial
// value again.
func changes(f *ir.Function) bool {
	return slices.ContainsFunc(f.Vars, changing)
}

func changing(v *ir.Var) bool { return v.Kind.Lasts() && !v.Const }

// write writes the function.
func (f *function) write(claims []*ir.Claim) {
	f.declareRecords()
	for _, v := range f.fn.Vars {
		if v.Kind.Lasts() {
			f.vars[v.Index] = "@" + f.add(f.name+"."+v.Name)
		}
	}
	for _, v := range f.fn.Vars {
		if !v.Kind.Lasts() {
			continue
		}
		kind, initial := "global", "zeroinitializer"
		if v.Const {
			kind = "constant"
		}
		if v.Kind == ir.Static {
			kind = "internal " + kind
		}
		if !ir.HasUnion(v.Type) {
			at := 0
			initial = f.initial(v, v.Type, &at)
		} else if v.Const {
			kind = strings.Replace(kind, "constant", "global", 1)
		}
		f.linef("%s = %s %s %s", f.vars[v.Index], kind, f.mem(v.Type), initial)
	}
	f.reset()
	for _, c := range claims {
		f.linef("; %s by way of %s.", frame.Said(f.name, c), strings.Join(frame.Way(c.Path, names(f.fn)), " "))
	}
	f.body()
	linkage := "internal "
	if f.style.External {
		linkage = ""
	}
	var params []string
	for i, v := range f.fn.Params() {
		params = append(params, value(v.Type.(ir.Int))+f.parameter(f.fn, i)+" %"+v.Name)
	}
	attributes := ""
	if f.style.NoInline {
		attributes = " noinline"
	}
	if f.knows() { // all calls end
		attributes += " mustprogress nounwind willreturn"
	}
	f.linef("define %s%s%s @%s(%s)%s {", linkage, f.result(f.fn), value(f.fn.Result), f.name, strings.Join(params, ", "), attributes)
	for _, line := range f.lines {
		f.buf.WriteString(line)
		f.buf.WriteByte('\n')
	}
	f.linef("}\n")
}

func names(fn *ir.Function) (list []string) {
	for _, b := range fn.Blocks {
		list = append(list, b.Name)
	}
	return list
}

// reset writes the function that gives variables that last their initial values.
func (f *function) reset() {
	if !resets(f.fn, f.several) {
		return
	}
	r := newFunction(f.module, f.fn, f.style)
	r.records, r.vars, r.free = f.records, f.vars, make([]bool, len(f.fn.Vars))
	r.begin("entry")
	for _, v := range f.fn.Vars {
		switch {
		case v.Kind.Lasts() && ir.HasUnion(v.Type):
			r.initialise(v)
		case changing(v):
			at, name := 0, "@"+f.add(f.name+"."+v.Name+".init")
			f.linef("%s = private constant %s %s", name, f.mem(v.Type), f.initial(v, v.Type, &at))
			r.line("call void %s(ptr %s, ptr %s, i64 %s, i1 %t)", r.memmove(), f.vars[v.Index], name, r.size(v.Type), v.Volatile)
		}
	}
	f.linef("define internal void @%s.reset() {", f.name)
	for _, line := range r.lines {
		f.buf.WriteString(line)
		f.buf.WriteByte('\n')
	}
	f.linef("  ret void\n}\n")
}

// resets reports whether a function has variables that are to be set before a call.
func resets(fn *ir.Function, several bool) bool {
	return several && changes(fn) || slices.ContainsFunc(fn.Vars, func(v *ir.Var) bool { return v.Kind.Lasts() && v.Init != nil && ir.HasUnion(v.Type) })
}

// initialise writes the stores that give a variable its initial value.
func (f *function) initialise(v *ir.Var) {
	at := 0
	f.initialisePart(v, &ir.VarRef{Var: v}, v.Type, &at, false)
}

func (f *function) initialisePart(v *ir.Var, p ir.Place, t ir.Type, at *int, hidden bool) {
	switch t := t.(type) {
	case ir.Array:
		for i := range t.Len {
			f.initialisePart(v, &ir.Elem{Base: p, Index: &ir.Const{T: ir.I64, V: int64(i)}}, t.Elem, at, hidden)
		}
		return
	case *ir.Record:
		for i := range t.Fields {
			f.initialisePart(v, &ir.Member{Base: p, Field: i}, t.Member(i), at, hidden || t.Union && i > 0)
		}
		return
	case ir.Vector:
		list := v.Init
		if list == nil {
			list = make([]ir.Expr, *at+t.Lanes)
		}
		vec := "poison"
		for i := range t.Lanes {
			lane := "0"
			if e := list[*at+i]; e != nil {
				lane = f.expr(e)
			}
			vec = f.def("insertelement %s %s, %s %s, i32 %d", typ(t), vec, value(t.Elem), lane, i)
		}
		*at += t.Lanes
		if !hidden {
			f.store(p, vec)
		}
		return
	case ir.Wide:
		*at += t.Cells()
		if !hidden {
			f.store(p, "0")
		}
		return
	}
	i := *at
	*at++
	if hidden {
		return
	}
	switch t := t.(type) {
	case ir.Pointer:
		if v.Ptrs != nil && v.Ptrs[i] != nil {
			f.store(p, f.expr(v.Ptrs[i]))
		} else {
			f.store(p, "null")
		}
	case ir.Int:
		if v.Init == nil || v.Init[i] == nil {
			f.store(p, constant(t, 0))
		} else {
			f.store(p, f.expr(v.Init[i]))
		}
	case ir.Float:
		switch {
		case v.Init == nil || v.Init[i] == nil:
			f.store(p, floatConstant(0))
		default:
			if c, ok := v.Init[i].(*ir.Const); ok {
				f.store(p, floatConstant(float64(c.V)))
			} else {
				f.store(p, f.def("sitofp i32 %s to %s", f.expr(v.Init[i]), floatType(t)))
			}
		}
	}
}

// body writes the blocks.
func (f *function) body() {
	f.free = f.withoutAddress()
	f.live = f.liveness()
	f.nameBlocks()
	for _, v := range f.fn.Vars {
		if v.Kind.Lasts() {
			continue
		}
		name := v.Name
		if v.Kind != ir.Param {
			name = f.own(name)
		}
		f.vars[v.Index] = "%" + name
		if !f.free[v.Index] && v.Kind == ir.Param {
			f.vars[v.Index] = "%" + f.own(v.Name+".addr")
		}
	}
	order := frame.Blocks(len(f.fn.Blocks), f.style.Order, "LLVM block order")
	for i, b := range order {
		block := f.fn.Blocks[b]
		f.begin(f.labels[b])
		if i == 0 {
			f.locals()
		} else {
			f.phis[b] = len(f.lines)
			f.start[b] = make([]string, len(f.fn.Vars))
			for _, v := range f.fn.Vars {
				f.values[v.Index] = "poison"
				if f.live[b][v.Index] {
					f.start[b][v.Index] = "%" + f.own(v.Name+"."+f.labels[b])
					f.values[v.Index] = f.start[b][v.Index]
				}
			}
		}
		for _, s := range block.Stmts {
			f.stmt(s)
		}
		f.term(block)
	}
	for _, b := range slices.Backward(order[1:]) {
		var phis []string
		for _, v := range f.fn.Vars {
			if !f.live[b][v.Index] {
				continue
			}
			var from []string
			for _, e := range f.edges[b] {
				from = append(from, fmt.Sprintf("[ %s, %%%s ]", e.values[v.Index], e.from))
			}
			phi := fmt.Sprintf("  %s = phi %s %s", f.start[b][v.Index], typ(v.Type), strings.Join(from, ", "))
			if from == nil { // nothing leads here
				phi = fmt.Sprintf("  %s = freeze %s poison", f.start[b][v.Index], typ(v.Type))
			}
			phis = append(phis, phi)
		}
		f.lines = slices.Insert(f.lines, f.phis[b], phis...)
	}
}

// nameBlocks gives the blocks their labels.
func (f *function) nameBlocks() {
	for _, v := range f.fn.Params() {
		f.local[v.Name] = true
	}
	for i, b := range f.fn.Blocks {
		f.labels[i] = f.own(b.Name)
	}
}

// locals writes what the function begins with.
func (f *function) locals() {
	for _, v := range f.fn.Vars {
		if !v.Kind.Lasts() && !f.free[v.Index] {
			f.line("%s = alloca %s", f.vars[v.Index], f.mem(v.Type))
		}
	}
	for _, v := range f.fn.Vars {
		switch {
		case v.Kind == ir.Param && f.free[v.Index]:
			f.values[v.Index] = "%" + v.Name
		case v.Kind == ir.Param:
			f.store(&ir.VarRef{Var: v}, "%"+v.Name)
		case v.Kind == ir.Local:
			f.values[v.Index] = "poison"
			if _, wide := v.Type.(ir.Wide); wide || v.Init != nil {
				f.initialise(v)
			}
		}
	}
}

// withoutAddress returns the variables that are values, by index.
func (f *function) withoutAddress() []bool {
	free := make([]bool, len(f.fn.Vars))
	if !f.style.SSA {
		return free
	}
	for _, v := range f.fn.Vars {
		switch v.Type.(type) {
		case ir.Int, ir.Float, ir.Pointer, ir.Wide, ir.Vector:
			free[v.Index] = !v.Kind.Lasts() && !v.Volatile
		}
	}
	see := func(n ir.Node) bool {
		if a, ok := n.(*ir.AddrOf); ok {
			if v := ir.Root(a.Place); v != nil {
				free[v.Index] = false
			}
		}
		return false
	}
	for _, v := range f.fn.Vars {
		for _, list := range [][]ir.Expr{v.Init, v.Ptrs} {
			for _, e := range list {
				if e != nil {
					ir.Any(e, see)
				}
			}
		}
	}
	for _, n := range nodes(f.fn) {
		ir.Any(n, see)
	}
	return free
}

// nodes returns the statements, and the expressions of the ends of blocks.
func nodes(fn *ir.Function) (list []ir.Node) {
	for _, b := range fn.Blocks {
		for _, s := range b.Stmts {
			list = append(list, s)
		}
		if e := operand(b.Term); e != nil {
			list = append(list, e)
		}
	}
	return list
}

// operand returns what a block decides by or returns, or nil.
func operand(t ir.Term) ir.Expr {
	switch t := t.(type) {
	case *ir.If:
		return t.Cond
	case *ir.Switch:
		return t.X
	case *ir.Return:
		return t.Val
	}
	return nil
}

// liveness returns, by block and variable without an address, whether its value at the
// start of the block may be read later.
func (f *function) liveness() [][]bool {
	n := len(f.fn.Blocks)
	live, stored := make([][]bool, n), make([][]bool, n)
	for i, b := range f.fn.Blocks {
		live[i], stored[i] = make([]bool, len(f.fn.Vars)), make([]bool, len(f.fn.Vars))
		read := func(x ir.Node) {
			ir.Any(x, func(x ir.Node) bool {
				var of []*ir.Var
				switch x := x.(type) {
				case *ir.VarRef:
					of = []*ir.Var{x.Var}
				case *ir.Checksum:
					of = x.Of
				}
				for _, v := range of {
					live[i][v.Index] = live[i][v.Index] || f.free[v.Index] && !stored[i][v.Index]
				}
				return false
			})
		}
		for _, s := range b.Stmts {
			ir.Parts(s, func(part ir.Node) bool {
				if _, whole := part.(*ir.VarRef); !whole {
					read(part)
				}
				return true
			})
			for _, p := range ir.Stored(s) {
				if v, whole := p.(*ir.VarRef); whole {
					stored[i][v.Var.Index] = true
				}
			}
		}
		if e := operand(b.Term); e != nil {
			read(e)
		}
	}
	for changed := true; changed; {
		changed = false
		for i, b := range slices.Backward(f.fn.Blocks) {
			for _, to := range b.Succs() {
				for k, needed := range live[to.Index] {
					if needed && !live[i][k] && !stored[i][k] {
						live[i][k], changed = true, true
					}
				}
			}
		}
	}
	return live
}

// edge notes that the block of LLVM that is being written leads to a block.
func (f *function) edge(to *ir.Block) string {
	f.edges[to.Index] = append(f.edges[to.Index], edge{f.label, slices.Clone(f.values)})
	return "label %" + f.labels[to.Index]
}

// term writes the end of a block.
func (f *function) term(b *ir.Block) {
	loop := f.loop(b)
	switch t := b.Term.(type) {
	case *ir.Goto:
		f.line("br %s%s", f.edge(t.To), loop)
	case *ir.If:
		c := f.cond(t.Cond)
		if f.style.Indirect {
			to := f.def("select i1 %s, ptr blockaddress(@%s, %%%s), ptr blockaddress(@%s, %%%s)", c, f.name, f.labels[t.Then.Index], f.name, f.labels[t.Else.Index])
			f.line("indirectbr ptr %s, [%s, %s]%s", to, f.edge(t.Then), f.edge(t.Else), loop)
			return
		}
		f.line("br i1 %s, %s, %s%s", c, f.edge(t.Then), f.edge(t.Else), loop)
	case *ir.Switch:
		f.choice(t, loop)
	case *ir.Return:
		f.line("ret %s %s", value(f.fn.Result), f.expr(t.Val))
	default:
		panic(fmt.Sprintf("emit/llvm: unknown terminator %T", t))
	}
}

// mostListed is how many values of a label that is a range are listed.
const mostListed = 16

// choice writes a switch.
func (f *function) choice(t *ir.Switch, loop string) {
	x, of := f.expr(t.X), ir.IntOf(t.X)
	var listed []ir.SwitchCase
	for _, c := range t.Cases {
		lo, hi := frame.Limits(c)
		if !f.style.Chains && uint64(hi)-uint64(lo) < mostListed {
			listed = append(listed, c)
			continue
		}
		// x is in the range if it is not further above its start than the end is.
		above := f.def("sub %s %s, %s", value(of), x, constant(of, lo))
		in := f.def("icmp ule %s %s, %s", value(of), above, constant(of, hi-lo))
		next := f.within("else")
		f.line("br i1 %s, %s, label %%%s", in, f.edge(c.To), next)
		f.begin(next)
	}
	if listed == nil {
		f.line("br %s%s", f.edge(t.Default), loop)
		return
	}
	text := fmt.Sprintf("switch %s %s, %s [", value(of), x, f.edge(t.Default))
	for _, c := range listed {
		lo, hi := frame.Limits(c)
		for v := lo; ; v++ {
			text += fmt.Sprintf(" %s %s, %s", value(of), constant(of, v), f.edge(c.To))
			if v == hi {
				break
			}
		}
	}
	f.line("%s ]%s", text, loop)
}
