package reify_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/sketch"
	"goreify/tools/need"
)

func profile(t *testing.T, name string) reify.Profile {
	t.Helper()
	p, err := reify.FindProfile(name)
	require.NoError(t, err)
	return p
}

func TestProfilesAreValid(t *testing.T) {
	assert.Equal(t, []string{"focus", "mixed", "large", "wild", "loops", "swarm", "yarpgen", "paper", "strength", "motion", "backend", "machine", "narrow", "truth", "wide", "vector-loops", "lanes", "facts", "calls", "aggregates", "vectors", "coefficients"}, reify.Profiles())
	for _, name := range reify.Profiles() {
		p := profile(t, name)
		for i := range uint64(300) {
			data := choice.Derive(i, name)
			c := p.Draw(choice.New(data))
			require.NoError(t, c.Validate(), "%v", c)
			require.Equal(t, c, p.Draw(choice.New(data)), "the same bytes, the same configuration")
			require.Equal(t, name, c.Profile)
		}
	}
	_, err := reify.FindProfile("tame")
	assert.ErrorContains(t, err, `unknown profile "tame": want one of focus,mixed,large,wild,loops,swarm,yarpgen,paper,strength,motion,backend,machine,narrow,truth,wide,vector-loops,lanes,facts,calls,aggregates,vectors,coefficients`)
}

// The paper's subset is what it was, whatever else there is.
func TestPaperProfileIsTheDefault(t *testing.T) {
	c := profile(t, "paper").Draw(choice.New(nil))
	c.Profile = ""
	assert.Equal(t, reify.DefaultConfig(), c)
	for _, name := range []string{"focus", "mixed", "large", "paper"} {
		for i := range uint64(100) {
			c := profile(t, name).Draw(choice.New(choice.Derive(i, "")))
			assert.Zero(t, c.Sketch.Policy)
			assert.Zero(t, c.Graph.Switches)
		}
	}
}

// Every distribution differs from one case to the next, and is 0 in some.
func TestParametersAreShuffled(t *testing.T) {
	p := profile(t, "wild")
	values := map[string]map[int]bool{}
	for i := range uint64(2000) {
		c := p.Draw(choice.New(choice.Derive(i, "")))
		for _, share := range sketch.Shares() {
			if !slices.Contains(p.Features(), share.Feature) {
				continue
			}
			if values[share.Name] == nil {
				values[share.Name] = map[int]bool{}
			}
			values[share.Name][*share.At(&c.Sketch.Policy)] = true
		}
	}
	require.GreaterOrEqual(t, len(values), 23)
	for name, seen := range values {
		assert.GreaterOrEqual(t, len(seen), 3, name)
		assert.Contains(t, seen, 0, name)
	}
}

func TestPlanSeesAllProfiles(t *testing.T) {
	seen := map[string]int{}
	for i := range uint64(500) {
		_, c := reify.FromSeed(i).Plan()
		seen[c.Profile]++
	}
	for _, name := range []string{"focus", "mixed", "large", "wild", "yarpgen"} {
		assert.Greater(t, seen[name], 5, name)
	}
}

func TestWith(t *testing.T) {
	c, err := reify.DefaultConfig().With("+ptr, -array,-volatile")
	require.NoError(t, err)
	assert.Positive(t, c.Sketch.Policy.Ptr)
	assert.Zero(t, c.Sketch.Policy.Float)
	assert.Zero(t, c.Sketch.Arrays)
	assert.Zero(t, c.Sketch.Volatile)
	assert.Equal(t, reify.DefaultConfig().Sketch.Memory, c.Sketch.Memory, "the others stay")
	assert.Contains(t, c.String(), "Ptr=35")

	c, err = c.With("+all,-ptr")
	require.NoError(t, err)
	assert.Zero(t, c.Sketch.Policy.Ptr)
	assert.Positive(t, c.Sketch.Policy.Vector)
	none, err := c.With("-all")
	require.NoError(t, err)
	assert.Zero(t, none.Sketch.Policy)

	same, err := none.With("")
	require.NoError(t, err)
	assert.Equal(t, none, same)
	for text, want := range map[string]string{
		"ptr":       `feature "ptr": want + or - before its name`,
		"+pointers": `unknown feature "pointers": want some of array,memory,volatile,switch,types`,
		"+":         `unknown feature ""`,
		"+ptr,":     `feature "": want + or -`,
	} {
		_, err := none.With(text)
		assert.ErrorContains(t, err, want)
	}
}

// Each feature can be had alone: no share of another is changed by it.
func TestFeaturesAreIndependent(t *testing.T) {
	need.Long(t)
	base, err := reify.DefaultConfig().With("-all")
	require.NoError(t, err)
	for _, name := range reify.Features() {
		c, err := base.With("+" + name)
		require.NoError(t, err)
		for _, share := range sketch.Shares() {
			if share.Feature == name {
				assert.Equal(t, share.Typical, *share.At(&c.Sketch.Policy), share.Name)
			} else {
				assert.Zero(t, *share.At(&c.Sketch.Policy), share.Name)
			}
		}
		back, err := c.With("-" + name)
		require.NoError(t, err)
		assert.Equal(t, base, back, name)
	}
}

// A sentence says what each profile and each feature is, and of nothing else.
func TestAbout(t *testing.T) {
	for _, name := range reify.Profiles() {
		p, err := reify.FindProfile(name)
		require.NoError(t, err)
		assert.NotEmpty(t, p.About(), name)
		assert.LessOrEqual(t, len(p.About()), 84, name)
	}
	for _, name := range reify.Features() {
		assert.NotEmpty(t, reify.AboutFeature(name), name)
		assert.LessOrEqual(t, len(reify.AboutFeature(name)), 84, name)
	}
}
