package c

import "goreify/reify/ir"

// Functions that others wrote stand first in a file, before all macros and names of
// ours. What is drawn for them stands in a prototype before their text.

// foreignStyle returns what of a style a foreign function can have.
func foreignStyle(s Style) Style { return Style{Linkage: s.Linkage, NoInline: s.NoInline} }

// reserveForeign keeps the names in the texts of foreign functions from others.
func reserveForeign(taken scope, funcs []*ir.Function) {
	for _, f := range funcs {
		if f.Foreign == nil {
			continue
		}
		for _, name := range f.ForeignNames() {
			taken[name] = true
		}
	}
}

// foreign writes function i, which is foreign.
func (w *whole) foreign(i int, noclone bool) {
	f := w.function(i)
	style := f.unit.Style
	if noclone {
		w.str("#if !defined(__clang__)\n__attribute__((noclone))\n#endif\n")
	}
	if style.NoInline {
		w.str("__attribute__((noinline)) ")
	}
	f.declaration()
	w.str(";\n" + f.unit.Claim.Func.Foreign.C + "\n")
}
