package bisect

import (
	"context"
	"fmt"
	"strings"

	"goreify/compilers"
)

// switched looks for the switch of an engine, or the smallest set of them, with which
// the program is right.
func (t *Test) switched(ctx context.Context, b *Blame) error {
	asker, ok := t.tc.(interface {
		Switches(context.Context, *compilers.Workspace, compilers.Limits) []string
	})
	if !ok {
		return fmt.Errorf("%v has no switches: %w", t.tc.ID(), ErrNoCulprit)
	}
	var rest []string
	for _, flag := range asker.Switches(ctx, t.ws, t.limits) {
		switch t.ask(ctx, flag) {
		case right:
			if t.confirm(ctx, flag) == right {
				b.Pass, b.Flags = switchName(flag), []string{flag}
				return nil
			}
		case fails:
			rest = append(rest, flag)
		}
	}
	mends := func(list []string) bool { return t.ask(ctx, list...) == right }
	if len(rest) > 1 && mends(rest) {
		b.Flags = minimal(rest, mends)
		var names []string
		for _, flag := range b.Flags {
			names = append(names, switchName(flag))
		}
		b.Pass = strings.Join(names, phaseSign)
		return nil
	}
	return fmt.Errorf("%s: no switch that mends it: %w", compilers.Name(t.tc, t.job.Mode), ErrNoCulprit)
}

// switchName returns what a switch is about: "wasm-loop-peeling" of
// --no-wasm-loop-peeling, "useB3TailDup" of BUN_JSC_useB3TailDup=0, "PartialPeelLoop" of
// -XX:-PartialPeelLoop.
func switchName(flag string) string {
	if name, ok := strings.CutPrefix(flag, "-XX:"); ok {
		flag = strings.TrimLeft(name, "+-")
	}
	name := strings.TrimPrefix(strings.TrimPrefix(flag, "--"), "no-")
	if _, after, ok := strings.Cut(name, "JSC_"); ok {
		name = after
	}
	name, _, _ = strings.Cut(name, "=")
	return name
}
