package compilers

import (
	"context"
	"errors"
	"fmt"
)

// ErrMachine says that a question has no answer, for want of room, memory or time,
// or since the target could not be started: nothing follows from it.
var ErrMachine = errors.New("the machine keeps the compiler from answering")

// Answer asks a question whose outcome conclusions are drawn from. One that is
// Discarded is asked again. If it stays so, control, a question that had an answer
// before, tells whose fault that is: where it has none either, the error wraps
// ErrMachine, or is that of ctx. Else it is the question's own, whatever comes of it
// in the end: the arguments may make a target hang.
func Answer(ctx context.Context, ask, control func() Outcome) (Outcome, error) {
	var o Outcome
	for try := range 3 {
		if o = ask(); o.Verdict != Discarded {
			return o, nil
		}
		if try != 1 {
			continue
		}
		c := control()
		if ctx.Err() != nil {
			return o, context.Cause(ctx)
		}
		if c.Verdict == Discarded {
			return o, fmt.Errorf("%w: %s", ErrMachine, o.Message)
		}
	}
	if ctx.Err() != nil {
		return o, context.Cause(ctx)
	}
	return o, nil
}
