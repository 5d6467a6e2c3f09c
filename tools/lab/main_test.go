package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, args ...string) (status int, stdout string) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	saved := os.Stdout
	os.Stdout = w
	text := make(chan string)
	go func() {
		data, _ := io.ReadAll(r)
		text <- string(data)
	}()
	status = run(t.Context(), append([]string{"lab"}, args...))
	os.Stdout = saved
	require.NoError(t, w.Close())
	return status, <-text
}

// Reify and lab together have at most 90 flags: 75 are reify's, with those that both take.
func TestBounds(t *testing.T) {
	a := app()
	flags := len(a.Flags)
	for _, c := range a.Commands {
		flags += len(c.Flags)
	}
	assert.LessOrEqual(t, flags, 14)
	for _, c := range a.Commands {
		_, out := command(t, c.Name, "-help")
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		assert.LessOrEqual(t, len(lines), 24, c.Name)
		for _, line := range lines {
			assert.LessOrEqual(t, len(line), 100, line)
		}
	}
}
