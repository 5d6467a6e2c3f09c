package events

import (
	"context"

	"goreify/compilers"
)

// A Reporter is a target that says what it optimises.
type Reporter interface {
	compilers.Target
	// Optimisations builds as much of the job as it takes to count what was
	// optimised. The error says that it could not, or that nothing was said. It
	// leaves nothing behind.
	Optimisations(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (Counts, error)
}
