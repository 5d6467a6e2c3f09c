package hunt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/reify/safefile"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// work runs batches until there is none any more or ctx is cancelled. A batch
// that is cancelled is not finished, and will be run again.
func (h *hunt) work(ctx context.Context, now *activity) error {
	defer now.begin("")
	for ctx.Err() == nil {
		b, ok, err := h.next()
		if err != nil || !ok {
			return h.explain(err)
		}
		begun := time.Now()
		now.begin(b.kind)
		r, err := h.batch(ctx, b, now)
		spent := time.Since(begun)
		switch late := errors.Is(context.Cause(ctx), errLate); {
		case late && spent >= min(fair, h.Time):
			r.reason, r.unanswered = fmt.Sprintf("%s: not done after %s, when the time was up", now.question(), span(spent)), r.unanswered+1
			r.answered++ // slowly
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return h.explain(err)
		}
		h.compiled.Add(int64(r.cost.Compile + r.cost.Link))
		if err := h.settle(b, r); err != nil {
			return h.explain(err)
		}
	}
	return nil
}

// settle records that a batch is done or, if not all configurations answered, that
// it is to run again. It is ErrMachine if no compiler answers any more.
func (h *hunt) settle(b batch, r result) error {
	if r.unanswered == 0 {
		if r.answered > 0 {
			h.answers(r)
		}
		return h.store.finish(h.run, b, r, h.used())
	}
	tries, err := h.store.postpone(h.run, b, r, h.used())
	if err != nil {
		return err
	}
	next := "the next run asks again"
	if tries >= mostTries {
		next = "it is set aside"
	}
	if err := h.note(fmt.Sprintf("batch %d (%s): no answer, %d of %d times, %s: %s", b.number, b.kind, tries, mostTries, next, r.reason)); err != nil {
		return err
	}
	if h.answers(r) == mostUnanswered {
		return h.noAnswers()
	}
	return nil
}

// mostUnanswered is how many batches in a row, about which no compiler answers, end a hunt.
const mostUnanswered = 3

// answers notes whether any compiler answered about a batch, and returns about how
// many batches in a row none did.
func (h *hunt) answers(r result) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r.answered > 0 {
		h.inARow, h.answered = 0, true
	} else {
		h.inARow, h.unansweredBatches, h.reason = h.inARow+1, h.unansweredBatches+1, r.reason
	}
	return h.inARow
}

// noAnswers returns the error for batches that no compiler answered about.
func (h *hunt) noAnswers() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return fmt.Errorf("%w, about %s in a row; %s; the last reason: %s", ErrMachine, count(h.inARow, "batch"), whenAgain, h.reason)
}

// explain says of an error what to do about it.
func (h *hunt) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case full(err) && h.run == 0:
		return fmt.Errorf("no room left in %s; the hunt has not begun: %w", h.Dir, err)
	case full(err):
		return fmt.Errorf("no room left in %s; what is recorded is safe, the batches under way run again next time: %w", h.Dir, err)
	case source.OurBug(err):
		path := filepath.Join(h.Dir, "generator-bug.txt")
		werr := safefile.Write(path, []byte(err.Error()), 0o644)
		return errors.Join(fmt.Errorf("%w\nsaved as %s", err, path), werr)
	}
	return err
}

// batch makes the subject of a batch and asks the configurations of its part of
// the plan about it. Each finding is recorded when it is found; its members are
// left out from then on, and all others are asked about once.
func (h *hunt) batch(ctx context.Context, b batch, now *activity) (result, error) {
	var r result
	src, why := h.source(b)
	if src == nil {
		return r, h.discard(b, &r, why)
	}
	drawn := src.Draw(stream(h.seed, b.number))
	if b.input.Source == "" {
		if b.input, why = h.redraw(b, drawn); why != "" {
			return r, h.discard(b, &r, why)
		}
	}
	other := b.input.Version != drawn.Version
	if other {
		text := fmt.Sprintf("batch %d: its input was drawn by version %s of source %s; version %s may make another program of it", b.number, b.input.Version, b.input.Source, drawn.Version)
		if err := h.note(text); err != nil {
			return r, err
		}
	}
	s, err := src.Make(ctx, b.input)
	var bad *source.BadSeed
	switch {
	case err != nil && other && ctx.Err() == nil && !errors.Is(err, source.ErrNone) && !source.OurBug(err):
		return r, h.discard(b, &r, err.Error())
	case errors.Is(err, source.ErrNone):
		r.cells = unmade(src, b.input, nil)
		return r, nil
	case errors.As(err, &bad):
		return r, h.discard(b, &r, bad.Error())
	case err != nil:
		return r, err
	}
	o, configs, err := h.configurations(ctx, b, s.Artefact().Language)
	switch {
	case errors.Is(err, errLanguage):
		return r, h.discard(b, &r, err.Error())
	case err != nil:
		return r, err
	}
	r.functions = s.Weight()
	if members := len(strings.Fields(s.Name())); r.functions > members { // several each
		r.programs = members
	}
	r.cells = unmade(src, b.input, s)
	kind, _ := findKind(h.Kinds, b.kind)
	err = (&session{hunt: h, batch: b, result: &r, now: now, source: src, configs: configs, against: kind.Against}).ask(ctx, o, s)
	return r, err
}

