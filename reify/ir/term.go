package ir

import "fmt"

// A Term ends a block.
type Term interface {
	fmt.Stringer
	isTerm()
}

// A Goto jumps to To.
type Goto struct{ To *Block }

// An If jumps to Then if Cond is not zero, else to Else, which is another
// block.
type If struct {
	Cond       Expr
	Then, Else *Block
}

// A Return leaves the function.
type Return struct{ Val Expr }

func (*Goto) isTerm()   {}
func (*If) isTerm()     {}
func (*Return) isTerm() {}

// Succs returns the successors of b, each once.
func (b *Block) Succs() []*Block {
	switch t := b.Term.(type) {
	case *Goto:
		return []*Block{t.To}
	case *If:
		return []*Block{t.Then, t.Else}
	case *Switch:
		return t.Targets()
	case *Return:
		return nil
	}
	panic("ir: block without a terminator")
}

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
