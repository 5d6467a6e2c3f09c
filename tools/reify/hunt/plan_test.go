package hunt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

var (
	someToolchains = []compilers.Toolchain{
		{Name: "gcc-12", Family: compilers.GCC}, {Name: "gcc-11", Family: compilers.GCC}, {Name: "clang-19", Family: compilers.Clang},
	}
	someLevels = []string{"-O0", "-O1", "-Os", "-O2", "-O3"}
)

// asked lists what a plan asks.
func asked(p Plan) []string {
	var list []string
	for _, t := range someToolchains {
		for _, level := range someLevels {
			if p.asks(t, level) {
				list = append(list, t.Name+" "+level)
			}
		}
	}
	return list
}

func TestPlan(t *testing.T) {
	for text, want := range map[string][]string{
		"gcc-12 -O2,-O3":                {"gcc-12 -O2", "gcc-12 -O3"},
		"gcc -O2":                       {"gcc-12 -O2", "gcc-11 -O2"},
		" clang   -O0 ;gcc-11 -Os":      {"gcc-11 -Os", "clang-19 -O0"},
		"clang-19 -O1; gcc -O3 every 9": {"clang-19 -O1"},
		"all -O0":                       {"gcc-12 -O0", "gcc-11 -O0", "clang-19 -O0"},
	} {
		p, err := ParsePlan(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, asked(p), text)
		back, err := ParsePlan(p.String())
		require.NoError(t, err, text)
		assert.Equal(t, p, back, text)
		assert.NoError(t, p.check(someToolchains, someLevels), text)
	}
	p, err := ParsePlan("all")
	require.NoError(t, err)
	assert.Len(t, asked(p), len(someToolchains)*len(someLevels))
	assert.Equal(t, "all", p.Describe())
}

func TestPlanErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "an empty rule",
		"gcc;":              "an empty rule",
		"gcc -O2 often":     `"gcc -O2 often": want WHO [LEVELS] [every N]`,
		"gcc -O2, -O3":      `"-O2," is no list of levels`,
		"gcc -O2,O3":        "is no list of levels",
		"gcc every 0":       "every 0: want a number from 1",
		"gcc -O2 every day": "every day: want a number from 1",
		"all -O2 every":     "want WHO",
	} {
		_, err := ParsePlan(text)
		assert.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"gcc-13; all":     "there is no compiler gcc-13 here",
		"all every 2":     "leaves batches that nobody is asked about",
		"clang-19 -Ofast": "nobody is asked at -Ofast here, but at -O0 -O1 -Os -O2 -O3",
		"gcc-12 -O22":     "nobody is asked at -O22 here",
		"all; gcc -O2,-O": "nobody is asked at -O here",
	} {
		p, err := ParsePlan(text)
		require.NoError(t, err, text)
		assert.ErrorContains(t, p.check(someToolchains, someLevels), want, text)
	}
}

// Who wants no plan gets the sample, unless it has nothing to ask.
func TestDefaultPlan(t *testing.T) {
	for levels, want := range map[string]string{
		"-O0 -O1 -Os -O2 -O3": "sample", "-O3": "sample", "-O0": "all", "-O1": "all", "-Ofast": "all",
	} {
		p := defaultPlan(someToolchains, strings.Fields(levels))
		assert.Equal(t, want, p.name, levels)
		assert.NoError(t, p.check(someToolchains, strings.Fields(levels)), levels)
	}
	all, err := ParsePlan("all")
	require.NoError(t, err)
	assert.Equal(t, all, defaultPlan(someToolchains, []string{"-O0"}))
}

// The sample has the full matrix on one batch in 16, and at least the fertile
// levels always; what a batch gets depends on its number and the seed alone.
func TestSample(t *testing.T) {
	p, err := ParsePlan("sample")
	require.NoError(t, err)
	assert.Contains(t, p.Describe(), "sample (all every 16; ")
	const batches = 4000
	all, rare := 0, 0
	for n := range int64(batches) {
		part := p.part(7, n)
		require.Equal(t, part, p.part(7, n))
		got := asked(part)
		require.Subset(t, got, []string{"gcc-12 -O2", "gcc-12 -O3", "gcc-12 -Os", "clang-19 -O2"})
		switch {
		case part.String() == everything:
			all++
		case len(got) == 9+2:
			rare++
		default:
			require.Len(t, got, 9)
		}
		back, err := ParsePlan(part.String())
		require.NoError(t, err)
		require.Equal(t, got, asked(back))
	}
	assert.InDelta(t, batches/16, all, batches/100)
	assert.InDelta(t, batches/4*15/16, rare, batches/50)
	assert.NotEqual(t, p.part(7, 0).String()+p.part(7, 1).String()+p.part(7, 2).String()+p.part(7, 3).String()+p.part(7, 4).String()+p.part(7, 5).String(),
		p.part(8, 0).String()+p.part(8, 1).String()+p.part(8, 2).String()+p.part(8, 3).String()+p.part(8, 4).String()+p.part(8, 5).String())
}