// source returns the source of a batch's input, from its kind if that has it. It
// is nil if there is none, and why says so.
func (h *hunt) source(b batch) (src source.Source, why string) {
	kind, ok := findKind(h.Kinds, b.kind)
	if ok && (b.input.Source == "" || b.input.Source == kind.Source.Name()) {
		return kind.Source, ""
	}
	for _, k := range h.Kinds {
		if k.Source.Name() == b.input.Source {
			return k.Source, ""
		}
	}
	if b.input.Source == "" {
		return nil, fmt.Sprintf("its input was not recorded, and it is of the kind %q, which is not among those of this run", b.kind)
	}
	return nil, fmt.Sprintf("its input is of source %q, which no kind of this run has", b.input.Source)
}

// discard notes that a batch, or a part of it, is not asked about.
func (h *hunt) discard(b batch, r *result, why string) error {
	r.discards++
	return h.note(fmt.Sprintf("batch %d: discarded: %s", b.number, why))
}

// only returns the members of a subject that have the given names.
func only(s subject.Subject, names []string) (subject.Subject, error) {
	all := strings.Fields(s.Name())
	if len(names) == len(all) {
		return s, nil
	}
	var indices []int
	for i, name := range all {
		if slices.Contains(names, name) {
			indices = append(indices, i)
		}
	}
	g, ok := s.(subject.Group)
	if !ok || len(indices) != len(names) {
		return nil, fmt.Errorf("%v: it has no members %v", all, names)
	}
	return g.Only(indices...)
}

// configurations returns an oracle that knows the targets that are left, and the
// configurations of a batch's part of the plan, in the order of Check. Where
// those are gone, it is the part that this run's plan has for the batch, and else
// all of the language. The error wraps errLanguage if only targets for others are
// left, and ErrNoCompilers if none is.
func (h *hunt) configurations(ctx context.Context, b batch, language compilers.Language) (*oracle.Oracle, []string, error) {
	var part Plan // names no target if those of the plan are gone
	if b.part != "" {
		var err error
		if part, err = ParsePlan(b.part); err != nil {
			return nil, nil, fmt.Errorf("batch %d: %w", b.number, err)
		}
	}
	all := *h.oracle
	all.Targets = h.left()
	// Those of a compiler that was given up say nothing of use.
	all.Sanitizers = without(all.Sanitizers, func(t compilers.Target) bool { return compilers.Changed(t) != nil })
	o, err := all.Of(language)
	switch {
	case len(all.Targets) == 0:
		return nil, nil, fmt.Errorf("%w: %w", ErrNoCompilers, err)
	case err != nil:
		return nil, nil, fmt.Errorf("%w: %w", errLanguage, err)
	}
	for _, p := range []Plan{part, h.Plan.part(h.seed, b.number, h.hunted(o.Targets)), {rules: []rule{{who: everything, every: 1}}}} {
		left, err := h.asked(ctx, b, p, o)
		if err != nil || left != nil {
			return o, left, err
		}
	}
	return nil, nil, ErrNoCompilers
}

// asked returns the configurations that a part of the plan names, in the order of
// Check. The oracle gets the targets with the flags that the part gives them.
func (h *hunt) asked(ctx context.Context, b batch, part Plan, o *oracle.Oracle) (names []string, err error) {
	wanted := map[string]bool{}
	var more []compilers.Target
	for _, t := range h.hunted(o.Targets) {
		var tuned compilers.Target
		for _, mode := range t.Modes() {
			for _, r := range part.rules {
				if r.every > 1 || !r.names(oracle.Config{Target: t, Mode: mode}) {
					continue
				}
				chosen := t
				if r.flags != noFlags {
					if tuned == nil {
						if tuned, err = h.tune(ctx, b, t, r.flags); err != nil {
							return nil, err
						}
						more = append(more, tuned)
					}
					chosen = tuned
				}
				wanted[compilers.Name(chosen, mode)] = true
			}
		}
	}
	some := func(t compilers.Target) bool { _, ok := t.(compilers.Tuned); return !ok }
	o.Targets = append(o.Targets, slices.DeleteFunc(more, some)...)
	for _, c := range o.Configs() {
		if wanted[c.String()] {
			names = append(names, c.String())
		}
	}
	return names, nil
}

// left returns the targets that are not given up.
func (h *hunt) left() []compilers.Target {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.targets
}

