package oracle_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source/function"
)

// count returns the number that an environment variable holds, or else what an
// ordinary run of the tests makes do with.
func count(t *testing.T, variable string, ordinary int) int {
	text := os.Getenv(variable)
	if text == "" {
		return ordinary
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, variable)
	return n
}

// machine returns an oracle with the compilers of this machine.
func machine(t *testing.T) *oracle.Oracle {
	o := asking(t, compilers.EnvFrom(os.Environ()))
	for _, u := range o.Unusable {
		t.Log("not used:", u)
	}
	return o
}

// A configure says how to make the function of a recipe.
type configure func(reify.Recipe) reify.Config

func defaults(reify.Recipe) reify.Config { return reify.DefaultConfig() }

func planned(r reify.Recipe) reify.Config {
	_, conf := r.Plan()
	return conf
}

// profile returns the configurations of the profile that REIFY_SOUND_PROFILE
// names, drawn as the command show draws them, or else the ordinary ones. "plan"
// is what recipes draw for themselves, of all profiles. REIFY_SOUND_FEATURES
// switches features on and off, as in "+ptr,-float".
func profile(t *testing.T, ordinary configure) (string, configure) {
	name := os.Getenv("REIFY_SOUND_PROFILE")
	conf := ordinary
	switch name {
	case "":
		name = "of ordinary tests"
	case "plan":
		conf = planned
	default:
		p, err := reify.FindProfile(name)
		require.NoError(t, err, "REIFY_SOUND_PROFILE")
		conf = func(r reify.Recipe) reify.Config { return p.Draw(choice.Named("config", r.Config)) }
	}
	features := os.Getenv("REIFY_SOUND_FEATURES")
	if features == "" {
		return name, conf
	}
	return name + " " + features, func(r reify.Recipe) reify.Config {
		c, err := conf(r).With(features)
		require.NoError(t, err, "REIFY_SOUND_FEATURES")
		return c
	}
}

// batches makes n functions, from the seed from on, and calls f with size of
// them at a time and the seed that is next. Recipes that cannot be solved are
// left out.
func batches(t *testing.T, from uint64, n, size int, conf configure, f func(cases []*reify.Case, next uint64)) {
	var cases []*reify.Case
	for seed := from; n > 0; seed++ {
		r := reify.FromSeed(seed)
		k, err := reify.Make(fmt.Sprintf("f%d", seed), r, conf(r), search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		n--
		if cases = append(cases, k); len(cases) == size || n == 0 {
			f(cases, seed+1)
			cases = nil
		}
	}
}

// newest returns the newest target of each family.
func newest(o *oracle.Oracle) []compilers.Target {
	var list []compilers.Target
	for _, family := range []string{"gcc", "clang"} {
		for _, t := range slices.Backward(o.Targets) {
			if t.ID().Family == family {
				list = append(list, t)
				break
			}
		}
	}
	return list
}

// patience returns limits for large batches and for sanitizers.
func patience(o *oracle.Oracle) compilers.Limits {
	limits := o.Limits.ForSanitizers()
	limits.CompileCPU, limits.CompileWall, limits.CompileMemory = 60*time.Second, 5*time.Minute, 0
	limits.RunWall = time.Minute
	return limits
}

// TestSound asks the witnesses about functions, many in a program. REIFY_SOUND
// says how many, REIFY_SOUND_FROM from which seed on, to split a long run or to
// go on with one, and REIFY_SOUND_PROFILE of which configurations. With
// REIFY_SOUND_CROSS it asks compilers for other processors instead.
func TestSound(t *testing.T) {
	n, from := count(t, "REIFY_SOUND", 50), uint64(count(t, "REIFY_SOUND_FROM", 1))
	size := count(t, "REIFY_SOUND_BATCH", 100)
	name, conf := profile(t, planned)
	o, list := judges(t)
	limits := patience(o)
	var wrong tally
	asked, making, start := 0, time.Duration(0), own(t)
	batches(t, from, n, size, conf, func(cases []*reify.Case, next uint64) {
		making += own(t) - start
		about := func(cases []*reify.Case, list []*witness, terse bool) []complaint {
			job := function.New(cases).Artefact().Job("-O0")
			return ask(t.Context(), o, list, limits, question{len(cases), job, job, terse})
		}
		if all := about(cases, list, true); len(all) > 0 {
			before := len(wrong.wrong)
			for _, k := range cases {
				seed, err := strconv.ParseUint(k.Func.Name[1:], 10, 64)
				require.NoError(t, err)
				if all := about([]*reify.Case{k}, those(all), false); len(all) > 0 {
					wrong.add(t, seed, all, k.Program().String())
				}
			}
			require.Greater(t, len(wrong.wrong), before, "%v\nonly together: %s to %s", all[0], cases[0].Func.Name, cases[len(cases)-1].Func.Name)
		}
		if asked += len(cases); asked/1000 > (asked-len(cases))/1000 {
			fmt.Printf("%d functions, %d wrong; to go on from here: FROM=%d N=%d\n", asked, len(wrong.wrong), next, n-asked)
		}
		start = own(t)
	})
	fmt.Printf("%d functions of the profile %s, %d wrong at -O0 or flagged by a sanitizer; %.2f ms to make one\n",
		asked, name, len(wrong.wrong), perFunction(making, asked))
	costs(os.Stdout, list)
	assert.Equal(t, n, asked)
}

// those returns the witnesses that complain.
func those(all []complaint) []*witness {
	var list []*witness
	for _, c := range all {
		list = append(list, c.witness)
	}
	return list
}
