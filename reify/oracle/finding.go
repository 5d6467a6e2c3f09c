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
	// Witnesses are what those consulted said, and Notes what the subject's clues
	// told.
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
	// Doubt says in a line why this is a suspicion: what a sanitizer reports that
	// another one does not, of which family all compilers are that answered, or what
	// the machine lacked when it was to be confirmed.
	Doubt string
	// Needs are those flags of a compilers.Tuned target without which what was asked
	// does not fail. The Target has others, or none, if it fails in the same way then.
	Needs []string
	// Note says of a suspicion that it is confirmed, but shows with hidden flags alone.
	Note bool

	want     []byte // the answer that was agreed on, or nil
	objected bool   // a sanitizer objects, and that stands
}

// endless is how many times its limit the compilation of a whole program must
// take to count as one that does not end.
const endless = 8

// A judgement is what confirming came to.
type judgement int

const (
	confirmed   judgement = iota
	fluke                 // it did not happen again
	unconfirmed           // nobody could tell: time or witnesses were short, the witnesses contradict one another, or the linker decides
	hidden                // it shows with hidden flags alone
)

// mostDoubts bounds the parts of a group that are looked into without a finding:
// a compiler that gets everything wrong, but not for sure, would last for minutes.
const mostDoubts = 12

// investigate looks into a failure, of which the guilty members may be known. It
// ends with the first part of the subject whose failure is confirmed, and returns
// nil if there is none; what it met before and could not confirm are
// suspicions. The error is a *Contradiction if the witnesses say that the
// program, not the compiler, is wrong.
func (q *inquiry) investigate(ctx context.Context, cfg Config, s subject.Subject, out compilers.Outcome, guilty []int) (f *Finding, suspicions []*Finding, err error) {
	if out.Verdict == compilers.SlowCompile {
		own := *q
		if g, ok := s.(subject.Group); ok && g.Weight() == len(g.Members()) {
			own.Limits.CompileCPU /= 2 // what hangs alone is soon told from what does not
		} else {
			// What is not made of single functions may be large.
			own.Limits.CompileCPU *= endless
			own.Limits.CompileWall *= endless
			slow := out
			if out = own.ask(ctx, cfg, s); out.Verdict == compilers.Discarded {
				return nil, []*Finding{q.lacking(cfg, s, slow)}, nil
			}
			if !out.Verdict.Finding() {
				return nil, nil, nil
			}
		}
		q = &own
	}
	doubts := 0
	for part, got := range q.isolate(ctx, cfg, s, out, guilty) {
		if got.Verdict == compilers.SlowCompile && len(members(part)) > 1 {
			break // many functions, not a slow compiler
		}
		if *q.lack != "" && len(members(part)) > 1 {
			suspicions = append(suspicions, q.lacking(cfg, part, got))
			break // who of them is guilty is not known
		}
		f, judged, err := q.confirm(ctx, cfg, part, got)
		switch {
		case err != nil:
			return nil, suspicions, err
		case judged == confirmed:
			return f, suspicions, nil
		case judged == unconfirmed, judged == hidden:
			suspicions = append(suspicions, f)
		}
		if doubts++; doubts == mostDoubts {
			break
		}
	}
	return nil, suspicions, nil
}

// lacking returns the suspicion of a failure that could not be looked into, since
// a question got no answer.
func (q *inquiry) lacking(cfg Config, s subject.Subject, out compilers.Outcome) *Finding {
	cfg.Target = compilers.Plain(cfg.Target)
	f := &Finding{Subject: s, Config: cfg, Outcome: out, want: q.answers[s.Name()]}
	f.unsettled("could not be looked into: " + *q.lack)
	return f
}

// confirm runs a failing part of a subject again. The finding is nil for a fluke.
// A question without an answer confirms nothing, and makes nothing a fluke.
func (q *inquiry) confirm(ctx context.Context, cfg Config, s subject.Subject, out compilers.Outcome) (*Finding, judgement, error) {
	// From here on all programs are built by the commands that users type.
	direct := cfg
	cfg.Target = compilers.Plain(cfg.Target)
	q = q.plain()
	before := *q.lack
	*q.lack = ""
	defer func() { *q.lack = cmp.Or(*q.lack, before) }()
	again := q.ask(ctx, cfg, s)
	f := &Finding{Subject: s, Config: cfg, Outcome: again, want: q.answers[s.Name()]}
	// What depends on where the linker puts things may fail in another way then:
	// it counts if it does so twice.
	if !out.Same(again) && !(again.Verdict.Finding() && again.Same(q.ask(ctx, cfg, s))) {
		f.Outcome = out
		if ctx.Err() != nil {
			return f, unconfirmed, nil
		}
		if *q.lack == "" && compilers.Direct(direct.Target) && q.ask(ctx, direct, s).Same(out) {
			f.OnlyDirect = true
			return f, unconfirmed, nil
		}
		if *q.lack != "" {
			return q.lacking(cfg, s, out), unconfirmed, nil
		}
		return nil, fluke, nil
	}
	scouts := q.simplify(ctx, f)
	f.addBad(f.Config)
	sure, doubt := q.consult(ctx, f)
	if err := q.changed(); err != nil {
		*q.lack = corpus.OneLine(err.Error())
		f.unsettled(*q.lack)
		return f, unconfirmed, nil
	}
	switch {
	case doubt != "":
		broken := policies[s.Trust()].strict && f.objected && q.broken(ctx, f)
		return nil, confirmed, &Contradiction{Finding: f, Trust: s.Trust(), Broken: broken, Err: fmt.Errorf("%s says %v, but %s", f.Config, again.Verdict, doubt)}
	case !sure:
		return f, unconfirmed, nil
	case len(scouts) > 0:
		f.noted(scouts)
		return f, hidden, nil
	}
	return f, confirmed, nil
}

// changed returns an error if a target is not what it was when it was found: what
// was asked of it would be told of another version.
func (q *inquiry) changed() error {
	for _, t := range slices.Concat(q.Targets, q.Sanitizers) {
		if err := compilers.Changed(t); err != nil {
			return err
		}
	}
	return nil
}

// plain returns the inquiry with the targets as their users know them.
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

// String says in a line what was found.
func (f *Finding) String() string {
	var bad []string
	for _, b := range f.Bad {
		bad = append(bad, strings.Join(slices.Concat([]string{b.Family, b.Version}, b.Args, b.Modes), " "))
	}
	return fmt.Sprintf("%v: %v %s (fails: %s)", f.Config, f.Outcome.Verdict, f.Outcome.Message, strings.Join(bad, "; "))
}
