package oracle_test

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/plant"
	"goreify/reify/solve/search"
	"goreify/reify/source/function"
)

// Functions with all features that Go has, in all styles, with inputs that C has no
// answers for, are right in all versions of gc that are named, without optimising. Every
// other one has a trap planted, if there is a place for it. It asks about REIFY_SOUND_TARGETS
// functions from seed REIFY_SOUND_FROM on; make sound-go says how.
func TestSoundGo(t *testing.T) {
	env := compilers.EnvFrom(os.Environ())
	if env.CC == "" {
		env.CC = "gc"
	}
	o := asking(t, env)
	o.Limits.CompileWall, o.Limits.RunWall = time.Minute, time.Minute
	o.Ask = func(c compilers.Target, mode compilers.Mode) bool { return mode == c.Reference() }
	lang := language.Find(compilers.Go)
	profiles := []string{"wild", "focus", "loops", "mixed", "swarm", "narrow", "facts", "machine", "strength", "truth", "yarpgen", "backend"}
	n, from := count(t, "REIFY_SOUND_TARGETS", 60), count(t, "REIFY_SOUND_FROM", 0)
	const size = 100
	made, further, trapped, planted, unsupported := 0, 0, 0, 0, 0
	for first := from; first < from+n; first += size {
		var cases []*reify.Case
		for i := first; i < min(from+n, first+size); i++ {
			p, err := reify.FindProfile(profiles[i%len(profiles)])
			require.NoError(t, err)
			r := reify.FromSeed(uint64(i))
			conf := p.Without(lang.Masked...).Configure(r)
			conf.Inputs = max(conf.Inputs, 1)
			k, err := reify.Make(fmt.Sprintf("f%d", i), r, conf, search.Engine{})
			if err != nil {
				continue
			}
			if err := lang.Supports(k.Func); err != nil {
				unsupported++
				continue
			}
			more, err := k.Under(ir.Go)
			require.NoError(t, err)
			k.More = append(k.More, more...)
			if i%2 == 0 {
				if plantTrap(t, k, uint64(i)) {
					planted++
				}
			}
			for _, c := range k.Claims() {
				require.NoError(t, interp.Verify(c), "%s", k.Program())
				if c.Under == ir.Go {
					further++
				}
				if c.Trap != "" {
					trapped++
				}
			}
			cases = append(cases, k)
		}
		made += len(cases)
		report, err := o.Check(t.Context(), function.In(lang, cases), 0)
		require.NoError(t, err)
		if report.Finding != nil {
			e, err := report.Finding.Entry()
			require.NoError(t, err)
			t.Fatalf("%s", e.Format())
		}
		require.Empty(t, report.Suspicions)
		require.Empty(t, report.Discards)
		require.Equal(t, len(o.Targets), report.Asked)
	}
	t.Logf("%d functions, %d inputs under Go's rules, %d of them traps; %d functions with a trap planted; %d that Go cannot write", made, further, trapped, planted, unsupported)
	assert.Positive(t, further)
	assert.Positive(t, trapped)
	assert.Positive(t, planted)
	assert.Less(t, unsupported, n/20+1)
}

// plantTrap puts a trap in the way of a case, and leaves out the further inputs that meet
// it too. It reports whether there was a place.
func plantTrap(t *testing.T, k *reify.Case, seed uint64) bool {
	c, err := plant.Trap(k.Claim, ir.Go, choice.From(seed+1))
	if errors.Is(err, plant.ErrNone) {
		return false
	}
	require.NoError(t, err, "%s", k.Program())
	var more []*ir.Claim
	for _, m := range k.More {
		same := *m
		if same.Func = c.Func; interp.Verify(&same) == nil {
			more = append(more, &same)
		}
	}
	k.Claim, k.More = c, more
	return true
}
