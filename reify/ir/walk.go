package ir

import (
	"fmt"
	"iter"
	"slices"
)

// The iterators below yield the address of each place where an expression
// stands, so that assigning to it replaces the expression:
//
//	for at := range f.Exprs() {
//		if s, ok := (*at).(*Sym); ok {
//			*at = &Const{T: s.T, V: m.Syms[s.ID]}
//		}
//	}
//
// The order is that of evaluation: operands before their operator, arguments before
// their call, X before Y, the source of an assignment before the indices of its
// destination. Thus an expression that is put in place of another is not itself walked.

// Exprs yields the expressions of the initialisers, in the order of f.Vars,
// and then those of the blocks.
func (f *Function) Exprs() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) {
		for _, v := range f.Vars {
			for i := range v.Init {
				if !walkExpr(&v.Init[i], yield) {
					return
				}
			}
			for _, p := range v.Ptrs {
				if !walk(p, yield) {
					return
				}
			}
		}
		for _, b := range f.Blocks {
			if !walkBlock(b, yield) {
				return
			}
		}
	}
}

// Nodes yields the statements of the blocks and the expressions of their terminators.
// Parts has the parts of these.
func (f *Function) Nodes() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for _, b := range f.Blocks {
			for _, s := range b.Stmts {
				if !yield(s) {
					return
				}
			}
			if !walkTerm(b.Term, func(at *Expr) bool { return yield(*at) }) {
				return
			}
		}
	}
}

// Exprs yields the expressions of the statements and of the terminator.
func (b *Block) Exprs() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walkBlock(b, yield) }
}

// StmtExprs yields the expressions of s.
func StmtExprs(s Stmt) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walk(s, yield) }
}

// TermExprs yields the expressions of t.
func TermExprs(t Term) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walkTerm(t, yield) }
}

// SubExprs yields the expressions that *e is made of and, last, e itself.
func SubExprs(e *Expr) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walkExpr(e, yield) }
}

// Calls yields the calls that f makes, those in arguments before the call that
// they are arguments of.
func (f *Function) Calls() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		for at := range f.Exprs() {
			if call, ok := (*at).(*Call); ok && !yield(call) {
				return
			}
		}
	}
}

// Reached returns f and the functions that its calls reach, each once, callers first.
func (f *Function) Reached() []*Function {
	list := []*Function{f}
	for i := 0; i < len(list); i++ {
		for call := range list[i].Calls() {
			if !slices.Contains(list, call.Func) {
				list = append(list, call.Func)
			}
		}
	}
	return list
}

// Graph returns the control-flow graph: for each block the indices of its
// successors in the order of Block.Succs. It needs the blocks' Index fields to be
// right.
func (f *Function) Graph() [][]int {
	succs := make([]int, 0, 2*len(f.Blocks))
	g := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		start := len(succs)
		switch t := b.Term.(type) {
		case *Goto:
			succs = append(succs, t.To.Index)
		case *If:
			succs = append(succs, t.Then.Index, t.Else.Index)
		case *Switch:
			for _, to := range t.Targets() {
				succs = append(succs, to.Index)
			}
		case *Return:
		default:
			panic(unknown(t))
		}
		g[i] = succs[start:len(succs):len(succs)]
	}
	return g
}

// The walkers return false when yield has asked to stop. A missing node has no
// expressions: the checker prints incomplete trees.

func walkBlock(b *Block, yield func(*Expr) bool) bool {
	for _, s := range b.Stmts {
		if !walk(s, yield) {
			return false
		}
	}
	return walkTerm(b.Term, yield)
}

func walkTerm(t Term, yield func(*Expr) bool) bool {
	switch t := t.(type) {
	case nil, *Goto:
		return true
	case *If:
		return walkExpr(&t.Cond, yield)
	case *Switch:
		if !walkExpr(&t.X, yield) {
			return false
		}
		for i := range t.Cases {
			c := &t.Cases[i]
			if !walkExpr(&c.Lo, yield) || c.Hi != nil && !walkExpr(&c.Hi, yield) {
				return false
			}
		}
		return true
	case *Return:
		return walkExpr(&t.Val, yield)
	}
	panic(unknown(t))
}

// walkExpr walks what *at is made of and, last, yields at.
func walkExpr(at *Expr, yield func(*Expr) bool) bool {
	return *at == nil || walk(*at, yield) && yield(at)
}

// walk walks what n is made of.
func walk(n Node, yield func(*Expr) bool) bool {
	switch n := n.(type) {
	case *Const, *Sym, *VarRef: // Parts knows these and *Load, too, but they are many
		return true
	case *Load:
		return walk(n.Place, yield)
	case *Unary:
		return walkExpr(&n.X, yield)
	case *Binary:
		return walkExpr(&n.X, yield) && walkExpr(&n.Y, yield)
	case *Convert:
		return walkExpr(&n.X, yield)
	case *Select:
		return walkExpr(&n.If, yield) && walkExpr(&n.X, yield) && walkExpr(&n.Y, yield)
	case *Builtin:
		return walkList(n.Args, yield)
	case *Call:
		return walkList(n.Args, yield)
	case *Elem:
		return walk(n.Base, yield) && walkExpr(&n.Index, yield)
	case *PtrAdd:
		return walk(n.X, yield) && walkExpr(&n.Index, yield)
	case *PtrSelect:
		return walkExpr(&n.If, yield) && walk(n.X, yield) && walk(n.Y, yield)
	case *WideSelect:
		return walkExpr(&n.If, yield) && walk(n.X, yield) && walk(n.Y, yield)
	case *FloatOf:
		return walkExpr(&n.X, yield)
	case *WideOf:
		return walkExpr(&n.X, yield)
	case *VecOf:
		return walkList(n.Lanes, yield)
	case *Assign:
		return walkExpr(&n.Src, yield) && walk(n.Dst, yield)
	case *Assume:
		return walkExpr(&n.Cond, yield)
	case *Overflow:
		return walkExpr(&n.X, yield) && walkExpr(&n.Y, yield) && walk(n.Dst, yield) && walk(n.Flag, yield)
	case *Transfer:
		return walk(n.Dst, yield) && walk(n.Src, yield) && walkExpr(&n.N, yield)
	case *Fill:
		return walk(n.Dst, yield) && walkExpr(&n.Byte, yield) && walkExpr(&n.N, yield)
	}
	// No part of any other node is an integer.
	return Parts(n, func(part Node) bool { return walk(part, yield) })
}

func walkList(list []Expr, yield func(*Expr) bool) bool {
	for i := range list {
		if !walkExpr(&list[i], yield) {
			return false
		}
	}
	return true
}

// Stored returns the places that s assigns to.
func Stored(s Stmt) []Place {
	switch s := s.(type) {
	case *Assign:
		return []Place{s.Dst}
	case *AssignPtr:
		return []Place{s.Dst}
	case *AssignFloat:
		return []Place{s.Dst}
	case *AssignVec:
		return []Place{s.Dst}
	case *AssignWide:
		return []Place{s.Dst}
	case *Copy:
		return []Place{s.Dst}
	case *Overflow:
		return []Place{s.Dst, s.Flag}
	case *Transfer:
		return []Place{&Deref{X: s.Dst}}
	case *Fill:
		return []Place{&Deref{X: s.Dst}}
	case *Unreachable, *Assume:
		return nil
	}
	panic(fmt.Sprintf("ir: unknown statement %T", s))
}
