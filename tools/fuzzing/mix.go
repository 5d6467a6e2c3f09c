package fuzzing

import (
	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/program"
)

// A Share is one kind of batches of a mix.
type Share struct {
	Weight   int    // how often it is drawn, relative to the others
	Profile  string // of its functions, as reify.FindProfile takes it
	Size     int    // functions, or whole programs, in a batch
	Programs bool
}

// A Mix says what batches are made of.
type Mix []Share

// draw returns the source of a batch, and what it is made of.
func (m Mix) draw(s *choice.Stream, language compilers.Language) (source.Source, source.Input) {
	weights := make([]int, len(m))
	for i, share := range m {
		weights[i] = share.Weight
	}
	share := m[s.Weighted(weights...)]
	o := function.Options{Profile: share.Profile, Size: share.Size, Language: language}
	var from source.Source = function.Source{Options: o}
	if share.Programs {
		from = program.Source{Options: o}
	}
	return from, from.Draw(s)
}

// referenceEvery is the number of batches of which one asks for the reference
// mode, where a compiler that optimises nothing may still be wrong.
const referenceEvery = 32

// pick returns the configuration that a batch is asked of. Each target is as likely,
// and so is each of its modes but the reference.
func pick(s *choice.Stream, targets []compilers.Target) oracle.Config {
	t := choice.Pick(s, targets)
	var modes []compilers.Mode
	for _, mode := range t.Modes() {
		if mode != t.Reference() {
			modes = append(modes, mode)
		}
	}
	if modes == nil || s.Chance(1, referenceEvery) {
		modes = t.Modes()
	}
	return oracle.Config{Target: t, Mode: choice.Pick(s, modes)}
}
