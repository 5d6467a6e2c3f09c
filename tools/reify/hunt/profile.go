package hunt

import (
	"goreify/reify"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// ProfileKinds returns two kinds of batches whose configurations are drawn by a
// function: one of functions, which gets the name, and one of whole programs.
func ProfileKinds(name string, configure func(reify.Recipe) reify.Config) []Kind {
	return []Kind{
		{Name: name, Size: 60, Weight: 1, Make: func(seed uint64, name string) (*reify.Case, error) {
			r := reify.FromSeed(seed)
			k, err := reify.Make(name, r, configure(r), search.Engine{})
			if solve.Unsolved(err) {
				return nil, nil
			}
			return k, err
		}},
		{Name: name + "-programs", Size: 6, Weight: 1, Program: func(seed uint64) (*oracle.Program, error) {
			r := reify.FromSeed(seed)
			p, err := oracle.MakeProgram(r, oracle.ProgramSize(r), configure(r), search.Engine{})
			if solve.Unsolved(err) {
				return nil, nil
			}
			return p, err
		}},
	}
}
