package compilers

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"goreify/tools/need"
)

// walls are those that this machine has.
func walls(t testing.TB) []Wall {
	var list []Wall
	for _, wall := range []Wall{Namespaces, Landlock, NoWall} {
		ws, err := NewWorkspace(t.TempDir())
		require.NoError(t, err)
		if err := ws.enclose(t.Context(), wall); err != nil {
			require.NotEqual(t, NoWall, wall, err)
			need.Partly(t, map[Wall]string{Namespaces: "box", Landlock: "landlock"}[wall], "%s: %v", wall, err)
		} else {
			list = append(list, wall)
		}
		require.NoError(t, ws.Close())
	}
	return list
}

func enclosed(t testing.TB, wall Wall, show ...string) *Workspace {
	ws, err := NewWorkspace(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, ws.enclose(context.Background(), wall))
	ws.Show(show...)
	t.Cleanup(func() { assert.NoError(t, ws.Close()) })
	return ws
}

// shell runs a script in a directory of the workspace, and returns how it ended
// and the directory.
func (w *Workspace) shell(t testing.TB, script string) (Exit, string) {
	dir, err := w.NewDir()
	require.NoError(t, err)
	return Child{Space: w, Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Env: FixedEnv("", dir), Bounds: patient().Compile()}.Run(t.Context()), dir
}

// A program that means ill comes to none of its ends.
func TestBoxes(t *testing.T) {
	home, err := os.MkdirTemp("", "goreify-home-*")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	require.NoError(t, os.Chmod(home, 0o777))
	secret := filepath.Join(home, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret\n"), 0o644))
	server, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Close() })
	_, port, err := net.SplitHostPort(server.Addr().String())
	require.NoError(t, err)
	open, err := syscall.Dup(2) // without the mark close-on-exec
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(open) })
	session, err := unix.Getsid(0)
	require.NoError(t, err)
	for _, wall := range walls(t) {
		t.Run(string(wall), func(t *testing.T) {
			ws := enclosed(t, wall)
			e, dir := ws.shell(t, "echo out; echo err >&2; echo file >file; exit 7")
			assert.Equal(t, 7, e.Status, e)
			assert.Equal(t, "out\n", string(e.Stdout))
			assert.Equal(t, "err\n", string(e.Stderr))
			assert.FileExists(t, filepath.Join(dir, "file"))

			e, _ = ws.shell(t, "kill -SEGV $$")
			assert.Equal(t, syscall.SIGSEGV, e.Signal, "it is no first process of a namespace, which no signal of its own kills")

			e, _ = ws.shell(t, "kill -TERM $PPID; kill -HUP $PPID; kill -QUIT $PPID; kill -SEGV $PPID; echo on")
			require.NoError(t, e.Failure(), "a child ends its box")

			e, _ = ws.shell(t, "setsid sleep 1007 & (setsid sh -c 'sleep 1007 & sleep 1007' &); sleep 0.1")
			require.NoError(t, e.Failure())
			assert.Empty(t, running("sleep\x001007"), "a process that has left the group lives on")

			e, _ = ws.shell(t, "ls /proc/$$/fd; cut -d' ' -f6 /proc/$$/stat")
			lines := strings.Fields(string(e.Stdout))
			require.Len(t, lines, 4, "a descriptor of ours is a way out: %s", lines)
			assert.NotContains(t, []string{"0", strconv.Itoa(session)}, lines[3], "children could type into our terminal")

			if wall == NoWall {
				return
			}
			e, _ = ws.shell(t, "cat "+secret)
			assert.NotContains(t, string(e.Stdout), "secret")
			e, _ = ws.shell(t, "echo gone >"+filepath.Join(home, "written")+"; echo gone >/usr/written; echo gone >"+filepath.Join(ws.dir, "..", "written"))
			assert.NoFileExists(t, filepath.Join(home, "written"))
			assert.NoFileExists(t, "/usr/written")
			assert.NoFileExists(t, filepath.Join(ws.dir, "..", "written"))
			e, _ = ws.shell(t, fmt.Sprintf("bash -c 'echo >/dev/tcp/127.0.0.1/%s' && echo connected", port))
			assert.NotContains(t, string(e.Stdout), "connected", "%s", e.Stderr)
			e, _ = ws.shell(t, fmt.Sprintf("kill -0 %d && echo seen", os.Getpid()))
			assert.NotContains(t, string(e.Stdout), "seen")
			e, _ = ws.shell(t, "grep -E '^Cap(Eff|Prm|Bnd|Amb)' /proc/self/status | grep -v '\\b0*$'; grep NoNewPrivs /proc/self/status")
			assert.Equal(t, "NoNewPrivs:\t1\n", string(e.Stdout), "no capabilities, and no way to any")
			e, _ = ws.shell(t, "cat /proc/self/oom_score_adj")
			assert.Equal(t, "1000\n", string(e.Stdout), "it goes first if memory runs out")
			if wall == Namespaces {
				e, _ = ws.shell(t, "echo 0 >/proc/self/oom_score_adj; cat /proc/self/oom_score_adj")
				assert.Equal(t, "1000\n", string(e.Stdout))
				e, _ = ws.shell(t, "umount /tmp; mount -t tmpfs x /mnt && echo mounted; cat /etc/shadow; id -u")
				assert.NotContains(t, string(e.Stdout), "mounted")
				assert.NotContains(t, string(e.Stdout), "root:")
				e, _ = ws.shell(t, "(: </proc/$PPID/fd/2) && echo reached; (cd /proc/$PPID/root) && echo entered; unshare -U true && echo mighty")
				assert.Empty(t, string(e.Stdout), "the box can be read or traced, or capabilities be had")
				e, _ = ws.shell(t, "mkdir /dev/shm/.left && chmod 0 /dev/shm/.left && echo made")
				assert.Equal(t, "made\n", string(e.Stdout))
				e, _ = ws.shell(t, "ls -A /dev/shm")
				assert.Empty(t, string(e.Stdout), "what a child has left the next one sees")
				e, _ = ws.shell(t, "ls /dev/pts /home /var /srv; for d in /tmp /var /home; do (: >$d/written) && echo $d; done")
				assert.Empty(t, strings.Fields(regexp.MustCompile("(?m)^/.*:$").ReplaceAllString(string(e.Stdout), "")), "terminals, homes or sockets are seen, or files left to the next child")
				e, _ = ws.shell(t, "ls /proc | grep -c '^[0-9]'")
				n, err := strconv.Atoi(strings.TrimSpace(string(e.Stdout)))
				require.NoError(t, err)
				assert.Less(t, n, 8, "processes of others are seen")
			}
		})
	}
}

