package reify_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/cfg"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// each makes the cases of seeds 0 to n-1, planned by their recipes or, if conf
// is not nil, by it. It fails if there is none.
func each(t testing.TB, n int, conf *reify.Config, f func(seed int, k *reify.Case)) (made int) {
	for seed := range n {
		r := reify.FromSeed(uint64(seed))
		_, plan := r.Plan()
		if conf != nil {
			plan = *conf
		}
		k, err := reify.Make("f", r, plan, search.Engine{})
		if errors.Is(err, solve.ErrUnknown) {
			continue
		}
		require.NoError(t, err, "seed %d", seed)
		made++
		f(seed, k)
	}
	require.Positive(t, made, "cases of %d seeds", n)
	return made
}

func TestCasesAreProofs(t *testing.T) {
	made := each(t, 300, nil, func(seed int, k *reify.Case) {
		require.NoError(t, interp.Verify(k.Claim), "seed %d", seed)
		require.NoError(t, cfg.CheckPath(k.Graph, k.Path), "seed %d", seed)
		require.Equal(t, k.Graph.Succs, k.Func.Graph(), "seed %d: cfg(P) = g", seed)
	})
	assert.Equal(t, 300, made, "recipes that end in a function")
}

func TestDefaultConfiguration(t *testing.T) {
	conf := reify.DefaultConfig()
	blocks, loops := 0, 0
	made := each(t, 200, &conf, func(_ int, k *reify.Case) {
		blocks += len(k.Func.Blocks)
		assert.Contains(t, []int{8, 9}, len(k.Func.Vars), "one may never be given a value, off the path")
		visits := make([]int, len(k.Func.Blocks))
		for _, b := range k.Path {
			if visits[b]++; visits[b] == 5 {
				loops++
				break
			}
		}
	})
	assert.Equal(t, 200, made, "recipes that end in a function")
	assert.Greater(t, blocks/made, 35, "the paper's functions have 45 blocks")
	assert.Greater(t, loops, made/20, "paths that visit some block five times are common")
}

func TestTextRoundTrip(t *testing.T) {
	each(t, 100, nil, func(seed int, k *reify.Case) {
		text := (&ir.Program{Funcs: []*ir.Function{k.Func}, Claims: []*ir.Claim{k.Claim}}).String()
		back, err := ir.Parse(text)
		require.NoError(t, err, "seed %d\n%s", seed, text)
		require.Equal(t, text, back.String(), "seed %d", seed)
		require.NoError(t, interp.Verify(back.Claims[0]), "seed %d", seed)
	})
}

// digest is a hash of the C of some cases.
func digest(t testing.TB) string {
	h := xxhash.New()
	each(t, 60, nil, func(_ int, k *reify.Case) {
		_, err := h.WriteString(c.Emit([]c.Unit{c.Unit{Claim: k.Claim, Style: c.DrawStyle(k.Recipe.Style())}.Watched(interp.Stored)}))
		require.NoError(t, err)
	})
	return fmt.Sprintf("digest %016x", h.Sum64())
}

var onlyDigest = flag.Bool("digest", false, "TestDeterminism prints a digest, no more")

// TestDeterminism compares the C of the same seeds in this process, made
// twice, with that of two other processes, which run on one thread and on
// four.
func TestDeterminism(t *testing.T) {
	if *onlyDigest {
		fmt.Println(digest(t), "procs", runtime.GOMAXPROCS(0))
		return
	}
	want := digest(t)
	assert.Equal(t, want, digest(t), "the same process")
	for _, procs := range []string{"1", "4"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDeterminism$", "-test.v", "-digest")
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+procs)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "procs "+procs)
		assert.Contains(t, string(out), want, "GOMAXPROCS=%s", procs)
	}
}

func TestStreamsAreIndependent(t *testing.T) {
	conf := reify.DefaultConfig()
	others := 0
	each(t, 20, &conf, func(_ int, one *reify.Case) {
		r := one.Recipe
		r.Path = []byte("another walk")
		two, err := reify.Make("f", r, conf, search.Engine{})
		if errors.Is(err, solve.ErrUnknown) {
			return
		}
		require.NoError(t, err)
		require.Equal(t, one.Graph.Succs, two.Graph.Succs, "the path's bytes leave the graph alone")
		if !slices.Equal(one.Path, two.Path) {
			others++
		}
	})
	assert.Greater(t, others, 10, "other bytes, other paths")
}

func TestRecipesOfABatchStandAlone(t *testing.T) {
	r := reify.FromSeed(3)
	assert.Equal(t, r, r.Nth(0))
	assert.NotEqual(t, r.Nth(1), r.Nth(2))
	assert.Equal(t, r.Config, r.Nth(5).Config)
}

func TestInvalidConfigurations(t *testing.T) {
	for text, want := range map[string]string{
		"0":           "Blocks (#BBL) is 0, want 1 to 10000",
		"15,0":        "#VAR is 0, must be in [1, 64]",
		"15,8,-1":     "#ASS is -1, must be in [0, 64]",
		"15,8,2,65":   "#TERA is 65, must be in [1, 64]",
		"15,8,2,2,0":  "#TERC is 0, must be in [1, 64]",
		"15,x":        `#VAR is "x", not a whole number`,
		"1,2,3,4,5,6": "at most 5 are known",
	} {
		_, err := reify.ParseConfig(text)
		assert.ErrorContains(t, err, want, text)
	}
	conf, err := reify.ParseConfig("8,20,3,6,15")
	require.NoError(t, err)
	assert.Equal(t, 15, conf.Sketch.CondTerms)
	conf.Paths = 0
	_, err = reify.Make("f", reify.FromSeed(1), conf, search.Engine{})
	assert.ErrorContains(t, err, "paths to try is 0")
}

// A solver that lies must not get a case past the interpreter.
func TestTheInterpreterIsTheJudge(t *testing.T) {
	conf := reify.DefaultConfig()
	_, err := reify.Make("f", reify.FromSeed(7), conf, fakeSolver{})
	var bug *reify.GeneratorBug
	require.ErrorAs(t, err, &bug)
	assert.True(t, strings.HasPrefix(bug.Error(), "GENERATOR BUG"))
	assert.Contains(t, bug.Program, "func @f(")
}
