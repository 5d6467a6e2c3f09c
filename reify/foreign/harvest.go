package foreign

import "context"

// A Harvester asks compilers what functions answer.
type Harvester struct{}

// Ask answers questions in one batch: a reply for each, in their order. A reply without an
// answer says why. The error is that of ctx, or what kept the machine from answering.
func (h *Harvester) Ask(ctx context.Context, q []Question) ([]Reply, error) { panic("not yet") }
