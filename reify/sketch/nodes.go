package sketch

import "goreify/reify/ir"

// Thousands of functions a second: nodes of one construct are allocated together, and
// constructs by the hundred.
type (
	// A term is a read, its operator and symbol, and the operator that joins
	// it to what comes next.
	term struct {
		binary, join ir.Binary
		load         ir.Load
		ref          ir.VarRef
		sym          ir.Sym
	}
	// An assign is an assignment and the last symbol of its value.
	assign struct {
		stmt ir.Assign
		ref  ir.VarRef
		sym  ir.Sym
	}
	// A branch is a comparison with zero and the last symbol of what is
	// compared.
	branch struct {
		term   ir.If
		binary ir.Binary
		zero   ir.Const
		sym    ir.Sym
	}
	// An elem is an element and the constant in its index.
	elem struct {
		place ir.Elem
		sym   ir.Sym
	}
	// An index is a variable folded into bounds, and the operator that adds
	// the constant.
	index struct {
		rem, add ir.Binary
		load     ir.Load
		ref      ir.VarRef
		sym      ir.Sym
	}
)

// A slab hands out pointers into chunks. The zero slab is empty.
type slab[T any] struct {
	free []T
	main []T // the chunk of the last reserve
}

// more is the size of the chunks for nodes that were not reserved.
const more = 32

// reserve starts over with room for n nodes. The memory of those handed out
// before is used again if it is large enough.
func (s *slab[T]) reserve(n int) {
	if len(s.main) < n {
		s.main = make([]T, n)
	}
	s.free = s.main
}

// new returns a node. It holds what was there before.
func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.free = make([]T, more)
	}
	t := &s.free[0]
	s.free = s.free[1:]
	return t
}

// set is an assignment of ir.Binary{op, x, y} that the compiler makes without
// a copy.
func set(e *ir.Binary, op ir.Op, x, y ir.Expr) { e.Op, e.X, e.Y = op, x, y }
