package oracle

import (
	"slices"

	"goreify/compilers"
	"goreify/reify/subject"
)

// A Failure is that of a cell in a configuration.
type Failure struct {
	Config
	Member  string // its name in the group
	Cell    subject.Cell
	Verdict compilers.Verdict
	Finding string // name of the finding that explains it, or nothing
	Doubted bool   // it was looked into, and could not be confirmed
}

// failure returns the failure of a member, or false if it is no cell.
func failure(cfg Config, s subject.Subject, a accused) (Failure, bool) {
	g, ok := s.(subject.Celled)
	if !ok || g.Cell(a.member) == (subject.Cell{}) {
		return Failure{}, false
	}
	return Failure{Config: cfg, Member: g.Members()[a.member].Name(), Cell: g.Cell(a.member), Verdict: a.verdict}, true
}

// failures returns the failures of those of the accused that are cells with a name of
// a list.
func failures(cfg Config, s subject.Subject, list []accused, named []string) (cells []Failure) {
	for _, a := range list {
		if f, ok := failure(cfg, s, a); ok && slices.Contains(named, f.Member) {
			cells = append(cells, f)
		}
	}
	return cells
}

// settle returns those of the accused members that are to be looked into, and the
// failures of the others. A single member is accused by any failure.
func (q *inquiry) settle(cfg Config, s subject.Subject, list []accused, out compilers.Outcome) (open []accused, settled []Failure) {
	if len(list) == 0 && len(members(s)) == 1 {
		list = accuse([]int{0}, out.Verdict)
	}
	for _, a := range list {
		// An answer that the machine did not allow is not wrong.
		if f, ok := failure(cfg, s, a); ok && a.verdict != compilers.Discarded && q.settles(&f) {
			settled = append(settled, f)
		} else {
			open = append(open, a)
		}
	}
	return open, settled
}

// settles asks Settled.
func (o *Oracle) settles(f *Failure) bool { return o.Settled != nil && o.Settled(f) }

// names returns the names of the members that some failures are of.
func names(list []Failure) (all []string) {
	for _, f := range list {
		all = append(all, f.Member)
	}
	return all
}
