package generators

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onPath makes an executable script the only one on PATH, besides the system's.
func onPath(t *testing.T, name, body string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o700))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
}

func TestYARPGen(t *testing.T) {
	onPath(t, "yarpgen", `[ "$*" = "--std=c --seed=5 --out-dir=." ] || exit 3
printf '#include "init.h"\nint f(void) { return x; }\n' >func.c; printf 'int x;\n' >init.h`)
	s, err := YARPGen()
	require.NoError(t, err)
	u, err := s.Make(t.Context(), 5)
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("int x;\n\nint f(void) { return x; }\n")}, u.Files)
	_, err = s.Make(t.Context(), 6)
	assert.ErrorContains(t, err, "exit status 3")

	t.Setenv("PATH", t.TempDir())
	_, err = YARPGen()
	assert.ErrorIs(t, err, ErrMissing)
	_, err = Csmith(nil)
	assert.ErrorIs(t, err, ErrMissing)
}
