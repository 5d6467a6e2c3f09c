package hunt

import (
	"context"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/subject"
)

// askedAbout is the verdict on a cell that was asked about since its code differs.
const askedAbout = "asked"

// agenda returns what is to be asked about the subject of a batch. Of cells it records how
// many each target is asked about and, if these are not all, which.
func (s *session) agenda(ctx context.Context, o *oracle.Oracle, about subject.Subject) agenda {
	todo := agenda{{strings.Fields(about.Name()), s.configs}}
	if s.against != nil {
		todo = s.differing(ctx, o, about, s.against)
	}
	if cellsOf(about) == nil {
		return todo
	}
	g := about.(subject.Celled)
	for _, t := range o.Targets {
		hunted, asked := false, map[string]bool{}
		for _, mode := range t.Modes() {
			name := compilers.Name(t, mode)
			hunted = hunted || slices.Contains(s.configs, name)
			for _, q := range todo {
				for _, member := range q.members {
					asked[member] = asked[member] || slices.Contains(q.configs, name)
				}
			}
		}
		if !hunted {
			continue
		}
		at := askedTarget{target: t.ID().String()}
		for i, m := range g.Members() {
			if !asked[m.Name()] || !m.Artefact().Suits(t.Traits()) {
				continue
			}
			if at.cells++; s.against != nil {
				s.result.cells = append(s.result.cells, failing{cell: g.Cell(i), target: at.target, verdict: askedAbout})
			}
		}
		s.result.asked = append(s.result.asked, at)
	}
	return todo
}

// differing returns what is to be asked: in each configuration the members that another
// compiler makes other code of. Where one of the two does not show code, that is all.
func (s *session) differing(ctx context.Context, o *oracle.Oracle, about subject.Subject, other compilers.Lister) (todo agenda) {
	a, limits := about.Artefact(), o.Limits.ForFunctions(about.Weight())
	for _, c := range configsNamed(o, s.configs) {
		if ctx.Err() != nil {
			break
		}
		s.now.set(c.String() + ", its code")
		var code [2]map[string]string
		for i, t := range []compilers.Target{c.Target, other} {
			l, ok := t.(compilers.Lister)
			if !ok {
				continue
			}
			list, out, err := l.List(ctx, o.Space, a.Job(c.Mode), limits)
			s.result.cost.Compile += out.CompileCPU
			if err == nil && out.Verdict == compilers.OK {
				code[i] = list
			}
		}
		var members []string
		for _, name := range strings.Fields(about.Name()) {
			if own := code[0][name]; own == "" || own != code[1][name] {
				members = append(members, name)
			}
		}
		todo = todo.with(members, []string{c.String()})
	}
	return todo
}
