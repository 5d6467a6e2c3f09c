package main

import (
	"io"
	"os"
	"testing"

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
