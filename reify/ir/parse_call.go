package ir

// isCall reports whether the name of a function and a parenthesis come next.
func (p *parser) isCall() bool {
	if p.peek().kind != tokGlobal {
		return false
	}
	after := p.toks[p.at+1]
	return after.kind == tokOp && after.text == "("
}

func (p *parser) call() (node, int) {
	name := p.next()
	e := &Call{Func: p.funcs[name.text]}
	if e.Func == nil {
		p.fail(name, "no function is named %s", name)
	}
	args, depth := p.args("(", ")", Integers)
	e.Args = args
	return p.grown(name, e, depth)
}

// args reads a list of expressions of a family between open and end.
func (p *parser) args(open, end string, of Family) (list []Expr, depth int) {
	p.list(open, end, func() {
		e, d := p.operandOf(of)
		list = append(list, e)
		depth = max(depth, d)
	})
	return list, depth
}

// list reads a list with commas between open and end, an item by each call of
// item.
func (p *parser) list(open, end string, item func()) {
	p.want(open)
	for comma := false; p.err == nil && !p.skip(end); comma = true {
		if comma {
			p.want(",")
		}
		item()
	}
}

// operandOf reads an expression of a family.
func (p *parser) operandOf(want Family) (Expr, int) {
	at := p.peek()
	n, depth := p.expr()
	return p.as(at, n, want), depth
}

// named reads an operand that begins with a word: a conversion, a builtin function, or
// one of the words of the text form.
func (p *parser) named() (node, int) {
	t := p.next()
	if isTypeName(t.text) {
		return p.conversion(t)
	}
	for fn := range numFns {
		if fn.String() == t.text {
			of := Integers
			if _, ok := fn.Overflows(); ok {
				of = Wides
			}
			args, depth := p.args("(", ")", of)
			if p.err == nil && len(args) != fn.Arity() {
				p.fail(t, "%s takes %d arguments, not %d", t, fn.Arity(), len(args))
			}
			return p.grown(t, &Builtin{fn, args}, depth)
		}
	}
	switch t.text {
	case "checksum":
		return p.checksum(), 1
	case "null":
		p.want(":")
		return &Null{p.ptrType()}, 1
	case "cast":
		p.want("(")
		typ := p.ptrType()
		p.want(",")
		x, depth := p.operandOf(Pointers)
		p.want(")")
		return p.grown(t, &Cast{typ, x}, depth)
	case "convert", "bitcast":
		p.want("(")
		typ := p.vecType(t.text == "bitcast")
		p.want(",")
		x, depth := p.operandOf(Vectors)
		p.want(")")
		if t.text == "convert" {
			return p.grown(t, &Convert{typ, x}, depth)
		}
		return p.grown(t, &Cast{typ, x}, depth)
	case "call":
		p.want("(")
		x, depth := p.operandOf(Vectors)
		p.want(")")
		return p.grown(t, &VecCall{x}, depth)
	case "shuffle":
		return p.shuffle(t)
	}
	p.fail(t, "expected an operand, found %s", t)
	return nil, 0
}

// conversion reads the operand of a conversion to the type named t.
func (p *parser) conversion(t token) (node, int) {
	p.want("(")
	at := p.peek()
	n, depth := p.expr()
	n = p.loaded(at, n)
	p.want(")")
	if p.err != nil {
		return nil, 0
	}
	to := scalarNamed(t.text)
	if x, ok := n.(Expr); ok && converted(FamilyOf(x), familyOfType(to)) {
		return p.grown(t, &Convert{to, x}, depth)
	}
	p.fail(at, "%s is converted to %s", describe(n), t.text)
	return nil, 0
}

// converted reports whether scalars of one family are converted to another by Convert.
func converted(from, to Family) bool {
	switch from {
	case Integers:
		return to == Integers || to == Floats || to == Wides
	case Floats:
		return to == Integers || to == Floats
	case Wides:
		return to == Integers || to == Wides
	}
	return false
}

func (p *parser) checksum() Expr {
	e := new(Checksum)
	p.list("(", ")", func() { e.Of = append(e.Of, p.variable()) })
	return e
}

// vecOf reads a vector and its lanes.
func (p *parser) vecOf() (node, int) {
	t := p.peek()
	typ := p.vecType(false)
	lanes, depth := p.args("{", "}", Integers)
	return p.grown(t, &VecOf{typ, lanes}, depth)
}

func (p *parser) shuffle(t token) (node, int) {
	p.want("(")
	x, depth := p.operandOf(Vectors)
	p.want(",")
	y, d := p.operandOf(Vectors)
	e := &Shuffle{X: x, Y: y}
	for p.err == nil && p.skip(",") {
		sign := 1
		if p.skip("-") {
			sign = -1
		}
		e.Index = append(e.Index, sign*p.count("lane", 2*64-1))
	}
	p.want(")")
	return p.grown(t, e, max(depth, d))
}
