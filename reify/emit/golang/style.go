package golang

import "goreify/reify/emit/frame"

// A Style is the choice among ways to write the same function. The zero value
// is the plainest: an explicit goto for every edge, function literals for ?:, and a
// call with literal constants.
type Style struct {
	NoInline   bool // the function may not be inlined
	Args       Args
	Select     Select
	Cond       Cond
	Consts     Consts
	Order      uint32 // if not 0, seeds the order in which the blocks after the entry are written
	Compound   bool   // x += y, x++ for x = x + y
	Slices     bool   // arrays are reached through slices of them
	Counts     bool   // shift counts are converted to unsigned types where they cannot be negative
	Chains     bool   // switches are chains of if
	Structured bool   // for, if and else where the graph allows
	Calls      Calls
	Vectors    Vectors
	// Short makes a program that prints the answer of a single call with println, on
	// standard error. Variables are declared where they are first assigned to, and constants
	// stand in place. It is for reports, and never drawn.
	Short bool
	// Wide has a short program call the function in another one, whose answer has 64 bits: what the
	// compiler takes for known of the other bits of a register shows.
	Wide bool
}

// Args says how the inputs are passed.
type Args int

// The ways to pass inputs.
const (
	Literals  Args = iota
	Variables      // of the package
)

// Select says how ?: is written.
type Select int

// The ways to write c ? x : y.
const (
	Literal Select = iota // func() T { if c { return x }; return y }()
	If                    // a variable that an if statement before sets, where it is evaluated for sure
	Swapped               // func() T { if !c { return y }; return x }()
)

// A Cond is the form of a conditional jump that is not structured.
type Cond int

// The ways to write a conditional jump to a, or else to b.
const (
	TwoGotos    Cond = iota // if c { goto a }; goto b
	IfElse                  // if c { goto a } else { goto b }
	Inverted                // if !c { goto b }; goto a
	FallThrough             // a jump to the block that is written next is left out
)

// Consts is the form of the constants of a function.
type Consts int

// The ways to write constants.
const (
	Untyped Consts = iota // 5, and in a variable of the function where Go would compute
	Hidden                // variables of the package, into which compilers do not look
)

// Calls is the form of calls between functions of ours.
type Calls int

// The ways to call a function.
const (
	Within   Calls = iota // in place
	Before                // into a variable before the statement, if the call is made for sure
	Wrapped               // func() T { return g(x) }()
	Indirect              // through a variable of the package
	numCalls
)

// Vectors is the form of what is done with elements side by side, as with the lanes of
// vectors.
type Vectors int

// The ways to write it.
const (
	Unrolled Vectors = iota // a statement for each element
	Loops                   // a loop over the elements
	Helpers                 // as Unrolled: once a function for each operator on vectors
)

// words are the parts of a style, in the order of the draws.
func (s *Style) words() []frame.Word {
	return []frame.Word{
		frame.Flag("noinline", &s.NoInline, 2),
		frame.Drawn("args=", &s.Args, []int{1, 1}, "literals", "variables"),
		frame.Drawn("select=", &s.Select, []int{2, 2, 1}, "literal", "if", "swapped"),
		frame.Drawn("cond=", &s.Cond, nil, "goto", "else", "inverted", "fallthrough"),
		frame.Drawn("consts=", &s.Consts, []int{9, 1}, "untyped", "hidden"),
		frame.Seed("order=", &s.Order),
		frame.Flag("compound", &s.Compound, 2), frame.Flag("slices", &s.Slices, 3), frame.Flag("counts", &s.Counts, 3),
		frame.Flag("chains", &s.Chains, 4), frame.Flag("structured", &s.Structured, 2),
		frame.Drawn("calls=", &s.Calls, []int{6, 3, 1, 1}, "within", "before", "wrapped", "indirect"),
		frame.Drawn("vectors=", &s.Vectors, []int{2, 2, 1}, "unrolled", "loops", "helpers"),
		frame.Flag("short", &s.Short, 0), frame.Flag("wide", &s.Wide, 0),
	}
}

// String returns the style as the words that ParseStyle takes, such as
// "noinline select=if order=7", and "plain" for the zero value.
func (s Style) String() string { return frame.Text(s.words()) }

// DrawStyle draws a style, and ParseStyle reads what String writes, in any order.
var DrawStyle, ParseStyle = frame.StylesOf(" of Go", (*Style).words)

// Forms returns the styles in which a reduced test may be written, the plainest first,
// for a function that was found in a style. All are such that ParseStyle reads.
func Forms(found string) []string {
	style := frame.Found(found, ParseStyle)
	structured := style
	structured.Structured, structured.Order, structured.Cond, structured.Compound, structured.Short = true, 0, FallThrough, true, true
	asFound := style
	asFound.Short = true
	return frame.Forms([]Style{
		{Short: true, Structured: true, Compound: true, Select: If, NoInline: true},
		{Short: true, Structured: true, Compound: true, Select: If},
		{Short: true, Structured: true, Compound: true, NoInline: true},
		{Short: true, Structured: true, Compound: true, Select: If, NoInline: true, Args: Variables},
		{Short: true, Structured: true, Compound: true, NoInline: true, Args: Variables},
		{Short: true, Structured: true, Compound: true, Select: If, Args: Variables, Wide: true},
		{Short: true, Compound: true, Cond: FallThrough, NoInline: true, Select: style.Select},
		{Short: true, Compound: true, Cond: style.Cond, NoInline: true, Args: Variables, Select: style.Select, Chains: style.Chains},
		structured,
		asFound,
		style,
	}...)
}
