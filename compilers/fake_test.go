package compilers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writes is a fake compiler that leaves a program of the given text.
func writes(program string) string {
	return "cat > repro <<'END'\n#!/bin/sh\n" + program + "\nEND\nchmod +x repro"
}

// What compilers and what they compile may do, and what is said of it.
func TestFakeCompilers(t *testing.T) {
	small := func(l *Limits) { l.FileSize = 1 << 16 }
	short := func(l *Limits) { l.CompileWall = time.Second }
	for name, tt := range map[string]struct {
		body    string
		limits  func(*Limits)
		verdict Verdict
		message string // part of it
	}{
		"right":                   {writes("echo 42"), nil, OK, ""},
		"wrong":                   {writes("echo 43; exit 1"), nil, WrongAnswer, `printed "43\n", want "42\n"`},
		"wrong but status":        {writes("echo 43"), nil, WrongAnswer, `printed "43\n", want "42\n"`},
		"right but status":        {writes("echo 42; exit 1"), nil, WrongAnswer, "exit status 1"},
		"other status":            {writes("echo 42; exit 7"), nil, WrongAnswer, "exit status 7"},
		"more output":             {writes("echo 42; echo"), nil, WrongAnswer, `"42\n\n"`},
		"run crash":               {writes("kill -SEGV $$"), nil, Crash, "killed by SIGSEGV"},
		"run trap":                {writes("kill -FPE $$"), nil, Crash, "killed by SIGFPE"},
		"run stubborn":            {writes("trap '' TERM XCPU; while :; do :; done"), nil, Endless, "CPU time"},
		"run prints":              {writes("exec yes"), nil, Endless, "printed more than"},
		"run killed":              {writes("kill -KILL $$"), nil, Discarded, "killed by SIGKILL"},
		"run terminated":          {writes("kill -TERM $$"), nil, Discarded, "killed by SIGTERM"},
		"run sleeps":              {writes("sleep 1000"), func(l *Limits) { l.RunWall = time.Second }, Discarded, "without using its CPU time"},
		"run no such interpreter": {"printf '#!/none/sh\n' > repro; chmod +x repro", nil, Discarded, "could not start"},

		"compile endless": {"while :; do :; done", nil, SlowCompile, "CPU time"},
		"compile prints":  {"exec yes >&2", nil, SlowCompile, "printed more than"},
		"compile sleeps":  {"sleep 1000", short, Discarded, "without using its CPU time"},
		"compile killed":  {"kill -KILL $$", nil, Discarded, "killed by SIGKILL"},
		"compile crash":   {"kill -SEGV $$", nil, InternalError, "compiler killed by SIGSEGV"},
		"cc1 killed":      {"echo 'gcc: fatal error: Killed signal terminated program cc1' >&2; exit 1", nil, Discarded, "Killed signal"},
		"gcc ICE":         {"cat >&2 <<'END'\n" + gccICE + "END\nexit 1", nil, InternalError, "during RTL pass: reload: internal compiler error: in regstat"},
		"clang ICE":       {"cat >&2 <<'END'\n" + clangDumpTop + "END\nexit 1", nil, InternalError, "crash in llvm::InstCombinerImpl::visitSub"},
		"rejected":        {"echo 'repro.c:1:1: error: no' >&2; exit 1", nil, Rejected, "repro.c:1:1: error: no"},
		"mute":            {"exit 1", nil, Rejected, ""},
		"no executable":   {"exit 0", nil, Rejected, "no executable"},
		"out of memory":   {"echo 'virtual memory exhausted: Cannot allocate memory' >&2; exit 1", nil, Discarded, "virtual memory exhausted"},
		"disk full":       {"cp /bin/sh /dev/full || exit 1", nil, Discarded, "No space left on device"},
		"file size":       {"exec cp /dev/zero repro", small, Discarded, "file size limit"},
		"missing":         {"exec /none/cc1", nil, Rejected, "/none/cc1"},

		"leaves children":      {"sleep 1000 & (sleep 1000 & sleep 1000 &)\n" + writes("sleep 1000 & echo 42"), nil, OK, ""},
		"leaves busy children": {"(trap '' HUP TERM; while :; do :; done) &\n" + writes("echo 42"), nil, OK, ""},
		"hangs with children":  {"sleep 1000 & sleep 1000 & wait", short, Discarded, "without using its CPU time"},
	} {
		// Written before any test runs in parallel: a child that another test
		// is starting would hold the script open for writing (golang/go#22315).
		tc := fake(t, tt.body)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws, limits := newWorkspace(t), patient()
			if tt.limits != nil {
				tt.limits(&limits)
			}
			job := Job{Source: []byte("int main(void) { return 0; }\n"), Want: []byte("42\n"), Level: "-O2"}
			o := tc.Test(t.Context(), ws, job, limits)
			assert.Equal(t, tt.verdict, o.Verdict, "%v\n%s", o, o.Stderr)
			assert.Contains(t, o.Message, tt.message)
			assert.NotContains(t, o.String(), ws.Dir(), "no paths that differ from run to run")
			assert.Equal(t, "gcc-99 -O2 -w repro.c -o repro", o.Command[0])
			assert.LessOrEqual(t, len(o.Stdout), limits.Output)
			assert.LessOrEqual(t, len(o.Stderr), limits.Output)
			requireNothingLeft(t, ws)
			entries, err := os.ReadDir(ws.Dir())
			require.NoError(t, err)
			assert.Empty(t, entries, "files left behind")
		})
	}
}

