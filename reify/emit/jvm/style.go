package jvm

import (
	"fmt"
	"slices"
	"strings"

	"goreify/reify/choice"
)

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
	numScalars
)

// Switch is the form of switches.
type Switch int

// The ways to write a switch.
const (
	Usual  Switch = iota // tableswitch if that is not much longer than lookupswitch
	Lookup               // lookupswitch
	Chain                // comparisons
	numSwitches
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

var (
	scalarNames = [numScalars]string{"locals", "fields"}
	switchNames = [numSwitches]string{"usual", "lookup", "chain"}
	throwNames  = [numThrows]string{"thrown", "negative", "cast", "null", "store"}
)

type styleWord struct {
	name string
	on   *bool
	den  int // drawn once in so many times
}

// words are the optional parts of a style, in the order of the draws.
func (s *Style) words() []styleWord {
	return []styleWord{
		{"instance", &s.Instance, 4}, {"flat", &s.Flat, 2}, {"frames", &s.Frames, 4}, {"increment", &s.Increment, 2}, {"flip", &s.Flip, 2},
		{"widened", &s.Widened, 2}, {"shared", &s.Shared, 2}, {"gotos", &s.Gotos, 3}, {"backward", &s.Backward, 6}, {"handlers", &s.Handlers, 6},
		{"monitors", &s.Monitors, 12}, {"locked", &s.Locked, 12}, {"volatile", &s.Volatile, 2},
		{"loops", &s.Loops, 2}, {"apart", new(bool), 3},
	}
}

// DrawStyle returns a style that s decides. It always makes the same number of draws.
func DrawStyle(s *choice.Stream) Style {
	style := Style{Switch: Switch(s.Weighted(4, 1, 1)), Scalars: Scalars(s.Weighted(6, 1)), Throw: Throw(s.Intn(int(numThrows)))}
	for _, w := range style.words() {
		*w.on = s.Chance(1, w.den)
	}
	return style
}

// String returns the style as the words that ParseStyle takes, such as "fields flat",
// and "plain" for the zero value.
func (s Style) String() string {
	var words []string
	if s.Switch != Usual {
		words = append(words, switchNames[s.Switch])
	}
	if s.Scalars != InLocals {
		words = append(words, scalarNames[s.Scalars])
	}
	if s.Throw != Thrown {
		words = append(words, throwNames[s.Throw])
	}
	for _, w := range s.words() {
		if *w.on {
			words = append(words, w.name)
		}
	}
	if words == nil {
		return "plain"
	}
	return strings.Join(words, " ")
}

// ParseStyle returns the style that String writes as text, whose words may come in any
// order. The error names the word that is not known.
func ParseStyle(text string) (s Style, err error) {
	list := s.words()
	for _, word := range strings.Fields(text) {
		at := slices.IndexFunc(list, func(w styleWord) bool { return w.name == word })
		switch i := 0; {
		case word == "plain":
		case at >= 0:
			*list[at].on = true
		case find(switchNames[:], word, &i):
			s.Switch = Switch(i)
		case find(scalarNames[:], word, &i):
			s.Scalars = Scalars(i)
		case find(throwNames[:], word, &i):
			s.Throw = Throw(i)
		default:
			return Style{}, fmt.Errorf("unknown word %q in a style of Java bytecode", word)
		}
	}
	return s, nil
}

func find(names []string, word string, at *int) bool {
	*at = slices.Index(names, word)
	return *at >= 0
}

// Forms returns the styles in which a reduced test may be written, the plainest first,
// for a function that was found in a style. All are such that ParseStyle reads.
func Forms(found string) []string {
	style, err := ParseStyle(found)
	if err != nil {
		style = Style{}
	}
	unlocked := style
	unlocked.Handlers, unlocked.Monitors, unlocked.Locked, unlocked.Frames = false, false, false, false
	var list []string
	for _, s := range []Style{
		{Throw: style.Throw, Increment: true},
		{Throw: style.Throw},
		{Throw: style.Throw, Scalars: style.Scalars, Flat: style.Flat, Switch: style.Switch, Increment: style.Increment},
		{Throw: style.Throw, Scalars: style.Scalars, Instance: style.Instance, Flat: style.Flat, Volatile: style.Volatile},
		unlocked, style,
	} {
		if text := s.String(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
