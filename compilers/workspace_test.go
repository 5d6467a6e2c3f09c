package compilers

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/safefile"
	"goreify/tools/need"
)

// parentOf returns the directory that all workspaces of a user are in.
func parentOf(ws *Workspace) string { return filepath.Dir(filepath.Dir(ws.Dir())) }

func TestWorkspaceSweepsTheDeadOnly(t *testing.T) {
	base := t.TempDir()
	alive, err := NewWorkspace(base)
	require.NoError(t, err)
	dead := filepath.Join(parentOf(alive), "pid1-123")
	require.NoError(t, os.MkdirAll(filepath.Join(dead, "job-1"), 0o700))
	foreign := filepath.Join(parentOf(alive), "notes")
	require.NoError(t, os.Mkdir(foreign, 0o700))

	second, err := NewWorkspace(base)
	require.NoError(t, err)
	assert.NotEqual(t, alive.Dir(), second.Dir())
	assert.DirExists(t, alive.Dir())
	assert.NoDirExists(t, dead)
	assert.DirExists(t, foreign)

	require.NoError(t, alive.Close())
	assert.NoDirExists(t, alive.Dir())
	assert.DirExists(t, second.Dir())
	require.NoError(t, second.Close())
}

func TestWorkspaceRefusesWhatIsNotItsOwn(t *testing.T) {
	base := t.TempDir()
	ws, err := NewWorkspace(base)
	require.NoError(t, err)
	parent := parentOf(ws)
	require.NoError(t, ws.Close())

	require.NoError(t, os.Remove(parent))
	require.NoError(t, os.Symlink(t.TempDir(), parent))
	_, err = NewWorkspace(base)
	assert.ErrorContains(t, err, "not a directory of this user")

	_, err = NewWorkspace(filepath.Join(base, "missing"))
	assert.Error(t, err)
}

// A process killed without warning, as fuzz workers are, takes its child with
// it, and the next workspace sweeps its directory.
func TestKilledProcessLeavesNothing(t *testing.T) {
	base := t.TempDir()
	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), helperVar+"="+base)
	out, err := helper.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, helper.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	dir := strings.TrimSpace(line)
	running := func() bool { return len(processesIn(dir)) > 0 }
	require.Eventually(t, running, 20*time.Second, 5*time.Millisecond, "the helper starts its child")

	other, err := NewWorkspace(base)
	require.NoError(t, err)
	assert.DirExists(t, dir, "the helper lives")
	require.NoError(t, other.Close())

	require.NoError(t, helper.Process.Kill())
	_ = helper.Wait() // killed
	assert.Eventually(t, func() bool { return !running() }, 20*time.Second, 5*time.Millisecond, "the child outlived its parent")
	kill(processesIn(dir))
	other, err = NewWorkspace(base)
	require.NoError(t, err)
	assert.NoDirExists(t, dir)
	require.NoError(t, other.Close())
}

// Children may make directories deeper than we can hold open at once.
func TestWorkspaceRemovesDeepDirectories(t *testing.T) {
	var limit, before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	limit = before
	limit.Cur = 64
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
	t.Cleanup(func() { assert.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before)) })
	ws, err := NewWorkspace(t.TempDir())
	require.NoError(t, err)
	outside := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(outside, "a", "b"), 0o755))
	dir := ws.Dir() + strings.Repeat("/d", 200)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	require.NoError(t, os.Chmod(dir, 0))
	require.NoError(t, ws.Close())
	assert.NoDirExists(t, ws.Dir())
	assert.DirExists(t, filepath.Join(outside, "a", "b"))
}

// A child leaves links, pipes and other things in place of the files that are read or
// written next.
func TestWorkspaceOfIllWill(t *testing.T) {
	for _, how := range []string{"as root is, or nobody", "behind namespaces"} {
		t.Run(how, func(t *testing.T) {
			ws, err := NewWorkspace(t.TempDir())
			require.NoError(t, err)
			defer func() { require.NoError(t, ws.Close()) }()
			if how == "behind namespaces" {
				if err := ws.enclose(t.Context(), Namespaces); err != nil {
					need.Missing(t, "box", "strangers in the directory of a job: %v", err)
				}
			}
			secret := filepath.Join(t.TempDir(), "secret")
			require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o644))
			fixed := filepath.Join(ws.Fixed(), "script")
			require.NoError(t, os.WriteFile(fixed, []byte("ours"), 0o644))
			dir, err := ws.NewDir()
			require.NoError(t, err)
			other, err := ws.NewDir(File{Name: "x", Content: []byte("theirs")})
			require.NoError(t, err)
			script := "ln -s " + secret + " out; ln -s /dev/zero zero; mkfifo pipe; mkdir dir; cat " + fixed + " >read"
			if how == "behind namespaces" {
				script += "; echo bad >" + fixed
			}
			c := Child{Space: ws, Path: "/bin/sh", Args: []string{"-c", script + "; true"}, Dir: dir, Env: FixedEnv("", dir), Bounds: DefaultLimits().Compile()}
			require.NoError(t, c.Run(t.Context()).Failure())

			for _, name := range []string{"out", "zero", "pipe", "dir", "../" + filepath.Base(other) + "/x"} {
				text, err := ws.Read(dir, name)
				assert.Error(t, err, name)
				assert.Empty(t, text, name)
			}
			text, err := ws.Read(dir, "read")
			require.NoError(t, err)
			assert.Equal(t, "ours", string(text), "children read it")
			for _, name := range []string{"out", "zero", "pipe", "dir"} {
				require.NoError(t, ws.Put(dir, File{Name: name, Content: []byte("new")}), name)
				text, err := ws.Read(dir, name)
				require.NoError(t, err)
				assert.Equal(t, "new", string(text), name)
			}
			for file, want := range map[string]string{secret: "secret", fixed: "ours"} {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				assert.Equal(t, want, string(text))
			}

			// The directory itself is another.
			require.NoError(t, os.Rename(dir, dir+"-moved"))
			require.NoError(t, os.Symlink(filepath.Dir(secret), dir))
			_, err = ws.Read(dir, "secret")
			assert.ErrorIs(t, err, safefile.ErrLink)
			assert.Error(t, ws.Put(dir, File{Name: "secret", Content: []byte("new")}))
			ws.Remove(dir)
			assert.FileExists(t, secret)
		})
	}
}
