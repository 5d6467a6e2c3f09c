package hunt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/oracle"
)

// mostFindings bounds the findings that are kept of one batch: a compiler that
// gets everything wrong would make each batch last for minutes.
const mostFindings = 12

// work runs batches until there is none any more or ctx is cancelled. A batch
// that is cancelled is not finished, and will be run again.
func (h *hunt) work(ctx context.Context) error {
	for ctx.Err() == nil {
		b, ok, err := h.next()
		if err != nil || !ok {
			return h.explain(err)
		}
		r, err := h.batch(ctx, b)
		h.ran.Add(int64(r.cost.Run))
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return h.explain(err)
		}
		if err := h.store.finish(h.run, b, r, h.used()); err != nil {
			return h.explain(err)
		}
	}
	return nil
}

// explain says of an error what to do about it.
func (h *hunt) explain(err error) error {
	var bug *reify.GeneratorBug
	switch {
	case err == nil:
		return nil
	case full(err):
		return fmt.Errorf("no room left in %s; what is recorded is safe, the batches under way run again next time: %w", h.Dir, err)
	case errors.As(err, &bug):
		path := filepath.Join(h.Dir, "generator-bug.txt")
		werr := os.WriteFile(path, []byte(bug.Error()), 0o644)
		return errors.Join(fmt.Errorf("%w\nsaved as %s", err, path), werr)
	}
	return err
}

// batch makes the cases of a batch and asks the configurations of its part of
// the plan about them. Each finding is recorded when it is found; its cases
// are left out from then on, and all others are asked about once.
func (h *hunt) batch(ctx context.Context, b batch) (result, error) {
	var r result
	kind, ok := findKind(h.Kinds, b.kind)
	if !ok {
		r.discards++
		return r, h.note(fmt.Sprintf("batch %d: discarded: it is of the mix %q, which this version does not know", b.number, b.kind))
	}
	kind = b.as(kind)
	if kind.Whole {
		return h.programBatch(ctx, b, kind)
	}
	cases, err := kind.cases(h.seed, b)
	if err != nil {
		return r, err
	}
	r.functions = len(cases)
	o, configs, err := h.ask(b)
	if err != nil {
		return r, err
	}
	found := 0
	for todo := (agenda{{cases, configs}}); len(todo) > 0; {
		q := todo[0]
		o.Ask = r.asking(q.configs)
		report, err := o.Check(ctx, q.cases, 0)
		if report != nil {
			r.cost = r.cost.Plus(report.Cost)
		}
		if ctx.Err() != nil || err != nil {
			return r, err
		}
		if err := h.discards(ctx, b, report, &r); err != nil {
			return r, err
		}
		todo = todo.after(report)
		if report.Finding == nil {
			continue
		}
		if found++; found > mostFindings {
			r.discards++
			return r, h.note(fmt.Sprintf("batch %d: more than %d findings, the rest is left", b.number, mostFindings))
		}
		if err := h.keep(ctx, newFinding(b, names(report.Finding.Cases), report.Finding)); err != nil {
			return r, err
		}
	}
	return r, nil
}

// ask returns an oracle that knows the toolchains that are left, and the
// configurations of a batch's part of the plan, in the order of Check. Where
// those are gone, it is the part that this run's plan has for the batch.
func (h *hunt) ask(b batch) (oracle.Oracle, []string, error) {
	var part Plan // nobody, if those whom the plan names were gone
	if b.part != "" {
		var err error
		if part, err = ParsePlan(b.part); err != nil {
			return oracle.Oracle{}, nil, fmt.Errorf("batch %d: %w", b.number, err)
		}
	}
	o := *h.oracle
	h.mu.Lock()
	o.Toolchains = h.toolchains
	h.mu.Unlock()
	for _, p := range []Plan{part, h.Plan.part(h.seed, b.number, o.Toolchains, o.Levels), {rules: []rule{{who: everything, every: 1}}}} {
		var left []string
		for _, t := range o.Toolchains {
			for _, level := range o.Levels {
				if p.asks(t, level) {
					left = append(left, configName(t, level))
				}
			}
		}
		if left != nil {
			return o, left, nil
		}
	}
	return o, nil, ErrNoCompilers
}

// keep records a finding, and saves it if it is one of the first of its bucket.
// One that is recorded, of a batch that was interrupted, is left alone.
func (h *hunt) keep(ctx context.Context, f finding) error {
	wanted, err := h.wanted(f)
	if err != nil {
		return err
	}
	if wanted && h.Known != nil {
		f.known = h.Known(ctx, f.entry)
		if ctx.Err() != nil {
			return nil // nobody knows; the batch runs again
		}
	}
	saved, err := h.record(f)
	if err != nil || !saved || h.Triage == nil {
		return err
	}
	if err := h.Triage(ctx, filepath.Join(h.findings, f.name, archiveName)); err != nil && ctx.Err() == nil {
		return h.note(fmt.Sprintf("triage: %v", err))
	}
	return nil
}

// wanted tells whether a finding is to be saved: it is not recorded, and there
// are not enough with its fingerprint.
func (h *hunt) wanted(f finding) (bool, error) {
	if again, err := h.store.recorded(f.name); err != nil || again {
		return false, err
	}
	n, known, err := h.store.bucket(f.entry.Fingerprint())
	return n < max(h.Keep, 1) && known == "", err
}

// record records a finding, unless it is recorded, and tells whether it was
// saved: it is wanted, and does not belong in a known bucket.
func (h *hunt) record(f finding) (saved bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if again, err := h.store.recorded(f.name); err != nil || again {
		return false, err
	}
	n, known, err := h.store.bucket(f.entry.Fingerprint())
	if err != nil {
		return false, err
	}
	seen := n > 0
	saved = n < max(h.Keep, 1) && known == "" && f.known == ""
	if saved {
		err = save(h.findings, f)
	}
	if err == nil {
		err = h.store.record(h.run, f, h.used())
	}
	if err != nil {
		// It will be found again, but who knows when there is room.
		h.log.line(fmt.Sprintf("NOT SAVED: %s, functions %s of batch %d (%s): %v", f.entry.Title, f.functions, f.batch.number, f.batch.kind, err))
		return false, err
	}
	if !seen && f.known != "" {
		h.log.line(fmt.Sprintf("known bucket: %s: %s", f.entry.Fingerprint(), f.known))
	}
	if saved {
		what := "new bucket"
		if seen {
			what = "one more"
		}
		h.log.line(fmt.Sprintf("%s: %s in %s", what, f.entry.Fingerprint(), filepath.Join(h.findings, f.name)))
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
	var gone []compilers.Toolchain
	var reasons []error
	h.mu.Lock()
	toolchains := h.toolchains
	h.mu.Unlock()
	for _, t := range toolchains {
		if err := t.Probe(ctx, h.oracle.Space, h.oracle.Limits); err != nil {
			gone, reasons = append(gone, t), append(reasons, err)
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	if len(gone) == len(toolchains) {
		// Nothing was learnt about the batch, nor will be about the next.
		return fmt.Errorf("%w: %w", ErrNoCompilers, errors.Join(reasons...))
	}
	h.giveUp(gone)
	lines := []string{fmt.Sprintf("batch %d: discarded: %s", b.number, strings.Join(report.Discards, "; "))}
	for _, err := range reasons {
		lines = append(lines, "goes on without "+firstLine(err.Error()))
	}
	for _, line := range lines {
		if err := h.note(line); err != nil {
			return err
		}
	}
	return nil
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
