package ir

// A Switch jumps to the block of the label that contains the value of X, of at least 32
// bits, or to Default if no label does.
type Switch struct {
	X       Expr
	Cases   []SwitchCase
	Default *Block
}

// A SwitchCase is a label: a *Const or *Sym of the type of X, or a range of
// values from Lo to Hi, both included and Lo at most Hi (a GNU extension). No two
// labels of a switch share a value.
type SwitchCase struct {
	Lo Expr
	Hi Expr // nil if the label is a single value
	To *Block
}

func (*Switch) isTerm() {}

// Targets returns the blocks that t may jump to, each once, in the order of the
// labels and the default last.
func (t *Switch) Targets() []*Block {
	var list []*Block
	seen := func(b *Block) bool {
		for _, other := range list {
			if other == b {
				return true
			}
		}
		return false
	}
	for _, c := range t.Cases {
		if c.To != t.Default && !seen(c.To) {
			list = append(list, c.To)
		}
	}
	return append(list, t.Default)
}
