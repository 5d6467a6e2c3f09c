package compilers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A Child is a command to run under limits.
type Child struct {
	Root   string     // directory that is / for it, which takes a box of namespaces; "" is that of this machine
	Space  *Workspace // in whose boxes it runs, if it has any; nil if it runs as it is
	Path   string     // of the executable, absolute
	Args   []string
	Dir    string
	Env    []string // see FixedEnv
	Bounds Bounds
	shell  bool // a shell sets the limits
}

// An Exit is how a child ended.
type Exit struct {
	Err      error          // it could not be started
	Status   int            // exit status, -1 if a signal ended it
	Signal   syscall.Signal // that ended it, or 0
	stop     stopReason     // why we killed it, if that is what ended it
	Overflow bool           // it printed more than it may
	CPU      time.Duration  // user and system, of all its processes known
	RSS      int64          // bytes resident in its largest process, or our own peak if that is more
	Stdout   []byte         // at most Limits.Output bytes
	Stderr   []byte
}

// Cancelled tells whether the end of the context ended the child.
func (e Exit) Cancelled() bool { return e.stop == stoppedByContext }

// TimedOut tells whether the child was ended as it took too long.
func (e Exit) TimedOut() bool { return e.stop == stoppedByWall || e.stop == stoppedByCPU }

// Failure returns nil if the child exited with status 0, else an error that
// says how it ended.
func (e Exit) Failure() error {
	switch {
	case e.Err != nil:
		return e.Err
	case e.stop == stoppedByWall:
		return errors.New("no answer in time")
	case e.stop == stoppedByContext:
		return context.Canceled
	case e.Overflow:
		return errors.New(printedMore(max(len(e.Stdout), len(e.Stderr))))
	case e.Signal != 0:
		return fmt.Errorf("killed by %s", SignalName(e.Signal))
	case e.Status != 0:
		return fmt.Errorf("exit status %d: %s", e.Status, FirstLine(e.Stderr))
	}
	return nil
}

// A stopReason says why a child was killed by us.
type stopReason int

const (
	notStopped stopReason = iota
	stoppedByContext
	stoppedByWall
	stoppedByCPU
	stoppedByOutput
	stoppedByDisk
)

// pipeDelay is how long a process that has left the group, and so outlives it,
// may keep the output pipes open.
const pipeDelay = 500 * time.Millisecond

// Run starts the child and waits until it has ended, its group is killed, and
// its output is read. A process that moves itself into another group escapes;
// no compiler driver does that to its children. It takes the output through
// pipes and not files, so that a full disk cannot change an answer.
func (c Child) Run(ctx context.Context) Exit {
	if c.Space != nil && c.Space.boxes != nil {
		return c.Space.boxes.run(ctx, c)
	}
	if c.Root != "" && !boxed {
		return Exit{Err: errNoRoot(c.Root), Status: -1}
	}
	if err := ctx.Err(); err != nil {
		return Exit{Err: err, stop: stoppedByContext, Status: -1}
	}
	overflow := make(chan struct{})
	var once sync.Once
	tooMuch := func() { once.Do(func() { close(overflow) }) }
	stdout := &cappedBuffer{limit: c.Bounds.output, full: tooMuch}
	stderr := &cappedBuffer{limit: c.Bounds.output, full: tooMuch}

	// Pdeathsig fires when the thread that started the child ends, and only
	// that thread may set it going under ptrace, so this goroutine must own its
	// thread from start to wait (golang/go#27505).
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stopped := !c.shell
	cmd, err := c.start(stdout, stderr, stopped)
	if stopped && untraceable(err) {
		c.shell, stopped = true, false
		cmd, err = c.start(stdout, stderr, stopped)
	}
	if err != nil {
		return Exit{Err: err, Status: -1}
	}
	pid := cmd.Process.Pid

	var e Exit
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		e.stop, e.CPU = c.watch(ctx, pid, overflow, ended)
	}()
	var unlimited error
	if stopped {
		unlimited = release(pid, c.Bounds)
	}
	awaitState(pid, syscall.WEXITED)
	close(ended)
	<-watched
	// The leader is not reaped yet, so the group's number is still ours.
	killGroup(pid)
	err = cmd.Wait()

	if cmd.ProcessState == nil {
		return Exit{Err: err, Status: -1}
	}
	e.Err = unlimited
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	e.Status = status.ExitStatus()
	if status.Signaled() {
		e.Signal = status.Signal()
	}
	if e.Signal != syscall.SIGKILL {
		e.stop = notStopped // it ended by itself before our signal came
	}
	e.CPU = max(e.CPU, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		e.RSS = usage.Maxrss << 10
	}
	var over, over2 bool
	e.Stdout, over = stdout.kept()
	e.Stderr, over2 = stderr.kept()
	e.Overflow = over || over2
	if rest, failed := strings.CutPrefix(string(e.Stderr), limiterName+": "); failed && e.Status >= 125 {
		e.Err = errors.New(strings.TrimSpace(rest))
	}
	return e
}

