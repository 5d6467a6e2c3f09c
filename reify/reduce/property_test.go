package reduce_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/reduce"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// generated calls test with n programs that have the property, of all profiles:
// of one function, and every third of several that call each other.
func generated(t *testing.T, n int, property func(*ir.Program) bool, test func(t *testing.T, p *ir.Program)) {
	t.Helper()
	profiles := reify.Profiles()
	made := 0
	for seed := uint64(1); made < n; seed++ {
		require.Less(t, seed, uint64(50*n+50), "too few functions can be made")
		r := reify.FromSeed(seed)
		profile, err := reify.FindProfile(profiles[int(seed)%len(profiles)])
		require.NoError(t, err)
		conf := profile.Configure(r)
		p, err := generate(r, conf, made%3 == 0)
		if err != nil || !property(p) {
			continue
		}
		made++
		t.Run(fmt.Sprintf("%s-%d", profile.Name(), seed), func(t *testing.T) { test(t, p) })
	}
}

func generate(r reify.Recipe, conf reify.Config, many bool) (*ir.Program, error) {
	if !many {
		k, err := reify.Make("f", r, conf, search.Engine{})
		if err != nil {
			return nil, err
		}
		return &ir.Program{Funcs: []*ir.Function{k.Func}, Claims: k.Claims()[:1]}, nil
	}
	var leaves []*link.Leaf
	for i := range 4 {
		k, err := reify.Make("f"+strconv.Itoa(i), r.Nth(i), conf, search.Engine{})
		if err != nil {
			continue
		}
		l, err := link.NewLeaf(k.Claims()...)
		if err != nil {
			return nil, err
		}
		leaves = append(leaves, l)
	}
	if len(leaves) == 0 {
		return nil, errors.New("no leaves")
	}
	linked, err := link.Link(leaves, link.DefaultOptions(), choice.Named("config", r.Config))
	if err != nil {
		return nil, err
	}
	return linked.IR, nil
}

// sampled is a property that about half of all programs have, and each in the
// same way whenever it is asked.
func sampled(p *ir.Program) bool {
	return xxhash.Sum64String(p.String())%2 == 0
}

// TestCandidates reduces generated programs and looks at each candidate: it is
// valid, and the interpreter agrees with its case.
func TestCandidates(t *testing.T) {
	need.Long(t)
	for name, property := range map[string]func(*ir.Program) bool{"sampled": sampled, "twice": roundTwice} {
		t.Run(name, func(t *testing.T) {
			generated(t, 24, property, func(t *testing.T, p *ir.Program) {
				before := p.String()
				check := func(_ context.Context, c reduce.Candidate) (bool, error) {
					require.NoError(t, c.Program.Check())
					require.NoError(t, interp.VerifyProgram(c.Program))
					require.Len(t, c.Program.Claims, 1)
					text := c.Program.String()
					again, err := ir.Parse(text)
					require.NoError(t, err, text)
					require.Equal(t, text, again.String())
					return property(c.Program), nil
				}
				got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{Test: check})
				require.NoError(t, err)
				assert.Greater(t, got.Tests, 2, "no candidate but the start")
				assert.Equal(t, before, p.String(), "the program to reduce has changed")
				assert.True(t, property(got.Program))
				assert.LessOrEqual(t, len(got.Program.Funcs), len(p.Funcs))
			})
		})
	}
}

// TestWorkers compares the results of one and of four workers.
func TestWorkers(t *testing.T) {
	need.Long(t)
	third := func(p *ir.Program, form int) bool {
		return xxhash.Sum64String(p.String()+strconv.Itoa(form))%3 == 0
	}
	generated(t, 12, func(p *ir.Program) bool { return third(p, 2) }, func(t *testing.T, p *ir.Program) {
		var results []string
		for _, workers := range []int{1, 4} {
			got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p, Form: 2}, reduce.Options{
				Forms: 3, Workers: workers, MaxTests: 100,
				Test: func(_ context.Context, c reduce.Candidate) (bool, error) {
					return third(c.Program, c.Form), nil
				},
			})
			require.NoError(t, err)
			results = append(results, fmt.Sprintf("form %d, %d tests\n%s", got.Form, got.Tests, got.Program))
		}
		assert.Equal(t, results[0], results[1])
	})
}

// TestFlaky has Test lie now and then; Confirm tells the truth.
func TestFlaky(t *testing.T) {
	lies := 0
	generated(t, 12, roundTwice, func(t *testing.T, p *ir.Program) {
		calls := uint64(0)
		got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{
			Test: func(_ context.Context, c reduce.Candidate) (bool, error) {
				calls++
				truth := roundTwice(c.Program)
				if calls > 2 && xxhash.Sum64String(strconv.FormatUint(calls, 10))%10 == 0 {
					lies++
					return !truth, nil
				}
				return truth, nil
			},
			Confirm: holds(roundTwice),
		})
		require.NoError(t, err)
		assert.True(t, roundTwice(got.Program))
	})
	assert.Greater(t, lies, 10)
}

// TestCancelled cancels at each of the first calls of Test: the result is one
// that held.
func TestCancelled(t *testing.T) {
	generated(t, 3, sampled, func(t *testing.T, p *ir.Program) {
		for last := 3; last < 60; last += 7 {
			ctx, cancel := context.WithCancel(t.Context())
			var calls atomic.Int64
			var mu sync.Mutex
			held := map[string]bool{}
			got, err := reduce.Run(ctx, reduce.Candidate{Program: p}, reduce.Options{
				Workers: 2,
				Test: func(ctx context.Context, c reduce.Candidate) (bool, error) {
					n := calls.Add(1)
					if n == int64(last) {
						cancel()
					}
					if ctx.Err() != nil {
						return false, ctx.Err()
					}
					ok := sampled(c.Program)
					mu.Lock()
					held[c.Program.String()] = ok
					mu.Unlock()
					return ok, nil
				},
			})
			cancel()
			require.NotNil(t, got)
			assert.True(t, held[got.Program.String()])
			if calls.Load() >= int64(last) {
				require.ErrorIs(t, err, context.Canceled)
			} else {
				require.NoError(t, err)
			}
		}
	})
}

// TestConfirmSlips has Test hold for more programs than Confirm, as when a
// reduction slips to another failure: the result is one that Confirm likes, and
// Confirm is asked far less often than Test.
func TestConfirmSlips(t *testing.T) {
	stays := func(p *ir.Program) bool { return strings.Contains(p.String(), " * ") && roundTwice(p) }
	tests, confirms := 0, 0
	generated(t, 8, stays, func(t *testing.T, p *ir.Program) {
		got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{
			Test: holds(roundTwice), Confirm: holds(stays),
		})
		require.NoError(t, err)
		assert.True(t, stays(got.Program))
		assert.Less(t, strings.Count(got.Program.String(), " * "), 2)
		tests, confirms = tests+got.Tests, confirms+got.Confirms
	})
	t.Logf("%d tests, %d confirms", tests, confirms)
	assert.Less(t, confirms, tests/2)
}
