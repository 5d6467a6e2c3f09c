package golang

import (
	"slices"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A file is the contents of one file: units, and then the functions that they call and
// that are in no unit, as units that are not tested.
type file struct {
	units   []Unit
	named   []names
	index   map[*ir.Function]int
	calling bool // some functions call others
}

// tested reports whether the unit is called by main.
func tested(u Unit) bool { return len(u.Claim.Path) > 0 }

func newFile(units []Unit) *file {
	f := &file{units: slices.Clip(units), index: map[*ir.Function]int{}}
	for i, u := range units {
		if _, again := f.index[u.Claim.Func]; !again {
			f.index[u.Claim.Func] = i
		}
	}
	order := frame.OrderOf(units, func(s Style) Style { s.NoInline, s.Args = false, Literals; return s })
	for _, g := range order.Funcs {
		f.calling = f.calling || !g.IsLeaf()
		if _, ok := f.index[g]; ok {
			continue
		}
		style := order.Styles[g]
		style.Args = Literals
		f.index[g] = len(f.units)
		f.units = append(f.units, Unit{Claim: &ir.Claim{Func: g}, Style: style})
	}
	f.name()
	return f
}

// reach returns the indices of a function and of all that it calls, directly or not.
func (f *file) reach(i int) []int {
	list := []int{i}
	for _, g := range f.units[i].Claim.Func.Reached()[1:] {
		list = append(list, f.index[g])
	}
	return list
}

// lasts reports whether a function has variables with static lifetime.
func (f *file) lasts(i int) bool {
	return slices.ContainsFunc(f.units[i].Claim.Func.Vars, func(v *ir.Var) bool { return v.Kind.Lasts() })
}

// A value is a variable of the package that holds a function.
type value struct{ name, typ, fn string }

// values writes these variables. They get their values when the program starts: a
// function may use the variable that holds it.
func (w *writer) values() {
	if len(w.indirect) == 0 {
		return
	}
	w.str("\n")
	for _, v := range w.indirect {
		w.str("var " + v.name + " " + v.typ + "\n")
	}
	w.str("\nfunc init() {\n")
	for _, v := range w.indirect {
		w.str("\t" + v.name + " = " + v.fn + "\n")
	}
	w.str("}\n")
}

// begin prepares for a statement, or for another full expression. The interpreter has
// found that no operand depends on a call beside it, and that no operand that may trap
// is beside a call that may trap, too. Thus only the order of calls has to stay.
func (f *function) begin(n ir.Node) {
	f.calls = ir.Any(n, frame.IsCall)
	f.hoists = f.calls && f.unit.Style.Calls == Before && !f.evaded(n, false)
}

// evaded reports whether a part of n that may not be evaluated calls a function; with
// lazy, whether any part does.
func (f *function) evaded(n ir.Node, lazy bool) bool {
	switch n := n.(type) {
	case *ir.Call:
		if lazy {
			return true
		}
	case *ir.Binary:
		if n.Op.Logical() {
			return f.evaded(n.X, lazy) || f.evaded(n.Y, true)
		}
	case *ir.Select:
		lazy = lazy || f.unit.Style.Select != If || !ir.IsInt(n)
	}
	return !ir.Parts(n, func(part ir.Node) bool { return !f.evaded(part, lazy) })
}

// appendCall appends a call.
func (f *function) appendCall(text []byte, e *ir.Call) []byte {
	style := f.unit.Style.Calls
	if style == Before && f.hoists {
		call := string(f.appendPlainCall(nil, e, f.callee(e.Func)))
		name := f.temporary(ir.IntOf(e))
		f.before = append(f.before, name+" = "+call)
		return append(text, name...)
	}
	switch style {
	case Wrapped:
		f.lazy++
		text = append(append(append(text, "func() "...), intName(ir.IntOf(e))...), " { return "...)
		text = append(f.appendPlainCall(text, e, f.callee(e.Func)), " }()"...)
		f.lazy--
		return text
	case Indirect:
		return f.appendPlainCall(text, e, f.valueOf(e.Func))
	}
	return f.appendPlainCall(text, e, f.callee(e.Func))
}

func (f *function) appendPlainCall(text []byte, e *ir.Call, name string) []byte {
	text = append(append(text, name...), '(')
	for i, x := range e.Args {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = f.appendExpr(text, x, anyPrec)
	}
	return append(text, ')')
}

// callee returns the name of a function.
func (f *function) callee(g *ir.Function) string {
	if g == f.fn {
		return f.names.fn
	}
	return f.file.named[f.file.index[g]].fn
}

// valueOf returns a variable that holds a function.
func (f *function) valueOf(g *ir.Function) string {
	fn := f.callee(g)
	for _, v := range f.indirect {
		if v.fn == fn && !f.names.local[v.name] {
			return v.name
		}
	}
	typ := "func("
	for i, v := range g.Params() {
		if i > 0 {
			typ += ", "
		}
		typ += f.typeName(v.Type)
	}
	name := f.names.ofPackage(fn + "_value")
	f.indirect = append(f.indirect, value{name, typ + ") " + intName(g.Result), fn})
	return name
}
