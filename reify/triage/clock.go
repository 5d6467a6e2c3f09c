package triage

import (
	"syscall"
	"time"
)

// A watch measures the CPU time, user and system, of this process and of the
// children that it has waited for. It decides nothing.
type watch struct{ last time.Duration }

func stopwatch() *watch { return &watch{spent()} }

// lap returns the time since the last lap, or since the watch was started.
func (w *watch) lap() time.Duration {
	before := w.last
	w.last = spent()
	return w.last - before
}

func spent() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var r syscall.Rusage
		if err := syscall.Getrusage(who, &r); err != nil {
			panic("triage: getrusage: " + err.Error()) // only for an unknown who
		}
		sum += time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return sum
}
