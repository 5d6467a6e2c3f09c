package oracle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/subject"
)

// A Finding is a failure of a target.
type Finding struct {
	Subject subject.Subject // nearly always a single one
	Config                  // that fails
	Outcome compilers.Outcome
	Bad     []corpus.Configuration // all configurations present that fail with this verdict
	// Witnesses are the answers of the configurations that were consulted, and Notes
	// those of the subject's clues.
	Witnesses []corpus.Witness
	Notes     []corpus.Note
	// Apart are the configurations that fail on the same program with another
	// verdict, or are of another family: each as Config.String has it, in the order
	// asked. The bug is hardly the same, so they are to be asked by a Check of
	// their own.
	Apart []string
	// Incomplete says that some configurations could not be asked in time, or gave
	// no answer.
	Incomplete bool
	// OnlyDirect says of a suspicion that the program fails only if a linker is
	// called directly and not, as users do, by the compiler's driver.
	OnlyDirect bool
	// Doubt says in a line why this is a suspicion: the report of a sanitizer that
	// another sanitizer does not confirm, the one family of all compilers that
	// answered, or the resource that the machine lacked.
	Doubt string
	// Needs are the flags of a compilers.Tuned target without which the subject does
	// not fail. Target has other flags, or none, if the failure can be shown with
	// those.
	Needs []string
	// Note says of a suspicion that it is confirmed, but shows with hidden flags alone.
	Note bool

	want     []byte // the answer that was agreed on, or nil
	objected bool   // a sanitizer objects, and that stands
}

// A judgement is what confirming came to.
type judgement int

const (
	confirmed   judgement = iota
	fluke                 // it did not happen again, or was no failure but slow
	unconfirmed           // undecided: time or witnesses were short, the witnesses contradict one another, or the linker decides
	hidden                // it shows with hidden flags alone
)

// judged is a judgement, with what it lacks.
type judged struct {
	as judgement
	lacks
}

// be returns the judgement with what is lacking.
func (j judged) be(as judgement) judged { return judged{as, j.lacks} }

// mostDoubts bounds the parts of a group that are investigated without a finding. A
// compiler that gets every answer wrong, and none for sure, would take minutes
// otherwise.
const mostDoubts = 12

// An inquest is what came of looking into a failure.
type inquest struct {
	q          *inquiry
	cfg        Config // that fails
	finding    *Finding
	suspicions []*Finding // failures before the finding that could not be confirmed
	cells      []Failure  // that are suspected, or settled
	lacks
}

// lacks say what an inquest lacks.
type lacks struct {
	noAnswer string // why the last question without an answer had none, or ""
	weight   string // why the last failure of time was none, or ""
}

// or returns what lacks of an earlier time say beside these.
func (l lacks) or(earlier lacks) lacks {
	return lacks{cmp.Or(l.noAnswer, earlier.noAnswer), cmp.Or(l.weight, earlier.weight)}
}

// investigate confirms a failure, of which the guilty members may be known. It ends
// with the first part of the subject whose failure is confirmed. The error is a
// *Contradiction if the witnesses say that the program, not the compiler, is wrong.
func (q *inquiry) investigate(ctx context.Context, cfg Config, s subject.Subject, out compilers.Outcome, guilty []int) (in inquest, err error) {
	in = inquest{q: q, cfg: cfg}
	doubts := 0
	for part, got := range in.isolate(ctx, s, out, guilty) {
		if got.Verdict == compilers.SlowCompile && len(members(part)) > 1 {
			break // many functions, not a slow compiler
		}
		if in.noAnswer != "" && len(members(part)) > 1 {
			in.suspicions = append(in.suspicions, q.lacking(cfg, part, got, in.noAnswer))
			break // the guilty member is not known
		}
		cell, ok := cellOf(cfg, part, got)
		if ok && q.settles(&cell) {
			in.cells = append(in.cells, cell)
			continue
		}
		f, judged, err := q.confirm(ctx, cfg, part, got)
		in.lacks = judged.or(in.lacks)
		switch {
		case err != nil:
			return in, err
		case judged.as == confirmed:
			in.finding = f
			return in, nil
		case judged.as == unconfirmed, judged.as == hidden:
			in.suspicions = append(in.suspicions, f)
			if cell.Doubted = true; ok && in.noAnswer == "" {
				in.cells = append(in.cells, cell)
			}
		}
		if doubts++; doubts == mostDoubts {
			break
		}
	}
	return in, nil
}

// lacking returns the suspicion of a failure that could not be investigated, since a
// question got no answer, and why it got none.
func (q *inquiry) lacking(cfg Config, s subject.Subject, out compilers.Outcome, none string) *Finding {
	cfg.Target = compilers.Plain(cfg.Target)
	f := &Finding{Subject: s, Config: cfg, Outcome: out, want: q.answers[s.Name()]}
	f.doubt(unsettled, "could not be looked into: "+none)
	return f
}

