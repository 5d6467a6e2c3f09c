package link

// A Purity is what a function leaves alone. It holds for all calls in the
// program, those that are never executed included: a pure function is passed
// only constants for which it is known to end. A function that returns a checksum
// is not pure: computing one reads a volatile variable.
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
	case l.stateful() || l.volatile || l.fn.Foreign != nil: // it may not end where it is not called
		return Impure
	case l.touched:
		return Pure
	}
	return Const
}

// purities returns the purity of each function that is to be declared pure: no
// more than that of any function it calls. Others are Impure.
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
