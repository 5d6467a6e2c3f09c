package compilers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Directories that arguments name are seen in a box, and no others.
func TestDirsOf(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "specs")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, arg := range []string{"-B" + dir, "-B" + dir + "/", "--sysroot=" + dir, dir, "-specs=" + file, "-XX:Flags:" + file, "-L" + dir} {
		assert.Equal(t, []string{dir}, DirsOf([]string{"-O2", arg, arg, "/usr/lib", "-I/usr/include", "-B" + dir + "/none", "/", "-DX=1", "a" + dir}), arg)
	}
	assert.Empty(t, DirsOf([]string{"-m32", "x/y", "-fprofile=a/b"}))
}

// Directories beside bin of compilers for other processors and of builds of a JDK are
// seen.
func TestDirsOfInstallation(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bin", "lib", "modules", "s390x-linux-gnu", "secrets", "x"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	file := filepath.Join(dir, "bin", "gcc")
	require.NoError(t, os.WriteFile(file, nil, 0o755))
	var names []string
	for _, d := range Dirs(file) {
		names = append(names, filepath.Base(d))
	}
	assert.ElementsMatch(t, []string{"bin", "lib", "modules", "s390x-linux-gnu"}, names)
}

// An executable is at its path, or at home in a directory.
func TestAtHome(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "bin"), 0o755))
	file, text := filepath.Join(dir, "bin", "go"), filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(file, nil, 0o755))
	require.NoError(t, os.WriteFile(text, nil, 0o644))
	for _, path := range []string{dir, file, dir + "/"} {
		got, err := AtHome(path, "bin/none", "bin/go")
		require.NoError(t, err)
		assert.Equal(t, file, got)
	}
	for path, want := range map[string]string{
		text:          "not an executable file",
		dir + "/bin":  "a directory without an executable bin/go",
		dir + "/none": "there is no such file",
		"bin/go":      "want an absolute path",
	} {
		_, err := AtHome(path, "bin/go")
		assert.ErrorContains(t, err, want)
	}
}

// A file is read for its digest once, as long as it is the same.
func TestDigest(t *testing.T) {
	cache, dir := filepath.Join(t.TempDir(), "a", "cache"), t.TempDir()
	file := filepath.Join(dir, "cc1")
	digest := func(text string) string {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		s, err := See("", file)
		require.NoError(t, err)
		first, err := s.Digest(cache)
		require.NoError(t, err)
		uncached, err := s.Digest("")
		require.NoError(t, err)
		assert.Equal(t, first, uncached)
		return first
	}
	one := digest("one")
	assert.NotEqual(t, one, digest("two and more"))
	assert.Equal(t, one, digest("one"))
	s, err := See("", file)
	require.NoError(t, err)
	want, err := s.Digest(cache)
	require.NoError(t, err)
	require.NoError(t, os.Remove(file))
	assert.ErrorContains(t, s.Changed("gcc", "17"), "gcc is gone")
	got, err := s.Digest(cache)
	require.NoError(t, err, "it is known")
	assert.Equal(t, want, got)
	require.NoError(t, os.WriteFile(filepath.Join(cache, digestsFile), []byte("{"), 0o600))
	_, err = s.Digest(cache)
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = See("", file)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// Versions of development builds are known from those of releases.
func TestDevelopment(t *testing.T) {
	for _, v := range []string{"17.0.0 20261020 r17-5409", "24.0.0git 7e3c57157096", "24.0.0git", "1.28-devel_0f1e2d3c4b 20261120", "28-internal", "26.0.0-pre"} {
		assert.True(t, Development(v), v)
	}
	for _, v := range []string{"15.2.0", "19.1.7", "1.26.8", "25.0.3", "28-ea+12", "14.6.202.33", ""} {
		assert.False(t, Development(v), v)
		assert.Empty(t, BuildOf(v))
		assert.Equal(t, "1a2b3c4d", BuildOf(StampVersion(v, "1a2b3c4d")+" s390x-linux-gnu"))
	}
}
