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
	// Make returns the case of a seed, which is the same for the same seed and
	// name. It returns nil and no error for a seed that ends in no case. An
	// error is a *reify.GeneratorBug.
	Make func(seed uint64, name string) (*reify.Case, error)
	// Program returns, in place of Make, the whole program of a seed.
	Program func(seed uint64) (*oracle.Program, error)
}

// Kinds returns the kinds of batches there are, nearly each a profile. Small
// focused functions found most bugs by far, alone and in programs; those with
// many features of the language and those of the paper's size hardly found any,
// but nobody knows that of the next compiler.
func Kinds() []Kind {
	return []Kind{
		functions("focused", 60, 14, profile("focus")),
		functions("swarm", 60, 3, profile("swarm")),
		functions("mixed", 60, 5, profile("mixed")),
		functions("wild", 60, 0.5, profile("wild")),
		functions("yarpgen", 30, 0.5, profile("yarpgen")),
		functions("large", 10, 0.5, profile("large")),
		programs("programs", 6, 8, profile("focus")),
		programs("swarm-programs", 6, 2, profile("swarm")),
		programs("wild-programs", 6, 0.5, profile("wild")),
	}
}

// ProfileKinds returns two kinds of batches whose configurations are drawn by a
// function: one of functions, which gets the name, and one of whole programs.
func ProfileKinds(name string, configure func(reify.Recipe) reify.Config) []Kind {
	return []Kind{functions(name, 60, 1, configure), programs(name+"-programs", 6, 1, configure)}
}

// profile returns what draws configurations from the profile of that name.
func profile(name string) func(reify.Recipe) reify.Config {
	p, err := reify.FindProfile(name)
	if err != nil {
		panic("hunt: " + err.Error())
	}
	return p.Configure
}

// functions returns a kind of single functions.
func functions(name string, size int, weight float64, configure func(reify.Recipe) reify.Config) Kind {
	return Kind{Name: name, Size: size, Weight: weight, Make: func(seed uint64, name string) (*reify.Case, error) {
		r := reify.FromSeed(seed)
		k, err := reify.Make(name, r, configure(r), search.Engine{})
		if solve.Unsolved(err) {
			return nil, nil
		}
		return k, err
	}}
}

// seedsPerBatch is the distance between the first seeds of two batches.
const seedsPerBatch = 1 << 12

// firstSeed returns the seed of a batch's first case: batch n of a hunt has
// seeds of its own, whatever it is made of.
func firstSeed(hunt uint64, n int64) uint64 {
	return xxhash.Sum64(choice.Derive(hunt, "hunt")) + uint64(n)*seedsPerBatch
}

// cases makes the cases of a batch.
func (k Kind) cases(hunt uint64, n int64) ([]*reify.Case, error) {
	var list []*reify.Case
	for i := range k.Size {
		c, err := k.Make(firstSeed(hunt, n)+uint64(i), fmt.Sprintf("f%d", i))
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
