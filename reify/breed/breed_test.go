package breed_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/breed"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// parents returns inputs of all profiles.
func parents() []breed.Input {
	var list []breed.Input
	for i, name := range reify.Profiles() {
		list = append(list, breed.Input{Profile: name, Recipe: reify.FromSeed(uint64(i))})
	}
	return list
}

// A child is defined, is the same every time, and is not its parent.
func TestChildren(t *testing.T) {
	old := parents()
	known := map[string]bool{}
	for _, in := range old {
		k, err := in.Make("f", search.Engine{})
		require.NoError(t, err)
		known[k.Func.String()] = true
	}
	const children = 300
	made, others := 0, 0
	for i := range uint64(children) {
		in := breed.Child(old, choice.New(choice.Derive(i, "child")))
		assert.Equal(t, in, breed.Child(old, choice.New(choice.Derive(i, "child"))))
		k, err := in.Make("f", search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err, in)
		for _, c := range k.Cases() {
			require.NoError(t, interp.Verify(c), k.Program())
		}
		again, err := in.Make("f", search.Engine{})
		require.NoError(t, err)
		require.Equal(t, k.Program().String(), again.Program().String())
		made++
		if !known[k.Func.String()] {
			others++
		}
		old = append(old, in) // children have children
	}
	assert.Greater(t, made, children*98/100)
	assert.Greater(t, others, children*85/100)
}

// Other constants leave the graph and all else as it is; many of them lead
// along another path.
func TestTweak(t *testing.T) {
	changed, paths := 0, 0
	const cases = 100
	for i := range uint64(cases) {
		in := breed.Input{Profile: "focus", Recipe: reify.FromSeed(i)}
		k, err := in.Make("f", search.Engine{})
		require.NoError(t, err)
		in.Tweak = i + 1
		mutant, err := in.Make("f", search.Engine{})
		require.NoError(t, err)
		assert.Equal(t, k.Func.Graph(), mutant.Func.Graph())
		assert.Equal(t, k.Args, mutant.Args)
		if k.Func.String() != mutant.Func.String() {
			changed++
		}
		if !reflect.DeepEqual(k.Path, mutant.Path) {
			paths++
		}
	}
	assert.Greater(t, changed, cases*3/4)
	assert.Greater(t, paths, cases/10)
	assert.Less(t, paths, changed)
}

func TestUnknown(t *testing.T) {
	for _, in := range []breed.Input{{Profile: "nonesuch"}, {Profile: "wild", Features: "+nonesuch"}} {
		_, err := in.Make("f", search.Engine{})
		assert.ErrorContains(t, err, "nonesuch")
	}
}
