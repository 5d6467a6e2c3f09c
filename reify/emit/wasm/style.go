package wasm

import (
	"fmt"
	"slices"
	"strings"

	"goreify/reify/choice"
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
	numScalars
)

// words are the optional parts of a style, in the order of the draws.
func (s *Style) words() []styleWord {
	return []styleWord{
		{"select", &s.Select}, {"chains", &s.Chains}, {"late", &s.Late}, {"spill", &s.Spill}, {"added", &s.Added},
		{"blocks", &s.Blocks}, {"fixed", &s.Fixed}, {"saturate", &s.Saturate}, {"unrolled", &s.Unrolled}, {"lanes", &s.Lanes},
	}
}

type styleWord struct {
	name string
	on   *bool
}

var (
	formNames   = [structure.NumForms]string{"dispatch", "split", "whole"}
	scalarNames = [numScalars]string{"locals", "globals", "memory"}
)

// DrawStyle returns a style that s decides. It always makes the same number of
// draws.
func DrawStyle(s *choice.Stream) Style {
	style := Style{Form: structure.Form(s.Weighted(8, 1, 1)), Scalars: Scalars(s.Weighted(6, 1, 1))}
	for _, w := range style.words() {
		den := 2
		if w.name == "spill" || w.name == "chains" || w.name == "lanes" {
			den = 4
		}
		*w.on = s.Chance(1, den)
	}
	return style
}

// String returns the style as the words that ParseStyle takes, such as "split
// memory late", and "plain" for the zero value.
func (s Style) String() string {
	var words []string
	if s.Form != structure.Dispatch {
		words = append(words, formNames[s.Form])
	}
	if s.Scalars != InLocals {
		words = append(words, scalarNames[s.Scalars])
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

// ParseStyle returns the style that String writes as text, whose words may come in
// any order. The error names the word that is not known.
func ParseStyle(text string) (s Style, err error) {
	list := s.words()
next:
	for _, word := range strings.Fields(text) {
		if word == "plain" {
			continue
		}
		for i, name := range formNames {
			if word == name {
				s.Form = structure.Form(i)
				continue next
			}
		}
		for i, name := range scalarNames {
			if word == name {
				s.Scalars = Scalars(i)
				continue next
			}
		}
		for _, w := range list {
			if word == w.name {
				*w.on = true
				continue next
			}
		}
		return Style{}, fmt.Errorf("unknown word %q in a style", word)
	}
	return s, nil
}

// Forms returns the styles in which a reduced test may be written, the plainest first,
// for a function that was found in a style. All are such that ParseStyle reads.
func Forms(found string) []string {
	style, err := ParseStyle(found)
	if err != nil {
		style = Style{}
	}
	local := style
	local.Scalars = InLocals
	list := []string{}
	for _, s := range []Style{{}, {Form: style.Form}, {Form: style.Form, Scalars: style.Scalars}, {Select: true}, {Select: true, Late: true, Blocks: style.Blocks}, local, style} {
		if text := s.String(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
