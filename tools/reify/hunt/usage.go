package hunt

import (
	"time"

	"goreify/compilers"
)

// A usage is CPU time, user and system, of a run.
type usage struct {
	total     time.Duration // of this process and all that it has started
	compilers time.Duration // of compilers, assemblers and linkers, for batches that came to their end
}

// used returns what the run has used.
func (h *hunt) used() usage {
	return usage{compilers.SelfCPU() + h.oracle.Space.ChildrenCPU(), time.Duration(h.compiled.Load())}
}
