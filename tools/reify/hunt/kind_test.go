package hunt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/language"
	"goreify/reify/others/inject"
	"goreify/reify/others/text"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/source/matrix"
	"goreify/reify/source/program"
	"goreify/reify/source/variant"
	"goreify/tools/need"
)

// The kinds get what they ask of the profiles.
func TestKinds(t *testing.T) {
	need.Long(t)
	seen := map[uint64]bool{}
	for _, k := range Kinds() {
		assert.NotEmpty(t, k.About, k.Name)
		require.LessOrEqual(t, k.Seeds, seedsPerBatch)
		if k.Source.Name() == matrix.Name {
			assert.True(t, k.OffByDefault, "a hunt of it ends when it is through")
			continue
		}
		s, ok := k.Source.(function.Source)
		if !ok {
			assert.Contains(t, []string{program.Name, variant.Name, text.Name, inject.Name, matrix.Name}, k.Source.Name())
			p, whole := k.Source.(program.Source)
			variants := k.Language == compilers.C && (!whole || p.Variants)
			_, finite := k.Source.(source.Finite)
			assert.Equal(t, variants || finite, k.OffByDefault, "variants have not been found to add anything")
			continue
		}
		assert.Equal(t, k.Seeds, s.Size)
		s.Size = min(s.Size, 6)
		if s.Hot { // they take time
			s.Size = 2
		}
		for n := range int64(3) {
			made, err := s.Make(t.Context(), s.Draw(stream(1, n)))
			require.NoError(t, err)
			if n == 0 {
				again, err := s.Make(t.Context(), s.Draw(stream(1, n)))
				require.NoError(t, err)
				assert.Equal(t, made.Artefact(), again.Artefact(), "the same seed, the same program")
			}
			for _, c := range made.(*function.Batch).Cases {
				p, err := reify.FindProfile(c.Config.Profile)
				require.NoError(t, err)
				name := k.Name
				if l := language.Find(k.Language); l != nil {
					p, name = p.Without(l.Masked...), strings.TrimPrefix(name, l.Short+"-")
				}
				assert.Equal(t, p.Configure(c.Recipe), c.Config, "profile and recipe say it all")
				s := c.Config.Sketch
				small := s.Vars <= 5 && c.Config.Graph.Blocks <= 9
				scalars := s.Memory == 0 && s.Arrays == 0 && s.Volatile == 0
				switch name {
				case "focused":
					assert.True(t, small && scalars, "%+v", c.Config)
				case "mixed":
					assert.True(t, small && s.Memory > 0, "%+v", c.Config)
				case "large":
					assert.False(t, small, "%+v", c.Config)
				case "hot":
					assert.True(t, len(c.Path) > 200 || c.Trap != "", "%s", c.Path)
				default:
					assert.Equal(t, name, c.Config.Profile)
				}
			}
		}
	}
	for seed := uint64(1); seed < 4; seed++ {
		for n := range int64(100) {
			first := stream(seed, n).Uint64()
			assert.False(t, seen[first], "batches share seeds")
			seen[first] = true
			assert.Equal(t, first+seedsPerBatch, stream(seed, n+1).Uint64())
		}
	}
}

func TestSelectKinds(t *testing.T) {
	all, err := SelectKinds(Kinds(), "go")
	require.NoError(t, err)
	assert.Greater(t, len(all), 5, "all that begin with it")
	for _, k := range all {
		assert.Equal(t, compilers.Go, k.Language)
		assert.False(t, k.OffByDefault, k.Name)
	}
	kinds, err := SelectKinds(Kinds(), "large, focused")
	require.NoError(t, err)
	assert.Equal(t, []string{"large", "focused"}, []string{kinds[0].Name, kinds[1].Name})
	_, err = SelectKinds(Kinds(), "focused,tiny")
	assert.EqualError(t, err, `unknown kind of batches "tiny"; hunt -mixes lists the kinds`)
}

// A kind that is off by default is no choice of a hunt that steers.
func TestOffByDefault(t *testing.T) {
	kinds := Kinds()
	for _, k := range (Options{Kinds: kinds}).chosen(someTargets) {
		assert.False(t, k.OffByDefault, k.Name)
	}
	named, err := SelectKinds(kinds, "corpus-variants")
	require.NoError(t, err)
	assert.Equal(t, "corpus-variants", Options{Kinds: kinds, Mix: named}.chosen(nil)[0].Name)
}

// Plays a hunt in which batches of a kind cost and yield what they do here,
// and returns the CPU seconds that each got.
func play(kinds []Kind, cost map[string]float64, perSecond map[string]float64, batches int) map[string]float64 {
	history := map[string]yield{}
	due := map[string]float64{}
	got := map[string]float64{}
	for range batches {
		name := kinds[choose(kinds, history)].Name
		y := history[name]
		y.cpu += cost[name]
		if due[name] += cost[name] * perSecond[name]; due[name] >= 1 {
			due[name]--
			y.buckets++
		}
		history[name] = y
		got[name] = y.cpu
	}
	return got
}

func TestSteering(t *testing.T) {
	kinds := Options{Kinds: Kinds()}.chosen(someTargets)
	cost := map[string]float64{}
	for _, k := range kinds {
		cost[k.Name] = 3
	}
	cost["focused"], cost["large"] = 2, 9
	share := func(perSecond map[string]float64) map[string]float64 {
		got := play(kinds, cost, perSecond, 20000)
		sum := 0.0
		for _, k := range kinds {
			sum += got[k.Name]
		}
		for _, k := range kinds {
			got[k.Name] /= sum
			assert.GreaterOrEqual(t, got[k.Name], floor*0.9, "nothing starves")
		}
		return got
	}
	assert.Greater(t, share(map[string]float64{"focused": 1e-2, "mixed": 1e-3})["focused"], 0.6)
	assert.Greater(t, share(map[string]float64{"mixed": 1e-2, "focused": 1e-3})["mixed"], 0.6)
	assert.Greater(t, share(map[string]float64{"large": 1e-2})["large"], 0.6)

	// Before anything is known the weights decide.
	short := play(kinds, cost, nil, 60)
	assert.Greater(t, short["focused"], short["mixed"])
	assert.Greater(t, short["mixed"], short["large"])
	assert.Positive(t, short["large"])

	// Batches that are under way count: two workers do not choose alike.
	first := choose(kinds, nil)
	assert.NotEqual(t, first, choose(kinds, map[string]yield{kinds[first].Name: {running: 3}}))
}
