package oracle

import (
	"context"
	"slices"

	"goreify/compilers"
)

// A way is how a failure of a tuned target may be shown.
type way struct {
	flags []string
	mode  compilers.Mode
}

// simplify has a failure of a tuned target shown with as few of its flags as will do,
// and preferably in another mode without any. Hidden flags that are needed are replaced
// by others if that can be done. The simplified configuration has failed in the same
// way twice. It returns the hidden flags that are needed all the same. Flags whose trial
// had no answer stay.
func (q *inquiry) simplify(ctx context.Context, f *Finding) (scouts []string) {
	tuned, ok := f.Target.(compilers.Tuned)
	if !ok {
		return nil
	}
	target := func(flags []string) compilers.Target {
		return compilers.Plain(compilers.Tune(tuned.Of, flags...).Target)
	}
	fails := func(w way) bool {
		cfg := Config{target(w.flags), w.mode}
		first := q
		if f.Outcome.Verdict.OfTime() {
			first = q.hasty()
		}
		return first.ask(ctx, cfg, f.Subject).Same(f.Outcome) && q.ask(ctx, cfg, f.Subject).Same(f.Outcome)
	}
	least := func(w way) way {
		w.flags = fewest(w.flags, func(flags []string) bool { return fails(way{flags, w.mode}) })
		return w
	}
	sets := tuned.Of.FlagSets()
	scout := func(flag string) bool {
		return slices.ContainsFunc(sets, func(s compilers.FlagSet) bool { return s.Scout && slices.Contains(s.Flags, flag) })
	}

	best := least(way{tuned.Flags, f.Mode})
	f.Needs = best.flags
	usable := func(w way) bool {
		return compilers.Probe(ctx, target(w.flags), q.Space, q.Limits) == nil
	}
	for _, w := range otherWays(tuned, best, scout) {
		if fails(w) && usable(w) {
			best = least(w)
			break
		}
	}
	f.Target = target(tuned.Flags)
	if out := q.ask(ctx, Config{target(best.flags), best.mode}, f.Subject); out.Same(f.Outcome) {
		f.Target, f.Mode, f.Outcome = target(best.flags), best.mode, out
	} else {
		best.flags, f.Needs = tuned.Flags, tuned.Flags
	}

	// From here on f.Target is asked.
	q.Targets = slices.DeleteFunc(slices.Clone(q.Targets), func(t compilers.Target) bool { return t.ID().Same(tuned.ID()) })
	if len(best.flags) > 0 {
		q.Targets = append(q.Targets, f.Target)
	}
	return slices.DeleteFunc(slices.Clone(best.flags), func(flag string) bool { return !scout(flag) })
}

// otherWays returns how a failure that needs flags may be shown without them, the
// simplest first.
func otherWays(tuned compilers.Tuned, w way, scout func(string) bool) (list []way) {
	if len(w.flags) == 0 {
		return nil
	}
	inOthers := func(flags []string) {
		for _, mode := range tuned.Of.Modes() {
			if mode != w.mode && mode != tuned.Of.Reference() {
				list = append(list, way{flags, mode})
			}
		}
	}
	inOthers(nil)
	if !slices.ContainsFunc(w.flags, scout) {
		return list
	}
	if visible := slices.DeleteFunc(slices.Clone(tuned.Flags), scout); len(visible) > 0 {
		inOthers(visible)
	}
	for _, set := range tuned.Of.FlagSets() {
		if !set.Scout {
			list = append(list, way{set.Flags, w.mode})
		}
	}
	return list
}

// fewest returns a part of a list of flags for which holds is true, and of which no
// flag can be left out. It is true for the list.
func fewest(flags []string, holds func([]string) bool) []string {
	if len(flags) == 0 || holds(nil) {
		return nil
	}
	for i := len(flags) - 1; i >= 0 && len(flags) > 1; i-- {
		if rest := slices.Delete(slices.Clone(flags), i, i+1); holds(rest) {
			flags, i = rest, len(rest)
		}
	}
	return flags
}