// keep records a finding, whose name it returns, and saves it if it is one of the first of
// its bucket. One that is recorded, of a batch that was interrupted, is left alone.
func (h *hunt) keep(ctx context.Context, b batch, found *oracle.Finding, now *activity) (name string, err error) {
	f, err := newFinding(b, found)
	if err != nil {
		return "", err
	}
	wanted, err := h.wanted(f)
	if err != nil {
		return "", err
	}
	if wanted && h.Known != nil {
		f.known = h.Known(ctx, f.entry)
		if ctx.Err() != nil {
			return "", nil // the batch runs again
		}
	}
	saved, err := h.record(f)
	if err != nil || !saved || h.Triage == nil {
		return f.name, err
	}
	now.set("triage of " + f.name)
	if err := h.Triage(ctx, filepath.Join(h.findings, f.name, corpus.FindingFile)); err != nil && ctx.Err() == nil {
		return f.name, h.note(fmt.Sprintf("triage: %v", err))
	}
	return f.name, h.learn(f.name)
}

// wanted tells whether a finding is to be saved: it is not recorded, and there
// are not enough with its fingerprint.
func (h *hunt) wanted(f finding) (bool, error) {
	if again, err := h.store.recorded(f.name); err != nil || again {
		return false, err
	}
	return h.scarce(f)
}

// scarce tells whether there are not enough findings with the fingerprint of one.
func (h *hunt) scarce(f finding) (bool, error) {
	n, known, err := h.store.bucket(f.fingerprint())
	return n < max(h.Keep, 1) && known == "", err
}

// novel tells whether a failure of time is worth ten times its limit: it would be saved.
func (h *hunt) novel(f *oracle.Finding) bool {
	one, err := newFinding(batch{}, f)
	if err != nil {
		return true // keep says it
	}
	scarce, err := h.scarce(one)
	return scarce || err != nil
}

// record records a finding, unless it is recorded, and tells whether it was
// saved: it is wanted, and does not belong in a known bucket.
func (h *hunt) record(f finding) (saved bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if again, err := h.store.recorded(f.name); err != nil || again {
		return false, err
	}
	n, known, err := h.store.bucket(f.fingerprint())
	if err != nil {
		return false, err
	}
	seen := n > 0
	saved = n < max(h.Keep, 1) && known == "" && f.known == ""
	if saved {
		f.sum = sumOfEntry(f.entry)
		err = save(h.Dir, corpus.FindingsDir, f)
	}
	if err == nil {
		err = h.store.record(h.run, f, h.used())
	}
	if err != nil {
		// The next run finds it again, if there is room by then.
		h.log.line(fmt.Sprintf("NOT SAVED: %s, functions %s of batch %d (%s): %v", f.entry.Title, f.functions, f.batch.number, f.batch.kind, err))
		return false, err
	}
	// It may have been suspected before.
	if err := removeSuspicion(h.Dir, unconfirmedName, f.name); err != nil {
		return saved, err
	}
	if !seen && f.known != "" {
		h.log.line(fmt.Sprintf("known bucket: %s: %s", f.fingerprint(), f.known))
	}
	if saved {
		what := "new bucket"
		if seen {
			what = "one more"
		}
		h.log.line(fmt.Sprintf("%s: %s in %s", what, f.fingerprint(), filepath.Join(h.findings, f.name)))
	}
	return saved, nil
}

// discards notes what said nothing for sure, saves suspicions, and gives up the
// compilers that cannot be used any more. It is ErrNoCompilers if none is left.
func (h *hunt) discards(ctx context.Context, b batch, report *oracle.Report, r *result) error {
	if err := h.suspect(b, report.Suspicions); err != nil || report.Discarded == 0 {
		return err
	}
	r.discards += report.Discarded
	if report.Unanswered > 0 {
		r.unanswered += report.Unanswered
		r.reason = strings.TrimPrefix(r.reason+"; "+corpus.OneLine(strings.Join(report.Discards, "; ")), "; ")
	}
	var gone []compilers.Target
	var reasons []error
	targets := h.left()
	for _, t := range targets {
		err := compilers.Probe(ctx, t, h.oracle.Space, h.oracle.Limits)
		if err == nil {
			err = compilers.Changed(t)
		}
		if err != nil {
			gone, reasons = append(gone, t), append(reasons, err)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	if len(gone) == len(targets) {
		// Nothing was learnt about the batch, nor will be about the next.
		return fmt.Errorf("%w: %w", ErrNoCompilers, errors.Join(reasons...))
	}
	h.giveUp(gone)
	var err error
	if report.Unanswered == 0 { // else settle says it
		err = h.note(fmt.Sprintf("batch %d: discarded: %s", b.number, strings.Join(report.Discards, "; ")))
	}
	for _, reason := range reasons {
		err = errors.Join(err, h.note("goes on without it: "+firstLine(reason.Error())))
	}
	return err
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
