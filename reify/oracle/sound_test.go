package oracle_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/oracle"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
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
	o, closer, err := oracle.New(t.Context(), compilers.EnvFrom(os.Environ()), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(closer)
	for _, u := range o.Unusable {
		t.Log("not used:", u)
	}
	return o
}

// batches makes n functions at a configuration, or as their recipes plan if it
// is nil, from the seeds from 1 on, and calls f with size of them at a time.
func batches(t *testing.T, n, size int, conf *reify.Config, f func(cases []*reify.Case)) {
	var cases []*reify.Case
	for seed := uint64(1); n > 0; seed++ {
		r := reify.FromSeed(seed)
		_, plan := r.Plan()
		if conf != nil {
			plan = *conf
		}
		k, err := reify.Make(fmt.Sprintf("f%d", seed), r, plan, search.Engine{})
		if errors.Is(err, solve.ErrUnknown) {
			continue
		}
		require.NoError(t, err)
		n--
		if cases = append(cases, k); len(cases) == size || n == 0 {
			f(cases)
			cases = nil
		}
	}
}

// newest returns the newest toolchain of each family.
func newest(o *oracle.Oracle) []compilers.Toolchain {
	var list []compilers.Toolchain
	for _, family := range []compilers.Family{compilers.GCC, compilers.Clang} {
		for _, t := range slices.Backward(o.Toolchains) {
			if t.Family == family {
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

// TestSound asks witnesses that have no reason to be wrong: every family's
// newest compiler at -O0, and with sanitizers. REIFY_SOUND says how many
// functions at the paper's default configuration to ask about.
func TestSound(t *testing.T) {
	n := count(t, "REIFY_SOUND", 100)
	o := machine(t)
	require.NotEmpty(t, o.Sanitizers, "no compiler here has its sanitizers; asked: %v", o.Unusable)
	if len(o.Sanitizers) < 2 {
		t.Logf("NOT ASKED: a second family of compilers; only %v is here", o.Sanitizers)
	}
	witnesses := slices.Concat(o.Sanitizers, newest(o))
	limits := patience(o)
	conf := reify.DefaultConfig()
	asked := 0
	batches(t, n, 40, &conf, func(cases []*reify.Case) {
		units := oracle.Units(cases)
		job := compilers.Job{Source: []byte(c.Emit(units)), Want: []byte(c.Want(units)), Level: "-O0"}
		said := make([]compilers.Outcome, len(witnesses))
		var group sync.WaitGroup
		for i, w := range witnesses {
			group.Go(func() { said[i] = w.Test(t.Context(), o.Space, job, limits) })
		}
		group.Wait()
		for i, w := range witnesses {
			require.Equal(t, compilers.OK, said[i].Verdict, "%v -O0: %v\nseeds %x to %x", w, said[i], cases[0].Recipe, cases[len(cases)-1].Recipe)
		}
		if asked += len(cases); asked%1000 == 0 {
			fmt.Printf("%d functions: %v at -O0 have no objection\n", asked, witnesses)
		}
	})
	fmt.Printf("%d functions at the default configuration: right at -O0 and without complaint under %v\n", asked, witnesses)
	assert.Equal(t, n, asked)
}
