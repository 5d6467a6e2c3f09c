package link

// A Purity is the state that a function leaves alone. It holds for all calls in the
// program, those that are never executed included: a pure function is passed only
// constants for which it is known to end. A function that returns a checksum is not
// pure: computing one reads a volatile variable.
type Purity int

// The purities; each implies those before it.
const (
	Impure Purity = iota
	Pure          // it writes no global or static, through pointers included, and accesses nothing volatile
	Const         // it reads no global or static either
)

// purity returns the purity of the function before it calls any other.
func (l *Leaf) purity() Purity {
	switch {
	case l.stateful() || l.volatile || l.fn.Foreign != nil: // it may not end for other arguments
		return Impure
	case l.touched:
		return Pure
	}
	return Const
}

// purities returns the purity of each function that is to be declared pure: no more
// than that of any function it calls. All other functions are Impure.
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
