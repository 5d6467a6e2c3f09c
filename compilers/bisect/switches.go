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
	same := func(flags []string) []string { return flags }
	return t.leaveOut(ctx, b, parting{asker.Switches(ctx, t.ws, t.limits), same, switchName}, "no switch that mends it")
}

// phaseSign joins the names of a culprit that are several.
const phaseSign = "+"

// A parting is parts of an optimiser that can be left out.
type parting struct {
	parts []string
	args  func(parts []string) []string // that leave out some
	name  func(part string) string      // as a culprit
}

// leaveOut looks for the part, or the smallest set of them, without which the program is
// right. Parts that must not be left out are passed over. none says that there is no such
// part.
func (t *Test) leaveOut(ctx context.Context, b *Blame, p parting, none string) error {
	var optional []string
	for _, part := range p.parts {
		switch args := p.args([]string{part}); t.ask(ctx, args...) {
		case right:
			if t.confirm(ctx, args...) == right {
				b.Pass, b.Flags = p.name(part), args
				return nil
			}
		case fails:
			optional = append(optional, part)
		}
	}
	mends := func(list []string) bool { return t.ask(ctx, p.args(list)...) == right }
	if len(optional) > 1 && mends(optional) {
		var names []string
		list := minimal(optional, mends)
		for _, part := range list {
			names = append(names, p.name(part))
		}
		b.Pass, b.Flags = strings.Join(names, phaseSign), p.args(list)
		return nil
	}
	return fmt.Errorf("%s: %s: %w", compilers.Name(t.tc, t.job.Mode), none, ErrNoCulprit)
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
