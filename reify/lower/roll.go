package lower

import (
	"slices"

	"goreify/reify/ir"
)

// leastRolled is how many statements make a loop.
const leastRolled = 3

// Roll finds assignments at the beginning of a list that differ only in constant
// indices, which are one more in each: those of the lanes of a vector. It returns one
// of them with the index in place of these constants. The index goes from a value on
// through n values; n is 0 if there are too few.
func Roll(list []ir.Stmt, index *ir.Var) (body ir.Stmt, from int64, n int) {
	if len(list) < leastRolled {
		return nil, 0, 0
	}
	first, ok := list[0].(*ir.Assign)
	if !ok || ir.Any(first, isCall) {
		return nil, 0, 0
	}
	p := &pattern{}
	for n = 1; n < len(list); n++ {
		p.step, p.at = int64(n), 0
		s, ok := list[n].(*ir.Assign)
		if !ok || !p.alike(first, s) || n == 1 && !p.moves() {
			break
		}
	}
	if n < leastRolled {
		return nil, 0, 0
	}
	body = ir.CopyStmt(first)
	p.at = 0
	p.replace(body, index)
	return body, p.from, n
}

func isCall(n ir.Node) bool {
	_, ok := n.(*ir.Call)
	return ok
}

// A pattern is what alike statements have in common.
type pattern struct {
	step  int64
	at    int    // of the constant index that is compared
	moved []bool // by constant index: it moves from a statement to the next
	from  int64  // where these begin
}

// moves reports whether an index of the destination moves, which is the last one.
func (p *pattern) moves() bool { return len(p.moved) > 0 && p.moved[len(p.moved)-1] }

// alike compares two nodes, of the first statement and of one that comes step later.
func (p *pattern) alike(x, y ir.Node) bool {
	switch a := x.(type) {
	case *ir.Const:
		b, ok := y.(*ir.Const)
		return ok && *a == *b
	case *ir.FloatConst:
		b, ok := y.(*ir.FloatConst)
		return ok && *a == *b
	case *ir.VarRef:
		b, ok := y.(*ir.VarRef)
		return ok && a.Var == b.Var
	case *ir.Elem:
		b, ok := y.(*ir.Elem)
		if !ok || !p.alike(a.Base, b.Base) {
			return false
		}
		i, ok1 := a.Index.(*ir.Const)
		k, ok2 := b.Index.(*ir.Const)
		if ok1 && ok2 {
			return i.T == k.T && p.index(i.V, k.V)
		}
		return p.alike(a.Index, b.Index)
	case *ir.Member:
		b, ok := y.(*ir.Member)
		return ok && a.Field == b.Field && p.alike(a.Base, b.Base)
	case *ir.Deref:
		b, ok := y.(*ir.Deref)
		return ok && p.alike(a.X, b.X)
	case *ir.Load:
		b, ok := y.(*ir.Load)
		return ok && p.alike(a.Place, b.Place)
	case *ir.AddrOf:
		b, ok := y.(*ir.AddrOf)
		return ok && p.alike(a.Place, b.Place)
	case *ir.Unary:
		b, ok := y.(*ir.Unary)
		return ok && a.Op == b.Op && p.alike(a.X, b.X)
	case *ir.Binary:
		b, ok := y.(*ir.Binary)
		return ok && a.Op == b.Op && p.alike(a.X, b.X) && p.alike(a.Y, b.Y)
	case *ir.Convert:
		b, ok := y.(*ir.Convert)
		return ok && a.T == b.T && p.alike(a.X, b.X)
	case *ir.Assign:
		b, ok := y.(*ir.Assign)
		return ok && p.alike(a.Src, b.Src) && p.alike(a.Dst, b.Dst)
	}
	return false // such as operators that no vector has
}

// index compares a constant index with that of the first statement.
func (p *pattern) index(first, later int64) bool {
	moves := later == first+p.step
	if p.step == 1 {
		if moves {
			if slices.Contains(p.moved, true) && first != p.from {
				return false
			}
			p.from = first
		}
		p.moved = append(p.moved, moves)
	}
	p.at++
	return p.moved[p.at-1] == moves && (moves || later == first)
}

// replace puts the index in place of the constants that move.
func (p *pattern) replace(n ir.Node, index *ir.Var) {
	ir.Operands(n, func(e *ir.Expr) bool {
		if _, ok := n.(*ir.Elem); ok {
			if _, ok := (*e).(*ir.Const); ok {
				if p.moved[p.at] {
					*e = read(index)
				}
				p.at++
				return true
			}
		}
		p.replace(*e, index)
		return true
	}, func(q *ir.Place) bool {
		p.replace(*q, index)
		return true
	})
}
