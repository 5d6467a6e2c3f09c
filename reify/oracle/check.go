package oracle

import (
	"context"
	"errors"
	"slices"
	"time"

	"goreify/compilers"
	"goreify/reify/subject"
)

// Check asks all configurations of the subject's language about it, or about those members
// of a group whose needs the target meets. The first is number start modulo their number: if
// time is short, no configuration is always left out. Check stops at the first finding. The error is a *Contradiction if the
// subject is wrong rather than a compiler.
func (o *Oracle) Check(ctx context.Context, s subject.Subject, start uint64) (*Report, error) {
	some, err := o.Of(s.Artefact().Language)
	if err != nil {
		return &Report{}, err
	}
	r := &Report{}
	parts := map[string]subject.Subject{} // by target
	for _, t := range some.Targets {
		if parts[t.ID().String()], err = Taken(s, t.Traits()); err != nil {
			return r, err
		}
	}
	some.Targets = slices.DeleteFunc(some.Targets, func(t compilers.Target) bool { return parts[t.ID().String()] == nil })
	q := &inquiry{Oracle: *some, answers: map[string][]byte{}, cost: &r.Cost, took: new(time.Duration)}
	configs := q.Configs()
	for i := range configs {
		cfg := configs[(start+uint64(i))%uint64(len(configs))]
		if o.Ask != nil && !o.Ask(cfg.Target, cfg.Mode) {
			continue
		}
		if o.short(ctx) {
			r.Skipped++
			continue
		}
		if done, err := q.checkIn(ctx, cfg, parts[cfg.Target.ID().String()], r); done || err != nil {
			return r, err
		}
	}
	return r, nil
}

// Taken returns the part of a subject that a target of some traits can be asked about: the
// subject, or those members of a group that need nothing which it lacks, or nil.
func Taken(s subject.Subject, t compilers.Traits) (subject.Subject, error) {
	if s.Artefact().Suits(t) {
		return s, nil
	}
	g, ok := s.(subject.Group)
	if !ok {
		return nil, nil
	}
	var some []int
	for i, m := range g.Members() {
		if m.Artefact().Suits(t) {
			some = append(some, i)
		}
	}
	if len(some) == 0 || len(g.Members()) == 1 {
		return nil, nil
	}
	part, err := g.Only(some...)
	if err != nil || !part.Artefact().Suits(t) {
		return nil, err
	}
	return part, nil
}

// An inquiry is a call of Check: an oracle of its own, which may be changed, and the
// costs.
type inquiry struct {
	Oracle
	answers map[string][]byte // that were agreed on, by the names of subjects
	cost    *Cost
	took    *time.Duration // CPU time of the longest run that was right; copies of an inquiry share it
}

// suited returns the inquiry of those targets and sanitizers that can be asked about an
// artefact.
func (q *inquiry) suited(a subject.Artefact) *inquiry {
	own := *q
	own.Oracle = *q.without(func(t compilers.Target) bool { return !a.Suits(t.Traits()) })
	return &own
}

