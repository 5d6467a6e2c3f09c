package c

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A ProgramStyle is the choice among ways to write the same whole program. The
// zero value is the plainest.
type ProgramStyle struct {
	Split Split
	// Order, if not 0, seeds the order in which the functions are defined.
	// Prototypes come before all of them.
	Order uint32
	// Debug asserts the answers of calls; see EmitProgram.
	Debug bool
	// Funcs holds styles by function of the program. Functions beyond its end
	// have the zero value.
	Funcs []FuncStyle
}

// of returns the style of function i.
func (s ProgramStyle) of(i int) FuncStyle {
	if i < len(s.Funcs) {
		return s.Funcs[i]
	}
	return FuncStyle{}
}

// A FuncStyle is the style of a function of a whole program.
type FuncStyle struct {
	// Style is as for Emit, with these differences. ParamsAsGlobals is ignored.
	// VolatileArgs is about the calls that main makes. NoInline does not imply NoClone.
	// A function that is called from another file is extern.
	Style
	NoClone bool // gcc must make no copies of the function; clang has no such attribute
	// AlwaysInline has the function inlined wherever it is called. It is static
	// inline and calls no function that leads back to it; a program with a file
	// for each function ignores it.
	AlwaysInline bool
	Purity       Purity
}

// A Purity is the state that a function is declared to leave alone. It is not checked.
// A function with a checksum is not pure: computing one reads a volatile variable. With
// Debug, nothing is declared.
type Purity int

// The purities.
const (
	Impure Purity = iota
	Pure          // it writes no global or static
	Const         // it reads no global or static either
)

// A Split is how a program is divided into files.
type Split int

// The splits.
const (
	OneFile         Split = iota // program.c
	DriverApart                  // functions.c, and main.c, which hides the inputs from the functions
	FilePerFunction              // one named after each function, and main.c
)

// DrawProgramStyle returns a style for p that s decides. Debug is off and no
// function is declared pure. The number of draws depends on that of functions
// alone.
func DrawProgramStyle(s *choice.Stream, p *ir.Program) ProgramStyle {
	style := ProgramStyle{Split: Split(s.Weighted(6, 2, 1))}
	shuffled := s.Chance(1, 2)
	if order := uint32(s.Intn(1 << 16)); shuffled {
		style.Order = order
	}
	for range p.Funcs {
		f := FuncStyle{Style: drawStyle(s), NoClone: s.Chance(1, 4)}
		f.NoInline = s.Chance(1, 2) && f.NoInline // inlining is the purpose of programs
		f.ParamsAsGlobals = false
		style.Funcs = append(style.Funcs, f)
	}
	for i := range style.Funcs {
		style.Funcs[i].ArraySums = drawArraySums(s)
	}
	return style
}

// words are the parts of the style of a function beside those of Style.
func (s *FuncStyle) words() []frame.Word {
	return []frame.Word{
		frame.Flag("noclone", &s.NoClone, 0),
		frame.Flag("always-inline", &s.AlwaysInline, 0),
		frame.OneOf("", &s.Purity, purityNames[:]...),
	}
}

var purityNames = [...]string{Pure: "pure", Const: "const"}

// String returns the style as the words that ParseFuncStyle takes: those of
// Style, noclone, always-inline, pure and const.
func (s FuncStyle) String() string {
	text := s.Style.String()
	if own := s.words(); frame.Text(own) != frame.Text(nil) {
		text += " " + frame.Text(own)
	}
	return text
}

// ParseFuncStyle returns the style that String writes as text. The error names the word
// that is not known.
func ParseFuncStyle(text string) (s FuncStyle, err error) {
	err = frame.Parse(text, "", slices.Concat(s.Style.words(), s.words()))
	return s, err
}
