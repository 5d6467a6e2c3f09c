package wasm

import (
	"goreify/reify/emit/frame"
	"goreify/reify/emit/structure"
)

// A Style is the choice among ways to write the same function. The zero value is the
// plainest: variables are in locals if they fit, branches are br_if and if, selections
// are if, and each irreducible region has a dispatcher.
type Style struct {
	Form     structure.Form // the form of irreducible loops
	Scalars  Scalars        // the place of scalars that need no address
	Select   bool           // ?:, && and || evaluate all their operands, if that has no effect
	Chains   bool           // switches are chains of comparisons instead of br_table
	Late     bool           // narrow values are extended where they are read, not where they are computed
	Spill    bool           // operands go through locals instead of staying on the stack
	Added    bool           // constant parts of addresses are added and not in the instructions
	Blocks   bool           // branches are br_if alone, no if
	Fixed    bool           // variables that need an address have fixed ones if the function calls nothing
	Saturate bool           // conversions of floating-point numbers saturate
	Unrolled bool           // records are copied by loads and stores
	Lanes    bool           // vectors are computed lane by lane, without v128
}

// Scalars is the place of scalars.
type Scalars int

// The places of scalars. Parameters have values of their own in all of them.
const (
	InLocals Scalars = iota
	InGlobals
	InMemory
)

// words are the parts of a style, in the order of the draws.
func (s *Style) words() []frame.Word {
	return []frame.Word{
		frame.Drawn("", &s.Form, []int{8, 1, 1}, "dispatch", "split", "whole"),
		frame.Drawn("", &s.Scalars, []int{6, 1, 1}, "locals", "globals", "memory"),
		frame.Flag("select", &s.Select, 2), frame.Flag("chains", &s.Chains, 4), frame.Flag("late", &s.Late, 2),
		frame.Flag("spill", &s.Spill, 4), frame.Flag("added", &s.Added, 2), frame.Flag("blocks", &s.Blocks, 2),
		frame.Flag("fixed", &s.Fixed, 2), frame.Flag("saturate", &s.Saturate, 2), frame.Flag("unrolled", &s.Unrolled, 2),
		frame.Flag("lanes", &s.Lanes, 4),
	}
}

// String returns the style as the words that ParseStyle takes, such as "split
// memory late", and "plain" for the zero value.
func (s Style) String() string { return frame.Text(s.words()) }

// DrawStyle draws a style, and ParseStyle reads what String writes, in any order.
var DrawStyle, ParseStyle = frame.StylesOf("", (*Style).words)

// Forms returns the styles in which a reduced test may be written, the plainest first,
// for a function that was found in a style. All are such that ParseStyle reads.
func Forms(found string) []string {
	style := frame.Found(found, ParseStyle)
	local := style
	local.Scalars = InLocals
	return frame.Forms([]Style{{}, {Form: style.Form}, {Form: style.Form, Scalars: style.Scalars}, {Select: true}, {Select: true, Late: true, Blocks: style.Blocks}, local, style}...)
}
