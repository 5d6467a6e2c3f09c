package bisect

import (
	"context"
	"fmt"
	"strings"

	"goreify/compilers"
)

// inlining is the culprit if the program is right without it. It is no phase.
const inlining = "inline"

// withoutPhases returns the arguments that have gc leave out phases of its SSA, or
// inlining.
func withoutPhases(phases []string) []string {
	var args, off []string
	for _, phase := range phases {
		if phase == inlining {
			args = append(args, "-l")
			continue
		}
		off = append(off, "ssa/"+phase+"/off")
	}
	if off != nil {
		args = append(args, "-d="+strings.Join(off, ","))
	}
	return args
}

// gcPhases looks for the phase, or the smallest set of them, without which gc is right.
// Some cannot be left out: it says so, and they are passed over. A bug that is in no
// phase is told by versions alone: see package triage.
func (t *Test) gcPhases(ctx context.Context, b *Blame) error {
	asker, ok := t.tc.(interface {
		Phases(ctx context.Context, ws *compilers.Workspace, limits compilers.Limits) ([]string, error)
	})
	if !ok {
		return fmt.Errorf("%v cannot be asked for its phases: %w", t.tc.ID(), ErrNoCulprit)
	}
	phases, err := asker.Phases(ctx, t.ws, t.limits)
	if err != nil {
		return err
	}
	parts := append(phases[:len(phases):len(phases)], inlining) // without which much else is left out
	err = t.leaveOut(ctx, b, parting{parts, withoutPhases, func(phase string) string { return phase }}, "no phase that can be left out")
	if t.codegenOf(ctx, b); b.Pass != "" {
		return nil
	}
	return err
}
