package csource

import "goreify/reify/choice"

// Options say how much is changed.
type Options struct {
	// Edits bounds how many are made; 0 is no bound for Prune and 8 for the others.
	Edits int
	// Parent and Leaf are the probabilities with which a dead statement that holds
	// others, or none, is deleted. If negative they are drawn anew after each
	// deletion, uniform in 0..1: the standard set-up of Orion. So 0, 0 deletes nothing.
	Parent, Leaf float64
}

// Orion are the options of Orion's standard set-up.
var Orion = Options{Parent: -1, Leaf: -1}

// Dead returns which of Stmts may be deleted: neither they nor what they hold
// was executed, and §5 of the design lets it be.
func (p *Program) Dead(hits []uint32) []bool { return nil }

// Prune deletes statements that were not executed (Orion, Algorithm 2).
func Prune(p *Program, hits []uint32, o Options, s *choice.Stream) []Edit { return nil }
