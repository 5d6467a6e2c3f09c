package mutate

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// A variant of any case is a proof of the same answers, and reads back as it was
// printed.
func FuzzMutate(f *testing.F) {
	for i := range uint64(12) {
		r := reify.FromSeed(i)
		f.Add(r.Config, r.Graph, r.Path, r.Body, choice.Derive(i, "variant"))
	}
	f.Fuzz(func(t *testing.T, config, graph, path, body, variant []byte) {
		r := reify.Recipe{Config: config, Graph: graph, Path: path, Body: body}
		_, conf := r.Plan()
		k, err := reify.Make("f", r, conf, search.Engine{})
		if solve.Unsolved(err) {
			return
		}
		require.NoError(t, err)
		seed, err := NewSeed(k.Claims())
		require.NoError(t, err)
		list, _, err := seed.Mutate("v", Options{Policy: conf.Sketch.Policy}, choice.New(variant))
		require.NoError(t, err)
		proved(t, k, list)
	})
}

// proved asserts that the cases of a variant have the answers of its seed.
func proved(t *testing.T, k *reify.Case, list []*ir.Claim) {
	t.Helper()
	require.Len(t, list, len(k.Claims()))
	text := (&ir.Program{Funcs: []*ir.Function{list[0].Func}, Claims: list}).String()
	back, err := ir.Parse(text)
	require.NoError(t, err, text)
	require.Equal(t, text, back.String())
	require.NoError(t, back.Check(), text)
	for i, c := range back.Claims {
		require.Equal(t, k.Claims()[i].Args, c.Args)
		require.Equal(t, k.Claims()[i].Want, c.Want)
		require.NoError(t, interp.Verify(c), text)
	}
}

var seeds = flag.Int("seeds", 15, "functions that a test takes of each profile")
