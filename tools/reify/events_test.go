package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const loopC = "int a[256];\nvoid f(void) { for (int i = 0; i < 256; i++) a[i] *= 3; }\n"

func TestEventsCommand(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_LEVELS", "-O0,-O3")
	dir := t.TempDir()
	file := filepath.Join(dir, "loop.c")
	require.NoError(t, os.WriteFile(file, []byte(loopC), 0o644))
	known := filepath.Join(dir, "corpus")
	require.NoError(t, os.Mkdir(known, 0o755))
	reproducer, err := os.ReadFile("../../corpus/wrong-answer-gcc-12-O1-17d6b725.txtar")
	require.NoError(t, err)
	entry := filepath.Join(known, "a.txtar")
	require.NoError(t, os.WriteFile(entry, reproducer, 0o644))

	status, out := command(t, "events", "-corpus", known, file)
	require.Zero(t, status, out)
	assert.Regexp(t, `vect +Vectorized loops +- +1 +0 \*\n`, out)

	status, out = command(t, "events", "-corpus", known, file, entry)
	require.Zero(t, status, out)
	assert.Contains(t, out, "== "+entry)
	assert.Contains(t, out, "of 1\n")

	status, out = command(t, "events", "-corpus", "", file)
	require.Zero(t, status, out)
	assert.NotContains(t, out, "*")

	require.NoError(t, os.WriteFile(file, []byte("no C\n"), 0o644))
	status, out = command(t, "events", "-corpus", "", file)
	assert.Equal(t, 2, status)
	assert.Contains(t, out, "NOT HEARD: gcc -O3")
	for _, args := range [][]string{nil, {"-corpus", "", "none.c"}, {"-corpus", "none", file}, {"-corpus", "", "none.txtar"}} {
		status, _ := command(t, append([]string{"events"}, args...)...)
		assert.Equal(t, 2, status, args)
	}
}

// What is copied is bounded, reaches something rare, and is what the engine
// stored. Later calls leave it alone.
func TestSyncTarget(t *testing.T) {
	t.Setenv("REIFY_CC", "gcc")
	t.Setenv("REIFY_LEVELS", "-O1")
	s, closer, err := newSurveyor(t.Context())
	require.NoError(t, err)
	defer closer()
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "FuzzReify")
	inputs := map[string]string{}
	for i, name := range []string{"0123456789abcdef", "0123456789abcde0", "0123456789abcde1"} {
		inputs[name] = fmt.Sprintf("go test fuzz v1\n[]byte(\"config\")\n[]byte(\"%d\")\n[]byte(\"\")\n[]byte(\"\")\n", i)
		require.NoError(t, os.WriteFile(filepath.Join(from, name), []byte(inputs[name]), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(from, "broken"), []byte("x"), 0o644))
	copied := func(most int, cost time.Duration) []string {
		capture(t, &os.Stdout, func() {
			require.NoError(t, syncTarget(t.Context(), s, batchProgram, nil, from, to, most, cost))
		})
		files, err := os.ReadDir(to)
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		var names []string
		for _, f := range files {
			text, err := os.ReadFile(filepath.Join(to, f.Name()))
			require.NoError(t, err)
			assert.Equal(t, inputs[f.Name()], string(text))
			names = append(names, f.Name())
		}
		return names
	}
	assert.Empty(t, copied(9, time.Millisecond))
	one := copied(1, time.Hour)
	require.Len(t, one, 1)
	assert.Equal(t, one, copied(1, time.Hour), "there is no room for another")

	status, _ := command(t, "corpus-sync", "extra")
	assert.Equal(t, 2, status)
}

func TestFeedbackCommandErrors(t *testing.T) {
	for _, args := range [][]string{{"extra"}, {"-time", "0s"}, {"-repeats", "0"}} {
		status, _ := command(t, append([]string{"feedback"}, args...)...)
		assert.Equal(t, 2, status, args)
	}
}
