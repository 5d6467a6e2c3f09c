package prove

import (
	"context"
	"slices"
	"strings"

	"goreify/reify"
	"goreify/reify/crosscheck"
	"goreify/reify/language"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

// straight is how many expressions there is a straight-line program for.
const straight = 10

// expressions asks about expressions over all types and operators, those without sanitizers
// alone: of C also about straight-line programs, and once about conversions of all
// values of 8 bits. A seed is the number of an expression.
func (r *run) expressions(ctx context.Context) error {
	list, err := r.witnesses(ctx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(w *witness) bool { return w.checks })
	lang, size := language.Find(r.Language), r.terms().expressions
	r.Next -= (r.Next - 1) % crosscheck.PerRoom
	tally := crosscheck.NewTally()
	var drawn []crosscheck.Member // of the subject that was made last
	m := maker{size: size, bySeed: true}
	m.make = func(_ context.Context, seed uint64, n int) (subject.Subject, int, error) {
		first := int(seed - 1)
		n = (aligned(seed, n, size) + crosscheck.PerRoom - 1) / crosscheck.PerRoom * crosscheck.PerRoom
		var err error
		if drawn, err = crosscheck.Draw(first, first+n, lang, tally); err != nil {
			return nil, n, err
		}
		if r.terms().lines {
			lines, _, err := crosscheck.StraightLines(first/straight, n/straight, 0)
			if err != nil {
				return nil, n, err
			}
			drawn = append(drawn, lines...)
			r.count("straight-line programs", len(lines))
		}
		if r.terms().lines && first == 0 {
			all, err := crosscheck.Conversions()
			if err != nil {
				return nil, n, err
			}
			drawn = append(drawn, all...)
			r.count("conversions", 1<<8*len(all))
		}
		return r.batch(drawn, seed, lang), n, nil
	}
	m.parts = func(member subject.Subject) (all []subject.Subject) {
		at := slices.IndexFunc(drawn, func(m crosscheck.Member) bool { return m.Claim.Func.Name == member.Name() })
		if at < 0 {
			return nil
		}
		for _, part := range drawn[at].Parts() {
			all = append(all, r.batch([]crosscheck.Member{part}, r.Next, lang))
		}
		return all
	}
	if err := r.subjects(ctx, list, m); err != nil {
		return err
	}
	r.count("expressions", tally.Expressions)
	r.count("undefined ones beside them", tally.Undefined)
	missing := tally.Missing
	if tally.Unwritten > 0 {
		r.count("that the language cannot write", tally.Unwritten)
		missing = tally.MissingIntegers
	}
	if names := missing(); len(names) > 0 {
		r.note("NOT COMPARED: %s", strings.Join(names, ", "))
	}
	return nil
}

// batch returns members as a subject.
func (r *run) batch(list []crosscheck.Member, seed uint64, lang *language.Language) *function.Batch {
	var members []function.Member
	for i, m := range list {
		k := &reify.Case{Claim: m.Claim, Recipe: reify.FromSeed(seed + uint64(i))}
		members = append(members, function.Member{Case: k, Style: m.Style})
	}
	return function.Of(lang, members)
}
