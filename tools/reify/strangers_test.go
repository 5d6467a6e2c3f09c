package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// Where there are no namespaces, each command that runs or compiles programs refuses those of
// strangers, whatever the file and its directory are called, and takes our own.
func TestStrangersNeedNamespaces(t *testing.T) {
	need.Long(t)
	dir := filepath.Join(t.TempDir(), "corpus")
	require.NoError(t, os.Mkdir(dir, 0o755))
	const name = "crash-gcc-12-Os-b7b90d33.txtar"
	own := filepath.Join("..", "..", "corpus", name)
	text, err := os.ReadFile(own)
	require.NoError(t, err)
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	strange := put(name, strings.Replace(string(text), "\n", "\nx-by: a stranger\n", 1))
	c := put("a.c", "int main(void) { return 0; }\n")
	for _, row := range []struct {
		name   string
		args   []string
		served bool
	}{
		{"replay", []string{"replay", strange}, false},
		{"replay of our own", []string{"replay", own}, true},
		{"replay behind what there is", []string{"replay", "-box", "auto", strange}, true},
		{"triage of files", []string{"triage", strange}, false},
		{"triage of a directory", []string{"triage", dir}, false},
		{"blame", []string{"triage", "-do", "blame", "-o", "-", strange}, false},
		{"reduce", []string{"triage", "-do", "reduce", "-o", "-", strange}, false},
		{"adopt", []string{"triage", "-do", "adopt", "-o", "-", strange}, false},
		{"cvise", []string{"triage", "-do", "reduce", "-cc", "gcc", "-modes", "-O2", "-o", "-", c}, false},
		{"variants of C", []string{"others", "vary", "-n", "1", "-o", t.TempDir(), c}, false},
		{"variants of a reproducer", []string{"others", "vary", "-n", "1", "-check", "-o", t.TempDir(), strange}, false},
		{"variants of our own", []string{"others", "vary", "-n", "1", "-check", "-o", t.TempDir(), own}, true},
		{"programs of others", []string{"others", "add", "-db", filepath.Join(dir, "p.db"), c}, false},
		{"functions of others", []string{"others", "add", "-what", "functions", "-db", filepath.Join(dir, "f.db"), c}, false},
		{"hunts from reproducers", []string{"hunt", "-n", "1", "-o", filepath.Join(dir, "hunt"), "-mix", "corpus-variants", "-seeds", dir}, false},
		{"proofs from reproducers", []string{"prove", "-what", "variants", "-n", "1", "-seeds", dir}, false},
		{"proofs of functions of others", []string{"prove", "-what", "foreign", "-n", "1", "-functions", filepath.Join(dir, "f.db")}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Setenv("REIFY_BOX", "auto") // else process sets it
			cmd, stderr := process(t, row.args...)
			cmd.Env = append(cmd.Env, "REIFY_BOX=")
			need.NoNamespaces(t, cmd)
			err := cmd.Run()
			said := stderr.String()
			assert.Equal(t, !row.served, strings.Contains(said, "programs of strangers take a box of namespaces"), said)
			assert.Equal(t, !row.served, err != nil && cmd.ProcessState.ExitCode() == 2, said)
		})
	}
}
