package csource

import (
	"cmp"
	"slices"
)

// An Edit puts Text in the place of a piece of a program. From == To inserts.
type Edit struct {
	From, To int    // offsets in the seed
	Text     string // what stands there instead
	Why      string // the pass and what it did, for people: "prune: if at 120"
}

// Apply returns the text with the edits made. An edit inside of a piece that
// another replaces is dropped, and so is the later of two that overlap
// otherwise; insertions at one offset keep their order.
func (p *Program) Apply(edits []Edit) []byte { return apply(p.Text, edits) }

func apply(text []byte, edits []Edit) []byte {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		// An insertion stands before what is replaced at the same place, and the
		// larger piece before the smaller.
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
