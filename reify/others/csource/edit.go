package csource

import (
	"cmp"
	"regexp"
	"slices"
)

// An Edit puts Text in the place of a piece of a program. From == To inserts.
type Edit struct {
	From, To int    // offsets in the seed
	Text     string // the new text
	Why      string // the pass and its edit, for people: "prune: if at 120"
}

// Apply returns the text with the edits made. An edit inside of a piece that
// another replaces is dropped, and so is the later of two that overlap
// otherwise; insertions at one offset keep their order.
func (p *Program) Apply(edits []Edit) []byte { return apply(p.Text, edits) }

func apply(text []byte, edits []Edit) []byte {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		// An insertion comes before a replacement at the same place, and the larger
		// piece before the smaller.
		ai, bi := a.From == a.To, b.From == b.To
		switch {
		case a.From != b.From:
			return cmp.Compare(a.From, b.From)
		case ai != bi:
			if ai {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.To, a.To)
	})
	size := len(text)
	for _, e := range sorted {
		size += len(e.Text)
	}
	out := make([]byte, 0, size)
	at := 0
	for _, e := range sorted {
		if e.From < at || e.To < e.From || e.To > len(text) {
			continue
		}
		out = append(append(out, text[at:e.From]...), e.Text...)
		at = e.To
	}
	return append(out, text[at:]...)
}

// jumpTo finds the labels that a piece of a program names.
var jumpTo = regexp.MustCompile(`\bgoto\s+(\w+)|&&\s*(\w+)`)

// Compatible returns the edits without those that jump to a label that another edit
// removes, as Insert may do beside Prune: each alone is right.
func (p *Program) Compatible(edits []Edit) []Edit {
	taken := func(f *Function, label string) bool {
		for _, l := range f.labels {
			at := p.Stmts[l.Stmt].From
			again := regexp.MustCompile(`\b` + regexp.QuoteMeta(label) + `\s*:`)
			if l.Name == label && slices.ContainsFunc(edits, func(e Edit) bool { return e.From <= at && at < e.To && !again.MatchString(e.Text) }) {
				return true
			}
		}
		return false
	}
	return slices.DeleteFunc(slices.Clone(edits), func(e Edit) bool {
		i := slices.IndexFunc(p.Functions, func(f Function) bool { return f.From <= e.From && e.From < f.To })
		return i >= 0 && slices.ContainsFunc(jumpTo.FindAllStringSubmatch(e.Text, -1), func(m []string) bool { return taken(&p.Functions[i], m[1]+m[2]) })
	})
}
