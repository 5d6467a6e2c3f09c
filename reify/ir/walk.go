package ir

import (
	"iter"
	"slices"
)

// The iterators below yield the address of each place where an expression
// stands, so that assigning to it replaces the expression:
//
//	for at, s := range f.Symbols() {
//		*at = &Const{T: s.T, V: m.Syms[s.ID]}
//	}
//
// The order is that of evaluation: operands before their operator, arguments before
// their call, X before Y, the source of an assignment before the indices of its
// destination. Thus an expression that is put in place of another is not itself walked.
// All except Symbols and Calls yield integers alone, also those that expressions of other
// families are made of.

// Exprs yields the integers of the initialisers, in the order of f.Vars,
// and then those of the blocks.
func (f *Function) Exprs() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { f.walk(integers(yield)) }
}

// integers returns a yield that steps over what is no integer.
func integers(yield func(*Expr) bool) func(*Expr) bool {
	return func(at *Expr) bool { return !IsInt(*at) || yield(at) }
}

// walk walks the initialisers and the blocks.
func (f *Function) walk(yield func(*Expr) bool) bool {
	for _, v := range f.Vars {
		for i := range v.Init {
			if !walkExpr(&v.Init[i], yield) {
				return false
			}
		}
		for i := range v.Ptrs {
			if !walkExpr(&v.Ptrs[i], yield) {
				return false
			}
		}
	}
	for _, b := range f.Blocks {
		if !walkBlock(b, yield) {
			return false
		}
	}
	return true
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
			more := true
			switch t := b.Term.(type) {
			case *If:
				more = yield(t.Cond)
			case *Switch:
				more = yield(t.X)
			case *Return:
				more = yield(t.Val)
			}
			if !more {
				return
			}
		}
	}
}

// Exprs yields the expressions of the statements and of the terminator.
func (b *Block) Exprs() iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walkBlock(b, integers(yield)) }
}

// StmtExprs yields the expressions of s.
func StmtExprs(s Stmt) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walk(s, integers(yield)) }
}

// TermExprs yields the expressions of t.
func TermExprs(t Term) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walkTerm(t, integers(yield)) }
}

// Roots yields the expressions of t that are no part of another one.
func Roots(t Term) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { roots(t, yield) }
}

// SubExprs yields the expressions that *e is made of and, last, e itself.
func SubExprs(e *Expr) iter.Seq[*Expr] {
	return func(yield func(*Expr) bool) { walkExpr(e, integers(yield)) }
}

// Symbols yields the places where symbols stand.
func (f *Function) Symbols() iter.Seq2[*Expr, *Sym] {
	return func(yield func(*Expr, *Sym) bool) {
		f.walk(func(at *Expr) bool {
			s, ok := (*at).(*Sym)
			return !ok || yield(at, s)
		})
	}
}

// Calls yields the calls that f makes, those in arguments before the call that
// they are arguments of.
func (f *Function) Calls() iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		f.walk(func(at *Expr) bool {
			call, ok := (*at).(*Call)
			return !ok || yield(call)
		})
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
	return roots(t, func(at *Expr) bool { return walkExpr(at, yield) })
}

func roots(t Term, yield func(*Expr) bool) bool {
	switch t := t.(type) {
	case nil, *Goto:
		return true
	case *If:
		return yield(&t.Cond)
	case *Switch:
		if !yield(&t.X) {
			return false
		}
		for i := range t.Cases {
			c := &t.Cases[i]
			if !yield(&c.Lo) || c.Hi != nil && !yield(&c.Hi) {
				return false
			}
		}
		return true
	case *Return:
		return yield(&t.Val)
	}
	panic(unknown(t))
}

// walkExpr walks what *at is made of and, last, yields at.
func walkExpr(at *Expr, yield func(*Expr) bool) bool {
	return *at == nil || walk(*at, yield) && yield(at)
}

// walk walks what n is made of.
func walk(n Node, yield func(*Expr) bool) bool {
	switch n := n.(type) { // Operands knows these, too, but they are many
	case *Const, *Sym, *VarRef:
		return true
	case *Binary:
		return walkExpr(&n.X, yield) && walkExpr(&n.Y, yield)
	case *Load:
		return walk(n.Place, yield)
	}
	return Operands(n, func(at *Expr) bool { return walkExpr(at, yield) }, func(at *Place) bool { return walk(*at, yield) })
}
