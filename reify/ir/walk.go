package ir

import "iter"

// The iterators below yield the address of each place where an expression
// stands, so that assigning to it replaces the expression:
//
//	for at := range f.Exprs() {
//		if s, ok := (*at).(*Sym); ok {
//			*at = &Const{T: s.T, V: m.Syms[s.ID]}
//		}
//	}
//
// The order is that of evaluation: operands before their operator, arguments
// before their call, X before Y, the source of an assignment before the indices of its destination. What is
// put in the place of an expression is therefore not itself walked.

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
		}
		for _, b := range f.Blocks {
			if !walkBlock(b, yield) {
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
	return func(yield func(*Expr) bool) { walkStmt(s, yield) }
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

// Graph returns the control-flow graph: for each block the indices of its
// successors, Then before Else. It needs the blocks' Index fields to be right.
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
		case *Return:
		default:
			panic(unknown(t))
		}
		g[i] = succs[start:len(succs):len(succs)]
	}
	return g
}

// The walkers return false when yield has asked to stop. A missing node has no
// expressions: the checker prints what is not whole.

func walkBlock(b *Block, yield func(*Expr) bool) bool {
	for _, s := range b.Stmts {
		if !walkStmt(s, yield) {
			return false
		}
	}
	return walkTerm(b.Term, yield)
}

func walkStmt(s Stmt, yield func(*Expr) bool) bool {
	switch s := s.(type) {
	case nil:
		return true
	case *Assign:
		return walkExpr(&s.Src, yield) && walkPlace(s.Dst, yield)
	}
	panic(unknown(s))
}

func walkTerm(t Term, yield func(*Expr) bool) bool {
	switch t := t.(type) {
	case nil, *Goto:
		return true
	case *If:
		return walkExpr(&t.Cond, yield)
	case *Return:
		return walkExpr(&t.Val, yield)
	}
	panic(unknown(t))
}

func walkPlace(p Place, yield func(*Expr) bool) bool {
	switch p := p.(type) {
	case nil, *VarRef:
		return true
	case *Elem:
		return walkPlace(p.Base, yield) && walkExpr(&p.Index, yield)
	}
	panic(unknown(p))
}

func walkExpr(at *Expr, yield func(*Expr) bool) bool {
	switch e := (*at).(type) {
	case nil:
		return true
	case *Const, *Sym, *Checksum:
	case *Load:
		if !walkPlace(e.Place, yield) {
			return false
		}
	case *Binary:
		if !walkExpr(&e.X, yield) || !walkExpr(&e.Y, yield) {
			return false
		}
	case *Convert:
		if !walkExpr(&e.X, yield) {
			return false
		}
	case *Call:
		for i := range e.Args {
			if !walkExpr(&e.Args[i], yield) {
				return false
			}
		}
	default:
		panic(unknown(e))
	}
	return yield(at)
}
