package c

import (
	"slices"
	"strings"

	"goreify/reify/ir"
)

// declarations are those of one scope in the short form: variables of one type share a
// declaration, as in "int a = 0, b = 1;".
type declarations struct{ list []declaration }

type declaration struct {
	specifiers string // with the space after them
	text       string // the declarators, with commas
	alone      bool   // it must not be extended
}

// add adds v, a variable of f, which is declared at depth.
func (d *declarations) add(f *function, v *ir.Var, depth int) {
	if f.isStored(v) {
		start := len(f.buf)
		f.makeStored(v, depth)
		d.put(declaration{text: string(f.buf[start:]), alone: true}, true)
		f.buf = f.buf[:start]
		return
	}
	d.addNamed(f, v, f.names.vars[v.Index], depth)
}

func (d *declarations) addNamed(f *function, v *ir.Var, name string, depth int) {
	start := len(f.buf)
	f.begin(depth)
	if v.Kind == ir.Static {
		f.str("static ")
	}
	f.variable(v, name)
	declarator := len(f.buf)
	if isWide(v.Type) || v.Init != nil && (v.Kind == ir.Local || v.Const || !zeros(v.Init, v.Ptrs)) {
		f.initial(v, depth)
	}
	text := string(f.buf[start+depth*indentWidth:])
	head := string(f.buf[start+depth*indentWidth : declarator])
	f.buf = f.buf[:start]

	// The declarator of a pointer has a part before the name.
	at := strings.LastIndex(head, " "+name) + 1
	_, pointer := ir.Innermost(v.Type).(ir.Pointer)
	alone := f.short == nil || pointer || at == 0
	d.put(declaration{specifiers: text[:at], text: text[at:], alone: alone}, ordered(v))
}

// put adds one declaration, or makes it a part of an earlier one; if its place
// matters, of the last one alone.
func (d *declarations) put(new declaration, ordered bool) {
	const width = 80
	for i := len(d.list) - 1; i >= 0 && !new.alone; i-- {
		old := &d.list[i]
		if !old.alone && old.specifiers == new.specifiers && !strings.Contains(new.text, "\n") &&
			len(old.specifiers)+len(old.text)+len(new.text) < width {
			old.text += ", " + new.text
			return
		}
		if ordered {
			break
		}
	}
	d.list = append(d.list, new)
}

// ordered reports whether the initial value of v may depend on earlier declarations.
func ordered(v *ir.Var) bool {
	return v.Ptrs != nil || slices.ContainsFunc(v.Init, func(e ir.Expr) bool {
		_, isConst := e.(*ir.Const)
		return e != nil && !isConst
	})
}

// write writes all declarations, each on a line of its own.
func (d *declarations) write(p *printer, depth int) {
	for _, one := range d.list {
		p.begin(depth)
		p.str(one.specifiers + one.text + ";\n")
	}
}

// zeros reports whether all of some scalars' initial values are zero or null.
func zeros(init []ir.Expr, ptrs []ir.Expr) bool {
	for _, e := range init {
		if e == nil {
			continue
		}
		if c, ok := e.(*ir.Const); !ok || c.V != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(ptrs, func(p ir.Expr) bool { return p != nil })
}

// shown returns how many elements are written of an array of type t, which begins at
// the current scalar. The short form leaves out zeros at the end.
func (i *initialiser) shown(t ir.Array) int {
	if i.short == nil {
		return t.Len
	}
	size := ir.Count(t.Elem)
	for n := t.Len; n > 1; n-- {
		from, to := i.cell+(n-1)*size, i.cell+n*size
		var ptrs []ir.Expr
		if i.v.Ptrs != nil {
			ptrs = i.v.Ptrs[from:to]
		}
		if !zeros(i.v.Init[from:to], ptrs) {
			return n
		}
	}
	return 1
}

// shortLocals writes the declarations at the beginning of a function.
func (f *function) shortLocals() {
	var all declarations
	fn := f.unit.Claim.Func
	for _, v := range fn.Vars {
		if v.Kind == ir.Local && !f.passed(v) {
			all.add(f, v, 1)
		}
	}
	if slices.ContainsFunc(checksums(fn), func(c *ir.Checksum) bool { return !f.nests(c) }) {
		all.put(declaration{specifiers: "unsigned ", text: f.names.crc}, false)
	}
	all.write(f.printer, 1)
	if all.list != nil {
		f.str("\n")
	}
}
