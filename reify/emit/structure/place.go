package structure

// A Placement says where each block of a structured text is written: in the text of its
// immediate dominator. (Ramsey, Beyond Relooper, 2022, does so for languages without goto.
// In others, edges that do not fit become gotos, so that any graph will do.)
type Placement struct {
	Inline []bool  // by block: it is written in place of the jump from its dominator
	Joins  [][]int // by block: those written after its branches
	Exits  [][]int // by loop header: those written after the loop
}

// Place puts each block in a branch of its dominator if no other edge leads to it and inline
// allows it, after the branches if they meet in it, and after the outermost loop that it
// is not part of. Blocks that aside tells are left out; it is asked about each.
func (f *Flow) Place(aside func(b int) bool, inline func(dom, b int) bool) *Placement {
	n := len(f.Idom)
	p := &Placement{Inline: make([]bool, n), Joins: make([][]int, n), Exits: make([][]int, n)}
	for _, b := range f.Order[1:] {
		dom := f.Idom[b]
		left := -1 // the outermost loop that holds dom and not b
		for h := f.Inner[dom]; h >= 0 && !f.Body[h][b]; h = f.Outer[h] {
			left = h
		}
		switch {
		case aside(b):
		case left >= 0:
			p.Exits[left] = append(p.Exits[left], b)
		case f.Forward[b] == 1 && inline(dom, b):
			p.Inline[b] = true
		default:
			p.Joins[dom] = append(p.Joins[dom], b)
		}
	}
	return p
}

// Depth returns how many blocks dominate a block, which can be reached, besides itself.
func (f *Flow) Depth(b int) (n int) {
	for b != f.Order[0] {
		b, n = f.Idom[b], n+1
	}
	return n
}
