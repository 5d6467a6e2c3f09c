package counters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/compilers/native"
	"goreify/tools/generators"
	"goreify/tools/need"
)

var (
	a = events.Counter{Pass: "p", Name: "a"}
	b = events.Counter{Pass: "p", Name: "b"}
	c = events.Counter{Pass: "o", Name: "c"}
)

func TestRatio(t *testing.T) {
	mean, both := ratio(events.Counts{a: 8, b: 3, c: 5}, 2, events.Counts{a: 1, b: 3}, 2)
	assert.Equal(t, 2, both)
	assert.InDelta(t, math.Sqrt(8), mean, 1e-12)
	mean, both = ratio(events.Counts{a: 8}, 4, events.Counts{a: 1}, 1)
	assert.Equal(t, 1, both)
	assert.InDelta(t, 2, mean, 1e-12, "8 in four seconds against 1 in one")
	mean, both = ratio(events.Counts{a: 8}, 1, events.Counts{c: 1}, 1)
	assert.Equal(t, 0, both)
	assert.Equal(t, 1.0, mean)
	assert.Equal(t, []events.Counter{c, a, b}, events.Counts{b: 1, a: 2, c: 3}.Sorted())
}

// workshop returns options with a compiler that is the shell script body.
func workshop(t *testing.T, body string) Options {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gcc-99")
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	limits := compilers.DefaultLimits()
	limits.CompileWall = time.Minute
	cc := native.Toolchain{Name: "gcc-99", Path: path, Family: "gcc", Version: "99.1.0"}
	return Options{Compiler: cc, Space: ws, Limits: limits, Time: time.Nanosecond, Seed: 7}
}

// text returns a source whose programs are made of two files with a text in
// them, but for seed 7, which ends in none.
func text(flags ...string) generators.Source {
	return generators.Source{Name: "text", Flags: flags, Make: func(_ context.Context, seed uint64) (generators.Unit, error) {
		if seed == 7 {
			return generators.Unit{}, nil
		}
		return generators.Unit{Files: [][]byte{[]byte("one"), []byte("two")}, Functions: 3}, nil
	}}
}

func runOne(ctx context.Context, s generators.Source, opt Options) (*Result, error) {
	results, err := Run(ctx, []generators.Source{s}, opt)
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// Sources take turns: none is done before another has begun.
func TestRunTakesTurns(t *testing.T) {
	var order []string
	source := func(name string) generators.Source {
		return generators.Source{Name: name, Make: func(context.Context, uint64) (generators.Unit, error) {
			order = append(order, name)
			return generators.Unit{Files: [][]byte{[]byte("one")}}, nil
		}}
	}
	opt := workshop(t, `i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo '1 a "x" 1' >repro.c.1t.statistics`)
	opt.Time = 100 * time.Millisecond
	results, err := Run(t.Context(), []generators.Source{source("one"), source("two")}, opt)
	require.NoError(t, err)
	require.Len(t, results, 2)
	assert.Equal(t, []string{"one", "two"}, order[:2])
	for _, r := range results {
		assert.GreaterOrEqual(t, r.CPUSeconds, 0.1)
	}
}

func TestDone(t *testing.T) {
	for name, want := range map[string]bool{
		"Eliminated": true, "Jumps threaded": true, "two-insn combine": true, "Statements deleted": true,
		"RPO num values == #": false, "RPO blocks": false, "insert iterations == #": false, "SSA names released": false,
		"Symbol to SSA rewrite": false, "Incremental SSA update": false, "unused VAR_DECLs removed": false,
		"Number of ASSERT_EXPR expressions inserted": false,
	} {
		assert.Equal(t, want, done(events.Counter{Pass: "fre", Name: name}), name)
	}
	counts := events.Counts{{Pass: "fre", Name: "Eliminated"}: 3, {Pass: "fre", Name: "RPO blocks"}: 2}
	assert.Equal(t, events.Counts{{Pass: "fre", Name: "Eliminated"}: 3}, allDone(counts))
}

func TestRun(t *testing.T) {
	opt := workshop(t, `case "$*" in *"-O3 -w -fdump-statistics-stats -DX repro.c -c") ;; *) exit 1;; esac
echo "1 $(cat repro.c) \"x\" 2" >repro.c.1t.statistics
echo '2 both "y" 3' >>repro.c.1t.statistics`)
	r, err := runOne(t.Context(), text("-DX"), opt)
	require.NoError(t, err)
	assert.Equal(t, events.Counts{{Pass: "one", Name: "x"}: 2, {Pass: "two", Name: "x"}: 2, {Pass: "both", Name: "y"}: 6}, r.Counts)
	assert.Positive(t, r.CPUSeconds)
	r.CPUSeconds, r.Counts = 0, nil
	assert.Equal(t, &Result{Source: "text", Programs: 1, Functions: 3, Empty: 1, Distinct: 3}, r)
}

func TestRunGoesOn(t *testing.T) {
	opt := workshop(t, `i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo '1 a "x" 1' >repro.c.1t.statistics`)
	opt.Time = 100 * time.Millisecond
	r, err := runOne(t.Context(), text(), opt)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, r.CPUSeconds, 0.1)
	assert.Equal(t, int64(2*r.Programs), r.Counts[events.Counter{Pass: "a", Name: "x"}])
}

