package reify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// published are the configurations of the paper's Table 5.
const published = `
15,8,2,2,3 15,8,2,2,4 15,8,3,2,4 10,8,2,2,4 8,10,2,2,3 11,8,2,2,4 10,12,2,2,4
15,10,2,2,2 10,8,3,2,4 15,8,4,2,3 15,8,5,2,3 8,8,2,2,4 10,18,2,2,4 10,10,2,2,4
15,8,3,2,3 15,8,4,2,4 9,10,2,2,3 10,17,2,2,4 8,8,2,2,3 10,20,2,2,4 10,16,2,2,4
15,8,5,2,4 10,13,2,2,4 11,8,3,2,4 8,10,2,4,8 10,10,2,2,3 10,8,4,2,4 15,8,6,2,4
15,10,2,4,4 15,10,2,4,6 10,11,2,2,4 8,8,3,2,4 10,19,2,2,4 11,8,5,2,4 15,10,2,4,3
8,8,3,2,3 10,14,2,2,4 15,10,2,4,10 11,8,4,2,4 8,10,3,3,4 10,8,5,2,4 15,10,2,4,2
15,10,2,4,7 15,8,7,2,4 10,15,2,2,4 15,10,2,3,2 15,10,2,4,2 15,10,2,6,2 10,9,2,2,4
15,10,2,7,2 10,8,6,2,4 8,20,3,6,15 15,10,2,4,8 8,8,4,2,4 15,10,2,4,5 8,8,4,2,3
15,8,7,2,3 11,8,6,2,4 11,10,2,2,3 9,10,2,4,8 15,10,4,2,5 12,10,2,2,3 15,10,2,4,12
15,10,2,8,2 15,10,2,4,15 15,8,6,2,3 15,10,2,4,9 15,8,8,2,3 15,10,2,4,14 15,10,2,5,2
`

func TestPublishedConfigurationsAreValid(t *testing.T) {
	list := strings.Fields(published)
	require.Len(t, list, 70)
	for _, text := range list {
		_, err := reify.ParseConfig(text)
		assert.NoError(t, err, text)
	}
}

// Parameters that are each in bounds can come to more than any memory holds.
func TestConfigurationsTooLargeTogether(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"10000,8,64,64,64", "#BBL 10000 (up to 10422 blocks with loops) x (#ASS 64 x (#TERA 64 + 1) + #TERC 64 + 1) is 44032950 symbols, want at most 2000000"},
		{"10000,8,2,64,64", "#ASS 2 x (#TERA 64 + 1) + #TERC 64 + 1) is 2032290 symbols"},
		{"10000,8,2,62,60", ""},
		{"15,64,64,64,64", ""},
		{"10000", ""},
		{"10000,64", "#VAR 64 (up to 4096 scalars with arrays) x (MaxLen 40 + up to 10422 blocks on the way to the exit) is 42852352 values along a path, want at most 20000000"},
	} {
		_, err := reify.ParseConfig(test.text)
		if test.want == "" {
			assert.NoError(t, err, test.text)
		} else {
			assert.ErrorContains(t, err, test.want, test.text)
		}
	}
}

func TestPathsTooLongForTheirVariables(t *testing.T) {
	conf := reify.DefaultConfig()
	conf.Path.MaxLen = 1_000_000
	assert.ErrorContains(t, conf.Validate(), "MaxLen is 1000000, want 1 to 10000")
	conf.Path.MaxLen = 10_000
	assert.NoError(t, conf.Validate())
	conf.Sketch.Vars = 64
	assert.ErrorContains(t, conf.Validate(), "#VAR 64 (up to 4096 scalars with arrays) x (MaxLen 10000 + up to 437 blocks")
	_, err := reify.Make("f", reify.FromSeed(1), conf, search.Engine{})
	assert.ErrorContains(t, err, "values along a path, want at most 20000000")
	conf.Sketch.Arrays = 0
	assert.NoError(t, conf.Validate())
	conf.Sketch.Policy.Trips, conf.Sketch.Vars = 100, 25 // 2,070 scalars, and 500 visits more
	assert.ErrorContains(t, conf.Validate(), "#VAR 25 (up to 2070 scalars with arrays) x (MaxLen 10000 + up to 937 blocks")
}

// The interpreter calls two reads of a volatile object in one expression
// undefined, so that a case with one would be a generator bug.
func TestVolatileVariables(t *testing.T) {
	conf := reify.DefaultConfig()
	conf.Sketch.Volatile, conf.Sketch.Arrays, conf.Sketch.AssignTerms = 70, 30, 4
	conf.Inputs = 2
	for _, conf.Sketch.Sum = range []bool{false, true} {
		volatile := 0
		made := each(t, 40, &conf, func(_ int, k *reify.Case) {
			for _, v := range k.Func.Vars {
				if v.Volatile {
					volatile++
				}
			}
		})
		assert.Greater(t, made, 30)
		assert.Greater(t, volatile, 2*made)
	}
}

// The bound of what paths need holds for what each profile makes, with all features
// too.
func TestMostScalars(t *testing.T) {
	need.Long(t)
	for _, name := range reify.Profiles() {
		p := profile(t, name)
		for seed := range uint64(60) {
			r := reify.FromSeed(seed)
			conf := p.Configure(r)
			if seed%2 == 0 && !conf.Sketch.Subset() {
				var err error
				conf, err = conf.With("+all")
				require.NoError(t, err)
			}
			k, err := reify.Make("f", r, conf, search.Engine{})
			if err != nil {
				continue
			}
			n := 0
			for _, v := range k.Func.Vars {
				n += ir.Count(v.Type)
			}
			assert.LessOrEqual(t, n, reify.MostScalars(&conf.Sketch), "%s %d", name, seed)
		}
	}
}
