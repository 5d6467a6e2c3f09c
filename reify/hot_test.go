package reify_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// Nearly all recipes end in a function that goes round a loop 200 times and more.
func TestMakeHot(t *testing.T) {
	p, err := reify.FindProfile("focus")
	require.NoError(t, err)
	made := 0
	for i := range 40 {
		r := reify.FromSeed(uint64(i))
		k, err := reify.MakeHot("f", r, p.Configure(r), search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err)
		made++
		visits, most := map[int]int{}, 0
		for _, b := range k.Path {
			visits[b]++
			most = max(most, visits[b])
		}
		assert.GreaterOrEqual(t, most, 200)
		require.NoError(t, interp.Verify(k.Claim))
		again, err := reify.MakeHot("f", r, p.Configure(r), search.Engine{})
		require.NoError(t, err)
		assert.Equal(t, k.Program().String(), again.Program().String(), "same bytes, same program")
	}
	t.Log(made)
	assert.Greater(t, made, 30)
}
