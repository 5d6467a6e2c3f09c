package reify_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
)

// withInputs returns the paper's defaults with n further inputs.
func withInputs(n int) *reify.Config {
	conf := reify.DefaultConfig()
	conf.Inputs = n
	return &conf
}

func TestFurtherInputsAreProofs(t *testing.T) {
	same, own := 0, 0 // functions with a further input that takes the path again, or another one
	made := each(t, 300, withInputs(3), func(seed int, k *reify.Case) {
		require.LessOrEqual(t, len(k.More), 3)
		again, other := 0, 0
		for i, m := range k.More {
			require.Same(t, k.Func, m.Func)
			require.NoError(t, interp.Verify(m), "seed %d", seed)
			require.NoError(t, cfg.CheckPath(k.Graph, m.Path), "seed %d", seed)
			for _, o := range k.Claims()[:i+1] {
				require.NotEqual(t, o.Args, m.Args, "seed %d", seed)
			}
			if slices.Equal(m.Path, k.Path) {
				again = 1
			} else {
				other = 1
			}
		}
		same += again
		own += other
	})
	t.Logf("%d functions, %d have an input of the same path, %d one of another", made, same, own)
	assert.Greater(t, same, made/2)
	assert.Greater(t, own, made/8)
}

// The further inputs change nothing else of the recipe, and are always the
// same.
func TestFurtherInputsStandAlone(t *testing.T) {
	plain := map[int]string{}
	texts := map[int]string{}
	each(t, 100, withInputs(0), func(seed int, k *reify.Case) {
		require.Empty(t, k.More)
		plain[seed] = c.Emit([]c.Unit{{Claim: k.Claim, Style: c.DrawStyle(k.Recipe.Style())}})
	})
	made := each(t, 100, withInputs(2), func(seed int, k *reify.Case) {
		require.Equal(t, plain[seed], c.Emit([]c.Unit{{Claim: k.Claim, Style: c.DrawStyle(k.Recipe.Style())}}), "seed %d", seed)
		texts[seed] = k.Program().String()
	})
	assert.Len(t, plain, made)
	each(t, 100, withInputs(2), func(seed int, k *reify.Case) {
		require.Equal(t, texts[seed], k.Program().String(), "seed %d", seed)
	})
}

func TestPlansHaveInputs(t *testing.T) {
	seen := make([]int, 3)
	for seed := range uint64(300) {
		_, conf := reify.FromSeed(seed).Plan()
		require.NoError(t, conf.Validate())
		seen[conf.Inputs]++
	}
	for n, times := range seen {
		assert.Greater(t, times, 40, "%d further inputs", n)
	}
	_, err := reify.Make("f", reify.FromSeed(1), *withInputs(9), search.Engine{})
	assert.ErrorContains(t, err, "number of further inputs is 9, want 0 to 8")
	_, err = reify.Make("f", reify.FromSeed(1), *withInputs(-1), search.Engine{})
	assert.ErrorContains(t, err, "number of further inputs is -1, want 0 to 8")
}

// TestFurtherInputs looks for inputs of functions whose inputs are known.
func TestFurtherInputs(t *testing.T) {
	for name, test := range map[string]struct {
		text      string
		most, own int // inputs that can be found, and paths besides the first
	}{
		"no parameters": {`
func @f() i32 {
  entry:
    goto exit
  exit:
    return 7
}
case f() = 7 path entry exit`, 0, 0},
		"all but one are undefined": {`
func @f(%a i32) i32 {
    local %t [1]i32 = {5}
  entry:
    goto exit
  exit:
    return %t[%a]
}
case f(a = 0) = 5 path entry exit`, 0, 0},
		"all but two do not end": {`
func @f(%a u8) i32 {
  entry:
    if i32(%a) / 2 == 1 goto exit else b1
  b1:
    %a = u8(u32(%a) / 2 + 128)
    goto b1
  exit:
    return 7
}
case f(a = 2) = 7 path entry exit`, 1, 0},
		"two ways": {`
func @f(%a i64, %b u64, %c i8, %d u16) i32 {
  entry:
    if %a + 3 < 5 goto b1 else b2
  b1:
    goto exit
  b2:
    goto exit
  exit:
    return i32(%a) + i32(%d)
}
case f(a = 1, b = 18446744073709551615, c = -128, d = 0) = 1 path entry b1 exit`, reify.MaxInputs, 1},
	} {
		p := ir.MustParse(test.text)
		require.NoError(t, p.Check(), name)
		require.NoError(t, interp.Verify(p.Claims[0]), name)
		most, own := 0, 0
		changed := make([]bool, 4)
		for seed := range uint64(20) {
			more, err := reify.FurtherInputs(p.Claims[0], reify.MaxInputs, false, choice.New(choice.Derive(seed, "")))
			require.NoError(t, err, name)
			most = max(most, len(more))
			paths := map[string]bool{}
			for _, k := range more {
				for i, v := range k.Args {
					require.True(t, ir.Scalar(k.Func.Vars[i].Type).Holds(v), name)
					changed[i] = changed[i] || v != p.Claims[0].Args[i]
				}
				if !slices.Equal(k.Path, p.Claims[0].Path) {
					paths[(&ir.Program{Claims: []*ir.Claim{{Func: k.Func, Path: k.Path}}}).String()] = true
				}
			}
			own = max(own, len(paths))
		}
		assert.Equal(t, test.most, most, name)
		assert.Equal(t, test.own, own, name)
		if test.own > 0 {
			assert.Equal(t, []bool{true, true, true, true}, changed, "every type of parameter is varied")
		}
	}
}

// A function that was to be total, and is not, has further inputs like the one that is
// known.
func TestFurtherInputsOfTotalFunctions(t *testing.T) {
	p := ir.MustParse(`
func @f(%a u64, %b u64, %c u64) i32 {
  entry:
    if %a / 4 == 1000003 goto exit else b1
  b1:
    unreachable
    goto exit
  exit:
    return i32(%b)
}
case f(a = 4000012, b = 1, c = 2) = 1 path entry exit`)
	require.NoError(t, interp.Verify(p.Claims[0]))
	found := 0
	for seed := range uint64(20) {
		more, err := reify.FurtherInputs(p.Claims[0], reify.MaxInputs, true, choice.New(choice.Derive(seed, "")))
		require.NoError(t, err)
		found += len(more)
	}
	assert.Greater(t, found, 15*reify.MaxInputs)
}

// BenchmarkFurtherInputs looks for the further inputs of functions that are
// made beforehand.
func BenchmarkFurtherInputs(b *testing.B) {
	var made []*reify.Case
	each(b, 300, withInputs(0), func(_ int, k *reify.Case) { made = append(made, k) })
	for n := 1; n <= 2; n++ {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			functions := 0
			found := make([]int, n+1) // functions with so many
			for b.Loop() {
				k := made[functions%len(made)]
				functions++
				more, err := reify.FurtherInputs(k.Claim, n, false, choice.New(k.Recipe.Body).Fork("inputs"))
				require.NoError(b, err)
				found[len(more)]++
			}
			b.ReportMetric(float64(functions)/b.Elapsed().Seconds(), "functions/s")
			b.ReportMetric(100-100*float64(found[0])/float64(functions), "%any")
			b.ReportMetric(100*float64(found[n])/float64(functions), "%all")
		})
	}
}
