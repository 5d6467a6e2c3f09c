package ir

// A pending constant waits for its type, without which its text has no value.
type pending struct {
	c    *Const
	text string
	at   token
}

// settled reads an integer where the context wants the type want.
func (p *parser) settled(want Int) Expr {
	e, _ := p.operandOf(Integers)
	p.settle(e, want)
	return e
}

// settle gives the constants and symbols of n that have no suffix their types,
// and all constants their values.
func (p *parser) settle(n node, want Int) {
	if p.err != nil {
		return
	}
	settleNode(n, want)
	for _, c := range p.consts {
		if c.c.T != (Int{}) {
			c.c.V = p.constant(c.at, c.text, c.c.T)
		}
	}
	p.consts = p.consts[:0]
}

// settleNode walks the tree as the printer does, where the context wants the type want.
func settleNode(n Node, want Int) {
	if e, ok := n.(Expr); ok {
		settleChain(e, chainType(e, want))
		return
	}
	settleParts(n, I32)
}

// settleParts walks the parts of n, where the context wants the type want.
func settleParts(n Node, want Int) {
	Parts(n, func(part Node) bool {
		settleNode(part, want)
		return true
	})
}

// settleChain walks an expression in a chain of type t.
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
		settleNode(e.If, I32)
		settleChain(e.X, t)
		settleChain(e.Y, t)
	case *PtrAdd:
		settleChain(e.X, t)
		settleNode(e.Index, I32)
	case *VecOf:
		settleParts(e, e.T.Elem)
	case *Builtin:
		settleParts(e, e.Fn.wants())
	case *Call:
		for i, arg := range e.Args {
			settleNode(arg, paramType(e, i))
		}
	default:
		settleParts(e, I32)
	}
}
