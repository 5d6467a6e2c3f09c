package csource

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
)

// Options bound the changes.
type Options struct {
	// Edits bounds the number of edits; 0 is no bound for Prune and 8 for the other
	// passes.
	Edits int
	// Parent and Leaf are the probabilities with which Prune deletes a statement with
	// and without substatements. If negative they are drawn anew after each deletion,
	// uniform in 0..1.
	Parent, Leaf float64
}

// Orion are the options of Orion's standard set-up (section 3.2.2).
var Orion = Options{Parent: -1, Leaf: -1}

// defaultEdits is the number of edits of Insert and Guard by default.
const defaultEdits = 8

// dead returns which of Stmts were never reached, with all that they hold.
func (p *Program) dead(hits []uint32) []bool {
	dead := make([]bool, len(p.Stmts))
	for i := range dead {
		dead[i] = hits[i] == 0 && p.Stmts[i].Kind != Declaration
	}
	for i := len(dead) - 1; i >= 0; i-- {
		if up := p.Stmts[i].Parent; up >= 0 && !dead[i] && p.Stmts[i].Kind != Declaration {
			dead[up] = false
		}
	}
	return dead
}

// Deletable returns which of Stmts Prune may delete: neither they nor their
// substatements were executed, no jump leads into them, and they are no declaration,
// assembly or value of a statement expression. Calls of abort must stay: programs
// report errors by them.
func (p *Program) Deletable(hits []uint32) []bool {
	list := p.dead(hits)
	var aborts []int // offsets
	for i, t := range p.tokens {
		if text := p.text(i); text == "abort" || text == "__builtin_abort" {
			aborts = append(aborts, t.from)
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		s := &p.Stmts[i]
		at, _ := slices.BinarySearch(aborts, s.From)
		list[i] = list[i] && (at == len(aborts) || aborts[at] >= s.To) && !s.Fixed && !s.Jumped && s.Kind != Empty && s.From < s.To && !s.assembly &&
			!p.Functions[s.Function].Fixed
	}
	return list
}

// Prune deletes statements that were not executed, beginning with those that hold
// others (Orion, Algorithm 2). Its hits are those of Hits.
func Prune(p *Program, hits []uint32, o Options, s *choice.Stream) []Edit {
	const scale = 1 << 20
	deletable := p.Deletable(hits)
	probability := func(fixed float64) int {
		if fixed < 0 {
			return s.Intn(scale + 1)
		}
		return int(fixed * scale)
	}
	parent, leaf := probability(o.Parent), probability(o.Leaf)
	var edits []Edit
	for i := 0; i < len(p.Stmts); {
		st := &p.Stmts[i]
		share := leaf
		if st.Next > i+1 {
			share = parent
		}
		if !deletable[i] || !s.Chance(share, scale) {
			i++
			continue
		}
		edits = append(edits, Edit{From: st.From, To: st.To, Text: ";", Why: fmt.Sprintf("prune: %v at %d", st.Kind, st.From)})
		if len(edits) == o.Edits {
			break
		}
		parent, leaf = probability(o.Parent), probability(o.Leaf)
		i = st.Next
	}
	return edits
}
