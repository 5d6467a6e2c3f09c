package hunt

import (
	"syscall"
	"time"
)

// A usage is CPU time, user and system, of a run.
type usage struct {
	total     time.Duration // of this process and all that it has started
	compilers time.Duration // of compilers, assemblers and linkers
}

// used returns what the run has used. All children that are not programs under
// test are compilers.
func (h *hunt) used() usage {
	own, children := rusage(syscall.RUSAGE_SELF), rusage(syscall.RUSAGE_CHILDREN)
	return usage{own + children, children - time.Duration(h.ran.Load())}
}

func rusage(who int) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(who, &r); err != nil {
		panic("hunt: getrusage: " + err.Error()) // only for an unknown who
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
