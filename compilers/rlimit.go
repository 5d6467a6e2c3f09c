package compilers

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// A child must have its limits before it runs its first instruction: a compiler
// driver forks its cc1 within a millisecond, and what it has forked stays as it
// is. Setting our own limits around the fork would limit ourselves and every
// other goroutine's children.
//
// So the child is started under ptrace, as a debugger starts one: the kernel
// stops it when exec is done. Its limits are set with prlimit(2), and it is let
// go and traced no more. That costs some 50 microseconds. Where ptrace is
// forbidden, or we are traced ourselves, a shell sets the limits and becomes
// the child, which costs about a millisecond (BenchmarkChild).

// untraceable tells whether the error of a start may be that of ptrace.
func untraceable(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.ENOSYS)
}

// release waits until a child that was started under ptrace is stopped, sets
// its limits and lets it go. It must run on the thread that started the child.
// If it returns an error, the child's group has been killed.
func release(pid int, b Bounds) error {
	awaitState(pid, syscall.WSTOPPED|syscall.WEXITED)
	err := limit(pid, b)
	if err == nil {
		err = syscall.PtraceDetach(pid)
	}
	if err == nil || err == syscall.ESRCH { // killed meanwhile, and dead
		return nil
	}
	killGroup(pid)
	return fmt.Errorf("setting limits: %w", err)
}

// limit sets the limits of another process. A limit above an inherited one
// leaves that as it is.
func limit(pid int, b Bounds) error {
	type pair struct {
		resource   int
		soft, hard int64
	}
	limits := []pair{{unix.RLIMIT_CORE, 0, 0}}
	if n := b.cpuSeconds(); n > 0 {
		// SIGXCPU first, which says what happened; SIGKILL for a child that ignores that.
		limits = append(limits, pair{unix.RLIMIT_CPU, n, n + 1})
	}
	for _, l := range []pair{
		{unix.RLIMIT_AS, b.memory, b.memory},
		{unix.RLIMIT_FSIZE, b.fileSize, b.fileSize},
		{unix.RLIMIT_NPROC, int64(b.processes), int64(b.processes)},
	} {
		if l.soft > 0 {
			limits = append(limits, l)
		}
	}
	for _, l := range limits {
		var inherited unix.Rlimit
		if err := unix.Prlimit(pid, l.resource, nil, &inherited); err != nil {
			return err
		}
		hard := min(inherited.Max, uint64(l.hard))
		wanted := unix.Rlimit{Cur: min(inherited.Cur, hard, uint64(l.soft)), Max: hard}
		if err := unix.Prlimit(pid, l.resource, &wanted, nil); err != nil {
			return err
		}
	}
	return nil
}

// limiterName is $0 of the shell that sets the limits: what it complains under
// when it cannot start the child.
const limiterName = "reify-limits"

// limitScript returns the shell script that lowers its own limits and then
// becomes the child, in the same process.
//
// A limit that cannot be set is below an inherited one already, so failures of
// ulimit are ignored. dash counts processes with -p, bash with -u; POSIX has
// blocks of 512 bytes for -f, and kilobytes for -v.
func limitScript(b Bounds) string {
	var s strings.Builder
	s.WriteString("{ ulimit -c 0")
	if n := b.cpuSeconds(); n > 0 {
		fmt.Fprintf(&s, "; ulimit -S -t %d; ulimit -H -t %d", n, n+1)
	}
	if b.memory > 0 {
		fmt.Fprintf(&s, "; ulimit -v %d", (b.memory+1023)/1024)
	}
	if b.fileSize > 0 {
		fmt.Fprintf(&s, "; ulimit -f %d", (b.fileSize+511)/512)
	}
	if b.processes > 0 {
		fmt.Fprintf(&s, "; ulimit -p %d || ulimit -u %d", b.processes, b.processes)
	}
	s.WriteString(`; } 2>/dev/null; exec "$@"`)
	return s.String()
}
