package triage

import (
	"time"

	"goreify/compilers"
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

func spent() time.Duration { return compilers.SelfCPU() + compilers.ChildrenCPU() }
