package search

import (
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// A block is fixed if its condition has no symbols: the walk cannot choose its
// successor. Such are the blocks of counted loops. They cost no choices and, if the
// target is free, do not count for the length of a path.

// follow takes the successor that a fixed condition has.
func (r *run) follow(d decision, then, otherwise int) (to int, f *failure) {
	v, ok := r.value(d.at, r.state(d.pos+1))
	if !ok {
		return 0, d.failure()
	}
	if to = then; v == 0 {
		to = otherwise
	}
	if r.blocks[to].exit < 0 {
		return 0, d.failure()
	}
	r.moved = d.pos
	return to, nil
}

// findFixed lists the fixed blocks.
func (r *run) findFixed() {
	for i, b := range r.f.Blocks {
		if t, ok := b.Term.(*ir.If); ok && !hasSymbol(&t.Cond) {
			r.fixed = append(r.fixed, i)
		}
	}
}

// tooLong reports whether a walk that finds its own path is to be given up. In a loop
// of fixed blocks alone, it might never end.
func (r *run) tooLong() bool {
	fixed := r.fixedVisits()
	return len(r.path)-fixed > r.guide.limit(len(r.blocks)) || fixed > solve.MaxFree
}

// fixedVisits counts the visits of fixed blocks on the path.
func (r *run) fixedVisits() (n int) {
	for _, b := range r.fixed {
		n += len(r.blocks[b].visits)
	}
	return n
}
