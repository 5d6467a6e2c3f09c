package llvm

import (
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A Style is the choice among ways to write the same function. The zero value is the
// plainest: variables in memory, literal inputs, no promises.
type Style struct {
	External bool // the function can be seen from other modules
	NoInline bool // the function may not be inlined
	SSA      bool // variables without an address are values and phis
	Promises bool // nsw, inbounds and their like, where C promises it
	Held     bool // what held in all calls that are known: nuw, exact, disjoint, range, noundef, ...
	Selects  bool // select for ?:, && and || where both operands can be evaluated
	Idioms   bool // intrinsics for what they compute: minimum, rotation, saturating sum, ...
	Freeze   bool // what is compared is frozen before
	Extended bool // narrow arguments and results are extended by the caller and the callee
	Indirect bool // conditional jumps by address
	Chains   bool // switches are chains of comparisons
	Args     Args
	Loops    uint32 // if not 0, seeds hints of how loops are to be optimised
	Order    uint32 // if not 0, seeds the order in which the blocks after the entry are written
}

// Args says how the inputs are passed.
type Args int

// The ways to pass inputs.
const (
	Literals Args = iota
	Volatile      // variables that anyone might change
)

// words are the parts of a style, in the order of the draws.
func (s *Style) words() []frame.Word {
	return []frame.Word{
		frame.Flag("external", &s.External, 2), frame.Flag("noinline", &s.NoInline, 2),
		frame.Flag("ssa", &s.SSA, 2), frame.Flag("promises", &s.Promises, 2), frame.Flag("selects", &s.Selects, 2),
		frame.Flag("idioms", &s.Idioms, 2), frame.Flag("freeze", &s.Freeze, 8), frame.Flag("extended", &s.Extended, 2),
		frame.Flag("indirect", &s.Indirect, 8), frame.Flag("chains", &s.Chains, 4),
		frame.Drawn("args=", &s.Args, nil, "literals", "volatile"),
		frame.Seed("order=", &s.Order),
		frame.Flag("held", &s.Held, 3), frame.Seed("loops=", &s.Loops),
	}
}

// String returns the style as the words that ParseStyle takes.
func (s Style) String() string { return frame.Text(s.words()) }

// DrawStyle draws a style, and ParseStyle reads what String writes, in any order.
var DrawStyle, ParseStyle = frame.StylesOf(" of LLVM IR", (*Style).words)

// Forms returns the styles in which a reduced test may be written, the plainest first, for
// a function that was found in a style.
func Forms(found string) []string {
	style := frame.Found(found, ParseStyle)
	plain := style
	plain.Order, plain.Loops, plain.Indirect, plain.Freeze, plain.Extended, plain.Promises, plain.Held = 0, 0, false, false, false, false, false
	return frame.Forms(
		Style{SSA: true, Selects: true, NoInline: true},
		Style{SSA: true, NoInline: true},
		Style{SSA: true, Selects: true, Idioms: true, NoInline: true, Args: Volatile},
		plain,
		style,
	)
}

// extension returns the attribute of an argument of type t.
func (s Style) extension(t ir.Int) string {
	switch {
	case !s.Extended || t.Bits >= 32:
		return ""
	case t.Signed:
		return " signext"
	}
	return " zeroext"
}

// resultExtension returns the attribute of a result of type t, before its type.
func (s Style) resultExtension(t ir.Int) string {
	if e := s.extension(t); e != "" {
		return e[1:] + " "
	}
	return ""
}
