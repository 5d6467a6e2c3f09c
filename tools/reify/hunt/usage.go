package hunt

import (
	"time"

	"goreify/compilers"
)

// A usage is CPU time, user and system, of a run.
type usage struct {
	total     time.Duration // of this process and all that it has started
	compilers time.Duration // of compilers, assemblers and linkers
}

// used returns what the run has used. All children that are not programs under
// test are compilers.
func (h *hunt) used() usage {
	children := h.oracle.Space.ChildrenCPU()
	return usage{compilers.SelfCPU() + children, children - time.Duration(h.ran.Load())}
}
