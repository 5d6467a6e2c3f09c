package link

// A Purity is what a function leaves alone. It holds for all calls in the
// program, those that are never executed included: a pure function is passed
// only constants for which it is known to end. One that returns a checksum is
// not pure: what computes it reads a volatile variable.
type Purity int

// The purities, of which each holds of those after it as well.
const (
	Impure Purity = iota
	Pure          // it writes no global or static, through pointers included, and accesses nothing volatile
	Const         // it reads no global or static either
)

// purity returns what the function leaves alone before it calls any other.
func (l *Leaf) purity() Purity {
	switch {
	case l.stateful() || l.volatile:
		return Impure
	case l.touched:
		return Pure
	}
	return Const
}

// purities returns what the functions leave alone, of those that are to be
// declared: as much as all that they call.
func (b *builder) purities() []Purity {
	all := make([]Purity, len(b.leaves))
	for i, l := range b.leaves {
		if b.plan.pure[i] {
			all[i] = l.purity()
		}
	}
	for changed := true; changed; {
		changed = false
		for _, e := range b.edges {
			if all[e.to] < all[e.from] {
				all[e.from], changed = all[e.to], true
			}
		}
	}
	return all
}
