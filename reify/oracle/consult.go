package oracle

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/subject"
)

// A policy is what is done with the subjects of a degree of trust.
type policy struct {
	// admit returns the answer of a subject before any target is asked, or the reason
	// why the subject has none. It is nil for subjects that come with an answer.
	admit func(*inquiry, context.Context, subject.Subject) ([]byte, error)
	// ours tells whether a contradiction is a bug of our own, which ends a hunt. Else
	// the subject is set aside.
	ours bool
	// strict says that the program is not proved: a failure counts only if every
	// witness is content with the program; see strictly.
	strict bool
	what   string // the fault that a contradiction shows
}

// policies says what follows from the trust of a subject.
var policies = map[subject.Trust]policy{
	subject.Proved:   {ours: true, what: "GENERATOR BUG"},
	subject.Recorded: {strict: true, what: "a recorded answer does not hold"},
	subject.Agreed:   {admit: (*inquiry).agree, strict: true, what: "a variant that does not do what its seed does"},
}

// A Contradiction says that the witnesses stand against the answer of a subject.
type Contradiction struct {
	Finding *Finding // the finding that the contradiction refutes; nil if the subject was not admitted
	Trust   subject.Trust
	// Broken says that a variant has undefined behaviour that its seed does not have:
	// the edit was wrong.
	Broken bool
	Err    error
}

// Ours tells whether this is a bug of our own: the subject was proved, or an edit broke
// it. Else the subject is to be set aside.
func (c *Contradiction) Ours() bool { return c.Broken || policies[c.Trust].ours }

// Program returns the reproducer of the contradicted subject, or nothing.
func (c *Contradiction) Program() string {
	if c.Finding == nil {
		return ""
	}
	e, err := c.Finding.Entry()
	if err != nil {
		return err.Error()
	}
	return string(e.Format())
}

// Error says which answer was contradicted, and holds the reproducer.
func (c *Contradiction) Error() string {
	return fmt.Sprintf("%s: %v\n%s", policies[c.Trust].what, c.Err, c.Program())
}

// Unwrap returns the contradiction.
func (c *Contradiction) Unwrap() error { return c.Err }

// agree asks targets of two families in their reference modes, and the sanitizers,
// about a variant and its seed, and returns the answer that they all give. Where the
// seed's answer is known, no target is asked before a variant fails.
func (q *inquiry) agree(ctx context.Context, s subject.Subject) ([]byte, error) {
	a := s.Artefact()
	if a.Reference == nil {
		return nil, fmt.Errorf("%s: a variant without a seed", s.Name())
	}
	if len(a.Want) > 0 {
		return a.Want, nil // the source of the seed has asked; see strictly
	}
	refuse := func(err error) ([]byte, error) {
		return nil, &Contradiction{Trust: s.Trust(), Err: fmt.Errorf("%s: %w", s.Name(), err)}
	}
	q = q.suited(a)
	var want []byte
	known := false // any output of the first target will do, also none
	var families []string
	for _, t := range slices.Concat(q.Targets, q.Sanitizers) {
		family := t.ID().Family
		sanitizer := slices.ContainsFunc(q.Sanitizers, func(o compilers.Target) bool { return o.ID().Same(t.ID()) })
		if !sanitizer && slices.Contains(families, family) {
			continue
		}
		for _, one := range []subject.Artefact{*a.Reference, a} {
			job := one.Job(t.Reference())
			job.Want = want
			out := q.test(ctx, t, job, q.limits(s).ForSanitizers())
			switch none := unanswered(out, ""); {
			case ctx.Err() != nil:
				return nil, context.Cause(ctx)
			case none != "":
				return nil, noAnswer(none)
			case !known && !out.Report && (out.Verdict == compilers.OK || out.Verdict == compilers.WrongAnswer):
				want, known = out.Stdout, true
			case out.Verdict != compilers.OK:
				return refuse(fmt.Errorf("%s: %v", compilers.Name(t, t.Reference()), out))
			}
		}
		families = append(families, family)
	}
	if slices.Sort(families); len(slices.Compact(families)) < 2 {
		return refuse(errors.New("targets of two families are needed to agree on an answer"))
	}
	return want, nil
}

