package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/subject"
)

// mostFindings bounds the findings that are kept of one batch: a compiler that
// gets everything wrong would make each batch last for minutes. Cells that fail after
// that are recorded, and not looked into.
const mostFindings = 12

// A session has configurations asked about the subject of a batch.
type session struct {
	*hunt
	batch    batch
	result   *result
	now      *activity
	source   source.Source
	configs  []string
	against  compilers.Lister // or nil: see Kind.Against
	found    int              // findings
	together *oracle.Finding  // of several whole programs, kept if nothing else is found
}

// ask asks until each member has all its answers.
func (s *session) ask(ctx context.Context, o *oracle.Oracle, about subject.Subject) error {
	r := s.result
	o.Lasting = s.novel
	o.Settled = func(f *oracle.Failure) bool { return s.causes.explain(f) || s.found >= mostFindings }
	for todo := s.agenda(ctx, o, about); len(todo) > 0; {
		q := todo[0]
		part, err := only(about, q.members)
		if err != nil {
			return err
		}
		o.Ask = func(t compilers.Target, mode compilers.Mode) bool {
			name := compilers.Name(t, mode)
			if !slices.Contains(q.configs, name) {
				return false
			}
			r.compilations++
			s.now.set(name)
			return true
		}
		report, err := o.Check(ctx, part, 0)
		if report != nil {
			r.cost = r.cost.Plus(report.Cost)
		}
		var wrong *oracle.Contradiction
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &wrong) && !wrong.Ours():
			out, err := s.setAside(wrong, q.members)
			if err != nil {
				return err
			}
			todo = todo.aside(out)
			continue
		case err != nil:
			return err
		}
		r.answered += report.Asked + report.Discarded - report.Unanswered
		if report.Finding != nil {
			r.answered++
		}
		if err := s.discards(ctx, s.batch, report, r); err != nil {
			return err
		}
		for _, u := range report.Unsure {
			s.unsure(about, question{u.Members, []string{u.String()}})
		}
		over, err := s.take(ctx, report)
		if err != nil {
			return err
		}
		s.tell(report)
		if todo = todo.after(report); over {
			s.unsure(about, todo...)
			return nil
		}
	}
	if s.found == 0 && s.together != nil {
		_, err := s.keep(ctx, s.batch, s.together, s.now)
		return err
	}
	return nil
}

// setAside notes that the witnesses are against some members, which it returns: all, if
// the sanitizers accept none of them.
func (s *session) setAside(wrong *oracle.Contradiction, members []string) (out []string, err error) {
	out = members
	if wrong.Finding != nil {
		out = strings.Fields(wrong.Finding.Subject.Name())
	}
	why := strings.Join(out, " ") + ": " + firstLine(wrong.Error())
	err = s.discard(s.batch, s.result, why)
	rejected := wrong.Finding != nil && wrong.Finding.Outcome.Verdict == compilers.Rejected // what is no program tells nothing of its seed
	if d, ok := s.source.(source.Doubter); ok && err == nil && !rejected {
		err = d.Discard(s.batch.input, why)
	}
	return out, err
}

// take keeps what a report has found, if anything. The batch is over if that is too much.
func (s *session) take(ctx context.Context, report *oracle.Report) (over bool, err error) {
	f := report.Finding
	switch {
	case f == nil:
		return false, nil
	case several(f):
		s.together = cmp.Or(s.together, f)
		return false, nil
	}
	s.found++
	cells := cellsOf(f.Subject)
	if s.found > mostFindings && (cells == nil || s.found > 2*mostFindings) {
		s.result.discards++
		return true, s.note(fmt.Sprintf("batch %d: more than %d findings, the rest is left", s.batch.number, s.found-1))
	}
	name := ""
	if s.found <= mostFindings {
		if name, err = s.keep(ctx, s.batch, f, s.now); err != nil {
			return true, err
		}
	}
	s.shown(f, cells, name)
	return false, nil
}

// shown records that the cells of a finding, which may have no name, fail in all
// configurations that are known to.
func (s *session) shown(f *oracle.Finding, cells []subject.Cell, name string) {
	verdict := f.Outcome.Verdict.String()
	if name != "" && len(cells) == 1 {
		s.mu.Lock()
		s.look(s.batch.kind, s.batch.input, cells[0].Name)
		s.mu.Unlock()
	}
	for _, cell := range cells {
		for _, c := range configsNamed(s.oracle, s.configs) {
			if !f.Fails(c) {
				continue
			}
			s.result.cells = append(s.result.cells, failing{cell, c.Target.ID().String(), c.Mode, verdict, name, true})
			if name != "" && len(cells) == 1 {
				s.causes.add(mannerOf(c.Target, c.Mode, verdict), cause{cell, name})
			}
		}
	}
}

// configsNamed returns those of an oracle's configurations that have the given names.
func configsNamed(o *oracle.Oracle, names []string) []oracle.Config {
	return without(o.Configs(), func(c oracle.Config) bool { return !slices.Contains(names, c.String()) })
}

// unsure records that there is no sure answer to some questions, of those members of a
// subject that are cells.
func (s *session) unsure(about subject.Subject, questions ...question) {
	g, ok := about.(subject.Celled)
	if !ok {
		return
	}
	for _, q := range questions {
		for _, c := range configsNamed(s.oracle, q.configs) {
			for i, m := range g.Members() {
				if slices.Contains(q.members, m.Name()) {
					s.result.cells = append(s.result.cells, failing{cell: g.Cell(i), target: c.Target.ID().String(), mode: c.Mode, verdict: noAnswer})
				}
			}
		}
	}
}

// tell records the cells that a report has settled. Of those that it leaves open, it
// settles what is explained by now.
func (s *session) tell(report *oracle.Report) {
	for _, f := range report.Open {
		if s.causes.explain(&f) {
			report.Cells = append(report.Cells, f)
			report.Others = without(report.Others, func(name string) bool { return name == f.Member })
		}
	}
	for _, f := range report.Cells {
		s.result.cells = append(s.result.cells, failing{f.Cell, f.Target.ID().String(), f.Mode, f.Verdict.String(), f.Finding, f.Doubted})
		if f.Doubted {
			s.causes.add(mannerOf(f.Target, f.Mode, f.Verdict.String()), cause{cell: f.Cell})
		}
	}
}
