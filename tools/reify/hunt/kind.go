package hunt

import (
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"

	"goreify/reify"
	"goreify/reify/breed"
	"goreify/reify/choice"
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
	// Bred says that inputs are children of those that reached rare events, and
	// Pure that these are of the same profile, and their children have its
	// features switched as Features says. As long as there are no parents, inputs
	// are drawn as for other kinds.
	Bred, Pure bool

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
	if _, err := k.input(0, nil).Config(); err != nil {
		return nil, err
	}
	p := k
	p.Name, p.Size, p.Whole = profile+"-programs", 6, true
	return []Kind{k, p}, nil
}

// BredKinds returns two kinds of batches, of functions and of whole programs,
// whose inputs are children of those that reached rare events in others, of any
// kind; or, if they are to be pure, of those of the same profile as like. What
// is drawn as long as there are none is like it as well.
func BredKinds(like Kind, pure bool) []Kind {
	k := Kind{Name: "mutants", Size: 60, Weight: 5, Profile: like.Profile, Features: like.Features, Bred: true, Pure: pure}
	p := k
	p.Name, p.Size, p.Weight, p.Whole = "mutant-programs", 6, 2, true
	return []Kind{k, p}
}

// input returns what the case or program of a seed is made of.
func (k Kind) input(seed uint64, parents []breed.Input) breed.Input {
	if !k.Bred || len(parents) == 0 {
		return breed.Input{Profile: k.Profile, Features: k.Features, Recipe: reify.FromSeed(seed)}
	}
	of := breed.Child
	if k.Whole {
		of = breed.ProgramChild
	}
	in := of(parents, choice.New(choice.Derive(seed, "child")))
	if k.Pure && k.Features != "" && !strings.HasSuffix(in.Features, k.Features) {
		// What is named last holds.
		in.Features = strings.TrimPrefix(in.Features+","+k.Features, ",")
	}
	return in
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

// cases makes the cases of a batch. It also returns what each is made of, by the
// names of their functions.
func (k Kind) cases(hunt uint64, b batch) (list []*reify.Case, inputs map[string]breed.Input, err error) {
	inputs = map[string]breed.Input{}
	for i := range k.Size {
		if k.before != nil {
			k.before()
		}
		in := k.input(firstSeed(hunt, b.number)+uint64(i), b.parents)
		c, err := solved(in.Make(fmt.Sprintf("f%d", i), search.Engine{}))
		if err != nil {
			return nil, nil, err
		}
		if c != nil {
			list = append(list, c)
			inputs[c.Func.Name] = in
		}
	}
	return list, inputs, nil
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
