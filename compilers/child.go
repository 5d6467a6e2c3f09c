package compilers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A child is a command to run under limits.
type child struct {
	path   string // of the executable, absolute
	args   []string
	dir    string
	env    []string
	bounds bounds
	shell  bool // a shell sets the limits
}

// An exit is how a child ended.
type exit struct {
	err      error          // it could not be started
	status   int            // exit status, -1 if a signal ended it
	signal   syscall.Signal // that ended it, or 0
	stop     stopReason     // why we killed it, if that is what ended it
	overflow bool           // it printed more than it may
	cpu      time.Duration  // user and system, of all its processes known
	rss      int64          // bytes resident in its largest process, or our own peak if that is more
	stdout   []byte         // at most bounds.output bytes
	stderr   []byte
}

// A stopReason says why a child was killed by us.
type stopReason int

const (
	notStopped stopReason = iota
	stoppedByContext
	stoppedByWall
	stoppedByCPU
	stoppedByOutput
)

// pipeDelay is how long a process that has left the group, and so outlives it,
// may keep the output pipes open.
const pipeDelay = 500 * time.Millisecond

// run starts the child and waits until it has ended, its group is killed, and
// its output is read. A process that moves itself into another group escapes;
// no compiler driver does that to its children. It takes the output through
// pipes and not files, so that a full disk cannot change an answer.
func (c child) run(ctx context.Context) exit {
	if err := ctx.Err(); err != nil {
		return exit{err: err, stop: stoppedByContext, status: -1}
	}
	overflow := make(chan struct{})
	var once sync.Once
	tooMuch := func() { once.Do(func() { close(overflow) }) }
	stdout := &cappedBuffer{limit: c.bounds.output, full: tooMuch}
	stderr := &cappedBuffer{limit: c.bounds.output, full: tooMuch}

	// Pdeathsig fires when the thread that started the child ends, and only
	// that thread may set it going under ptrace, so this goroutine must own its
	// thread from start to wait (golang/go#27505).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := c.command(stdout, stderr)
	stopped := !c.shell
	if stopped {
		cmd.SysProcAttr.Ptrace = true
	}
	err := cmd.Start()
	if stopped && untraceable(err) {
		c.shell, stopped = true, false
		cmd = c.command(stdout, stderr)
		err = cmd.Start()
	}
	if err != nil {
		return exit{err: err, status: -1}
	}
	pid := cmd.Process.Pid

	var e exit
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		e.stop, e.cpu = c.watch(ctx, pid, overflow, ended)
	}()
	var unlimited error
	if stopped {
		unlimited = release(pid, c.bounds)
	}
	awaitExit(pid)
	close(ended)
	<-watched
	// The leader is not reaped yet, so the group's number is still ours.
	killGroup(pid)
	err = cmd.Wait()

	if cmd.ProcessState == nil {
		return exit{err: err, status: -1}
	}
	e.err = unlimited
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	e.status = status.ExitStatus()
	if status.Signaled() {
		e.signal = status.Signal()
	}
	if e.signal != syscall.SIGKILL {
		e.stop = notStopped // it ended by itself before our signal came
	}
	e.cpu = max(e.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.rss = usage.Maxrss << 10
	}
	e.stdout, e.stderr = stdout.bytes(), stderr.bytes()
	e.overflow = stdout.overflowed() || stderr.overflowed()
	if rest, failed := strings.CutPrefix(string(e.stderr), limiterName+": "); failed && e.status >= 125 {
		e.err = errors.New(strings.TrimSpace(rest))
	}
	return e
}

// command returns the command that is the child in a group of its own or, if a
// shell is to set its limits, that becomes the child.
func (c child) command(stdout, stderr io.Writer) *exec.Cmd {
	cmd := &exec.Cmd{Path: c.path, Args: append([]string{c.path}, c.args...)}
	if c.shell {
		cmd = exec.Command("/bin/sh", append([]string{"-c", limitScript(c.bounds), limiterName, c.path}, c.args...)...)
	}
	cmd.Dir, cmd.Env = c.dir, c.env
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = pipeDelay
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// watch kills the group when the child must stop, and returns why and how much
// CPU time the group had used by then. It returns when the child has ended.
func (c child) watch(ctx context.Context, pid int, overflow, ended <-chan struct{}) (stopReason, time.Duration) {
	var wall <-chan time.Time
	if c.bounds.wall > 0 {
		timer := time.NewTimer(c.bounds.wall)
		defer timer.Stop()
		wall = timer.C
	}
	// What the kernel cannot count we look for, and need not before so much time
	// has passed.
	var look <-chan time.Time
	if c.bounds.fine() {
		ticker := time.NewTicker(c.bounds.cpu)
		defer ticker.Stop()
		look = ticker.C
	}
	why := notStopped
	for why == notStopped {
		select {
		case <-ended:
			return notStopped, 0
		case <-ctx.Done():
			why = stoppedByContext
		case <-wall:
			why = stoppedByWall
		case <-overflow:
			why = stoppedByOutput
		case <-look:
			if groupCPU(pid) >= c.bounds.cpu {
				why = stoppedByCPU
			}
		}
	}
	// A killed driver never waits for its children, so their time is asked
	// for while they live.
	used := groupCPU(pid)
	killGroup(pid)
	return why, used
}

// awaitExit returns when the process has ended, leaving it to be reaped.
func awaitExit(pid int) { awaitState(pid, syscall.WEXITED) }

// awaitState returns when the process has done one of the things that options
// of waitid(2) ask for, leaving it to be waited for again.
func awaitState(pid, options int) {
	const pPID = 1 // P_PID of waitid(2)
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_WAITID, pPID, uintptr(pid), 0, uintptr(options|syscall.WNOWAIT), 0, 0)
		if errno != syscall.EINTR {
			return
		}
	}
}

// killGroup kills every process of the group. That there is none left is no
// error.
func killGroup(pgid int) { _ = syscall.Kill(-pgid, syscall.SIGKILL) }

// usualPath serves toolchains that were not found on a PATH, and programs.
const usualPath = "/usr/local/bin:/usr/bin:/bin"

// fixedEnv returns the whole environment of a child that finds its helpers on
// path and puts temporary files into tmp.
func fixedEnv(path, tmp string) []string {
	if path == "" {
		path = usualPath
	}
	return []string{
		"LC_ALL=C",
		"PATH=" + path,
		"TMPDIR=" + tmp,
		// One line of a report is enough; a symboliser would cost seconds.
		"ASAN_OPTIONS=symbolize=0:detect_leaks=0",
		"UBSAN_OPTIONS=symbolize=0:print_stacktrace=0",
	}
}

// A cappedBuffer keeps the first bytes written to it, and calls full each time
// more come.
type cappedBuffer struct {
	limit int // at most this many are kept; 0 or less keeps all
	full  func()

	mu   sync.Mutex // a copier may outlive Wait by pipeDelay
	buf  bytes.Buffer
	over bool
}

// Write never fails, so that the child never sees a broken pipe.
func (b *cappedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	keep := p
	if b.limit > 0 && b.buf.Len()+len(p) > b.limit {
		keep = p[:b.limit-b.buf.Len()]
		b.over = true
		b.full()
	}
	b.buf.Write(keep)
	return len(p), nil
}

func (b *cappedBuffer) bytes() []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.buf.Bytes())
}

func (b *cappedBuffer) overflowed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.over
}
