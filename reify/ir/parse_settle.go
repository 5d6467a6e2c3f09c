package ir

// A pending constant waits for its type, without which its text has no value.
type pending struct {
	c    *Const
	text string
	at   token
}

// settled reads an integer where the context wants the type want.
func (p *parser) settled(want Int) Expr {
	at := p.peek()
	n, _ := p.expr()
	e := p.asInt(at, n)
	p.settle(e, want)
	return e
}

// settle gives the constants and symbols of n that have no suffix their types,
// and all constants their values.
func (p *parser) settle(n node, want Int) {
	if p.err != nil {
		return
	}
	switch n := n.(type) {
	case Expr:
		settleExpr(n, want)
	case Place:
		settlePlace(n)
	case PtrExpr:
		settlePtr(n)
	case FloatExpr:
		settleFloat(n)
	case VecExpr:
		settleVec(n)
	}
	for _, c := range p.consts {
		if c.c.T != (Int{}) {
			c.c.V = p.constant(c.at, c.text, c.c.T)
		}
	}
	p.consts = p.consts[:0]
}

// The functions below walk the tree as the printer does.

func settleExpr(e Expr, want Int) { settleChain(e, chainType(e, want)) }

func settleChain(e Expr, t Int) {
	switch e := e.(type) {
	case *Const:
		if e.T == (Int{}) {
			e.T = t
		}
	case *Sym:
		if e.T == (Int{}) {
			e.T = t
		}
	case *Load:
		settlePlace(e.Place)
	case *Unary:
		if e.Op == LNot {
			t = chainType(e.X, I32)
		}
		settleChain(e.X, t)
	case *Binary:
		if e.Op.Yields01() {
			t = operandType(e)
		}
		settleChain(e.X, t)
		settleChain(e.Y, t)
	case *Select:
		settleExpr(e.If, I32)
		settleChain(e.X, t)
		settleChain(e.Y, t)
	case *Convert:
		settleExpr(e.X, I32)
	case *Builtin:
		for _, arg := range e.Args {
			settleExpr(arg, e.Fn.wants())
		}
	case *Checksum:
	case *Call:
		for i, arg := range e.Args {
			settleExpr(arg, paramType(e, i))
		}
	case *PtrCompare:
		settlePtr(e.X)
		settlePtr(e.Y)
	case *PtrDiff:
		settlePtr(e.X)
		settlePtr(e.Y)
	case *FloatToInt:
		settleFloat(e.X)
	case *FloatCompare:
		settleFloat(e.X)
		settleFloat(e.Y)
	default:
		panic(unknown(e))
	}
}

func settlePlace(p Place) {
	switch p := p.(type) {
	case *VarRef:
	case *Elem:
		settlePlace(p.Base)
		settleExpr(p.Index, I32)
	case *Member:
		settlePlace(p.Base)
	case *Deref:
		settlePtr(p.X)
	default:
		panic(unknown(p))
	}
}

func settlePtr(e PtrExpr) {
	switch e := e.(type) {
	case *AddrOf:
		settlePlace(e.Place)
	case *LoadPtr:
		settlePlace(e.Place)
	case *Null:
	case *PtrAdd:
		settlePtr(e.X)
		settleExpr(e.Index, I32)
	case *PtrCast:
		settlePtr(e.X)
	default:
		panic(unknown(e))
	}
}

func settleFloat(e FloatExpr) {
	switch e := e.(type) {
	case *FloatConst:
	case *FloatLoad:
		settlePlace(e.Place)
	case *FloatNeg:
		settleFloat(e.X)
	case *FloatBinary:
		settleFloat(e.X)
		settleFloat(e.Y)
	case *FloatConvert:
		settleFloat(e.X)
	case *FloatOf:
		settleExpr(e.X, I32)
	default:
		panic(unknown(e))
	}
}

func settleVec(e VecExpr) {
	switch e := e.(type) {
	case *VecLoad:
		settlePlace(e.Place)
	case *VecOf:
		for _, lane := range e.Lanes {
			settleExpr(lane, e.T.Elem)
		}
	case *VecUnary:
		settleVec(e.X)
	case *VecBinary:
		settleVec(e.X)
		settleVec(e.Y)
	case *VecShuffle:
		settleVec(e.X)
		settleVec(e.Y)
	case *VecConvert:
		settleVec(e.X)
	default:
		panic(unknown(e))
	}
}
