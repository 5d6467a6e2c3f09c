package c

import (
	"slices"
	"strings"

	"goreify/reify/ir"
)

// Functions that others wrote stand first in a file, before all macros and names of
// ours. Attributes that are drawn for them are in a prototype before their text.

// foreignStyle returns the part of a style that applies to a foreign function.
func foreignStyle(s Style) Style { return Style{Linkage: s.Linkage, NoInline: s.NoInline} }

// reserveForeign keeps the names in the texts of foreign functions from being used
// otherwise.
func reserveForeign(taken scope, funcs []*ir.Function) {
	for _, f := range funcs {
		if f.Foreign == nil {
			continue
		}
		for _, name := range foreignNames(f) {
			taken[name] = true
		}
	}
}

// foreignNames returns the names that the text of a foreign function has at file scope,
// and maybe others: all words that are its name, or begin with that and an underscore.
func foreignNames(f *ir.Function) (names []string) {
	for _, word := range strings.FieldsFunc(f.Foreign.C, func(c rune) bool {
		return c != '_' && (c < '0' || '9' < c) && (c < 'A' || 'Z' < c) && (c < 'a' || 'z' < c)
	}) {
		if rest, ok := strings.CutPrefix(word, f.Name); ok && (rest == "" || rest[0] == '_') {
			names = append(names, word)
		}
	}
	return names
}

// foreigners returns the foreign functions that units call, each once.
func foreigners(units []Unit) []*ir.Function {
	var list []*ir.Function
	for _, u := range units {
		for _, f := range u.Foreign {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	return list
}

// foreigners writes the functions of others that units call.
func (p *printer) foreigners(units []Unit) {
	for _, f := range foreigners(units) {
		first := slices.IndexFunc(units, func(u Unit) bool { return slices.Contains(u.Foreign, f) })
		p.foreign(f, foreignStyle(units[first].Style), false)
	}
}

// foreign writes a foreign function: its declarations, and its text.
func (p *printer) foreign(fn *ir.Function, style Style, noclone bool) {
	if noclone {
		p.str("#if !defined(__clang__)\n__attribute__((noclone))\n#endif\n")
	}
	if style.NoInline {
		p.str("__attribute__((noinline)) ")
	}
	n := names{fn: fn.Name}
	for _, v := range fn.Vars {
		n.vars = append(n.vars, v.Name)
	}
	f := function{printer: p, unit: Unit{Claim: &ir.Claim{Func: fn}, Style: style}, names: n}
	f.declaration()
	p.str(";\n" + fn.Foreign.C + "\n")
}

// appendForeignCall appends a call by a function that is not a part of a whole
// program.
func (f *function) appendForeignCall(text []byte, e *ir.Call) []byte {
	if e.Func.Foreign == nil {
		panic("emit/c: @" + f.unit.Claim.Func.Name + " calls @" + e.Func.Name + ": only EmitProgram writes functions that call ours")
	}
	text = append(append(text, e.Func.Name...), '(')
	for i, arg := range e.Args {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = f.appendExpr(text, f.assigned(arg, e.Func.Vars[i].Type.(ir.Int)), anyPrec)
	}
	return append(text, ')')
}
