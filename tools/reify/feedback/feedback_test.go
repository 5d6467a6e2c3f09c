package feedback

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
)

// engine returns options with a binary that is the shell script body, in place
// of the fuzzing engine.
func engine(t *testing.T, body string) Options {
	t.Helper()
	dir := t.TempDir()
	binary := filepath.Join(dir, "fuzz.test")
	require.NoError(t, os.WriteFile(binary, []byte("#!/bin/sh\n"+body), 0o700))
	module := filepath.Join(dir, "module")
	require.NoError(t, os.MkdirAll(filepath.Join(module, "corpus"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(module, "corpus", "known.txtar"), []byte("x"), 0o644))
	results := filepath.Join(dir, "results")
	require.NoError(t, os.Mkdir(results, 0o755))
	return Options{Module: module, Binary: binary, Target: "FuzzX", Time: 300 * time.Millisecond, Repeats: 1, Seed: 7, Dir: results, Log: &strings.Builder{}}
}

// A run goes on after a bug, ends when its CPU time, that of its children too,
// is used up, and counts what was written down.
func TestMeasure(t *testing.T) {
	opt := engine(t, `
[ -e corpus/known.txtar ] && [ "$REIFY_GO_ON" = on ] || exit 9
if [ ! -e corpus/new.txtar ]; then
	echo "$GODEBUG" >>events
	echo x >corpus/new.txtar
	echo "Failing input written to testdata/fuzz/FuzzX/1"
	exit 1
fi
echo "$REIFY_FEEDBACK" >>events
echo "$GODEBUG" >>events
[ $REIFY_FEEDBACK = off ] || echo again >>events
printf unfinished >>events
mkdir -p out
echo "gcc was not heard" >>out/told.txt
echo "FAIL: gcc" >>out/told.txt
mkdir -p cache/FuzzX
echo x >cache/FuzzX/1
sh -c 'while :; do :; done'
`)
	results, err := Measure(t.Context(), opt)
	require.NoError(t, err)
	require.Len(t, results, 2)
	for i, want := range []Result{{On: true}, {On: false}} {
		want.Version, want.Target, want.Time = reify.Version, opt.Target, opt.Time
		want.Seed, want.Kept, want.Bugs, want.CPU, want.Events = 7, 1, 1, results[i].CPU, results[i].Events
		assert.Equal(t, want, results[i])
		assert.Len(t, results[i].Events, 4-i)
		assert.GreaterOrEqual(t, results[i].CPU, opt.Time)
	}
	var b strings.Builder
	require.NoError(t, Table(&b, results))
	assert.Contains(t, b.String(), "on : off = 1.33 ")
	assert.Contains(t, b.String(), "of either : off = 1.67\n", "on and off are events here")
	known, err := os.ReadDir(filepath.Join(opt.Module, "corpus"))
	require.NoError(t, err)
	assert.Len(t, known, 1, "the module's own corpus is left alone")
	log := opt.Log.(*strings.Builder).String()
	assert.Equal(t, 2, strings.Count(log, "feedback: gcc was not heard\n"), log)
	assert.NotContains(t, log, "FAIL")
}

// One half of the runs may be made elsewhere.
func TestModes(t *testing.T) {
	opt := engine(t, "echo $REIFY_FEEDBACK >>events; while :; do :; done\n")
	opt.Modes = []bool{false}
	results, err := Measure(t.Context(), opt)
	require.NoError(t, err)
	require.Len(t, results, 1)
	assert.Equal(t, map[string]bool{"off\n": true}, results[0].Events)
	var b strings.Builder
	require.NoError(t, Table(&b, results))
	assert.NotContains(t, b.String(), "on : off")

	// The other half; what there is already is not measured again.
	opt.Modes = nil
	require.NoError(t, os.Truncate(filepath.Join(opt.Dir, "off-7.json"), 0))
	_, err = Measure(t.Context(), opt)
	require.ErrorContains(t, err, "off-7.json")
	require.NoError(t, writeJSON(filepath.Join(opt.Dir, "off-7.json"), results[0]))
	both, err := Measure(t.Context(), opt)
	require.NoError(t, err)
	require.Len(t, both, 2)
	assert.True(t, both[0].On)
	assert.Equal(t, results[0], both[1])
	require.NoError(t, Table(&b, both))
	assert.Contains(t, b.String(), "on : off = 1.00 (wanted: at least 1.2), of either : off = 2.00\n")

	opt.Time = time.Second
	_, err = Measure(t.Context(), opt)
	assert.ErrorContains(t, err, "FuzzX and 300ms, not of "+reify.Version+", FuzzX and 1s")
}

func TestMeasureErrors(t *testing.T) {
	_, err := Measure(t.Context(), engine(t, "echo cannot; exit 1\n"))
	assert.ErrorContains(t, err, "cannot")
	_, err = Measure(t.Context(), engine(t, "exit 0\n"))
	assert.ErrorContains(t, err, "too early")
	assert.Error(t, Table(&strings.Builder{}, []Result{{On: true}, {On: false}}))
}
