package ir

// A pending constant waits for its type, without which its text has no value.
type pending struct {
	c    *Const
	text string
	at   token
}

// settled reads an expression where the context wants the type want.
func (p *parser) settled(want Int) Expr {
	e, _ := p.expr()
	p.settle(e, want)
	return e
}

// settle gives the constants and symbols of e that have no suffix their types,
// and all constants their values.
func (p *parser) settle(e Expr, want Int) {
	if p.err != nil {
		return
	}
	settleChain(e, chainType(e, want))
	for _, c := range p.consts {
		if c.c.T != (Int{}) {
			c.c.V = p.constant(c.at, c.text, c.c.T)
		}
	}
	p.consts = p.consts[:0]
}

// settleChain does so in a chain of type t, as the printer writes it.
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
		for place, ok := e.Place.(*Elem); ok; place, ok = place.Base.(*Elem) {
			settleChain(place.Index, chainType(place.Index, I32))
		}
	case *Binary:
		if e.Op.Compares() {
			t = operandType(e)
		}
		settleChain(e.X, t)
		settleChain(e.Y, t)
	case *Convert:
		settleChain(e.X, chainType(e.X, I32))
	case *Checksum:
	case *Call:
		for i, arg := range e.Args {
			settleChain(arg, chainType(arg, paramType(e, i)))
		}
	default:
		panic(unknown(e))
	}
}

// The functions below return an expression and its depth. They return nil
// after an error.

func (p *parser) expr() (Expr, int) { return p.binary(0) }

// binary reads operands and operators that bind at least as tightly as prec.
func (p *parser) binary(prec int) (Expr, int) {
	x, depth := p.primary()
	for {
		t := p.peek()
		op, ok := operator(t)
		if !ok || op.prec() < prec {
			return x, depth
		}
		p.next()
		y, yDepth := p.binary(op.prec() + 1)
		x = &Binary{Op: op, X: x, Y: y}
		if depth = 1 + max(depth, yDepth); depth > MaxDepth {
			p.fail(t, "expression of more than %d levels", MaxDepth)
		}
		if p.err != nil {
			return nil, 0
		}
	}
}

func operator(t token) (Op, bool) {
	if t.kind == tokOp {
		for i, name := range opNames {
			if name == t.text {
				return Op(i), true
			}
		}
	}
	return 0, false
}

func (p *parser) primary() (Expr, int) {
	if p.depth++; p.depth > MaxDepth {
		p.fail(p.peek(), "expression of more than %d levels", MaxDepth)
	}
	defer func() { p.depth-- }()
	e, depth := p.operand()
	if p.err != nil {
		return nil, 0
	}
	return e, depth
}

func (p *parser) operand() (Expr, int) {
	t := p.peek()
	switch {
	case t.kind == tokNumber, p.is("-"):
		return p.constOperand(), 1
	case t.kind == tokSym:
		p.next()
		e := &Sym{ID: p.number(t, "symbol", MaxSyms-1)}
		e.T = p.suffix()
		return e, 1
	case p.isCall():
		return p.call()
	case t.kind == tokLocal, t.kind == tokGlobal:
		place, depth := p.place()
		if p.err != nil {
			return nil, 0
		}
		if _, ok := place.Type().(Int); !ok {
			p.fail(t, "%s has too few indices", t)
		}
		return &Load{place}, depth
	case p.skip("("):
		e, depth := p.expr()
		p.want(")")
		return e, depth
	case p.skip("checksum"):
		return p.checksum(), 1
	}
	if typ, ok := intNamed(t.text); ok && t.kind == tokIdent {
		p.next()
		p.want("(")
		e, depth := p.expr()
		p.want(")")
		return &Convert{T: typ, X: e}, depth + 1
	}
	p.fail(t, "expected an operand, found %s", t)
	return nil, 0
}

// isCall reports whether the name of a function and a parenthesis come next.
func (p *parser) isCall() bool {
	if p.peek().kind != tokGlobal {
		return false
	}
	after := p.toks[p.at+1]
	return after.kind == tokOp && after.text == "("
}

func (p *parser) call() (Expr, int) {
	name := p.next()
	e := &Call{Func: p.funcs[name.text]}
	if e.Func == nil {
		p.fail(name, "no function is named %s", name)
	}
	p.want("(")
	depth := 0
	for comma := false; p.err == nil && !p.skip(")"); comma = true {
		if comma {
			p.want(",")
		}
		arg, d := p.expr()
		e.Args = append(e.Args, arg)
		depth = max(depth, d)
	}
	return e, depth + 1
}

func (p *parser) constOperand() Expr {
	start := p.peek()
	sign := ""
	if p.skip("-") {
		sign = "-"
	}
	n := p.wantKind(tokNumber, "a constant")
	c := &Const{T: p.suffix()}
	p.consts = append(p.consts, pending{c, sign + n.text, start})
	return c
}

// suffix reads the type that may follow a constant or symbol, and returns the
// zero Int if there is none.
func (p *parser) suffix() Int {
	if p.skip(":") {
		return p.intType()
	}
	return Int{}
}

func (p *parser) checksum() Expr {
	e := new(Checksum)
	p.want("(")
	for comma := false; p.err == nil && !p.skip(")"); comma = true {
		if comma {
			p.want(",")
		}
		e.Of = append(e.Of, p.variable())
	}
	return e
}

// variable reads the name of a variable that has been declared.
func (p *parser) variable() *Var {
	t := p.next()
	if t.kind != tokLocal && t.kind != tokGlobal {
		p.fail(t, "expected a variable, found %s", t)
		return nil
	}
	v := p.vars[p.text[t.pos:][:1+len(t.text)]]
	if v == nil {
		p.fail(t, "variable %s is not declared", t)
	}
	return v
}

// place reads a variable and its indices.
func (p *parser) place() (Place, int) {
	at := p.peek()
	v := p.variable()
	if v == nil {
		return nil, 0
	}
	var place Place = &VarRef{v}
	depth := 1
	for p.skip("[") {
		if _, ok := place.Type().(Array); !ok {
			p.fail(at, "%s has too many indices", at)
		}
		index, d := p.expr()
		p.want("]")
		if p.err != nil {
			return nil, 0
		}
		place = &Elem{Base: place, Index: index}
		depth = 1 + max(depth, d)
	}
	return place, depth
}
