package oracle

import (
	"context"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/corpus"
)

// object asks the sanitizers about the program of a finding, where so many
// compilers are right at -O0 and those misled, by path, are wrong. It returns
// what one of them objects, or nothing, and whether that stands.
//
// A sanitizer is made by a compiler, and may be miscompiled like any program:
// gcc-12.2 folds x - (int)(b | ~b) + 2147483647 > 0 wrongly with
// -fsanitize=undefined alone, so that the program goes where it does not
// otherwise. So an objection stands unless a sanitizer of a family that does not
// object ran the same program to the right answer, and some compiler is right at
// -O0. Nor does it stand if time did not suffice to hear them all.
//
// A sanitizer is no witness at all where its own compiler is misled and another
// is right: gcc-12.2 takes (int)(b | ~b) + d - 2147483647 >= 0 for true at all
// levels.
func (q *inquiry) object(ctx context.Context, f *Finding, b *batch, right int, misled map[string]bool) (objection string, stands bool) {
	var families []compilers.Family // that object
	var content []compilers.Toolchain
	for _, s := range q.Sanitizers {
		out := q.test(ctx, s, b.job(compilers.SanitizerLevel), q.limits(b).ForSanitizers())
		f.witness(s.String()+" "+compilers.SanitizerLevel, out)
		switch {
		case right > 0 && misled[s.Path]:
		case out.Verdict == compilers.OK:
			content = append(content, s)
		case out.Report:
			families = append(families, s.Family)
			if objection == "" {
				objection = fmt.Sprintf("%s reports %s", s, out.Message)
			}
		}
	}
	if objection == "" {
		return "", false
	}
	i := slices.IndexFunc(content, func(s compilers.Toolchain) bool { return !slices.Contains(families, s.Family) })
	switch {
	case right > 0 && i >= 0:
		return fmt.Sprintf("%s, and %s runs it without a report", objection, content[i]), false
	case ctx.Err() != nil && len(families) < len(q.Sanitizers):
		return objection + ", and time did not suffice to ask all others", false
	}
	return objection, true
}

// disputed notes an objection that does not stand.
func (f *Finding) disputed(objection string) {
	f.Doubt = corpus.OneLine(objection)
	f.Witnesses = append(f.Witnesses, corpus.Witness{Who: "disputed", Said: f.Doubt})
}

// notConfirmed says why a failure is discarded, with the objections of
// which nobody knows whether they are right.
func notConfirmed(out compilers.Outcome, suspicions []*Finding) string {
	why := "not confirmed: " + out.String()
	for _, s := range suspicions {
		if s.Doubt != "" {
			why += "; " + s.Doubt
		}
	}
	return why
}
