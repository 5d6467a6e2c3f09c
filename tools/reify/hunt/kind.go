package hunt

import (
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// A Kind is a way to make batches: a mix of features.
type Kind struct {
	Name string // a word, as -mix takes it
	// Size is the number of seeds of a batch, that is of cases if all of them
	// end in one; 1 to seedsPerBatch. Large functions take long to compile:
	// fewer of them make a unit of the same cost.
	Size int
	// Weight is what the kind is expected to yield before it has been tried,
	// relative to the others; positive.
	Weight float64
	// Profile and Features are what configurations are drawn from.
	Profile, Features string
	// Whole says that programs of linked functions are made, not functions.
	Whole bool

	before func() // called before each case is made; for tests
}

// Kinds returns the kinds of batches there are, nearly each a profile. Small
// focused functions found most bugs by far, alone and in programs; those with
// many features of the language and those of the paper's size hardly found any,
// but nobody knows that of the next compiler.
func Kinds() []Kind {
	return []Kind{
		{Name: "focused", Size: 60, Weight: 14, Profile: "focus"},
		{Name: "swarm", Size: 60, Weight: 3, Profile: "swarm"},
		{Name: "mixed", Size: 60, Weight: 5, Profile: "mixed"},
		{Name: "wild", Size: 60, Weight: 0.5, Profile: "wild"},
		{Name: "yarpgen", Size: 30, Weight: 0.5, Profile: "yarpgen"},
		{Name: "large", Size: 10, Weight: 0.5, Profile: "large"},
		{Name: "programs", Size: 6, Weight: 8, Profile: "focus", Whole: true},
		{Name: "swarm-programs", Size: 6, Weight: 2, Profile: "swarm", Whole: true},
		{Name: "wild-programs", Size: 6, Weight: 0.5, Profile: "wild", Whole: true},
	}
}

// ProfileKinds returns two kinds of batches of a profile, with features switched
// on and off as reify.Config.With does: one of functions, which gets its name,
// and one of whole programs. The error says what is wrong with these.
func ProfileKinds(profile, features string) ([]Kind, error) {
	k := Kind{Name: profile, Size: 60, Weight: 1, Profile: profile, Features: features}
	if _, err := k.config(reify.Recipe{}); err != nil {
		return nil, err
	}
	p := k
	p.Name, p.Size, p.Whole = profile+"-programs", 6, true
	return []Kind{k, p}, nil
}

// config returns the configuration of a recipe. The error says that there is no
// such profile or feature, or that the features do not go with the profile.
func (k Kind) config(r reify.Recipe) (reify.Config, error) {
	p, err := reify.FindProfile(k.Profile)
	if err != nil {
		return reify.Config{}, err
	}
	return p.Configure(r).With(k.Features)
}

// function returns the case of a seed, whose function has the given name, or nil
// if it cannot be solved. An error is a *reify.GeneratorBug.
func (k Kind) function(name string, seed uint64) (*reify.Case, error) {
	r := reify.FromSeed(seed)
	c, err := k.config(r)
	if err != nil {
		return nil, err
	}
	return solved(reify.Make(name, r, c, search.Engine{}))
}

// Program returns the whole program of a seed, or nil if none of its functions
// can be solved. An error is a *reify.GeneratorBug.
func (k Kind) Program(seed uint64) (*oracle.Program, error) {
	r := reify.FromSeed(seed)
	c, err := k.config(r)
	if err != nil {
		return nil, err
	}
	return solved(oracle.MakeProgram(r, oracle.ProgramSize(r), c, search.Engine{}))
}

// solved returns what was made, or nothing if it is one of those that cannot be
// solved. Any other error is a *reify.GeneratorBug.
func solved[T any](made *T, err error) (*T, error) {
	if solve.Unsolved(err) {
		return nil, nil
	}
	return made, err
}

// seedsPerBatch is the distance between the first seeds of two batches.
const seedsPerBatch = 1 << 12

// firstSeed returns the seed of a batch's first case: batch n of a hunt has
// seeds of its own, whatever it is made of.
func firstSeed(hunt uint64, n int64) uint64 {
	return xxhash.Sum64(choice.Derive(hunt, "hunt")) + uint64(n)*seedsPerBatch
}

// cases makes the cases of a batch.
func (k Kind) cases(hunt uint64, b batch) (list []*reify.Case, err error) {
	for i := range k.Size {
		if k.before != nil {
			k.before()
		}
		c, err := k.function(fmt.Sprintf("f%d", i), firstSeed(hunt, b.number)+uint64(i))
		if err != nil {
			return nil, err
		}
		if c != nil {
			list = append(list, c)
		}
	}
	return list, nil
}

// SelectKinds returns the kinds named in a list such as "focused,large", in
// its order. The error lists the names there are.
func SelectKinds(kinds []Kind, names string) ([]Kind, error) {
	var selected []Kind
	for name := range strings.SplitSeq(names, ",") {
		k, ok := findKind(kinds, strings.TrimSpace(name))
		if !ok {
			var all []string
			for _, k := range kinds {
				all = append(all, k.Name)
			}
			return nil, fmt.Errorf("unknown mix %q: want some of %s", name, strings.Join(all, ","))
		}
		selected = append(selected, k)
	}
	return selected, nil
}

func findKind(kinds []Kind, name string) (Kind, bool) {
	for _, k := range kinds {
		if k.Name == name {
			return k, true
		}
	}
	return Kind{}, false
}
