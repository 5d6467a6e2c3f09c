package compilers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process that has left the group is not ours to find, but must not hold us
// up by keeping the pipe open.
func TestEscapedProcessDoesNotHang(t *testing.T) {
	ws := newWorkspace(t)
	program := fakeProgram(t, ws, "setsid sleep 1000 & echo 42; sleep 0.2")
	o := Run(t.Context(), program, nil, []byte("42\n"), patient())
	assert.Equal(t, OK, o.Verdict, o.Message)
	left := processesIn(ws.Dir())
	assert.NotEmpty(t, left, "it was waited for")
	kill(left)
	requireNothingLeft(t, ws)
}

func TestChildEnvironment(t *testing.T) {
	t.Setenv("CPATH", "/nonsense")
	ws := newWorkspace(t)
	o := Run(t.Context(), fakeProgram(t, ws, "env; readlink /proc/self/fd/0"), nil, nil, patient())
	for line := range strings.Lines(string(o.Stdout)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "=")
		assert.Contains(t, []string{"LC_ALL", "PATH", "TMPDIR", "ASAN_OPTIONS", "UBSAN_OPTIONS", "PWD", "_", "OLDPWD", "SHLVL", "/dev/null"}, name)
	}
	assert.Contains(t, string(o.Stdout), "LC_ALL=C\n")
	assert.Contains(t, string(o.Stdout), "TMPDIR="+ws.Dir())
	assert.Contains(t, string(o.Stdout), "/dev/null\n")
}

func TestChildLimits(t *testing.T) {
	b := Bounds{cpu: 1500 * time.Millisecond, memory: 1 << 28, fileSize: 1 << 20, processes: 4000, wall: time.Minute}
	requireLimits := func(who string, out []byte) {
		limits := strings.Join(strings.Fields(string(out)), " ")
		for _, want := range []string{
			"Max cpu time 2 3 seconds",
			"Max address space 268435456 268435456 bytes",
			"Max file size 1048576 1048576 bytes",
			"Max processes 4000 4000 processes",
			"Max core file size 0 0 bytes",
		} {
			assert.Contains(t, limits, want, who)
		}
	}
	for _, shell := range []bool{false, true} {
		e := Child{Path: "/bin/cat", Args: []string{"/proc/self/limits", "/proc/self/status"}, Bounds: b, shell: shell}.Run(t.Context())
		require.NoError(t, e.Failure())
		requireLimits(fmt.Sprintf("by a shell: %v", shell), e.Stdout)
		assert.Contains(t, string(e.Stdout), "TracerPid:\t0\n")
	}
	shells := []string{"dash", "bash", "busybox"}
	tested := 0
	for _, shell := range shells {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		tested++
		// As /bin/sh, which is what makes bash follow POSIX.
		cmd := exec.Command(path, "-c", limitScript(b), limiterName, "cat", "/proc/self/limits")
		cmd.Args[0] = "sh"
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", shell, out)
		requireLimits(shell, out)
	}
	assert.Positive(t, tested, "no shell among %v", shells)
}

// A limit above an inherited one leaves that as it is, and a child that has ended needs
// none.
func TestLimit(t *testing.T) {
	cmd := exec.Command("/bin/sleep", "100")
	require.NoError(t, cmd.Start())
	pid := cmd.Process.Pid
	require.NoError(t, limit(pid, Bounds{fileSize: 4 << 20}))
	require.NoError(t, limit(pid, Bounds{fileSize: 8 << 20, cpu: time.Hour}))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	require.NoError(t, err)
	limits := strings.Join(strings.Fields(string(text)), " ")
	assert.Contains(t, limits, "Max file size 4194304 4194304 bytes")
	assert.Contains(t, limits, "Max cpu time 3600 3601 seconds")
	kill([]int{pid})
	_ = cmd.Wait() // killed
	assert.ErrorIs(t, limit(pid, Bounds{}), syscall.ESRCH)
	assert.NoError(t, release(pid, Bounds{}))
}

// Where ptrace is forbidden a shell does the same. A child under seccomp would
// need a filter of our own; that its error is known as such is what can be
// tested.
func TestUntraceable(t *testing.T) {
	assert.True(t, untraceable(&os.PathError{Op: "fork/exec", Path: "x", Err: syscall.EPERM}))
	assert.False(t, untraceable(&os.PathError{Op: "fork/exec", Path: "x", Err: syscall.ENOENT}))
	assert.False(t, untraceable(nil))
}

// Must not run in parallel: it changes descriptors of this process.
func TestSealDescriptors(t *testing.T) {
	leaked, err := syscall.Dup(0) // unlike what package os opens, not close-on-exec
	require.NoError(t, err)
	defer syscall.Close(leaked)
	ws := newWorkspace(t)
	program := fakeProgram(t, ws, "ls /proc/$$/fd")
	count := func() int {
		o := Run(t.Context(), program, nil, nil, patient())
		return len(strings.Fields(string(o.Stdout)))
	}
	before := count()
	require.NoError(t, SealDescriptors())
	assert.Less(t, count(), before)
	assert.LessOrEqual(t, count(), 4, "0, 1, 2 and the script itself")
}

// BenchmarkChild reports what a child that does nothing costs: us/op of CPU
// time in all, and own-us/op of this process.
func BenchmarkChild(b *testing.B) {
	limited := func(shell bool) func() error {
		c := Child{Path: "/bin/true", Dir: "/", Bounds: DefaultLimits().run(), shell: shell}
		return func() error { return c.Run(context.Background()).Failure() }
	}
	for name, run := range map[string]func() error{
		"limited": limited(false),
		"shell":   limited(true),
		"bare":    func() error { return exec.Command("/bin/true").Run() },
	} {
		b.Run(name, func(b *testing.B) {
			own, children := SelfCPU(), ChildrenCPU()
			for b.Loop() {
				require.NoError(b, run())
			}
			own, children = SelfCPU()-own, ChildrenCPU()-children
			b.ReportMetric(float64((own+children).Microseconds())/float64(b.N), "us/op")
			b.ReportMetric(float64(own.Microseconds())/float64(b.N), "own-us/op")
		})
	}
}
