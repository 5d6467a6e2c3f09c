package safefile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/safefile"
)

// trap returns a directory with things of ill will in it, and a file outside of it that
// nothing may read or write.
func trap(t *testing.T) (dir *safefile.Dir, secret string) {
	path := t.TempDir()
	secret = filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(path, "sub"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(path, "plain"), []byte("plain"), 0o600))
	for name, to := range map[string]string{"out": secret, "up": "../secret", "in": "plain", "zero": "/dev/zero", "dir": filepath.Dir(secret), "here": "sub"} {
		require.NoError(t, os.Symlink(to, filepath.Join(path, name)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(path, "pipe"), 0o600))
	dir, err := safefile.Open(path)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = dir.Close()
		text, err := os.ReadFile(secret)
		assert.NoError(t, err)
		assert.Equal(t, "secret", string(text))
	})
	return dir, secret
}

func TestRead(t *testing.T) {
	dir, _ := trap(t)
	text, err := dir.Read("plain", 5)
	require.NoError(t, err)
	assert.Equal(t, "plain", string(text))
	_, err = dir.Read("plain", 4)
	assert.ErrorIs(t, err, safefile.ErrTooLarge)
	assert.ErrorContains(t, err, filepath.Join(dir.Path(), "plain"))
	for name, want := range map[string]error{
		"out": safefile.ErrLink, "up": safefile.ErrLink, "in": safefile.ErrLink, "zero": safefile.ErrLink, "pipe": safefile.ErrNotRegular,
		"sub": safefile.ErrNotRegular, "none": fs.ErrNotExist, "../" + filepath.Base(dir.Path()) + "/plain": nil, "/etc/passwd": nil, "dir/secret": nil,
	} {
		text, err := dir.Read(name, 100)
		assert.Error(t, err, name)
		assert.Empty(t, text, name)
		if want != nil {
			assert.ErrorIs(t, err, want, name)
		}
	}
}

func TestWrite(t *testing.T) {
	dir, secret := trap(t)
	for _, name := range []string{"out", "up", "in", "zero", "plain", "new", "sub/new"} {
		require.NoError(t, dir.Write(name, []byte("new"), 0o644), name)
		text, err := dir.Read(name, 100)
		require.NoError(t, err, name)
		assert.Equal(t, "new", string(text))
	}
	for _, name := range []string{"pipe", "sub", "dir/new", "dir/secret", "../new", "/new"} {
		assert.Error(t, dir.Write(name, []byte("new"), 0o644), name)
		assert.Error(t, dir.New(name, []byte("new"), 0o644), name)
	}
	assert.ErrorIs(t, dir.New("plain", nil, 0o644), fs.ErrExist)
	list, err := dir.List()
	require.NoError(t, err)
	var names []string
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	assert.Equal(t, []string{"dir", "here", "in", "new", "out", "pipe", "plain", "sub", "up", "zero"}, names, "nothing is left beside")
	assert.NoFileExists(t, filepath.Join(filepath.Dir(secret), "new"))
}

func TestPutNewAppend(t *testing.T) {
	dir, _ := trap(t)
	assert.ErrorIs(t, dir.New("out", []byte("new"), 0o644), fs.ErrExist)
	_, err := dir.Append("up")
	assert.ErrorIs(t, err, safefile.ErrLink)
	require.NoError(t, dir.Put("out", []byte("new"), 0o644))
	for range 2 {
		f, err := dir.Append("log")
		require.NoError(t, err)
		_, err = f.WriteString("line\n")
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	text, err := dir.Read("log", 100)
	require.NoError(t, err)
	assert.Equal(t, "line\nline\n", string(text))
}

func TestDirectories(t *testing.T) {
	dir, _ := trap(t)
	for _, name := range []string{"dir", "here", "plain", "pipe", "out", "none", ".."} {
		_, err := dir.Sub(name)
		assert.Error(t, err, name)
	}
	_, err := dir.MakeSub("dir")
	assert.ErrorIs(t, err, safefile.ErrLink)
	sub, err := dir.MakeSub("made")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir.Path(), "made"), sub.Path())
	require.NoError(t, sub.Write("x", nil, 0o644))
	require.NoError(t, sub.Close())
	_, err = safefile.Open(filepath.Join(dir.Path(), "pipe"))
	assert.Error(t, err)
	require.NoError(t, dir.RemoveAll("dir"), "the link, not where it leads")
}

// TestNamed reads paths that the user gives: links are theirs.
func TestNamed(t *testing.T) {
	dir, _ := trap(t)
	text, err := safefile.Read(filepath.Join(dir.Path(), "out"), 100)
	require.NoError(t, err)
	assert.Equal(t, "secret", string(text))
	text, err = safefile.Read(filepath.Join(dir.Path(), "pipe"), 100)
	require.NoError(t, err)
	assert.Empty(t, text)
	_, err = safefile.Read("/dev/zero", 100)
	assert.ErrorIs(t, err, safefile.ErrTooLarge)
	text, err = safefile.Read(os.DevNull, 100)
	require.NoError(t, err)
	assert.Empty(t, text)
	assert.ErrorIs(t, safefile.Write(os.DevNull, nil, 0o644), safefile.ErrNotRegular)
	require.NoError(t, safefile.Write(filepath.Join(dir.Path(), "out"), []byte("new"), 0o644))
}

func TestOutput(t *testing.T) {
	dir := t.TempDir()
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	require.NoError(t, os.Symlink("file", link)) // to nothing yet
	for _, text := range []string{"longer", "short"} {
		require.NoError(t, safefile.Output(link, []byte(text), 0o644))
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, text, string(got))
	}
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.Equal(t, fs.ModeSymlink, info.Mode().Type(), "the link stays, as /dev/stdout has to")
}