// confirm runs a failing part of a subject again. The finding is nil for a fluke.
// A question without an answer confirms nothing, and makes nothing a fluke.
func (q *inquiry) confirm(ctx context.Context, cfg Config, s subject.Subject, out compilers.Outcome) (f *Finding, j judged, err error) {
	// From here on all programs are built by the commands that users type.
	direct := cfg
	cfg.Target = compilers.Plain(cfg.Target)
	served := q
	q = q.plain()
	ask := func(cfg Config) compilers.Outcome {
		out := q.ask(ctx, cfg, s)
		j.noAnswer = unanswered(out, j.noAnswer)
		return out
	}
	again := ask(cfg)
	f = &Finding{Subject: s, Config: cfg, Outcome: again, want: q.answers[s.Name()]}
	// A program that depends on where the linker puts things may fail in another way
	// then: the failure counts if it happens twice.
	if !out.Same(again) && !(again.Verdict.Finding() && again.Same(ask(cfg))) {
		f.Outcome = out
		if ctx.Err() != nil {
			return f, j.be(unconfirmed), nil
		}
		if j.noAnswer == "" && compilers.Direct(direct.Target) && ask(direct).Same(out) {
			f.OnlyDirect = true
			return f, j.be(unconfirmed), nil
		}
		if j.noAnswer != "" {
			return q.lacking(cfg, s, out, j.noAnswer), j.be(unconfirmed), nil
		}
		return nil, j.be(fluke), nil
	}
	if f.Outcome.Verdict.OfTime() {
		if j.weight, j.noAnswer = served.heavy(ctx, direct, s, f.Outcome.Verdict); j.noAnswer != "" {
			return q.lacking(cfg, s, out, j.noAnswer), j.be(unconfirmed), nil
		} else if j.weight != "" {
			return nil, j.be(fluke), nil
		}
	}
	scouts := q.simplify(ctx, f)
	f.addBad(f.Config)
	sure, doubt, none := q.consult(ctx, f)
	j.noAnswer = none
	if err := q.changed(); err != nil {
		j.noAnswer = corpus.OneLine(err.Error())
		f.doubt(unsettled, j.noAnswer)
		return f, j.be(unconfirmed), nil
	}
	switch {
	case doubt != "":
		broken := policies[s.Trust()].strict && f.objected && q.broken(ctx, f)
		return nil, j, &Contradiction{Finding: f, Trust: s.Trust(), Broken: broken, Err: fmt.Errorf("%s says %v, but %s", f.Config, again.Verdict, doubt)}
	case !sure:
		return f, j.be(unconfirmed), nil
	}
	if q.weighed(f) {
		switch long := q.lasts(ctx, f); {
		case long.Verdict == compilers.Discarded:
			j.noAnswer = unanswered(long, j.noAnswer)
			f.doubt(unsettled, "could not be let run for longer: "+long.Message)
			return f, j.be(unconfirmed), nil
		case long.Verdict == compilers.OK:
			j.weight = slow(f, long)
			return nil, j.be(fluke), nil
		case !long.Verdict.OfTime():
			f, then, err := served.patient().confirm(ctx, direct, s, long)
			then.lacks = then.or(j.lacks)
			return f, then, err
		}
	}
	if len(scouts) > 0 {
		f.Note = true
		f.doubt(noted, "it shows with hidden flags alone: "+strings.Join(scouts, " "))
		return f, j.be(hidden), nil
	}
	return f, j.be(confirmed), nil
}

// changed returns an error if a target is not the compiler that it was when it was
// found: its answers would be told of another version.
func (q *inquiry) changed() error {
	for _, t := range slices.Concat(q.Targets, q.Sanitizers) {
		if err := compilers.Changed(t); err != nil {
			return err
		}
	}
	return nil
}

// plain returns the inquiry with the targets in the form that their users know.
func (q *inquiry) plain() *inquiry {
	p := *q
	p.Targets = slices.Clone(q.Targets)
	for i, t := range p.Targets {
		p.Targets[i] = compilers.Plain(t)
	}
	return &p
}

func (f *Finding) witness(who string, out compilers.Outcome) {
	f.Witnesses = append(f.Witnesses, corpus.Witness{Who: who, Said: out.Verdict.String()})
}

func (f *Finding) addBad(cfg Config) {
	id := cfg.Target.ID()
	f.Bad = corpus.Add(f.Bad, id.Family, id.Version, id.Args, cfg.Mode)
}

// Fails tells whether a configuration is known to fail as the finding does.
func (f *Finding) Fails(cfg Config) bool {
	id := cfg.Target.ID()
	return slices.ContainsFunc(f.Bad, func(b corpus.Configuration) bool {
		return b.Family == id.Family && b.Version == id.Version && slices.Equal(b.Args, id.Args) && slices.Contains(b.Modes, cfg.Mode)
	})
}

// String says in a line what was found.
func (f *Finding) String() string {
	var bad []string
	for _, b := range f.Bad {
		bad = append(bad, strings.Join(slices.Concat([]string{b.Family, b.Version}, b.Args, b.Modes), " "))
	}
	return fmt.Sprintf("%v: %v %s (fails: %s)", f.Config, f.Outcome.Verdict, f.Outcome.Message, strings.Join(bad, "; "))
}

// unanswered returns why a question got no answer, or the reason of an earlier one.
func unanswered(o compilers.Outcome, earlier string) string {
	if o.Verdict == compilers.Discarded && !o.Disputed {
		return o.Message
	}
	return earlier
}

// cellOf returns the failure of a part, or false if that is no single cell.
func cellOf(cfg Config, part subject.Subject, out compilers.Outcome) (Failure, bool) {
	if len(members(part)) != 1 {
		return Failure{}, false
	}
	return failure(cfg, part, accused{0, out.Verdict})
}
