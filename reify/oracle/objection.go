package oracle

import (
	"context"
	"fmt"
	"slices"

	"goreify/compilers"
)

// object asks the sanitizers about the program of a finding. The counts are of
// compilers that are right in their reference modes, and of those that are wrong there
// like the finding, and none is why a witness gave no answer so far. It returns the
// objection of one of them, or nothing, whether that stands, and none.
//
// A sanitizer is made by a compiler, and may be miscompiled like any program. For
// example, gcc-12.2 with -fsanitize=undefined alone folds x - (int)(b | ~b) +
// 2147483647 > 0 wrongly, so that the program takes another branch. So an objection
// stands unless a sanitizer of a family that does not object ran the same program to
// the right answer, and some compiler is right without optimising. Nor does it stand if
// not all sanitizers could be asked in time, or gave an answer.
//
// A sanitizer is no witness where its own compiler is misled and another compiler is
// right: gcc-12.2 takes (int)(b | ~b) + d - 2147483647 >= 0 for true at all levels.
func (q *inquiry) object(ctx context.Context, f *Finding, right int, misled map[string]bool, none string) (objection string, stands bool, _ string) {
	var families []string // that object
	var content []compilers.ID
	for _, s := range q.Sanitizers {
		cfg := Config{s, s.Reference()}
		own := *q
		own.Limits = q.Limits.ForSanitizers()
		out := own.ask(ctx, cfg, f.Subject)
		f.witness(cfg.String(), out)
		none = unanswered(out, none)
		switch {
		case right > 0 && misled[compiler(s.ID())]:
		case out.Verdict == compilers.OK:
			content = append(content, s.ID())
		case out.Report:
			families = append(families, s.ID().Family)
			if objection == "" {
				objection = fmt.Sprintf("%s reports %s", s.ID(), out.Message)
			}
		}
	}
	if objection == "" {
		return "", false, none
	}
	i := slices.IndexFunc(content, func(id compilers.ID) bool { return !slices.Contains(families, id.Family) })
	switch {
	case right > 0 && i >= 0:
		return fmt.Sprintf("%s, and %s runs it without a report", objection, content[i]), false, none
	case ctx.Err() != nil && len(families) < len(q.Sanitizers):
		return objection + ", and not all others could be asked in time", false, none
	case none != "":
		return objection + ", and not all others gave an answer: " + none, false, none
	}
	return objection, true, none
}

// notConfirmed says why a failure is discarded, with what it weighs and the objections
// that could not be decided.
func notConfirmed(out compilers.Outcome, weight string, suspicions []*Finding) string {
	why := "not confirmed: " + out.String()
	if weight != "" {
		why += "; " + weight
	}
	for _, s := range suspicions {
		if s.Doubt != "" {
			why += "; " + s.Doubt
		}
	}
	return why
}
