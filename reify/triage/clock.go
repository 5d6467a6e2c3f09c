package triage

import (
	"time"

	"goreify/compilers"
)

// A watch measures the CPU time, user and system, of this process and of the
// children that it has waited for. It decides nothing.
type watch struct {
	space *compilers.Workspace // whose boxes run children, or nil
	last  time.Duration
}

func stopwatch(space *compilers.Workspace) *watch {
	w := &watch{space: space}
	w.lap()
	return w
}

// lap returns the time since the last lap, or since the watch was started.
func (w *watch) lap() time.Duration {
	before := w.last
	w.last = compilers.SelfCPU() + w.space.ChildrenCPU()
	return w.last - before
}
