package jvm

import "goreify/reify/emit/frame"

// A Style is the choice among ways to write the same function. The zero value is the
// plainest: a static method, scalars in local variables, arrays of arrays, switches as
// compilers of Java write them.
type Style struct {
	Switch    Switch
	Scalars   Scalars
	Throw     Throw
	Instance  bool // a method of an object, and fields of it
	Flat      bool // arrays of arrays are one array, so that inner indices are not checked
	Frames    bool // a class of version 53, with a table of frames; the first unit of a class decides
	Increment bool // iinc
	Flip      bool // unsigned numbers are compared by flipping their signs, and no method of Java's library
	Widened   bool // unsigned division is that of long
	Shared    bool // temporary variables share slots, whatever their types
	Gotos     bool // a jump to the block that is written next is written, too
	Backward  bool // blocks are written in the other order, the first one first
	Handlers  bool // some blocks are covered by handlers that throw again
	Monitors  bool // some blocks hold a monitor
	Locked    bool // the method is synchronized
	Volatile  bool // volatile variables are volatile fields
	Loops     bool // what is done with elements side by side is done in a loop
}

// Scalars says where scalars are that do not last.
type Scalars int

// The places of scalars.
const (
	InLocals Scalars = iota
	InFields
)

// Switch is the form of switches.
type Switch int

// The ways to write a switch.
const (
	Usual  Switch = iota // tableswitch if that is not much longer than lookupswitch
	Lookup               // lookupswitch
	Chain                // comparisons
)

// Throw is the exception at the end of a function that cannot go on.
type Throw int

// The ways to end.
const (
	Thrown   Throw = iota // athrow of a new exception
	Negative              // an array of negative length
	Cast                  // a cast that fails
	Null                  // athrow of null
	Store                 // an element of another type than the array's
	numThrows
)

// words are the parts of a style, in the order of the draws.
func (s *Style) words() []frame.Word {
	return []frame.Word{
		frame.Drawn("", &s.Switch, []int{4, 1, 1}, "usual", "lookup", "chain"),
		frame.Drawn("", &s.Scalars, []int{6, 1}, "locals", "fields"),
		frame.Drawn("", &s.Throw, nil, "thrown", "negative", "cast", "null", "store"),
		frame.Flag("instance", &s.Instance, 4), frame.Flag("flat", &s.Flat, 2), frame.Flag("frames", &s.Frames, 4),
		frame.Flag("increment", &s.Increment, 2), frame.Flag("flip", &s.Flip, 2), frame.Flag("widened", &s.Widened, 2),
		frame.Flag("shared", &s.Shared, 2), frame.Flag("gotos", &s.Gotos, 3), frame.Flag("backward", &s.Backward, 6),
		frame.Flag("handlers", &s.Handlers, 6), frame.Flag("monitors", &s.Monitors, 12), frame.Flag("locked", &s.Locked, 12),
		frame.Flag("volatile", &s.Volatile, 2), frame.Flag("loops", &s.Loops, 2), frame.Flag("apart", new(bool), 3),
	}
}

// String returns the style as the words that ParseStyle takes, such as "fields flat",
// and "plain" for the zero value.
func (s Style) String() string { return frame.Text(s.words()) }

// DrawStyle draws a style, and ParseStyle reads what String writes, in any order.
var DrawStyle, ParseStyle = frame.StylesOf(" of Java bytecode", (*Style).words)

// Forms returns the styles in which a reduced test may be written, the plainest first,
// for a function that was found in a style. All are such that ParseStyle reads.
func Forms(found string) []string {
	style := frame.Found(found, ParseStyle)
	unlocked := style
	unlocked.Handlers, unlocked.Monitors, unlocked.Locked, unlocked.Frames = false, false, false, false
	return frame.Forms([]Style{
		{Throw: style.Throw, Increment: true},
		{Throw: style.Throw},
		{Throw: style.Throw, Scalars: style.Scalars, Flat: style.Flat, Switch: style.Switch, Increment: style.Increment},
		{Throw: style.Throw, Scalars: style.Scalars, Instance: style.Instance, Flat: style.Flat, Volatile: style.Volatile},
		unlocked, style,
	}...)
}