func TestOutcomeTellsWhatItCost(t *testing.T) {
	ws := newWorkspace(t)
	o := fake(t, writes("while :; do :; done")).Test(t.Context(), ws, Job{Level: "-O0", Extra: []string{"-g", "-DX=a b"}}, patient())
	assert.Equal(t, []string{"gcc-99 -O0 -w -g '-DX=a b' repro.c -o repro", "./repro"}, o.Command)
	assert.InDelta(t, time.Second, o.RunCPU, float64(500*time.Millisecond))
	assert.Positive(t, o.CompileCPU)
	assert.Equal(t, syscall.SIGXCPU, o.Signal)
}

// The CPU time of a driver's children counts, though it never waited for them.
func TestWallLimitOnABusyGroup(t *testing.T) {
	ws, limits := newWorkspace(t), patient()
	// Each process stays under its own limit, and the group goes on for ever.
	busy := "while :; do timeout --foreground 0.3 sh -c 'while :; do :; done'; done"
	tc := fake(t, strings.Repeat(busy+" &\n", 4)+"wait")
	o := Outcome{Verdict: Discarded}
	// On a busy machine the group gets little of a second.
	for limits.CompileWall = 2 * time.Second; o.Verdict == Discarded && limits.CompileWall < time.Minute; limits.CompileWall *= 3 {
		o = tc.Test(t.Context(), ws, Job{}, limits)
	}
	assert.Equal(t, SlowCompile, o.Verdict, o.Message)
	requireNothingLeft(t, ws)
}

func TestCancelled(t *testing.T) {
	ws := newWorkspace(t)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	o := fake(t, "sleep 1000").Test(ctx, ws, Job{}, patient()) // more than a test may take
	assert.Equal(t, Discarded, o.Verdict)
	assert.Equal(t, "cancelled", o.Message)
	requireNothingLeft(t, ws)

	o = fake(t, writes("")).Test(ctx, ws, Job{}, patient())
	assert.Equal(t, "discarded: cancelled", o.String(), "nothing is started any more")
}

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

func TestConfirm(t *testing.T) {
	ws, job := newWorkspace(t), Job{Want: []byte("42\n"), Level: "-O2"}
	wrong := fake(t, writes("echo 43; exit 1"))
	first := wrong.Test(t.Context(), ws, job, patient())
	second, same := wrong.Confirm(t.Context(), ws, job, patient(), first)
	assert.True(t, same)
	assert.Equal(t, first.Message, second.Message)

	// Fails the first time only.
	mark := filepath.Join(t.TempDir(), "mark")
	flaky := fake(t, "test -e "+mark+" || { touch "+mark+"; kill -SEGV $$; }\n"+writes("echo 42"))
	first = flaky.Test(t.Context(), ws, job, patient())
	require.Equal(t, InternalError, first.Verdict)
	second, same = flaky.Confirm(t.Context(), ws, job, patient(), first)
	assert.False(t, same)
	assert.Equal(t, OK, second.Verdict)
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
	b := bounds{cpu: 1500 * time.Millisecond, memory: 1 << 28, fileSize: 1 << 20, processes: 4000, wall: time.Minute}
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
		e := child{path: "/bin/cat", args: []string{"/proc/self/limits", "/proc/self/status"}, bounds: b, shell: shell}.run(t.Context())
		require.NoError(t, e.failure())
		requireLimits(fmt.Sprintf("by a shell: %v", shell), e.stdout)
		assert.Contains(t, string(e.stdout), "TracerPid:\t0\n")
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

// A limit above an inherited one leaves that as it is, and what has ended needs
// none.
func TestLimit(t *testing.T) {
	cmd := exec.Command("/bin/sleep", "100")
	require.NoError(t, cmd.Start())
	pid := cmd.Process.Pid
	require.NoError(t, limit(pid, bounds{fileSize: 4 << 20}))
	require.NoError(t, limit(pid, bounds{fileSize: 8 << 20, cpu: time.Hour}))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
	require.NoError(t, err)
	limits := strings.Join(strings.Fields(string(text)), " ")
	assert.Contains(t, limits, "Max file size 4194304 4194304 bytes")
	assert.Contains(t, limits, "Max cpu time 3600 3601 seconds")
	kill([]int{pid})
	_ = cmd.Wait() // killed
	assert.ErrorIs(t, limit(pid, bounds{}), syscall.ESRCH)
	assert.NoError(t, release(pid, bounds{}))
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

// cpuOf returns the CPU time of this process or, for RUSAGE_CHILDREN, of the
// children it has waited for.
func cpuOf(t testing.TB, who int) time.Duration {
	var usage syscall.Rusage
	require.NoError(t, syscall.Getrusage(who, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkChild reports what a child that does nothing costs: us/op of CPU
// time in all, and own-us/op of this process.
func BenchmarkChild(b *testing.B) {
	limited := func(shell bool) func() error {
		c := child{path: "/bin/true", dir: "/", bounds: DefaultLimits().run(), shell: shell}
		return func() error { return c.run(context.Background()).failure() }
	}
	for name, run := range map[string]func() error{
		"limited": limited(false),
		"shell":   limited(true),
		"bare":    func() error { return exec.Command("/bin/true").Run() },
	} {
		b.Run(name, func(b *testing.B) {
			own, children := cpuOf(b, syscall.RUSAGE_SELF), cpuOf(b, syscall.RUSAGE_CHILDREN)
			for b.Loop() {
				require.NoError(b, run())
			}
			own, children = cpuOf(b, syscall.RUSAGE_SELF)-own, cpuOf(b, syscall.RUSAGE_CHILDREN)-children
			b.ReportMetric(float64((own+children).Microseconds())/float64(b.N), "us/op")
			b.ReportMetric(float64(own.Microseconds())/float64(b.N), "own-us/op")
		})
	}
}
