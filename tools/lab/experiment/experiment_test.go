package experiment_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/solve/search"
	"goreify/tools/lab/experiment"
)

func perform(t *testing.T, dir string, names ...string) string {
	var log bytes.Buffer
	steps, want, ended := 0, 0, false
	require.NoError(t, experiment.Run(t.Context(), experiment.Options{
		Dir: dir, Recipes: 2, Seed: 1, Solver: search.Engine{}, Command: "the command", Announce: &log,
		Progress: func(n int) (next, end func()) {
			want = n
			return func() { steps++ }, func() { ended = true }
		},
	}, names...))
	assert.Positive(t, want)
	assert.Equal(t, want, steps)
	assert.True(t, ended)
	return log.String()
}

func read(t *testing.T, path string) [][]string {
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll() // wants rows of equal length
	require.NoError(t, err, path)
	return rows
}

// timed are the columns that depend on the machine.
func timed() []string {
	return []string{"functions_per_cpu_s", "max_cpu_ms", "throughput_per_s", "overhead_s", "timeout_pct"}
}

// untimed returns rows without the columns that depend on the machine.
func untimed(rows [][]string) [][]string {
	var kept [][]string
	for _, row := range rows {
		var cells []string
		for i, cell := range row {
			if !slices.Contains(timed(), rows[0][i]) {
				cells = append(cells, cell)
			}
		}
		kept = append(kept, cells)
	}
	return kept
}

func TestAll(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	log := perform(t, a, experiment.Names()...)
	perform(t, b, experiment.Names()...)
	assert.Contains(t, log, "points of 2 recipes each")
	assert.Contains(t, log, "this will take about")
	assert.Contains(t, log, "worst success")

	for name, count := range map[string]int{ // rows, without the header
		"table3": 5, "table5": 70, "figure7a": 4 * 8, "figure7b": 4 * 9, "figure7d": 10,
		"figure9": 5 * 8, "figure10": 4 * 9, "figure11": 5 * 10, "figure12": 4 * 8, "figure13": 4 * 11,
	} {
		rows := read(t, filepath.Join(a, name+".csv"))
		assert.Len(t, rows, count+1, name)
		for i, row := range rows[1:] {
			for j, cell := range row {
				_, err := strconv.ParseFloat(cell, 64)
				text := slices.Contains([]string{"curve", "tool", "source"}, rows[0][j])
				blank := strings.HasPrefix(rows[0][j], "paper_") && cell == ""
				assert.True(t, err == nil || text || blank, "%s, row %d: %s is %q", name, i, rows[0][j], cell)
			}
		}
		if name != "figure7d" { // sorted by rate
			assert.Equal(t, untimed(rows), untimed(read(t, filepath.Join(b, name+".csv"))), name)
		}
	}
	table := read(t, filepath.Join(a, "table5.csv"))
	assert.Equal(t, []string{"1", "15", "8", "2", "2", "3", "81.5", "2.98", "2"}, table[1][:9])
	assert.Equal(t, []string{"70", "15", "10", "2", "5", "2", "70.0", "1.36", "2"}, table[70][:9])
	figure := read(t, filepath.Join(a, "figure9.csv"))
	assert.Contains(t, untimed(figure)[2], "75.6", "the paper's figure where Table 5 has it")

	files, err := filepath.Glob(filepath.Join(a, "*"))
	require.NoError(t, err)
	plots := 0
	for _, path := range files {
		if filepath.Ext(path) == ".svg" {
			plots++
			requireSVG(t, path)
		}
	}
	assert.Equal(t, 2*8, plots)
	for _, name := range experiment.Names() {
		requireManifest(t, filepath.Join(a, "manifest-"+name+".json"), name)
	}
}

// requireSVG fails unless the file is well-formed XML that draws something.
func requireSVG(t *testing.T, path string) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	decoder := xml.NewDecoder(bytes.NewReader(data))
	elements := map[string]int{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, path)
		if start, ok := token.(xml.StartElement); ok {
			if len(elements) == 0 {
				require.Equal(t, "svg", start.Name.Local, path)
			}
			elements[start.Name.Local]++
		}
	}
	assert.Greater(t, elements["path"], 20, path)
	assert.Greater(t, elements["text"], 8, path)
	assert.NotContains(t, string(data), "NaN", path)
	assert.NotContains(t, string(data), "Inf", path)
}

func requireManifest(t *testing.T, path, name string) {
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(data, &m))
	for key, want := range map[string]any{
		"experiment": name, "command": "the command", "engine": "search", "recipes": 2.0, "seed": 1.0,
		"go": runtime.Version(), "cores": float64(runtime.NumCPU()),
	} {
		assert.Equal(t, want, m[key], key)
	}
	for _, key := range []string{"cpu", "commit", "date", "system", "generator"} {
		assert.NotEmpty(t, m[key], key)
	}
	assert.Positive(t, m["cpu_seconds"])
}

func TestErrors(t *testing.T) {
	o := experiment.Options{Dir: t.TempDir(), Recipes: 1, Solver: search.Engine{}, Announce: io.Discard}
	assert.ErrorContains(t, experiment.Run(t.Context(), o, "table4"), `unknown experiment "table4": want table3, table5, figures`)
	assert.ErrorContains(t, experiment.Run(t.Context(), o), "no experiment")
	o.Recipes = 0
	assert.ErrorContains(t, experiment.Run(t.Context(), o, "table3"), "want 1 or more")
	files, err := os.ReadDir(o.Dir)
	require.NoError(t, err)
	assert.Empty(t, files)
}
