package hunt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
)

var (
	someLevels  = []compilers.Mode{"-O0", "-O1", "-Os", "-O2", "-O3"}
	someTargets = threeAt(someLevels)
	someConfigs = configsOf(someTargets)
)

// threeAt returns two gccs and a clang with these modes.
func threeAt(modes []compilers.Mode) []compilers.Target {
	return stubs(modes, [2]string{"gcc-12", "gcc"}, [2]string{"gcc-11", "gcc"}, [2]string{"clang-19", "clang"})
}

func configsOf(targets []compilers.Target) []oracle.Config {
	return (&oracle.Oracle{Targets: targets}).Configs()
}

// asked lists what a plan asks.
func asked(p Plan) []string {
	var list []string
	for _, c := range someConfigs {
		if p.asks(c) {
			list = append(list, c.String())
		}
	}
	return list
}

func TestPlan(t *testing.T) {
	for text, want := range map[string][]string{
		"gcc-12 -O2,-O3":                             {"gcc-12 -O2", "gcc-12 -O3"},
		"gcc -O2":                                    {"gcc-12 -O2", "gcc-11 -O2"},
		" clang   -O0 ;gcc-11 -Os":                   {"gcc-11 -Os", "clang-19 -O0"},
		"clang-19 -O1; gcc -O3 every 9":              {"clang-19 -O1"},
		`"gcc-12" -O2`:                               {"gcc-12 -O2"},
		"gcc-12 -Os,-O2 one":                         {"gcc-12 -Os", "gcc-12 -O2"},
		"gcc-12 -Os,-O2 flags one":                   {"gcc-12 -Os", "gcc-12 -O2"},
		"gcc-12 flags arch every 2;gcc-11 -O1 flags": {"gcc-11 -O1"},
		"all -O0":                                    {"gcc-12 -O0", "gcc-11 -O0", "clang-19 -O0"},
	} {
		p, err := ParsePlan(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, asked(p), text)
		back, err := ParsePlan(p.String())
		require.NoError(t, err, text)
		assert.Equal(t, p, back, text)
		assert.NoError(t, p.check(someConfigs), text)
	}
	p, err := ParsePlan("all")
	require.NoError(t, err)
	assert.Len(t, asked(p), len(someConfigs))
	assert.Equal(t, "all", p.Describe())
}

func TestPlanErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "an empty rule",
		"gcc;":              "an empty rule",
		"gcc -O2 often":     `"gcc -O2 often": want WHO [MODES] [flags [arch]] [one] [every N]`,
		"gcc -O2, -O3":      `"-O2," is no list of modes`,
		"gcc -O2,O3":        "is no list of modes",
		"gcc every 0":       "every 0: want a number from 1",
		"gcc -O2 every day": "every day: want a number from 1",
		"all -O2 every":     "want WHO",
		"gcc flags narrow":  "want WHO",
		"gcc one flags":     "want WHO",
		`"gcc-12 -m32`:      "a quote that does not end",
		`"" -O2`:            "an empty rule",
	} {
		_, err := ParsePlan(text)
		assert.ErrorContains(t, err, want, text)
	}
	for text, want := range map[string]string{
		"gcc-13; all":        "there is no compiler gcc-13 here",
		`"gcc-12 -m32"; all`: "there is no compiler gcc-12 -m32 here",
		"all every 2":        "asks no compiler about some batches",
		"clang-19 -Ofast":    "clang-19 has no mode -Ofast here, only -O0 -O1 -Os -O2 -O3",
		"gcc-12 -O22":        "gcc-12 has no mode -O22 here",
		"all; gcc -O2,-O":    "gcc has no mode -O here",
	} {
		p, err := ParsePlan(text)
		require.NoError(t, err, text)
		assert.ErrorContains(t, p.check(someConfigs), want, text)
	}
}

