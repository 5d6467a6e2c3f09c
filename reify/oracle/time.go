package oracle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"goreify/compilers"
	"goreify/reify/subject"
)

// patience is how many times as long as a reference mode a configuration may take before
// it is said not to end. A reference mode takes a tenth of the limit at most, else the
// subject is too heavy. A confirmed failure runs for ten times the limit, else it is
// slow. Neither is a finding.
const patience = compilers.Patience

// heavy returns why a verdict of time on a subject says nothing, or "": a reference mode
// that does as much takes a tenth of the limit at most. That of the target is asked
// first. Where it fails, too, those of other targets are asked; they are of the same
// family if the mode trains functions. If none settles it, the second result is why one
// gave no answer, or "".
func (q *inquiry) heavy(ctx context.Context, cfg Config, s subject.Subject, verdict compilers.Verdict) (why, none string) {
	a, err := q.admit(ctx, s)
	if err != nil {
		if missing, ok := errors.AsType[noAnswer](err); ok {
			none = missing.Error()
		}
		return err.Error(), none
	}
	own := cfg.Target.ID()
	first := ""
	for i, t := range append([]compilers.Target{cfg.Target}, q.Targets...) {
		job, together := compilers.Timed(t, a.Job(cfg.Mode))
		like, _ := compilers.Timed(cfg.Target, a.Job(cfg.Mode))
		itself := len(job.Extra) == 0 && job.Mode == cfg.Mode
		if id := t.ID(); id.Same(own) && (i > 0 || itself) || len(like.Extra) > 0 && id.Family != own.Family {
			continue
		}
		limits := q.limits(s)
		for try := range 2 { // the machine may have been slow
			out := q.test(ctx, t, job, limits)
			took, limit := limits.Spent(verdict, out, together)
			if out.Verdict != compilers.OK {
				none = unanswered(out, none)
				if first == "" {
					first = fmt.Sprintf("%s: %v", compilers.Name(t, job.Mode), out)
				}
				break
			}
			if limit <= 0 || took <= limit/patience {
				return "", ""
			}
			if try > 0 {
				return fmt.Sprintf("%s is too heavy: %s takes %.2f s of CPU time, of a limit of %v", s.Name(), compilers.Name(t, job.Mode), took.Seconds(), limit), ""
			}
		}
	}
	if s.Trust() != subject.Proved { // its answer may be wrong, and then consult says so
		return "", none
	}
	return fmt.Sprintf("%s is too heavy: no reference mode ends in a tenth of the limit; %s", s.Name(), first), none
}

// lasts lets a confirmed failure of time run for ten times the limit, and returns its
// outcome then.
func (q *inquiry) lasts(ctx context.Context, f *Finding) compilers.Outcome {
	out := q.patient().ask(ctx, f.Config, f.Subject)
	f.witness(fmt.Sprintf("%s (%d times the limit)", f.Config, patience), out)
	return out
}

// hasty returns the inquiry for first questions: programs get ten times what the longest
// run took that was right, at least a tenth of their limit. That a program is right is
// an answer then; what it fails to do is asked again, with all of the limit.
func (q *inquiry) hasty() *inquiry {
	h := *q
	h.Limits.RunCPU = min(q.Limits.RunCPU, max(q.Limits.RunCPU/patience, patience**q.took))
	return &h
}

// patient returns the inquiry with ten times the limits of time.
func (q *inquiry) patient() *inquiry {
	p := *q
	p.Limits = q.Limits.Times(patience)
	return &p
}

// weighed tells whether a confirmed failure of time is to be let run for longer. Large
// programs are always.
func (q *inquiry) weighed(f *Finding) bool {
	large := f.Subject.Weight() > len(members(f.Subject))
	return f.Outcome.Verdict.OfTime() && (large || q.Lasting == nil || q.Lasting(f))
}

// slow says of a failure of time that it ended.
func slow(f *Finding, out compilers.Outcome) string {
	took := out.CompileCPU + out.RunCPU
	return fmt.Sprintf("%s is slow, and ends after %.1f s of CPU time", f.Subject.Name(), took.Round(100*time.Millisecond).Seconds())
}