// A compiler that breaks down costs its time and counts nothing; programs that
// are none, counters in an unknown format and a source that has no programs are
// errors.
func TestRunFailures(t *testing.T) {
	r, err := runOne(t.Context(), text(), workshop(t, `echo "repro.c:1: internal compiler error: in f, at f.c:1" >&2; exit 1`))
	require.NoError(t, err)
	assert.Equal(t, 2, r.Failed)
	assert.Empty(t, r.Counts)

	_, err = runOne(t.Context(), text(), workshop(t, `echo "repro.c:1: error: no C" >&2; exit 1`))
	assert.ErrorContains(t, err, "text, seed 8: ")
	assert.ErrorContains(t, err, "no C")
	_, err = runOne(t.Context(), text(), workshop(t, `echo "1 ccp folded 4" >repro.c.1t.statistics`))
	assert.ErrorContains(t, err, "gcc-99 99.1.0: statistics: line 1 is")
	_, err = runOne(t.Context(), text(), workshop(t, `true`))
	assert.ErrorContains(t, err, "does not say what it optimised")

	none := generators.Source{Name: "none", Make: func(context.Context, uint64) (generators.Unit, error) { return generators.Unit{}, nil }}
	_, err = runOne(t.Context(), none, workshop(t, `true`))
	assert.ErrorContains(t, err, "none: 100 seeds in a row, from 7")
	broken := errors.New("broken")
	_, err = runOne(t.Context(), generators.Source{Make: func(context.Context, uint64) (generators.Unit, error) { return generators.Unit{}, broken }}, workshop(t, `true`))
	assert.ErrorIs(t, err, broken)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = runOne(cancelled, text(), workshop(t, `true`))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestReport(t *testing.T) {
	results := []*Result{
		{Source: "on", Programs: 2, Functions: 9, CPUSeconds: 1, Distinct: 2, Counts: events.Counts{a: 4, b: 9}},
		{Source: "off", Programs: 3, CPUSeconds: 2, Distinct: 2, Counts: events.Counts{a: 2, c: 1}},
	}
	cc := native.Toolchain{Name: "gcc-99", Version: "99.1.0"}
	r, err := NewReport(cc, results, "off")
	require.NoError(t, err)
	r.Missing = []string{"yarpgen: not installed on PATH"}
	assert.Equal(t, 3, r.Together)
	assert.Equal(t, 1, results[0].Alone)
	assert.Equal(t, 4.0, results[0].Ratio)
	assert.Equal(t, 1, results[0].Common)
	var out strings.Builder
	require.NoError(t, r.Table(&out))
	assert.Equal(t, strings.TrimPrefix(`
gcc-99 99.1.0 -O3
    source  programs  functions  failed  CPU s  counters  of no other  sums : off  counters of both  optimised : off
        on         2          9       0    1.0         2            1        4.00                 1             4.00
       off         3          -       0    2.0         2            1        1.00                 2             1.00
  together                                             3
NOT MEASURED: yarpgen: not installed on PATH
`, "\n"), out.String())
	js, err := json.Marshal(r)
	require.NoError(t, err)
	assert.Contains(t, string(js), `"counts":{"p: a":4,"p: b":9}`)

	_, err = NewReport(cc, results, "other")
	assert.ErrorContains(t, err, `"other"`)
}

// The real csmith and a real gcc agree on what is to be compiled and counted.
func TestCsmith(t *testing.T) {
	need.Command(t, "gcc-12")
	s, err := generators.Csmith(nil)
	if err != nil {
		need.Missing(t, "csmith", "%v", err)
	}
	found, err := native.Toolchains(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc-12"})
	require.NoError(t, err)
	opt := workshop(t, "")
	opt.Compiler, opt.Seed = found[0], 1
	opt.Limits.CompileCPU = time.Minute
	r, err := runOne(t.Context(), s, opt)
	require.NoError(t, err)
	assert.Greater(t, r.Distinct, 50, fmt.Sprint(r.Counts))
	assert.Zero(t, r.Failed)
}
