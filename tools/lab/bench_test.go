package main

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/solve/z3"
	"goreify/tools/need"
)

// object runs a command line that prints JSON.
func object(t *testing.T, args ...string) map[string]any {
	status, out := command(t, args...)
	require.Zero(t, status, out)
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &fields), out)
	return fields
}

func TestBenchJSON(t *testing.T) {
	fields := object(t, "bench", "-n", "30", "-seed", "4", "-profile", "15,8,2,2,3", "-json")
	for _, name := range []string{
		"functions_per_cpu_second", "success", "mean_blocks", "mean_tokens", "mean_path", "max_cpu_ms",
		"share_loops_3", "share_loops_10", "share_both_directions", "share_multiplier_0", "share_multiplier_1",
		"share_path_multiplier_0", "share_path_multiplier_1", "share_initial_0", "bytes_per_function", "allocs_per_function",
	} {
		assert.IsType(t, 0.0, fields[name], name)
	}
	for name, want := range map[string]any{"engine": "search", "config": "15,8,2,2,3", "n": 30.0, "seed": 4.0} {
		assert.Equal(t, want, fields[name], name)
	}
	assert.Positive(t, fields["functions_per_cpu_second"])
	assert.Positive(t, fields["max_cpu_ms"])
	assert.Greater(t, fields["mean_tokens"], 500.0)
	assert.LessOrEqual(t, fields["success"], 1.0)
	assert.Contains(t, fields["path_quantiles"], "p50")

	again := object(t, "bench", "-n", "30", "-seed", "4", "-json")
	assert.Equal(t, "default", again["config"])
	for _, name := range []string{"config", "functions_per_cpu_second", "cpu_seconds", "max_cpu_ms", "slowest_seed", "timeout", "bytes_per_function", "allocs_per_function"} {
		delete(fields, name)
		delete(again, name)
	}
	assert.Equal(t, fields, again, "15,8,2,2,3 is the default, and all but times are the same again")
}

func TestBenchTable(t *testing.T) {
	status, out := command(t, "bench", "-n", "10", "-profile", "draw")
	assert.Zero(t, status)
	for _, want := range []string{"functions/CPU second", "conditionals both ways", "10 from seed 1"} {
		assert.Contains(t, out, want)
	}
	status, out = command(t, "bench", "-n", "10", "-long", "60")
	assert.Zero(t, status)
	assert.Contains(t, out, "with 60 and more blocks on the path")
	fields := object(t, "bench", "-n", "10", "-long", "60", "-json")
	assert.GreaterOrEqual(t, fields["mean_path"], 60.0)
}

// The engines that need Z3 say so where there is none.
func TestBenchEngines(t *testing.T) {
	_, err := z3.New(z3.Options{})
	none := errors.Is(err, z3.ErrUnavailable)
	if none {
		need.Partly(t, "z3", "engines that need it: %v", err)
	}
	for _, engine := range []string{"z3", "portfolio"} {
		args := []string{"bench", "-n", "2", "-profile", "1,2,0,1,1", "-engine", engine, "-json"}
		if none {
			status, _ := command(t, args...)
			assert.Equal(t, 2, status, engine)
			continue
		}
		fields := object(t, args...)
		assert.Equal(t, engine, fields["engine"])
	}
}

func TestMeasuringUsage(t *testing.T) {
	for _, args := range [][]string{
		{"bench", "-n", "0"},
		{"bench", "-n", "-3"},
		{"bench", "-n", "many"},
		{"bench", "-seed", "-1"},
		{"bench", "-long", "-1"},
		{"bench", "-n", "1", "-long", "100000000"},
		{"bench", "-profile", "15,0"},
		{"bench", "-profile", "1,2,3,4,5,6"},
		{"bench", "-engine", "magic"},
		{"bench", "-bogus"},
		{"bench", "extra"},
		{"experiment"},
		{"experiment", "table9"},
		{"triage"},
		{"triage", "none"},
		{"triage", "-n", "-1", "."},
		{"triage", "-workers", "0", "."},
		{"counters", "extra"},
		{"experiment", "-n", "0", "table3"},
		{"experiment", "-n", "1", "-o", "/dev/null/x", "table3"},
		{"experiment", "-engine", "magic", "figures"},
		{"experiment", "-bogus", "figures"},
		{"experiment", "extra", "figures"},
	} {
		status, _ := command(t, args...)
		assert.Equal(t, 2, status, "%v", args)
	}
	for _, args := range [][]string{{}, {"bench", "-h"}, {"experiment", "-h"}} {
		status, out := command(t, args...)
		assert.Zero(t, status, "%v", args)
		assert.Contains(t, out, "USAGE", "%v", args)
	}
}

func TestExperiment(t *testing.T) {
	dir := t.TempDir()
	status, out := command(t, "experiment", "-n", "3", "-o", dir, "table3")
	require.Zero(t, status)
	assert.Contains(t, out, "table3: 1 points of 3 recipes each, engine search; this will take about")
	assert.FileExists(t, dir+"/table3.csv")
	assert.FileExists(t, dir+"/manifest-table3.json")
	assert.NoFileExists(t, dir+"/table5.csv")
}
