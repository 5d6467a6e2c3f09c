package hunt

import (
	"syscall"
	"time"
)

// A usage is CPU time, user and system.
type usage struct {
	own      time.Duration // of this process
	children time.Duration // of compilers, linkers and the programs they made
}

// used returns what the process and the children it has waited for have used.
func used() usage {
	return usage{rusage(syscall.RUSAGE_SELF), rusage(syscall.RUSAGE_CHILDREN)}
}

func rusage(who int) time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(who, &r); err != nil {
		panic("hunt: getrusage: " + err.Error()) // only for an unknown who
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func (u usage) minus(v usage) usage { return usage{u.own - v.own, u.children - v.children} }

func (u usage) total() time.Duration { return u.own + u.children }

// share returns the n-th part.
func (u usage) share(n int) usage {
	return usage{u.own / time.Duration(n), u.children / time.Duration(n)}
}
