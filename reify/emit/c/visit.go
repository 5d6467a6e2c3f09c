package c

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// visit calls see for every expression and place of fn that stands in a block,
// and for those that they are made of.
func visit(fn *ir.Function, see func(node any)) {
	for _, b := range fn.Blocks {
		for _, s := range b.Stmts {
			visitStmt(s, see)
		}
		switch t := b.Term.(type) {
		case *ir.Goto:
		case *ir.If:
			visitNode(t.Cond, see)
		case *ir.Switch:
			visitNode(t.X, see)
		case *ir.Return:
			visitNode(t.Val, see)
		default:
			panic(fmt.Sprintf("emit/c: unknown terminator %T", t))
		}
	}
}

func visitStmt(s ir.Stmt, see func(node any)) {
	for _, n := range partsOfStmt(s) {
		visitNode(n, see)
	}
}

func visitNode(n any, see func(node any)) {
	see(n)
	for _, part := range partsOf(n) {
		visitNode(part, see)
	}
}

func partsOfStmt(s ir.Stmt) []any {
	switch s := s.(type) {
	case *ir.Assign:
		return []any{s.Src, s.Dst}
	case *ir.AssignPtr:
		return []any{s.Src, s.Dst}
	case *ir.AssignFloat:
		return []any{s.Src, s.Dst}
	case *ir.AssignVec:
		return []any{s.Src, s.Dst}
	case *ir.Copy:
		return []any{s.Src, s.Dst}
	case *ir.Overflow:
		return []any{s.X, s.Y, s.Dst, s.Flag}
	case *ir.Unreachable:
		return nil
	default:
		panic(fmt.Sprintf("emit/c: unknown statement %T", s))
	}
}

func partsOf(n any) []any {
	switch n := n.(type) {
	case *ir.Const, *ir.Sym, *ir.Checksum, *ir.VarRef, *ir.Null, *ir.FloatConst:
		return nil
	case *ir.Load:
		return []any{n.Place}
	case *ir.Unary:
		return []any{n.X}
	case *ir.Binary:
		return []any{n.X, n.Y}
	case *ir.Select:
		return []any{n.If, n.X, n.Y}
	case *ir.Convert:
		return []any{n.X}
	case *ir.Builtin:
		return anys(n.Args)
	case *ir.Call:
		return anys(n.Args)
	case *ir.PtrCompare:
		return []any{n.X, n.Y}
	case *ir.PtrDiff:
		return []any{n.X, n.Y}
	case *ir.FloatToInt:
		return []any{n.X}
	case *ir.FloatCompare:
		return []any{n.X, n.Y}
	case *ir.Elem:
		return []any{n.Base, n.Index}
	case *ir.Member:
		return []any{n.Base}
	case *ir.Deref:
		return []any{n.X}
	case *ir.AddrOf:
		return []any{n.Place}
	case *ir.LoadPtr:
		return []any{n.Place}
	case *ir.PtrAdd:
		return []any{n.X, n.Index}
	case *ir.PtrCast:
		return []any{n.X}
	case *ir.FloatLoad:
		return []any{n.Place}
	case *ir.FloatNeg:
		return []any{n.X}
	case *ir.FloatBinary:
		return []any{n.X, n.Y}
	case *ir.FloatConvert:
		return []any{n.X}
	case *ir.FloatOf:
		return []any{n.X}
	case *ir.VecLoad:
		return []any{n.Place}
	case *ir.VecOf:
		return anys(n.Lanes)
	case *ir.VecUnary:
		return []any{n.X}
	case *ir.VecBinary:
		return []any{n.X, n.Y}
	case *ir.VecShuffle:
		return []any{n.X, n.Y}
	case *ir.VecConvert:
		return []any{n.X}
	default:
		panic(fmt.Sprintf("emit/c: unknown node %T", n))
	}
}

func anys(list []ir.Expr) []any {
	out := make([]any, len(list))
	for i, e := range list {
		out[i] = e
	}
	return out
}

// needs are what a function needs at file scope besides its variables.
type needs struct {
	vectors []ir.Vector // types, in the order of their first use
	sums    []ir.Float  // types of scalars in checksums
	shuffle bool
}

func needsOf(fn *ir.Function) needs {
	var n needs
	for _, r := range fn.Types {
		for _, field := range r.Fields {
			n.addType(field.Type)
		}
	}
	for _, v := range fn.Vars {
		n.addType(v.Type)
	}
	visit(fn, func(node any) {
		switch e := node.(type) {
		case ir.VecExpr:
			n.addType(e.Type())
			if s, ok := e.(*ir.VecShuffle); ok {
				n.shuffle = true
				n.addType(maskOf(s.Type()))
			}
		case ir.PtrExpr:
			n.addType(e.Type())
		case *ir.Checksum:
			for _, v := range e.Of {
				for i := range ir.Count(v.Type) {
					if t, ok := ir.Cell(v.Type, i).(ir.Float); ok && !slices.Contains(n.sums, t) {
						n.sums = append(n.sums, t)
					}
				}
			}
		}
	})
	return n
}

// addType adds the vectors that t is made of or that its pointers point to.
func (n *needs) addType(t ir.Type) {
	switch t := t.(type) {
	case ir.Int, ir.Float, *ir.Record:
	case ir.Array:
		n.addType(t.Elem)
	case ir.Pointer:
		n.addType(t.Elem)
	case ir.Vector:
		if !slices.Contains(n.vectors, t) {
			n.vectors = append(n.vectors, t)
		}
	default:
		panic(fmt.Sprintf("emit/c: unknown type %T", t))
	}
}
