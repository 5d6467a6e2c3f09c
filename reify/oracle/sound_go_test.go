package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
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
	profiles := []string{"wild", "focus", "loops", "mixed", "swarm", "narrow", "facts", "machine", "strength", "truth", "yarpgen", "backend", "aggregates", "lanes", "vectors", "vector-loops"}
	n, from := count(t, "REIFY_SOUND_TARGETS", 60), count(t, "REIFY_SOUND_FROM", 0)
	const size = 100
	made, further, trapped, planted, unsupported, states := 0, 0, 0, 0, 0, 0
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
		batch := function.In(lang, cases)
		states += strings.Count(string(batch.Artefact().Want), " state ")
		report, err := o.Check(t.Context(), batch, 0)
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
	t.Logf("%d functions, %d inputs under Go's rules, %d of them traps; %d functions with a trap planted; %d that Go cannot write; %d calls leave a state", made, further, trapped, planted, unsupported, states)
	assert.Positive(t, states)
	assert.Positive(t, further)
	assert.Positive(t, trapped)
	assert.Positive(t, planted)
	assert.Less(t, unsupported, n/100+1)
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

// A stateLiar makes programs that optimising compilers could: all answers and traps of
// a function are right, and what it leaves in memory is not.
type stateLiar struct {
	compilers.Commander
	about string
	built map[string]bool
}

func (l stateLiar) Build(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (compilers.Built, compilers.Outcome) {
	built, o := l.Commander.Build(ctx, ws, job, limits)
	l.built[built.Path] = job.Mode != l.Reference()
	return built, o
}

func (l stateLiar) Run(ctx context.Context, built compilers.Built, args []string, want []byte, limits compilers.Limits) compilers.Outcome {
	o := l.Commander.Run(ctx, built, args, want, limits)
	line := regexp.MustCompile(`(?m)^(` + l.about + `\b.* traps .* state )\d+$`)
	if l.built[built.Path] && line.Match(o.Stdout) {
		o.Stdout = line.ReplaceAll(o.Stdout, []byte("${1}1"))
		o.Verdict, o.Message = compilers.WrongAnswer, "another state"
	}
	return o
}

// Who is wrong about the state after a trap alone is found, and so is the function.
func TestStateLiar(t *testing.T) {
	lang := language.Find(compilers.Go)
	const text = `
func @NAME(%a i32) i32 {
    static @g i32 = 5
    local %t i32 = 0
  entry:
    @g = @g + %a
    %t = 100 / (%a - 3)
    goto exit
  exit:
    return %a
}
case NAME(a = 3) under go traps divide-by-zero path entry
`
	var cases []*reify.Case
	for _, name := range []string{"f", "g", "h"} {
		cases = append(cases, &reify.Case{Claim: ir.MustParse(strings.ReplaceAll(text, "NAME", name)).Claims[0]})
	}
	env := compilers.EnvFrom(os.Environ())
	env.CC = "gc"
	o := asking(t, env)
	o.Limits.CompileWall, o.Limits.RunWall = time.Minute, time.Minute
	o.Ask = func(c compilers.Target, mode compilers.Mode) bool { return mode == "@O" }
	o.Targets = []compilers.Target{stateLiar{o.Targets[0].(compilers.Commander), "g", map[string]bool{}}}
	batch := function.In(lang, cases)
	require.Contains(t, string(batch.Artefact().Want), "g traps divide-by-zero state ")
	report, err := o.Check(t.Context(), batch, 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	e, err := report.Finding.Entry()
	require.NoError(t, err)
	assert.Equal(t, "wrong-answer", e.Verdict)
	assert.Contains(t, e.Program, "func @g(")
	assert.NotContains(t, e.Program, "func @f(")
}