// start starts the child, stopped by ptrace if that is wanted. An executable that
// was written just now may be held open by a process that another goroutine is
// starting at this moment (golang/go#22315): that passes.
func (c Child) start(stdout, stderr io.Writer, stopped bool) (cmd *exec.Cmd, err error) {
	for try := range 50 {
		time.Sleep(time.Duration(try) * time.Millisecond)
		cmd = c.command(stdout, stderr)
		cmd.SysProcAttr.Ptrace = stopped
		if err = cmd.Start(); !errors.Is(err, syscall.ETXTBSY) {
			break
		}
	}
	return cmd, err
}

// command returns the command that is the child in a group of its own or, if a
// shell is to set its limits, that becomes the child.
func (c Child) command(stdout, stderr io.Writer) *exec.Cmd {
	cmd := &exec.Cmd{Path: c.Path, Args: append([]string{c.Path}, c.Args...)}
	if c.shell {
		cmd = exec.Command("/bin/sh", append([]string{"-c", limitScript(c.Bounds), limiterName, c.Path}, c.Args...)...)
	}
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = pipeDelay
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Chroot: c.Root}
	return cmd
}

// watch kills the group when the child must stop, and returns why and how much
// CPU time the group had used by then. It returns when the child has ended.
func (c Child) watch(ctx context.Context, pid int, overflow, ended <-chan struct{}) (stopReason, time.Duration) {
	var wall <-chan time.Time
	if c.Bounds.wall > 0 {
		wall = time.After(c.Bounds.wall)
	}
	// Resources that the kernel cannot count are looked at by us, and not before so much
	// time has passed.
	var look <-chan time.Time
	if c.Bounds.fine() {
		look = time.Tick(c.Bounds.cpu)
	}
	var weigh <-chan time.Time
	if c.Bounds.disk > 0 {
		weigh = time.Tick(weighEvery)
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
		case <-weigh:
			if weight(c.Dir) > c.Bounds.disk {
				why = stoppedByDisk
			}
		case <-look:
			if groupCPU(pid) >= c.Bounds.cpu {
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

// weighEvery is how often it is looked what a child has written. Nearly all end
// before.
const weighEvery = 250 * time.Millisecond

// mostDepth is how many directories one in another a child may make: each costs the kernel
// a path as long, and us a multiple of what it costs the child.
const mostDepth = 64

// weight returns the bytes of the files below a directory, or more than any bound if
// directories are too deep.
func weight(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it has gone, or may not be looked at
		}
		if strings.Count(path[len(dir):], "/") > mostDepth {
			sum = math.MaxInt64
			return fs.SkipAll
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

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

// usualPath serves compilers that were not found on a PATH, and programs.
const usualPath = "/usr/local/bin:/usr/bin:/bin"

// FixedEnv returns the whole environment of a child that finds its helpers on
// path and puts temporary files into tmp.
func FixedEnv(path, tmp string) []string {
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

// kept returns the bytes that are kept, and whether more were written.
func (b *cappedBuffer) kept() (text []byte, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return bytes.Clone(b.buf.Bytes()), b.over
}
