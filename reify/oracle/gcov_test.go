package oracle_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/tools/need"
)

// TestGcovAgreesWithThePath has gcov count how often each block is executed.
// REIFY_GCOV says for how many functions.
func TestGcovAgreesWithThePath(t *testing.T) {
	n := count(t, "REIFY_GCOV", 100)
	need.Command(t, "gcc")
	need.Command(t, "gcc", "gcov")
	blocks, functions := 0, 0
	batches(t, 1, n, 50, defaults, func(cases []*reify.Case, _ uint64) {
		var units []c.Unit
		for _, k := range cases {
			units = append(units, c.Unit{Claim: k.Claim}) // the plain style: a line a statement
		}
		source := c.Emit(units)
		counts := gcov(t, source)
		for _, k := range cases {
			want := make([]int, len(k.Func.Blocks))
			for _, b := range k.Path {
				want[b]++
			}
			lines := blockLines(source, k.Func.Name)
			for i, b := range k.Func.Blocks {
				if len(b.Stmts) == 0 {
					continue // a mere goto has no line that gcov counts
				}
				line := lines[b.Name]
				require.NotZero(t, line, "%s: no label %s", k.Func.Name, b.Name)
				got, ok := counts[line]
				if !ok && want[i] == 0 {
					continue // gcc dropped a block that cannot be reached
				}
				require.True(t, ok, "%s: gcov does not count line %d", k.Func.Name, line)
				require.Equal(t, want[i], got, "%s: visits of block %s", k.Func.Name, b.Name)
				blocks++
			}
			functions++
		}
	})
	fmt.Printf("gcov agrees on the visits of %d blocks of %d functions\n", blocks, functions)
	assert.Equal(t, n, functions)
	assert.Greater(t, blocks, 10*n)
}

// blockLines returns the line of the first statement after each label of a
// function.
func blockLines(source, fn string) map[string]int {
	lines := map[string]int{}
	inside := false
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.Contains(line, " "+fn+"(") && !strings.Contains(line, ";") && !strings.HasPrefix(line, "/*"):
			inside = true
		case line == "}":
			inside = false
		}
		if label, ok := strings.CutSuffix(line, ":"); ok && inside {
			lines[label] = i + 2
		}
	}
	return lines
}

// gcov compiles and runs a program and returns how often each line ran.
func gcov(t *testing.T, source string) map[int]int {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.c"), []byte(source), 0o600))
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s %v: %s", name, args, out)
	}
	// Compiling and linking apart makes all versions name the files alike.
	run("gcc", "-O0", "-w", "--coverage", "-c", "x.c", "-o", "x.o")
	run("gcc", "--coverage", "x.o", "-o", "x")
	run("./x")
	run("gcov", "--json-format", "x.gcda")
	files, err := filepath.Glob(filepath.Join(dir, "*.gcov.json.gz"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	data, err := os.ReadFile(files[0])
	require.NoError(t, err)
	unzip, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var report struct {
		Files []struct {
			Lines []struct {
				Line  int `json:"line_number"`
				Count int `json:"count"`
			} `json:"lines"`
		} `json:"files"`
	}
	require.NoError(t, json.NewDecoder(unzip).Decode(&report))
	counts := map[int]int{}
	for _, f := range report.Files {
		for _, l := range f.Lines {
			counts[l.Line] = l.Count
		}
	}
	return counts
}
