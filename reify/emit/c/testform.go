package c

import (
	"slices"
	"strings"
)

// A TestForm is the form in which EmitTest writes a program. The zero value is the
// shortest: static functions with structured control flow, called with literal
// constants.
//
// With Labels, all fields of Style except ParamsAsGlobals have their meaning. The short
// form, which is the one without Labels, decides on most of them itself. It uses
// Linkage, NoInline, VolatileArgs, ComputedGoto, ParamStruct, ResultStruct, ArraySums,
// Declared, and PointerParams, also that of whole programs.
type TestForm struct {
	Style
	NoClone bool // gcc must make no copies of the functions; clang warns that it does not know the attribute
	// Goto writes each edge of the graph as a goto, unless it leads to the block
	// that comes next, instead of loops and branches with bodies.
	Goto bool
	// Labels writes the blocks and edges as Emit does in the Style: each block under
	// its own label, none merged, no constant or conversion spelt shorter. With the
	// zero Style all blocks are in the order of the function, and each edge is a goto.
	// The compilers' graph may depend on that.
	Labels bool
	// GlobalArgs passes the inputs in variables at file scope that are not static;
	// VolatileArgs makes them volatile.
	GlobalArgs bool
	// Caller makes the call in an extern function that main calls: gcc assumes that a
	// function that main alone calls runs once, and optimises it less.
	Caller bool
	// Print prints the answer. Without it, main aborts if the answer is wrong.
	Print bool
	// Compare, with Print, also prints whether the answer is right: an answer may be right in
	// itself, and a comparison of it wrong.
	Compare bool
}

// TestForms returns the forms to try for a bug report, from the plainest to the most
// elaborate. Forms that write less come first.
func TestForms() []TestForm {
	volatile := Style{VolatileArgs: true}
	noinline := Style{NoInline: true}
	both := Style{NoInline: true, VolatileArgs: true}
	extern := Style{NoInline: true, VolatileArgs: true, Linkage: Extern}
	return []TestForm{
		{},
		{Print: true},
		{Style: noinline},
		{GlobalArgs: true},
		{Style: volatile},
		{Style: both},
		{Style: extern, NoClone: true},
		{Goto: true},
		{Goto: true, Style: volatile},
		{Goto: true, Style: both},
		{Goto: true, Style: Style{NoInline: true, VolatileArgs: true, ArraySums: true}},
		{Goto: true, Style: extern, NoClone: true, GlobalArgs: true, Caller: true, Print: true},
		{Labels: true, Style: volatile},
		{Labels: true, Style: both, NoClone: true},
		{Labels: true, Style: volatile, Caller: true, Print: true},
		{Labels: true, Style: extern, NoClone: true, Caller: true, Print: true},
	}
}

// TestFormsOf returns the forms to try for a function that failed as Emit writes it in
// style: TestForms, then forms with one more trait of the style each, and last those
// nearest to the text of Emit.
func TestFormsOf(style Style) []TestForm {
	forms := TestForms()
	add := func(f TestForm) {
		if !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
	}
	frame := Style{NoInline: style.NoInline, VolatileArgs: true, Linkage: style.Linkage}
	for _, trait := range []Style{
		{ComputedGoto: style.ComputedGoto},
		{ParamStruct: style.ParamStruct},
		{ResultStruct: style.ResultStruct},
		{PointerParams: style.PointerParams},
		{ArraySums: style.ArraySums},
		{Declared: style.Declared},
		{Storage: style.Storage},
		{ByValue: style.ByValue},
	} {
		if trait != (Style{}) {
			one := frame
			one.ComputedGoto, one.ParamStruct = trait.ComputedGoto, trait.ParamStruct
			one.ResultStruct, one.PointerParams = trait.ResultStruct, trait.PointerParams
			one.ArraySums, one.Declared, one.Storage, one.ByValue = trait.ArraySums, trait.Declared, trait.Storage, trait.ByValue
			add(TestForm{Style: one})
		}
	}
	last := TestForm{Labels: true, Style: style, NoClone: style.NoInline, Caller: true, Print: true}
	if style.ParamsAsGlobals {
		last.ParamsAsGlobals, last.GlobalArgs = false, true
	}
	withoutOrder := last
	withoutOrder.Order = 0
	add(withoutOrder)
	add(last)
	return forms
}

// String returns the form in words, such as "goto print noinline volatile-args",
// and "plain" for the zero value.
func (f TestForm) String() string {
	var words []string
	add := func(present bool, word string) {
		if present {
			words = append(words, word)
		}
	}
	add(f.Goto, "goto")
	add(f.Labels, "labels")
	add(f.GlobalArgs, "global-args")
	add(f.Caller, "caller")
	add(f.Print, "print")
	add(f.Compare, "compare")
	add(f.NoClone, "noclone")
	add(f.Style != Style{}, f.Style.String())
	if words == nil {
		return "plain"
	}
	return strings.Join(words, " ")
}
