package plant

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
)

// Traps are planted at later visits, and are what the interpreter sees.
func TestTrap(t *testing.T) {
	p, err := reify.FindProfile("mixed")
	require.NoError(t, err)
	java := map[ir.Trap]int{}
	kinds, longer, made := map[ir.Trap]int{}, 0, 0
	for i := range 120 {
		r := reify.FromSeed(uint64(i))
		k, err := reify.Make("f", r, p.Configure(r), search.Engine{})
		require.NoError(t, err)
		before := k.Func.String()
		s := choice.Named("body", r.Body)
		c, err := Trap(k.Claim, interp.Go, s)
		assert.Equal(t, before, k.Func.String(), "what was given stays")
		if err == ErrNone {
			continue
		}
		require.NoError(t, err, "%s", k.Func)
		require.NoError(t, interp.Verify(c))
		made++
		kinds[c.Trap]++
		visits := 0
		for _, b := range c.Path {
			if b == c.Path[len(c.Path)-1] {
				visits++
			}
		}
		if visits > 1 {
			longer++
		}
		again, err := Trap(k.Claim, interp.Go, choice.Named("body", r.Body))
		require.NoError(t, err)
		assert.Equal(t, c.Func.String(), again.Func.String(), "same bytes, same trap")
		w, err := Trap(k.Claim, interp.Wasm, choice.Named("body", r.Body))
		require.NoError(t, err)
		assert.Equal(t, ir.DivideByZero, w.Trap)
		j, err := Trap(k.Claim, interp.JVM, choice.Named("body", r.Body))
		require.NoError(t, err)
		java[j.Trap]++
	}
	t.Log(made, longer, kinds)
	assert.Greater(t, made, 90)
	assert.Greater(t, longer, made/3)
	assert.Len(t, kinds, 3)
	assert.Len(t, java, 4)
}

// What a call stores to a static of the function is known after the call.
func TestTrapAfterCallOfItself(t *testing.T) {
	c := ir.MustParse(`
func @f(%a i32) i32 {
    static @left u32 = 9
    local %b i32 = 0
  entry:
    @left = @left - 1
    if @left == 0 goto exit else more
  more:
    %b = @f(%a + 1)
    %b = %b + 1
    %a = %a - 1
    goto exit
  exit:
    return %b
}
case f(a = 7) = 8 path entry more exit
`).Claims[0]
	require.NoError(t, interp.Verify(c))
	made := 0
	for seed := range 100 {
		planted, err := Trap(c, interp.Wasm, choice.From(uint64(seed)))
		if err != ErrNone {
			require.NoError(t, err, "seed %d", seed)
			require.NoError(t, interp.Verify(planted))
			made++
		}
	}
	assert.Positive(t, made)
}