// checkIn asks one configuration, and tells whether it has led to a finding.
func (q *inquiry) checkIn(ctx context.Context, cfg Config, s subject.Subject, r *Report) (found bool, err error) {
	a, err := q.admit(ctx, s)
	if none, ok := errors.AsType[noAnswer](err); ok && ctx.Err() == nil {
		r.discard(cfg, none.Error(), true)
		return false, nil
	} else if err != nil {
		return false, err
	}
	built, compiled := cfg.Target.Build(ctx, q.Space, a.Job(cfg.Mode), q.limits(s))
	q.add(compiled)
	if built.Path != "" {
		defer built.Remove()
	}
	for own := q.hasty(); ; own = q {
		out := compiled
		if built.Path != "" {
			ran := cfg.Target.Run(ctx, built, nil, a.Want, own.Limits)
			q.add(ran)
			out = ran.After(compiled)
		}
		switch out.Verdict {
		case compilers.Discarded:
			if out.Disputed {
				var list []accused
				if g, ok := s.(subject.Group); ok {
					list = accuse(g.Guilty(out), out.Verdict)
				}
				r.unsure(cfg, others(s, true, list))
			}
			r.discard(cfg, out.Message, !out.Disputed)
			return false, nil
		case compilers.OK:
			r.Asked++
			return false, nil
		}
		// A failure in haste is one if it is confirmed, and else no answer.
		final := own == q || built.Path == "" || !out.Verdict.OfTime()
		guilty := q.guilty(ctx, cfg, s, built, out)
		if !final && len(guilty) == 0 {
			continue
		}
		open, cells := guilty, []Failure(nil)
		if final {
			open, cells = q.settle(cfg, s, guilty, out)
		}
		var found inquest
		if cells == nil || open != nil {
			found, err = q.investigate(ctx, cfg, s, out, numbers(open))
		}
		f, suspicions := found.finding, found.suspicions
		if !final && f == nil && err == nil && len(suspicions)+len(found.cells) == 0 && found.noAnswer+found.weight == "" {
			continue
		}
		r.Suspicions = append(r.Suspicions, suspicions...)
		cells = append(cells, found.cells...)
		r.Cells = append(r.Cells, cells...)
		rest := others(s, built.Path != "", guilty, append(names(cells), f.names()...)...)
		switch {
		case err != nil:
			return false, err
		case f != nil:
			r.Finding = f
		case len(cells) > 0 && found.noAnswer == "":
			r.Asked++
		case len(suspicions) > 0 && !slices.ContainsFunc(suspicions, func(f *Finding) bool { return !f.Note }):
			r.Asked++
			return false, nil
		default:
			if found.noAnswer == "" {
				r.unsure(cfg, rest)
			}
			r.discard(cfg, notConfirmed(out, found.weight, suspicions), found.noAnswer != "")
			return false, nil
		}
		r.At, r.Others, r.Open = cfg, rest, failures(cfg, s, open, rest)
		return f != nil || len(rest) > 0, nil
	}
}

// admit returns what is asked about the subject, with its answer, which is found out
// once. The error is a *Contradiction if the subject has no answer.
func (q *inquiry) admit(ctx context.Context, s subject.Subject) (subject.Artefact, error) {
	a := s.Artefact()
	p, ok := policies[s.Trust()]
	if !ok {
		panic("oracle: unknown trust " + s.Trust().String())
	}
	if p.admit == nil {
		return a, nil
	}
	want, known := q.answers[s.Name()]
	if !known {
		var err error
		if want, err = p.admit(q, ctx, s); err != nil {
			return a, err
		}
		q.answers[s.Name()] = want
	}
	a.Want, a.Reference = want, nil
	return a, nil
}

// unsure notes that a configuration gave no sure answer about members of a subject.
func (r *Report) unsure(cfg Config, members []string) {
	r.Unsure = append(r.Unsure, Unsure{cfg, members})
}

// discard notes that a configuration gave no sure answer, or that the machine kept it
// from answering.
func (r *Report) discard(cfg Config, why string, unanswered bool) {
	r.Discarded++
	if unanswered {
		r.Unanswered++
	}
	r.Discards = append(r.Discards, cfg.String()+": "+why)
}

// short reports whether less than the reserve is left of the context's time.
func (o *Oracle) short(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ctx.Err() != nil || ok && time.Until(deadline) < o.Reserve
}

// add adds up the costs of a child.
func (q *inquiry) add(o compilers.Outcome) {
	q.cost.add(o)
	if o.Verdict == compilers.OK {
		*q.took = max(*q.took, o.RunCPU)
	}
}

// A noAnswer is why a question got no answer: the machine kept a child from answering.
type noAnswer string

// Error returns the reason.
func (n noAnswer) Error() string { return string(n) }

// limits returns the limits for a subject.
func (q *inquiry) limits(s subject.Subject) compilers.Limits {
	return q.Limits.ForFunctions(s.Weight())
}

// ask builds and runs a subject. A part of a group that is not admitted is
// Discarded, and Disputed unless the machine kept it from being admitted.
func (q *inquiry) ask(ctx context.Context, cfg Config, s subject.Subject) compilers.Outcome {
	a, err := q.admit(ctx, s)
	if err != nil {
		_, none := errors.AsType[noAnswer](err)
		return compilers.Outcome{Verdict: compilers.Discarded, Message: err.Error(), Disputed: !none && ctx.Err() == nil}
	}
	return q.test(ctx, cfg.Target, a.Job(cfg.Mode), q.limits(s))
}

// test runs a job and adds up what it costs.
func (q *inquiry) test(ctx context.Context, t compilers.Target, job compilers.Job, limits compilers.Limits) compilers.Outcome {
	out := compilers.Test(ctx, t, q.Space, job, limits)
	q.add(out)
	return out
}
