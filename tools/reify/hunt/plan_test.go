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
		`"gcc-12" -O2`:                  {"gcc-12 -O2"},
		"gcc-12 -Os,-O2 one":            {"gcc-12 -Os", "gcc-12 -O2"},
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
		"gcc -O2 often":     `"gcc -O2 often": want WHO [LEVELS] [one] [every N]`,
		"gcc -O2, -O3":      `"-O2," is no list of levels`,
		"gcc -O2,O3":        "is no list of levels",
		"gcc every 0":       "every 0: want a number from 1",
		"gcc -O2 every day": "every day: want a number from 1",
		"all -O2 every":     "want WHO",
		`"gcc-12 -m32`:      "a quote that does not end",
		`"" -O2`:            "an empty rule",
	} {
		_, err := ParsePlan(text)
		assert.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"gcc-13; all":        "there is no compiler gcc-13 here",
		`"gcc-12 -m32"; all`: "there is no compiler gcc-12 -m32 here",
		"all every 2":        "leaves batches that nobody is asked about",
		"clang-19 -Ofast":    "nobody is asked at -Ofast here, but at -O0 -O1 -Os -O2 -O3",
		"gcc-12 -O22":        "nobody is asked at -O22 here",
		"all; gcc -O2,-O":    "nobody is asked at -O here",
	} {
		p, err := ParsePlan(text)
		require.NoError(t, err, text)
		assert.ErrorContains(t, p.check(someToolchains, someLevels), want, text)
	}
}

// Who wants no plan gets the sample, unless it has nothing to ask.
func TestDefaultPlan(t *testing.T) {
	for levels, want := range map[string]string{
		"-O0 -O1 -Os -O2 -O3": "sample", "-O3": "sample", "-O1": "sample", "-O0": "all", "-Ofast": "all",
	} {
		p := defaultPlan(someToolchains, strings.Fields(levels))
		assert.Equal(t, want, p.name, levels)
		assert.NoError(t, p.check(someToolchains, strings.Fields(levels)), levels)
	}
	all, err := ParsePlan("all")
	require.NoError(t, err)
	assert.Equal(t, all, defaultPlan(someToolchains, []string{"-O0"}))
}

// The sample has the full matrix on one batch in 64, and else one configuration
// of each family; what a batch gets depends on its number and the seed alone.
func TestSample(t *testing.T) {
	p, err := ParsePlan("sample")
	require.NoError(t, err)
	assert.Contains(t, p.Describe(), "sample (all every 64; ")
	const batches = 8000
	parts := func(seed uint64) (list []string) {
		for n := range int64(batches) {
			list = append(list, p.part(seed, n, someToolchains, someLevels).String())
		}
		return list
	}
	count := map[string]int{}
	for _, text := range parts(7) {
		part, err := ParsePlan(text)
		require.NoError(t, err)
		got := asked(part)
		if text == everything {
			count[text]++
			continue
		}
		require.Len(t, got, 2)
		assert.True(t, strings.HasPrefix(got[0], "gcc") && strings.HasPrefix(got[1], "clang"), got)
		count[got[0]]++
		count[got[1]]++
	}
	assert.InDelta(t, batches/64, count[everything], batches/250)
	for _, config := range []string{"gcc-12 -O1", "gcc-11 -Os", "gcc-12 -O2", "gcc-11 -O3"} {
		assert.InDelta(t, batches/8, count[config], batches/50, config)
	}
	assert.InDelta(t, batches/4, count["clang-19 -O3"], batches/50)
	assert.Zero(t, count["gcc-12 -O0"])
	assert.Equal(t, parts(7), parts(7))
	assert.NotEqual(t, parts(7), parts(8))
}

// One of what is there: compilers and levels that are gone are not drawn.
func TestOneOfFew(t *testing.T) {
	p, err := ParsePlan("gcc -O2,-O3 one; clang one")
	require.NoError(t, err)
	require.NoError(t, p.check(someToolchains, someLevels))
	assert.Equal(t, `"gcc-11" -O3`, p.part(1, 1, someToolchains[1:2], []string{"-O0", "-O3"}).String())
	assert.Empty(t, p.part(1, 1, nil, someLevels).String())

	// Two that differ in their arguments are two.
	narrow := someToolchains[0]
	narrow.Args = []string{"-m32"}
	both := []compilers.Toolchain{someToolchains[0], narrow}
	seen := map[string]bool{}
	for n := range int64(20) {
		part, err := ParsePlan(p.part(1, n, both, someLevels).String())
		require.NoError(t, err)
		asked := 0
		for _, t := range both {
			for _, level := range someLevels {
				if part.asks(t, level) {
					asked++
					seen[t.String()] = true
				}
			}
		}
		assert.Equal(t, 1, asked, part)
	}
	assert.Len(t, seen, 2)
}