// Directories may have colons in their names, and one that is shown may vanish.
func TestBoxPaths(t *testing.T) {
	base := filepath.Join(t.TempDir(), "a:b")
	shown := filepath.Join(t.TempDir(), "c:d")
	require.NoError(t, os.Mkdir(base, 0o755))
	require.NoError(t, os.Mkdir(shown, 0o755))
	for _, wall := range walls(t) {
		ws, err := NewWorkspace(base)
		require.NoError(t, err)
		require.NoError(t, ws.enclose(t.Context(), wall))
		ws.Show(shown, filepath.Join(shown, "gone"))
		e, _ := ws.shell(t, "ls -d "+shown)
		require.NoError(t, e.Failure(), wall)
		assert.Equal(t, shown+"\n", string(e.Stdout))
		require.NoError(t, ws.Close())
	}
}

// A program in a root directory sees that and the workspace, and nothing else.
func TestRoot(t *testing.T) {
	gcc := need.Command(t, "gcc")
	root := t.TempDir()
	for _, dir := range []string{"bin", "tmp", "proc", "dev"} {
		require.NoError(t, os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "marker"), []byte("inside\n"), 0o644))
	source := filepath.Join(t.TempDir(), "cat.c")
	require.NoError(t, os.WriteFile(source, []byte(`#include <stdio.h>
int main(int n, char **files) {
	for (int i = 1; i < n; i++) {
		FILE *f = fopen(files[i], "r");
		char line[256];
		while (f && fgets(line, sizeof line, f)) fputs(line, stdout);
	}
	FILE *f = fopen("written", "w");
	return !f || fputs("here\n", f) < 0 || fclose(f);
}
`), 0o600))
	tool := filepath.Join(root, "bin", "cat")
	if out, err := exec.CommandContext(t.Context(), gcc, "-static", source, "-o", tool).CombinedOutput(); err != nil {
		need.Missing(t, "gcc", "roots: no static program: %s", out)
	}
	for _, wall := range walls(t) {
		t.Run(string(wall), func(t *testing.T) {
			ws := enclosed(t, wall)
			dir, err := ws.NewDir()
			require.NoError(t, err)
			c := Child{Space: ws, Root: root, Path: "/bin/cat", Args: []string{"/marker", "/etc/passwd", source, "/proc/self/status"}, Dir: dir, Bounds: patient().Compile()}
			for range 2 { // the second one in the same box
				e := c.Run(t.Context())
				if wall != Namespaces {
					assert.ErrorContains(t, e.Failure(), "a box of namespaces only")
					return
				}
				require.NoError(t, e.Failure())
				assert.True(t, strings.HasPrefix(string(e.Stdout), "inside\nName:\tcat\n"), "%s", e.Stdout)
				for _, set := range []string{"Inh", "Prm", "Eff", "Bnd", "Amb"} {
					assert.Contains(t, string(e.Stdout), "Cap"+set+":\t0000000000000000\n")
				}
				assert.FileExists(t, filepath.Join(dir, "written"))
			}
			// A child that needs no root still gets none.
			e, _ := ws.shell(t, "cat /marker; ls /etc/passwd")
			assert.Equal(t, "/etc/passwd\n", string(e.Stdout))
			c.Root = filepath.Join(root, "gone")
			assert.ErrorContains(t, c.Run(t.Context()).Failure(), "no such file")
			e, _ = ws.shell(t, "echo on")
			assert.Equal(t, "on\n", string(e.Stdout), "a root that is gone keeps no other child")
		})
	}
}

