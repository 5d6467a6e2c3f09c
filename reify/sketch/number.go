package sketch

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/ir"
)

// A Numbering follows a walk through a function and knows which branches are
// already decided: a condition whose operands were computed by the same
// statements from the same values as at an earlier visit must go the way it
// went then, or can hardly be made to go another: that an index may make a
// condition look at another element of the same array is left out of account,
// for it seldom can be had in time. It keeps one number for each variable
// (value numbering) and one direction for each condition and numbers of its
// operands. A walk that obeys it is free of one large class of infeasible
// paths.
type Numbering struct {
	f       *ir.Function
	values  []uint64       // by variable
	taken   map[uint64]int // by condition and operands: the successor taken
	pending uint64         // key of the condition last met, 0 if none
	direct  bool           // ignore indices
	buf     []byte
}

// NewNumbering returns the numbering at the entry of f.
func NewNumbering(f *ir.Function) *Numbering {
	n := &Numbering{f: f, values: make([]uint64, len(f.Vars)), taken: map[uint64]int{}}
	for i := range n.values {
		n.values[i] = uint64(i)
	}
	return n
}

// Visit executes block b and returns the successor that is decided, or -1 if
// either may follow. It is the Visit hook of cfg.PathOptions.
func (n *Numbering) Visit(b int) int {
	if n.pending != 0 {
		n.taken[n.pending] = b
		n.pending = 0
	}
	block := n.f.Blocks[b]
	for i, s := range block.Stmts {
		n.begin(uint64(b)<<16 | uint64(i))
		switch s := s.(type) {
		case *ir.Assign:
			n.operands(s.Src)
			n.indices(s.Dst)
			v := ir.Root(s.Dst)
			if _, part := s.Dst.(*ir.Elem); part {
				n.add(n.values[v.Index])
			}
			n.values[v.Index] = n.key()
		default:
			panic(fmt.Sprintf("sketch: unknown statement %T", s))
		}
	}
	branch, ok := block.Term.(*ir.If)
	if !ok {
		return -1
	}
	n.begin(uint64(b)<<16 | 1<<15)
	n.direct = true
	n.operands(branch.Cond)
	n.direct = false
	n.pending = n.key()
	if to, seen := n.taken[n.pending]; seen {
		return to
	}
	return -1
}

func (n *Numbering) begin(v uint64) { n.buf = binary.LittleEndian.AppendUint64(n.buf[:0], v) }
func (n *Numbering) add(v uint64)   { n.buf = binary.LittleEndian.AppendUint64(n.buf, v) }
func (n *Numbering) key() uint64    { return xxhash.Sum64(n.buf) | 1 }

// operands adds the numbers of the variables that e reads.
func (n *Numbering) operands(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Load:
		n.add(n.values[ir.Root(e.Place).Index])
		n.indices(e.Place)
	case *ir.Binary:
		n.operands(e.X)
		n.operands(e.Y)
	case *ir.Convert:
		n.operands(e.X)
	}
}

// indices adds the numbers of what the indices of p read, but not in a
// condition: a branch that can turn only because another element is looked at
// hardly ever can be made to turn in time.
func (n *Numbering) indices(p ir.Place) {
	if elem, ok := p.(*ir.Elem); ok && !n.direct {
		n.indices(elem.Base)
		n.operands(elem.Index)
	}
}