// Who wants no plan gets the sample, unless it has nothing to ask.
func TestDefaultPlan(t *testing.T) {
	for levels, want := range map[string]string{
		"-O0 -O1 -Os -O2 -O3": "sample", "-O3": "sample", "-O1": "sample", "-O0": "all", "-Ofast": "all",
	} {
		configs := configsOf(threeAt(strings.Fields(levels)))
		p := defaultPlan(configs)
		assert.Equal(t, want, p.name, levels)
		assert.NoError(t, p.check(configs), levels)
	}
	all, err := ParsePlan("all")
	require.NoError(t, err)
	assert.Equal(t, all, defaultPlan(configsOf(threeAt([]compilers.Mode{"-O0"}))))
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
			list = append(list, p.part(seed, n, someTargets).String())
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
	require.NoError(t, p.check(someConfigs))
	assert.Equal(t, `"gcc-11" -O3`, p.part(1, 1, threeAt([]compilers.Mode{"-O0", "-O3"})[1:2]).String())
	assert.Empty(t, p.part(1, 1, nil).String())
	with, err := ParsePlan("gcc -O2,-O3 flags one; clang flags arch one; all flags")
	require.NoError(t, err)
	assert.Equal(t, `"gcc-11" -O3 flags; all flags`, with.part(1, 1, threeAt([]compilers.Mode{"-O0", "-O3"})[1:2]).String(), "the same with flags")

	// Two that differ in their arguments are two.
	narrow := someTargets[0].(stub)
	narrow.id.Args = []string{"-m32"}
	both := []compilers.Target{someTargets[0], narrow}
	seen := map[string]bool{}
	for n := range int64(20) {
		part, err := ParsePlan(p.part(1, n, both).String())
		require.NoError(t, err)
		asked := 0
		for _, c := range configsOf(both) {
			if part.asks(c) {
				asked++
				seen[c.Target.ID().String()] = true
			}
		}
		assert.Equal(t, 1, asked, part)
	}
	assert.Len(t, seen, 2)
}

// Modes begin with a sign, whichever it is; families need not be here, but must
// be known.
func TestPlanOfEngines(t *testing.T) {
	engine := stubs([]compilers.Mode{"@fast", "@slow", "-N"}, [2]string{"toy-1", "toy"})
	for _, c := range []struct {
		text string
		here []compilers.Target
		want []string
	}{
		{"toy @fast", engine, []string{"toy-1 @fast"}},
		{"toy-1 @slow,-N one", engine, []string{"toy-1 @slow", "toy-1 -N"}},
		{"toy; clang", engine, []string{"toy-1 @fast", "toy-1 @slow", "toy-1 -N"}},
		{"clang @fast; all @slow", engine, []string{"toy-1 @slow"}},
		{"toy @fast; clang -O3", append(engine, someTargets...), []string{"toy-1 @fast", "clang-19 -O3"}},
	} {
		p, err := ParsePlan(c.text)
		require.NoError(t, err, c.text)
		assert.Equal(t, c.text, p.String())
		configs := configsOf(c.here)
		require.NoError(t, p.check(configs), c.text)
		var got []string
		for _, config := range configs {
			if p.asks(config) {
				got = append(got, config.String())
			}
		}
		assert.Equal(t, c.want, got, c.text)
	}
	for text, want := range map[string]string{
		"tyo @fast; all":    "there is no compiler tyo here",
		"clagn; all":        "there is no compiler clagn here",
		"toy @fsat; all":    "toy has no mode @fsat here",
		"toy -O2; all":      "toy has no mode -O2 here, only @fast @slow -N",
		"gcc @fast; all":    "gcc has no mode @fast here, only -O0 -O1 -Os -O2 -O3",
		"gcc-12 @fast; all": "gcc-12 has no mode @fast here",
	} {
		p, err := ParsePlan(text)
		require.NoError(t, err, text)
		assert.ErrorContains(t, p.check(configsOf(append(engine, someTargets...))), want, text)
	}
	// The sample has a rule of its own for each family; the draws of the others
	// stay as they are.
	both := append(engine, someTargets...)
	p := defaultPlan(configsOf(both))
	assert.Equal(t, plans[sample]+"; toy @fast,-N flags arch one", p.String())
	assert.Equal(t, plans[sample], defaultPlan(someConfigs).String())
	for n := range int64(100) {
		want, err := ParsePlan(sample)
		require.NoError(t, err)
		assert.Equal(t, want.part(1, n, someTargets), p.part(1, n, targetsFor(compilers.C, both)))
	}
	assert.Equal(t, everything, defaultPlan(configsOf(append(engine, threeAt([]compilers.Mode{"-O0"})...))).String(), "C needs it")
	slow := stubs([]compilers.Mode{"@slow"}, [2]string{"toy-1", "toy"})
	assert.Equal(t, plans[sample]+"; toy flags arch one", defaultPlan(configsOf(append(slow, someTargets...))).String())
}