// running returns the processes whose arguments begin so, each with a NUL behind.
func running(args string) []string {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var list []string
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(text), args) {
			list = append(list, file)
		}
	}
	return list
}

// Limits hold in boxes, and a box goes with the child that is cancelled.
func TestBoxLimits(t *testing.T) {
	need.Long(t)
	for _, wall := range walls(t) {
		t.Run(string(wall), func(t *testing.T) {
			ws := enclosed(t, wall)
			dir, err := ws.NewDir()
			require.NoError(t, err)
			limits := patient()
			limits.CompileCPU = time.Second
			loop := Child{Space: ws, Path: "/bin/sh", Args: []string{"-c", "while :; do :; done"}, Dir: dir, Env: FixedEnv("", dir), Bounds: limits.Compile()}
			e := loop.Run(t.Context())
			assert.True(t, e.Signal == syscall.SIGXCPU || e.Signal == syscall.SIGKILL, e.Signal)
			assert.GreaterOrEqual(t, e.CPU, 500*time.Millisecond)
			assert.GreaterOrEqual(t, ws.boxes.spent(), e.CPU)

			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			e = Child{Space: ws, Path: "/bin/sleep", Args: []string{"1008"}, Dir: dir, Env: FixedEnv("", dir), Bounds: limits.Compile()}.Run(ctx)
			assert.True(t, e.Cancelled())
			require.Eventually(t, func() bool { return len(running("/bin/sleep\x001008")) == 0 }, 10*time.Second, 10*time.Millisecond)
			// What a child has started in a session of its own goes, too.
			ctx, cancel = context.WithCancel(t.Context())
			time.AfterFunc(300*time.Millisecond, cancel)
			e = Child{Space: ws, Path: "/bin/sh", Args: []string{"-c", "setsid sleep 1009 & (setsid setsid sleep 1009 &); wait"}, Dir: dir, Env: FixedEnv("", dir), Bounds: limits.Compile()}.Run(ctx)
			assert.True(t, e.Cancelled())
			require.Eventually(t, func() bool { return len(running("sleep\x001009")) == 0 }, 10*time.Second, 10*time.Millisecond)
			e, _ = ws.shell(t, "echo again")
			assert.Equal(t, "again\n", string(e.Stdout))
		})
	}
}

// A program that fills the disk with many files is stopped.
func TestDiskLimit(t *testing.T) {
	limits := patient()
	limits.Disk = 8 << 20
	for _, wall := range append(walls(t), "") {
		t.Run(string(wall), func(t *testing.T) {
			ws := newWorkspace(t)
			if wall != "" {
				ws = enclosed(t, wall)
			}
			dir, err := ws.NewDir()
			require.NoError(t, err)
			script := "i=0; while [ $i -lt 4000 ]; do head -c 1000000 /dev/zero >f$i || exit 3; i=$((i+1)); done"
			e := Child{Space: ws, Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Env: FixedEnv("", dir), Bounds: limits.Compile()}.Run(t.Context())
			assert.Equal(t, stoppedByDisk, e.stop, "%+v", e)
			v, message := judgeRun(e, limits.Compile(), nil)
			assert.Equal(t, Discarded, v)
			assert.Equal(t, "wrote more than 8388608 bytes, or directories more than 64 deep", message)
		})
	}
}

// TestDeepDirectories has a program make directories one in another for seconds. The next
// child of the job, and its end, cost no more than they do without.
func TestDeepDirectories(t *testing.T) {
	limits := patient()
	for _, wall := range append(walls(t), "") {
		t.Run(string(wall), func(t *testing.T) {
			ws := newWorkspace(t)
			if wall != "" {
				ws = enclosed(t, wall)
			}
			dir, err := ws.NewDir()
			require.NoError(t, err)
			run := func(script string) Exit {
				return Child{Space: ws, Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Env: FixedEnv("", dir), Bounds: limits.Compile()}.Run(t.Context())
			}
			e := run("i=0; p=d; while [ $i -lt 5 ]; do p=$p/$p; i=$((i+1)); done; while mkdir -p $p && cd $p; do :; done; sleep 30")
			assert.Equal(t, stoppedByDisk, e.stop, "%+v", e)
			began := time.Now()
			assert.NoError(t, run("true").Failure())
			ws.Remove(dir)
			assert.Less(t, time.Since(began), time.Minute)
		})
	}
}

