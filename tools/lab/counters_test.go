package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/tools/need"
)

func TestCountersCommand(t *testing.T) {
	need.Long(t)
	need.Command(t, "gcc-12")
	t.Setenv("PATH", "/usr/bin:/bin") // without yarpgen
	status, out := command(t, "counters", "-time", "1ms", "-profile", "focus,yarpgen-main", "-against", "focus")
	require.Zero(t, status, out)
	assert.Contains(t, out, "gcc-12 12.")
	assert.Contains(t, out, "NOT MEASURED: yarpgen: not installed")
	assert.Contains(t, out, "sums : focus")

	fields := object(t, "counters", "-time", "1ms", "-profile", "programs", "-seed", "3", "-json")
	result := fields["results"].([]any)[0].(map[string]any)
	assert.Equal(t, "programs", result["source"])
	assert.Positive(t, result["functions"])
	assert.Zero(t, result["failed"])
	assert.Greater(t, result["distinct"], 60.0)
	assert.Positive(t, result["counts"].(map[string]any)["fre: Eliminated"])
	assert.Equal(t, fields["together"], result["distinct"])
}

// The mix is made of parts that there are.
func TestMix(t *testing.T) {
	s, err := findSource(mix)
	require.NoError(t, err)
	for seed := range uint64(len(mixed)) {
		u, err := s.Make(t.Context(), seed)
		require.NoError(t, err)
		assert.NotEmpty(t, u.Files, mixed[seed].name)
	}
}

// A profile's name may have a dash, as what switches a feature off has.
func TestProfileSourceNames(t *testing.T) {
	for _, name := range append(reify.Profiles(), "vector-loops-switch", "wild+ptr-float", "loops-loop") {
		_, err := findSource(name)
		assert.NoError(t, err, name)
	}
	_, err := findSource("vector")
	assert.ErrorContains(t, err, `unknown profile "vector"`)
}

func TestCountersCommandErrors(t *testing.T) {
	for _, args := range [][]string{
		{"-time", "0s"}, {"-profile", "plan,none"}, {"-profile", "wild+none"}, {"-against", "plan", "-profile", "none"}, {"-cc", "gcc-none"}, {"extra"},
	} {
		status, _ := command(t, append([]string{"counters"}, args...)...)
		assert.Equal(t, 2, status, args)
	}
	t.Setenv("PATH", t.TempDir())
	status, _ := command(t, "counters", "-profile", "yarpgen-main,csmith")
	assert.Equal(t, 2, status)
}

// Clang has counters, too.
func TestCountersOfClang(t *testing.T) {
	clang := need.Command(t, "clang")
	status, out := command(t, "counters", "-time", "1ms", "-profile", "focus", "-cc", clang)
	require.Zero(t, status, out)
	assert.Contains(t, out, "focus")
}