// consult asks other configurations about a failing program and notes what they say. It
// returns whether the compiler is surely to blame. Else it returns why the program is
// to be doubted, or nothing if no witness could tell. The last result is why a witness
// gave no answer, or nothing.
//
// The program has an answer that is vouched for, so a compiler that crashes or does not
// end is to blame whatever other compilers say. A wrong answer counts if some compiler
// gets the right one in its reference mode, or the text itself does when it is executed, and
// no sanitizer objects. A sanitizer's report accuses the program, and so do compilers of two
// families that are all wrong in their reference modes. A report that the sanitizers of
// another family contradict accuses neither the compiler nor the program (see object). Nor do
// compilers of a single family that are wrong in their reference modes, if no other family
// answers: an expression that gcc-12 folds wrongly before it optimises is folded wrongly by
// gcc-11, too. A program that is rejected must be accepted by another compiler. Where a
// witness gave no answer, the other witnesses do not accuse the program. On a processor that
// is emulated, a wrong answer counts only if a compiler of this machine's own judges, and one
// for a processor of these traits gets it right. Else the program, or the emulator, may be to
// blame. A text that is executed clears the program, and stands for a compiler for that
// processor where the emulator has another model, which is asked, too. A failure of a program
// that is not proved needs more: see strictly.
func (q *inquiry) consult(ctx context.Context, f *Finding) (sure bool, doubt, none string) {
	q = q.suited(f.Subject.Artefact())
	right, refused, alike := 0, 0, 0
	own := f.Target.Traits()
	foreign := false            // the program is to the compiler, also without optimising
	var wrong []string          // families, each once
	misled := map[string]bool{} // compilers that are wrong without optimising
	for _, t := range q.Targets {
		cfg := Config{t, t.Reference()}
		out := q.askAbout(ctx, f, cfg)
		none = unanswered(out, none)
		f.witness(cfg.String(), out)
		id := t.ID()
		misled[compiler(id)] = misled[compiler(id)] || out.Verdict.Finding()
		foreign = foreign || out.Verdict == compilers.Rejected && compiler(id) == compiler(f.Target.ID())
		switch out.Verdict {
		case compilers.OK:
			right++
			if own.Alike(t.Traits()) {
				alike++
			}
		case compilers.Rejected:
			refused++
		case compilers.WrongAnswer, compilers.Crash, compilers.Endless:
			if !slices.Contains(wrong, id.Family) {
				wrong = append(wrong, id.Family)
			}
		}
	}
	vouched, against, lacking := q.translated(ctx, f)
	right, none = right+vouched, cmp.Or(lacking, none)
	if against != "" {
		f.objected = true
		return false, against, none
	}
	executed := false
	if s, ok := f.Subject.(subject.Executed); ok {
		said := compilers.Outcome{Verdict: compilers.OK}
		does, known := s.Execute(own.ByteOrder == binary.BigEndian)
		switch {
		case known && does:
			right, executed = right+1, true
			if !own.Emulated || own.Other != nil { // else it says nothing of the emulator
				alike++
			}
			f.witness(itself, said)
		case known:
			said.Verdict = compilers.WrongAnswer
			f.witness(itself, said)
			f.objected = true
			return false, itself + " does not give the answer", none
		}
	}
	if foreign && f.Outcome.Verdict == compilers.Rejected && own.Partial {
		f.doubt(unsettled, "it may lack a part of C, or an extension, that it has not been asked about")
	}
	ended := f.Outcome.Verdict == compilers.InternalError || f.Outcome.Verdict == compilers.SlowCompile
	if !ended {
		var objection string
		var stands bool
		objection, stands, none = q.object(ctx, f, right, misled, none)
		switch {
		case stands:
			f.objected = true
			return false, objection, none
		case objection != "":
			f.doubt(disputed, objection)
		}
	}
	if own.Emulated && !ended && f.Doubt == "" {
		if err := q.judged(func(compilers.Target) bool { return !executed }); err != nil {
			f.doubt(unsettled, err.Error())
		} else if right > 0 && alike == 0 && none == "" {
			f.doubt(disputed, "no compiler for such a processor gets the answer right without optimising, others do")
		}
	}
	none = cmp.Or(q.clues(ctx, f), none)
	if policies[f.Subject.Trust()].strict && f.Doubt == "" {
		doubt, lacking := q.strictly(ctx, f)
		if none = cmp.Or(lacking, none); doubt != "" {
			f.doubt(unsettled, doubt)
		}
	}
	sure = (right > 0 || ended) && f.Doubt == ""
	if !sure && right == 0 && ctx.Err() == nil {
		const doubt = "no compiler gets the answer right without optimising"
		switch {
		case none != "":
			if f.Doubt == "" {
				f.doubt(unsettled, "no compiler that answered gets it right without optimising, and not all did: "+none)
			}
		case len(wrong) > 1, refused > 1:
			return false, doubt, none
		case len(wrong) == 1 && f.Doubt == "":
			f.doubt(disputed, fmt.Sprintf("%s, but all that answered are of the family %s", doubt, wrong[0]))
		}
	}
	missing := ""
	for _, cfg := range q.Configs() {
		if cfg.Mode == cfg.Target.Reference() {
			continue
		}
		if ctx.Err() != nil {
			break
		}
		out := q.askAbout(ctx, f, cfg)
		if missing = unanswered(out, missing); out.Verdict.Finding() && out.Verdict != f.Outcome.Verdict {
			f.witness(cfg.String(), out)
		}
	}
	f.Incomplete = ctx.Err() != nil || missing != ""
	return sure, "", none
}

