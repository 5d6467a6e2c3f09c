package native

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// A compiler that is replaced, wherever its links lead, is not the one that was
// found; reading it changes nothing.
func TestChanged(t *testing.T) {
	const text = "#!/bin/sh\necho 'gcc-99 (Fake) 99.1.0'\necho 'Free Software Foundation'\n"
	for what, change := range map[string]func(t *testing.T, file, link string){
		"":             func(*testing.T, string, string) {},
		"was replaced": func(t *testing.T, file, _ string) { require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o700)) },
		"is gone":      func(t *testing.T, file, _ string) { require.NoError(t, os.Remove(file)) },
		"gcc-99b was repl": func(t *testing.T, file, link string) {
			require.NoError(t, os.Link(file, file+"b"))
			require.NoError(t, os.Remove(link))
			require.NoError(t, os.Symlink(file+"b", link))
		},
		"compiler any more": func(t *testing.T, file, _ string) {
			require.NoError(t, os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)))
		},
	} {
		dir := t.TempDir()
		file, link := filepath.Join(dir, "real-gcc-99"), filepath.Join(dir, "gcc-99")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o700))
		require.NoError(t, os.Symlink(file, link))
		found, err := findAll(t.Context(), compilers.Env{Path: dir, CC: "gcc-99"})
		require.NoError(t, err)
		wide, ok := compilers.With(found[0], "-m32")
		require.True(t, ok)
		require.NoError(t, compilers.Changed(wide))
		change(t, file, link)
		if err := compilers.Changed(wide); what == "" {
			assert.NoError(t, err)
		} else {
			assert.ErrorContains(t, err, what)
		}
	}
}

// A path that was set by hand is taken as it is.
func TestSetPathIsNoChange(t *testing.T) {
	bin := t.TempDir()
	script(t, filepath.Join(bin, "gcc-99"), gccBanner+"99.1.0")
	found, err := Toolchains(t.Context(), compilers.Env{Path: bin})
	require.NoError(t, err)
	require.Len(t, found, 1)
	found[0].Path = script(t, filepath.Join(t.TempDir(), "gcc-99"), gccBanner+"99.1.0")
	assert.NoError(t, found[0].Changed())
}
