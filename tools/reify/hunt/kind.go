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

// Kinds returns the kinds of batches there are. Small focused functions found
// most bugs by far, mixed ones others; those of the paper's size hardly any,
// but nobody knows that of the next compiler.
func Kinds() []Kind {
	return []Kind{
		{Name: "focused", Size: 60, Weight: 6, Make: planned(planFocused)},
		{Name: "mixed", Size: 60, Weight: 3, Make: planned(planMixed)},
		{Name: "programs", Size: 6, Weight: 6, Program: linked(planFocused)},
		{Name: "large", Size: 10, Weight: 1, Make: planned(planLarge)},
	}
}

// What the second byte of a recipe's configuration is for reify.Recipe.Plan:
// which kind of function the recipe is of. A test holds the two together.
const (
	planFocused byte = 0
	planMixed   byte = 4
	planLarge   byte = 7
)

// recipe returns the recipe of a seed for the given kind of plan, and its
// configuration, whose first byte is a size of batch, which is of no use here.
func recipe(seed uint64, kind byte) (reify.Recipe, reify.Config) {
	r := reify.FromSeed(seed)
	r.Config = append([]byte{0, kind}, r.Config...)
	_, conf := r.Plan()
	return r, conf
}

// planned makes functions of the given kind of plan.
func planned(kind byte) func(seed uint64, name string) (*reify.Case, error) {
	return func(seed uint64, name string) (*reify.Case, error) {
		r, conf := recipe(seed, kind)
		k, err := reify.Make(name, r, conf, search.Engine{})
		if solve.Unsolved(err) {
			return nil, nil
		}
		return k, err
	}
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