// Our death by a signal ends all that we have started.
func TestBoxDiesWithItsOwner(t *testing.T) {
	base := t.TempDir()
	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), helperVar+"="+base, helperBoxVar+"=on")
	out, err := helper.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, helper.Start())
	var dir string
	_, err = fmt.Fscan(out, &dir)
	require.NoError(t, err)
	var below []string // those of other tests are none of ours
	require.Eventually(t, func() bool {
		below = descendants(helper.Process.Pid)
		sleeps := running("sleep\x001000")
		return slices.ContainsFunc(below, func(file string) bool { return slices.Contains(sleeps, file) })
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, helper.Process.Kill())
	_ = helper.Wait() // killed
	require.Eventually(t, func() bool {
		return len(processesIn(dir)) == 0 && !slices.ContainsFunc(below, func(file string) bool {
			text, _ := os.ReadFile(file) // empty of what has ended, too
			return len(text) > 0
		})
	}, 10*time.Second, 20*time.Millisecond)
}

// descendants returns the command lines, as files, of all that a process started.
func descendants(pid int) []string {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var list []string
	for _, file := range lists {
		text, _ := os.ReadFile(file) // empty if the thread has ended
		for _, child := range strings.Fields(string(text)) {
			pid, _ := strconv.Atoi(child)
			list = append(append(list, "/proc/"+child+"/cmdline"), descendants(pid)...)
		}
	}
	return list
}

// A directory that may not be entered does not stop the sweeping of workspaces.
func TestDirectoriesThatNobodyMayEnter(t *testing.T) {
	base := t.TempDir()
	ws, err := NewWorkspace(base)
	require.NoError(t, err)
	dir, err := ws.NewDir()
	require.NoError(t, err)
	deep := filepath.Join(dir, "closed", "deep")
	require.NoError(t, os.MkdirAll(deep, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(deep, "file"), nil, 0o600))
	require.NoError(t, os.Chmod(filepath.Join(dir, "closed"), 0))
	require.NoError(t, ws.lock.Close()) // as if the process had died
	second, err := NewWorkspace(base)
	require.NoError(t, err)
	assert.NoDirExists(t, ws.Dir())
	require.NoError(t, second.Close())
}

func TestParseBoxPolicy(t *testing.T) {
	for text, want := range map[string]BoxPolicy{"": BoxUsual, "auto": BoxAuto, "require": BoxRequire, "off": BoxOff} {
		p, err := ParseBoxPolicy(text)
		require.NoError(t, err)
		assert.Equal(t, want, p)
	}
	_, err := ParseBoxPolicy("on")
	assert.EqualError(t, err, `box "on": want auto, require or off`)
}

// BenchmarkBox compares a child in a box with one that runs as it is.
func BenchmarkBox(b *testing.B) {
	bench := func(wall Wall, root string) {
		name := "wall=" + string(wall)
		if root != "" {
			name += "/in a root"
		}
		b.Run(name, func(b *testing.B) {
			ws := newWorkspace(b)
			if wall != "" {
				ws = enclosed(b, wall)
			}
			dir, err := ws.NewDir()
			require.NoError(b, err)
			c := Child{Space: ws, Root: root, Path: "/bin/true", Dir: dir, Env: FixedEnv("", dir), Bounds: DefaultLimits().Compile()}
			for b.Loop() {
				require.NoError(b, c.Run(context.Background()).Failure())
			}
		})
	}
	for _, wall := range append([]Wall{""}, walls(b)...) {
		bench(wall, "")
	}
	if trunk := EnvFrom(os.Environ()).Roots["trunk"]; trunk != "" {
		if _, err := os.Stat(trunk); err == nil {
			bench(Namespaces, trunk)
		}
	}
}

// The number of processes is limited in a box, of root's too, whatever else its
// user runs.
func TestBoxProcesses(t *testing.T) {
	for _, wall := range walls(t) {
		if wall != Namespaces {
			continue // the kernel counts all processes of the user, and none of root
		}
		ws := enclosed(t, wall)
		dir, err := ws.NewDir()
		require.NoError(t, err)
		limits := patient()
		limits.Processes = 20
		run := func(n int) Exit {
			script := fmt.Sprintf("i=0; while [ $i -lt %d ]; do sleep 60 & i=$((i+1)); done; echo all", n)
			return Child{Space: ws, Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Env: FixedEnv("", dir), Bounds: limits.Compile()}.Run(t.Context())
		}
		e := run(5)
		assert.Equal(t, "all\n", string(e.Stdout), "%s", e.Stderr)
		e = run(40)
		assert.Empty(t, string(e.Stdout))
		assert.Contains(t, string(e.Stderr), "Cannot fork")
	}
}
