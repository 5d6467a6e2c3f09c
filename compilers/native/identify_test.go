package native

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/tools/need"
)

// counting is a script that notes in a file that it is asked for its version, and
// answers.
func counting(log, answer string) string {
	return "[ $1 != --version ] || echo >>" + log + "\n" + answer
}

// started returns how often it was asked.
func started(t *testing.T, log string) int {
	t.Helper()
	text, err := os.ReadFile(log)
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(t, err)
	return strings.Count(string(text), "\n")
}

// quick is a finder that gives compilers on PATH little time.
func quick(t *testing.T, path string) finder {
	f := newFinder(compilers.Env{Path: path, Cache: filepath.Join(t.TempDir(), "a", "goreify")})
	f.found = 2 * time.Second
	return f
}

// Compilers that hang cost the time that one gets, and nothing the second time.
func TestHangingCompilers(t *testing.T) {
	need.Long(t)
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	f := quick(t, bin)
	script(t, filepath.Join(bin, "gcc-12"), gccBanner+"12.2.0")
	for _, name := range []string{"gcc-97", "gcc-98", "gcc-99"} {
		script(t, filepath.Join(bin, name), counting(log, "exec /bin/sleep 1000"))
	}
	names := func(list []Toolchain) (names []string) {
		for _, tc := range list {
			names = append(names, tc.Name+" "+tc.Version)
		}
		return names
	}
	want := []string{"gcc-12 12.2.0", "gcc-97 ", "gcc-98 ", "gcc-99 "}

	began := time.Now()
	found, err := f.toolchains(t.Context())
	require.NoError(t, err)
	assert.Less(t, time.Since(began), 3*f.found, "at the same time")
	assert.Equal(t, want, names(found))
	assert.Equal(t, 3, started(t, log))
	err = found[3].Probe(t.Context(), newWorkspace(t), roomy())
	assert.EqualError(t, err, "gcc-99 cannot be used: "+found[3].Path+": no answer in 2s to --version and -dM; it gets 1m0s if REIFY_CC names it")

	found, err = f.toolchains(t.Context())
	require.NoError(t, err)
	assert.Equal(t, want, names(found))
	assert.ErrorContains(t, found[3].Probe(t.Context(), newWorkspace(t), roomy()), "no answer in 2s")
	assert.Equal(t, 3, started(t, log), "no compiler is asked again")

	// One that is named gets its time all the same; and all do, some time later.
	named := f
	named.env.CC, named.named = "gcc-99", 3*time.Second
	_, err = named.toolchains(t.Context())
	assert.ErrorContains(t, err, "no answer in 3s")
	assert.NotContains(t, err.Error(), "it gets")
	assert.Equal(t, 4, started(t, log))
	f.now = func() time.Time { return time.Now().Add(hungFor + time.Minute) }
	_, err = f.toolchains(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 7, started(t, log))

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	f.env.Cache = ""
	_, err = f.toolchains(ctx)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}

// One that says its version and hangs when asked for its target is not remembered
// as one without a target.
func TestHangsAfterItsVersion(t *testing.T) {
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	f := quick(t, bin)
	slow := filepath.Join(t.TempDir(), "slow")
	require.NoError(t, os.WriteFile(slow, nil, 0o600))
	script(t, filepath.Join(bin, "gcc-12"), counting(log, "case \"$*\" in *-dM*) [ ! -e "+slow+" ] || exec /bin/sleep 1000; echo Target: x86_64-linux-gnu; exit ;; esac\n"+gccBanner+"12.2.0"))
	ask := func() Toolchain {
		found, err := f.toolchains(t.Context())
		require.NoError(t, err)
		require.Len(t, found, 1)
		return found[0]
	}
	for range 2 {
		gcc := ask()
		assert.ErrorIs(t, gcc.unknown, errHung)
		assert.Equal(t, "gcc", gcc.Family)
		assert.Empty(t, gcc.Version)
		assert.Equal(t, 1, started(t, log), "it is not asked again so soon")
	}
	require.NoError(t, os.Remove(slow))
	f.now = func() time.Time { return time.Now().Add(hungFor + time.Minute) }
	f.found = time.Minute
	for range 2 {
		gcc := ask()
		require.NoError(t, gcc.unknown)
		assert.Equal(t, "12.2.0 x86_64-linux-gnu", gcc.Version+" "+gcc.Triple)
		assert.Equal(t, 2, started(t, log))
	}
}

// A record is believed of the very file that it was made of.
func TestRemember(t *testing.T) {
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	f := quick(t, bin)
	f.found = time.Minute
	gcc := filepath.Join(bin, "gcc-12")
	version := func() string {
		t.Helper()
		found, err := f.toolchains(t.Context())
		require.NoError(t, err)
		require.Len(t, found, 1)
		require.NoError(t, found[0].unknown)
		return found[0].Version
	}
	script(t, gcc, counting(log, gccBanner+"12.2.0"))
	assert.Equal(t, "12.2.0", version())
	assert.Equal(t, "12.2.0", version())
	assert.Equal(t, 1, started(t, log))

	// Another file takes its place, of the same size and time.
	info, err := os.Stat(gcc)
	require.NoError(t, err)
	script(t, gcc+".new", counting(log, gccBanner+"12.3.0"))
	require.NoError(t, os.Chtimes(gcc+".new", info.ModTime(), info.ModTime()))
	require.NoError(t, os.Rename(gcc+".new", gcc))
	assert.Equal(t, "12.3.0", version())
	// The same file changes.
	script(t, gcc, counting(log, gccBanner+"12.4.0"))
	assert.Equal(t, "12.4.0", version())
	// The link leads elsewhere.
	require.NoError(t, os.Rename(gcc, filepath.Join(bin, "old-gcc")))
	require.NoError(t, os.Symlink("old-gcc", gcc))
	assert.Equal(t, "12.4.0", version())
	assert.Equal(t, 4, started(t, log))

	// A memory that is broken, of a stranger's making or out of reach is no memory.
	file := filepath.Join(f.env.Cache, recordsFile)
	for _, text := range []string{"", "{", "[]", `{"` + gcc + `": {"Version": "1.0"}}`} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		before := started(t, log)
		assert.Equal(t, "12.4.0", version(), text)
		assert.Equal(t, before+1, started(t, log), text)
	}
	entries, err := os.ReadDir(f.env.Cache)
	require.NoError(t, err)
	assert.Len(t, entries, 1, "nothing else is left there")
	for _, dir := range []string{"", file, "/proc/none"} {
		f.env.Cache = dir
		assert.Equal(t, "12.4.0", version(), dir)
	}
}

// Files that are gone are forgotten.
func TestForget(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	here := script(t, filepath.Join(bin, "gcc-1"), "")
	remember(dir, map[string]record{"/none/gcc": {Family: "gcc", Version: "1.0"}})
	remember(dir, map[string]record{here: {Family: "gcc", Version: "1.0"}})
	known := recall(dir)
	assert.Contains(t, known, here)
	assert.Len(t, known, 1)
}

// A shell that is named is no compiler, though the Free Software Foundation made
// it.
func TestShellIsNoCompiler(t *testing.T) {
	bin := t.TempDir()
	script(t, filepath.Join(bin, "bash"), `printf 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\nCopyright (C) 2022 Free Software Foundation, Inc.\n'`)
	_, err := Toolchains(t.Context(), compilers.Env{Path: bin, CC: "bash"})
	assert.ErrorContains(t, err, "neither gcc nor clang")
}
