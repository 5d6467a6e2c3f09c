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
			n.store(s.Dst)
		case *ir.AssignPtr:
			n.pointer(s.Src)
			n.store(s.Dst)
		case *ir.AssignFloat:
			n.float(s.Src)
			n.store(s.Dst)
		case *ir.AssignVec:
			n.vector(s.Src)
			n.store(s.Dst)
		case *ir.Copy:
			n.place(s.Src)
			n.store(s.Dst)
		case *ir.Overflow:
			n.operands(s.X)
			n.operands(s.Y)
			before := n.key()
			n.store(s.Dst)
			n.begin(before)
			n.store(s.Flag)
		case *ir.Unreachable:
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

// store gives a new number to what a statement, whose operands have been added,
// assigns to. Through a pointer that may be anything.
func (n *Numbering) store(p ir.Place) {
	n.indices(p)
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

// operands adds the numbers of the variables that e reads.
func (n *Numbering) operands(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Load:
		n.place(e.Place)
	case *ir.Binary:
		n.operands(e.X)
		n.operands(e.Y)
	case *ir.Convert:
		n.operands(e.X)
	case *ir.Unary:
		n.operands(e.X)
	case *ir.Select:
		n.operands(e.If)
		n.operands(e.X)
		n.operands(e.Y)
	case *ir.Builtin:
		for _, arg := range e.Args {
			n.operands(arg)
		}
	case *ir.PtrCompare:
		n.pointer(e.X)
		n.pointer(e.Y)
	case *ir.PtrDiff:
		n.pointer(e.X)
		n.pointer(e.Y)
	case *ir.FloatToInt:
		n.float(e.X)
	case *ir.FloatCompare:
		n.float(e.X)
		n.float(e.Y)
	}
}

func (n *Numbering) float(e ir.FloatExpr) {
	switch e := e.(type) {
	case *ir.FloatLoad:
		n.place(e.Place)
	case *ir.FloatNeg:
		n.float(e.X)
	case *ir.FloatBinary:
		n.float(e.X)
		n.float(e.Y)
	case *ir.FloatConvert:
		n.float(e.X)
	case *ir.FloatOf:
		n.operands(e.X)
	}
}

func (n *Numbering) vector(e ir.VecExpr) {
	switch e := e.(type) {
	case *ir.VecLoad:
		n.place(e.Place)
	case *ir.VecOf:
		for _, lane := range e.Lanes {
			n.operands(lane)
		}
	case *ir.VecUnary:
		n.vector(e.X)
	case *ir.VecBinary:
		n.vector(e.X)
		n.vector(e.Y)
	case *ir.VecShuffle:
		n.vector(e.X)
		n.vector(e.Y)
	case *ir.VecConvert:
		n.vector(e.X)
	}
}

// place adds the numbers of what a read of p depends on: the variable and its
// indices or, through a pointer, all variables.
func (n *Numbering) place(p ir.Place) {
	if v := ir.Root(p); v != nil {
		n.add(n.values[v.Index])
	} else {
		for _, v := range n.values {
			n.add(v)
		}
	}
	n.indices(p)
}

func (n *Numbering) pointer(p ir.PtrExpr) {
	switch p := p.(type) {
	case *ir.AddrOf:
		n.indices(p.Place)
	case *ir.LoadPtr:
		n.place(p.Place)
	case *ir.PtrAdd:
		n.pointer(p.X)
		n.operands(p.Index)
	case *ir.PtrCast:
		n.pointer(p.X)
	}
}

// indices adds the numbers of what the indices of p read, but not in a
// condition: a branch that can turn only because another element is looked at
// hardly ever can be made to turn in time.
func (n *Numbering) indices(p ir.Place) {
	switch p := p.(type) {
	case *ir.Elem:
		if !n.direct {
			n.indices(p.Base)
			n.operands(p.Index)
		}
	case *ir.Member:
		n.indices(p.Base)
	case *ir.Deref:
		n.pointer(p.X)
	}
}
