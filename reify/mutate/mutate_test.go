package mutate

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// cases returns functions of a profile.
func cases(t testing.TB, profile string, n int, f func(k *reify.Case)) {
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	for i := range uint64(n) {
		r := reify.FromSeed(i)
		k, err := reify.Make("f", r, p.Configure(r), search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err)
		f(k)
	}
}

// Variants of all profiles are proofs, are others than their seeds, leave these as
// they are, and are the same each time.
func TestMutate(t *testing.T) {
	for _, profile := range []string{"focus", "mixed", "wild", "machine", "vector-loops", "narrow", "lanes", "facts", "wide", "aggregates", "vectors", "paper"} {
		t.Run(profile, func(t *testing.T) {
			made := map[string]int{}
			cases(t, profile, *seeds, func(k *reify.Case) {
				before := k.Program().String()
				seed, err := NewSeed(k.Claims())
				require.NoError(t, err)
				for v := range uint64(12) {
					o := Options{Policy: k.Config.Sketch.Policy}
					list, done, err := seed.Mutate("v", o, choice.New(choice.Derive(v, "variant")))
					require.NoError(t, err)
					proved(t, k, list)
					again, _, err := seed.Mutate("v", o, choice.New(choice.Derive(v, "variant")))
					require.NoError(t, err)
					require.Equal(t, list[0].Func.String(), again[0].Func.String())
					for _, d := range done {
						made[d.Pass]++
					}
				}
				require.Equal(t, before, k.Program().String())
			})
			for _, name := range Passes() {
				if name != "arm" && name != ForeignPass { // which some profiles, and all, give nothing to do
					assert.Positive(t, made[name], name)
				}
			}
			t.Log(made)
		})
	}
}
