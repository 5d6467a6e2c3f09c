package compilers

import (
	"syscall"
	"time"
)

// SelfCPU returns the CPU time, user and system, of this process.
func SelfCPU() time.Duration { return rusage(syscall.RUSAGE_SELF).cpu }

// ChildrenCPU returns that of the children that it has waited for. Boxes are
// waited for when they end; see Workspace.ChildrenCPU.
func ChildrenCPU() time.Duration { return rusage(syscall.RUSAGE_CHILDREN).cpu }

// ownPeak returns the most bytes that this process has ever had resident.
func ownPeak() int64 { return rusage(syscall.RUSAGE_SELF).peak }

type usage struct {
	cpu  time.Duration
	peak int64 // bytes
}

func rusage(who int) usage {
	var r syscall.Rusage
	if err := syscall.Getrusage(who, &r); err != nil {
		panic("compilers: getrusage: " + err.Error()) // only for an unknown who
	}
	return usage{time.Duration(r.Utime.Nano() + r.Stime.Nano()), r.Maxrss << 10}
}
