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
// before their call, X before Y, the source of an assignment before the indices
// of its destination. What is put in the place of an expression is therefore not
// itself walked.

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
				if !walkPtr(p, yield) {
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
	case *AssignPtr:
		return walkPtr(s.Src, yield) && walkPlace(s.Dst, yield)
	case *AssignFloat:
		return walkFloat(s.Src, yield) && walkPlace(s.Dst, yield)
	case *AssignVec:
		return walkVec(s.Src, yield) && walkPlace(s.Dst, yield)
	case *Copy:
		return walkPlace(s.Src, yield) && walkPlace(s.Dst, yield)
	case *Overflow:
		return walkExpr(&s.X, yield) && walkExpr(&s.Y, yield) && walkPlace(s.Dst, yield) && walkPlace(s.Flag, yield)
	case *Unreachable:
		return true
	}
	panic(unknown(s))
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

func walkPlace(p Place, yield func(*Expr) bool) bool {
	switch p := p.(type) {
	case nil, *VarRef:
		return true
	case *Elem:
		return walkPlace(p.Base, yield) && walkExpr(&p.Index, yield)
	case *Member:
		return walkPlace(p.Base, yield)
	case *Deref:
		return walkPtr(p.X, yield)
	}
	panic(unknown(p))
}

func walkPtr(p PtrExpr, yield func(*Expr) bool) bool {
	switch p := p.(type) {
	case nil, *Null:
		return true
	case *AddrOf:
		return walkPlace(p.Place, yield)
	case *LoadPtr:
		return walkPlace(p.Place, yield)
	case *PtrAdd:
		return walkPtr(p.X, yield) && walkExpr(&p.Index, yield)
	case *PtrCast:
		return walkPtr(p.X, yield)
	}
	panic(unknown(p))
}

func walkFloat(e FloatExpr, yield func(*Expr) bool) bool {
	switch e := e.(type) {
	case nil, *FloatConst:
		return true
	case *FloatLoad:
		return walkPlace(e.Place, yield)
	case *FloatNeg:
		return walkFloat(e.X, yield)
	case *FloatBinary:
		return walkFloat(e.X, yield) && walkFloat(e.Y, yield)
	case *FloatConvert:
		return walkFloat(e.X, yield)
	case *FloatOf:
		return walkExpr(&e.X, yield)
	}
	panic(unknown(e))
}

func walkVec(e VecExpr, yield func(*Expr) bool) bool {
	switch e := e.(type) {
	case nil:
		return true
	case *VecLoad:
		return walkPlace(e.Place, yield)
	case *VecOf:
		for i := range e.Lanes {
			if !walkExpr(&e.Lanes[i], yield) {
				return false
			}
		}
		return true
	case *VecUnary:
		return walkVec(e.X, yield)
	case *VecBinary:
		return walkVec(e.X, yield) && walkVec(e.Y, yield)
	case *VecShuffle:
		return walkVec(e.X, yield) && walkVec(e.Y, yield)
	case *VecConvert:
		return walkVec(e.X, yield)
	}
	panic(unknown(e))
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
	case *Unary:
		if !walkExpr(&e.X, yield) {
			return false
		}
	case *Select:
		if !walkExpr(&e.If, yield) || !walkExpr(&e.X, yield) || !walkExpr(&e.Y, yield) {
			return false
		}
	case *Builtin:
		for i := range e.Args {
			if !walkExpr(&e.Args[i], yield) {
				return false
			}
		}
	case *PtrCompare:
		if !walkPtr(e.X, yield) || !walkPtr(e.Y, yield) {
			return false
		}
	case *PtrDiff:
		if !walkPtr(e.X, yield) || !walkPtr(e.Y, yield) {
			return false
		}
	case *FloatToInt:
		if !walkFloat(e.X, yield) {
			return false
		}
	case *FloatCompare:
		if !walkFloat(e.X, yield) || !walkFloat(e.Y, yield) {
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
