package sketch

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"goreify/reify/ir"
)

// A Numbering follows a walk through a function and knows which branches are already
// decided. A condition whose operands were computed by the same statements from the
// same values as at an earlier visit must go the same way as then. Indices are an
// exception: see operands. It keeps one number for each variable (value numbering) and
// one direction for each condition and numbers of its operands. A walk that obeys it is
// free of one large class of infeasible paths.
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
			n.store(s.Dst)
		case *ir.Overflow:
			n.operands(s.X)
			n.operands(s.Y)
			before := n.key()
			n.store(s.Dst)
			n.begin(before)
			n.store(s.Flag)
		case *ir.Transfer:
			n.read(&ir.Deref{X: s.Src})
			n.operands(s)
			n.store(&ir.Deref{X: s.Dst})
		case *ir.Fill:
			n.operands(s)
			n.store(&ir.Deref{X: s.Dst})
		case *ir.Unreachable:
		case *ir.Assume:
			n.operands(s.Cond)
		default:
			panic(fmt.Sprintf("sketch: unknown statement %T", s))
		}
	}
	n.begin(uint64(b)<<16 | 1<<15)
	n.direct = true
	switch t := block.Term.(type) {
	case *ir.If:
		n.operands(t.Cond)
	case *ir.Switch:
		n.operands(t.X)
	default:
		n.direct = false
		return -1
	}
	n.direct = false
	n.pending = n.key()
	if to, seen := n.taken[n.pending]; seen {
		return to
	}
	return -1
}

// store gives a new number to the destination of a statement, whose operands have been
// added. Through a pointer, the destination may be any variable.
func (n *Numbering) store(p ir.Place) {
	n.operands(p)
	v := ir.Root(p)
	if v == nil {
		k := n.key()
		for i := range n.values {
			n.begin(k)
			n.add(n.values[i])
			n.values[i] = n.key()
		}
		return
	}
	if _, whole := p.(*ir.VarRef); !whole {
		n.add(n.values[v.Index])
	}
	n.values[v.Index] = n.key()
}

func (n *Numbering) begin(v uint64) { n.buf = binary.LittleEndian.AppendUint64(n.buf[:0], v) }
func (n *Numbering) add(v uint64)   { n.buf = binary.LittleEndian.AppendUint64(n.buf, v) }
func (n *Numbering) key() uint64    { return xxhash.Sum64(n.buf) | 1 }

// operands adds the numbers of the variables that are read below e, an expression or
// the indices of a place. In a condition indices do not count: a branch that can change
// only because another element is read hardly ever can be solved for in time.
func (n *Numbering) operands(e ir.Node) {
	switch e := e.(type) {
	case *ir.Const, *ir.Sym, *ir.VarRef: // these and the next fast, as there are many
		return
	case *ir.Binary:
		n.operands(e.X)
		n.operands(e.Y)
		return
	case *ir.Load:
		n.read(e.Place)
	case *ir.Elem:
		if n.direct {
			return
		}
	}
	ir.Parts(e, func(part ir.Node) bool {
		n.operands(part)
		return true
	})
}

// read adds the numbers of the variables on which the value of p depends, its indices
// not counted: the variable or, through a pointer, all variables.
func (n *Numbering) read(p ir.Place) {
	if v := ir.Root(p); v != nil {
		n.add(n.values[v.Index])
		return
	}
	for _, v := range n.values {
		n.add(v)
	}
}
