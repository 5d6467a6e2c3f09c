// Package breed makes new cases out of those that were worth something, in
// place of drawing all of them afresh:
//
//	parents ─Child→ Input ─Make→ case
//
// An Input is what a case can be made of again: the profile and features that
// its configuration is drawn from, its recipe, and a number that decides which
// of its constants are changed in the end. A child differs from a parent in one
// of these or a few: it takes another path through the same graph, has other
// statements on the same path, one feature more or less, parts of another
// parent, or other constants. Of every child the interpreter proves path and
// answer, as of any case.
package breed

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/solve"
)

// An Input is what a case is made of.
type Input struct {
	Profile  string // name, see reify.FindProfile
	Features string // that are switched on and off, see reify.Config.With
	Recipe   reify.Recipe
	Tweak    uint64 // decides which constants Make changes; 0 is none
}

// String says what a recipe, which is not part of it, does not.
func (in Input) String() string {
	text := in.Profile
	if in.Features != "" {
		text += " " + in.Features
	}
	if in.Tweak != 0 {
		text += fmt.Sprintf(" constants changed by %d", in.Tweak)
	}
	return text
}

// Config returns the configuration. The error says that there is no such
// profile or feature, or that the features do not go with the profile.
func (in Input) Config() (reify.Config, error) {
	p, err := reify.FindProfile(in.Profile)
	if err != nil {
		return reify.Config{}, err
	}
	return p.Configure(in.Recipe).With(in.Features)
}

// Make returns the case, whose function has the given name. The errors are
// those of Config and reify.Make.
func (in Input) Make(name string, solver solve.Solver) (*reify.Case, error) {
	c, err := in.Config()
	if err != nil {
		return nil, err
	}
	k, err := reify.Make(name, in.Recipe, c, solver)
	if err != nil || in.Tweak == 0 {
		return k, err
	}
	return tweak(k, choice.New(choice.Derive(in.Tweak, "tweak")))
}

// A mutation changes one thing of an input, which may become that of another.
type mutation struct {
	name  string
	apply func(in *Input, other Input, s *choice.Stream)
}

// mutations are all there are, each as likely. The last is not for whole
// programs: their constants are those of their functions.
var mutations = []mutation{
	{"path", func(in *Input, _ Input, s *choice.Stream) { in.Recipe.Path = fresh(s) }},
	{"body", func(in *Input, _ Input, s *choice.Stream) { in.Recipe.Body = fresh(s) }},
	{"graph", func(in *Input, _ Input, s *choice.Stream) { in.Recipe.Graph = fresh(s) }},
	{"features", toggle},
	{"splice", splice},
	{"constants", func(in *Input, _ Input, s *choice.Stream) { in.Tweak = max(s.Uint64(), 1) }},
}

// Child returns an input that differs from each of the parents, of which there
// is at least one. Its configuration is valid if those of the parents are.
func Child(parents []Input, s *choice.Stream) Input { return child(parents, mutations, s) }

// ProgramChild is Child for what whole programs are to be made of.
func ProgramChild(parents []Input, s *choice.Stream) Input {
	in := child(parents, mutations[:len(mutations)-1], s)
	in.Tweak = 0
	return in
}

func child(parents []Input, mutations []mutation, s *choice.Stream) Input {
	in := choice.Pick(s, parents)
	for {
		choice.Pick(s, mutations).apply(&in, choice.Pick(s, parents), s)
		same := func(p Input) bool { return reflect.DeepEqual(p, in) }
		if !s.Chance(1, 3) && !slices.ContainsFunc(parents, same) {
			return in
		}
	}
}

// fresh returns the bytes of a stream that nothing is known of.
func fresh(s *choice.Stream) []byte { return choice.Derive(s.Uint64(), "mutant") }

// splice takes over parts of another input.
func splice(in *Input, other Input, s *choice.Stream) {
	if s.Chance(1, 2) {
		in.Profile, in.Features, in.Recipe.Config = other.Profile, other.Features, other.Recipe.Config
	}
	for _, part := range []struct{ mine, its *[]byte }{
		{&in.Recipe.Graph, &other.Recipe.Graph}, {&in.Recipe.Path, &other.Recipe.Path}, {&in.Recipe.Body, &other.Recipe.Body},
	} {
		if s.Chance(1, 2) {
			*part.mine = *part.its
		}
	}
}

// mostToggled bounds the features that are switched by name. One more takes the
// place of the first, which then is as the profile draws it.
const mostToggled = 4

// toggle switches a feature on or off, if what comes of it is valid.
func toggle(in *Input, _ Input, s *choice.Stream) {
	was := in.Features
	var words []string
	if was != "" {
		words = strings.Split(was, ",")
	}
	words = append(words, choice.Pick(s, []string{"+", "-"})+choice.Pick(s, reify.Features()))
	in.Features = strings.Join(words[max(0, len(words)-mostToggled):], ",")
	if _, err := in.Config(); err != nil {
		in.Features = was
	}
}