// translated asks compilers of other languages about the translations of the program:
// the sanitizers of each language or, if there are none, its targets in their reference
// modes. It returns how many get the answer right and, if one does not, its name: a
// translation that is wrong is wrong by itself. The last result is why one gave no
// answer, or nothing.
func (q *inquiry) translated(ctx context.Context, f *Finding) (right int, against, none string) {
	s, ok := f.Subject.(subject.Translated)
	if !ok {
		return 0, "", ""
	}
	for _, a := range s.Translations() {
		of := func(list []compilers.Target) []compilers.Target {
			return slices.DeleteFunc(slices.Clone(list), func(t compilers.Target) bool { return t.Language() != a.Language || !a.Suits(t.Traits()) })
		}
		who := of(q.otherSanitizers)
		if len(who) == 0 {
			who = of(q.others)
		}
		for _, t := range who {
			out := q.test(ctx, t, a.Job(t.Reference()), q.limits(f.Subject).ForSanitizers())
			name := fmt.Sprintf("%s in %s", compilers.Name(t, t.Reference()), a.Language)
			f.witness(name, out)
			none = unanswered(out, none)
			switch out.Verdict {
			case compilers.OK:
				right++
			case compilers.WrongAnswer, compilers.Crash, compilers.Endless:
				if against == "" {
					against = fmt.Sprintf("%s: %v", name, out)
				}
			}
		}
	}
	if right > 0 {
		against = "" // then that compiler is wrong
	}
	return right, against, none
}

// compiler returns what is the same for all targets that one compiler is.
func compiler(id compilers.ID) string { return id.Family + " " + id.Version }

// clues asks the failing configuration in the other ways that the subject has. It
// returns why one had no answer, or nothing.
func (q *inquiry) clues(ctx context.Context, f *Finding) (none string) {
	s, ok := f.Subject.(subject.Clued)
	if !ok {
		return ""
	}
	for _, clue := range s.Clues() {
		if clue.Artefact.Reference != nil {
			clue.Artefact.Want = f.want
		}
		out := q.test(ctx, f.Target, clue.Artefact.Job(f.Mode), q.limits(f.Subject))
		none = unanswered(out, none)
		if clue.Witness != "" {
			f.witness(f.Config.String()+" "+clue.Witness, out)
		}
		if clue.Note != nil {
			if n, ok := clue.Note(out); ok {
				f.Notes = append(f.Notes, n)
			}
		}
	}
	return none
}

// askAbout asks a configuration about the program of a finding and notes a failure:
// among the bad if verdict and family are those of the finding, else apart. Another
// verdict among the bad would give a second bug the fingerprint of the first. A failure
// that happens once and not again would give one bug many fingerprints: the outcome is
// then Discarded and Disputed, and not noted. It is not Disputed if the machine kept the
// second from answering.
func (q *inquiry) askAbout(ctx context.Context, f *Finding, cfg Config) compilers.Outcome {
	if cfg.String() == f.Config.String() {
		return f.Outcome
	}
	out := q.hasty().ask(ctx, cfg, f.Subject)
	if !out.Verdict.Finding() {
		return out
	}
	again := q.ask(ctx, cfg, f.Subject)
	if out.Verdict.OfTime() && !again.Verdict.OfTime() {
		if !again.Verdict.Finding() {
			return again // it was in too much haste
		}
		out, again = again, q.ask(ctx, cfg, f.Subject)
	}
	if !out.Same(again) {
		if again.Verdict != compilers.Discarded {
			again.Verdict, again.Disputed = compilers.Discarded, true
		}
		return again
	}
	if out.Verdict == f.Outcome.Verdict {
		f.addBad(cfg)
	}
	if out.Verdict != f.Outcome.Verdict || cfg.Target.ID().Family != f.Target.ID().Family {
		f.Apart = append(f.Apart, cfg.String())
	}
	return out
}

// itself is the witness that executes the text of a program.
const itself = "the text, executed"

// Doubts, as a reproducer lists them among the witnesses.
const (
	unsettled = "unconfirmed" // why a failure could not be confirmed
	disputed  = "disputed"    // an objection that does not stand
	noted     = "note"        // of a confirmed failure, that it shows with hidden flags alone
)

// doubt notes a doubt of a kind.
func (f *Finding) doubt(kind, why string) {
	f.Doubt = corpus.OneLine(why)
	f.Witnesses = append(f.Witnesses, corpus.Witness{Who: kind, Said: f.Doubt})
}
