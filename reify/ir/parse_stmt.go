package ir

// isStmt reports whether a statement comes next.
func (p *parser) isStmt() bool {
	if k := p.peek().kind; k == tokLocal || k == tokGlobal {
		return true
	}
	for _, start := range []string{"*", "(", "unreachable", "assume", "cast", "null", "memcpy", "memmove", "memset"} {
		if p.is(start) {
			return true
		}
	}
	return false
}

func (p *parser) stmt() Stmt {
	switch {
	case p.skip("assume"):
		return &Assume{Cond: p.settled(I32)}
	case p.skip("unreachable"):
		if p.skip("unless") {
			return &Assume{Cond: p.settled(I32), Guard: true}
		}
		return new(Unreachable)
	}
	for _, name := range []string{"memcpy", "memmove", "memset"} {
		if p.skip(name) {
			return p.bytes(name)
		}
	}
	at := p.peek()
	dst := p.place()
	if p.err != nil {
		return nil
	}
	if p.skip(",") {
		return p.overflow(at, dst)
	}
	p.settle(dst, I32)
	if _, ok := dst.Type().(Array); ok {
		p.fail(at, "%s has too few indices", at)
		return nil
	}
	p.want("=")
	if want, ok := dst.Type().(Int); ok {
		return &Assign{Dst: dst, Src: p.settled(want)}
	}
	start := p.peek()
	n, _ := p.expr()
	if p.err != nil {
		return nil
	}
	s := &Assign{Dst: dst}
	if _, ok := dst.Type().(*Record); !ok {
		s.Src = p.as(start, n, familyOfType(dst.Type()))
		p.settle(s.Src, I32)
		return s
	}
	src, _ := n.(Place)
	if src == nil {
		p.fail(start, "expected a record, found %s", describe(n))
	} else if _, ok := src.Type().(*Record); !ok {
		p.fail(start, "%s is not a record", start)
	}
	s.Src = &Load{src}
	p.settle(src, I32)
	return s
}

// overflow reads an Overflow from its second destination on.
func (p *parser) overflow(at token, flag Place) Stmt {
	p.settle(flag, I32)
	s := &Overflow{Flag: flag, Dst: p.place()}
	if p.err != nil {
		return nil
	}
	p.settle(s.Dst, I32)
	for _, dst := range []Place{s.Flag, s.Dst} {
		if _, ok := dst.Type().(Int); !ok {
			p.fail(at, "the destinations of an overflow are integers")
		}
	}
	p.want("=")
	name := p.peek()
	known := false
	for fn := AddOverflows; fn <= MulOverflows && !known; fn++ {
		s.Op, known = fn.Overflows()
		known = known && p.skip(fn.String())
	}
	if !known {
		p.fail(name, "expected add_overflow, sub_overflow or mul_overflow, found %s", name)
		return nil
	}
	p.want("(")
	s.X = p.settled(wantedOperand(s.Dst))
	p.want(",")
	s.Y = p.settled(wantedOperand(s.Dst))
	p.want(")")
	return s
}

// bytes reads the arguments of a function of C on bytes.
func (p *parser) bytes(name string) Stmt {
	p.want("(")
	dst := p.pointed()
	p.want(",")
	var src Expr
	var value Expr
	if name == "memset" {
		value = p.settled(I32)
	} else {
		src = p.pointed()
	}
	p.want(",")
	n := p.settled(I32)
	p.want(")")
	if name == "memset" {
		return &Fill{dst, value, n}
	}
	return &Transfer{name == "memmove", dst, src, n}
}

// pointed reads a pointer.
func (p *parser) pointed() Expr {
	e, _ := p.operandOf(Pointers)
	p.settle(e, I32)
	return e
}

func (p *parser) term() Term {
	t := p.peek()
	switch {
	case p.skip("goto"):
		g := new(Goto)
		p.target(&g.To)
		return g
	case p.skip("if"):
		g := &If{Cond: p.settled(I32)}
		p.want("goto")
		p.target(&g.Then)
		p.want("else")
		p.target(&g.Else)
		return g
	case p.skip("switch"):
		return p.switchTerm()
	case p.skip("return"):
		return &Return{Val: p.settled(p.fn.Result)}
	}
	p.fail(t, "expected a statement, goto, if, switch or return, found %s", t)
	return nil
}

func (p *parser) switchTerm() Term {
	s := &Switch{X: p.settled(I32)}
	p.want("{")
	p.skipNewline()
	var want Int
	if p.err == nil {
		want = chainType(s.X, I32)
	}
	targets := []token{}
	for p.err == nil && !p.is("else") {
		c := SwitchCase{Lo: p.label(want)}
		if p.skip("..") {
			c.Hi = p.label(want)
		}
		p.want(":")
		targets = append(targets, p.wantKind(tokIdent, "a label"))
		s.Cases = append(s.Cases, c)
		p.want(",")
		p.skipNewline()
	}
	p.want("else")
	p.target(&s.Default)
	p.skipNewline()
	p.want("}")
	for i := range s.Cases {
		if i < len(targets) {
			p.jumps = append(p.jumps, jump{&s.Cases[i].To, targets[i]})
		}
	}
	return s
}

// label reads a constant or symbol that stands for a value of type want.
func (p *parser) label(want Int) Expr {
	t := p.peek()
	if t.kind != tokNumber && t.kind != tokSym && !p.isNegative() {
		p.fail(t, "expected a constant or a symbol, found %s", t)
		return nil
	}
	n, _ := p.leaf()
	e := p.as(t, n, Integers)
	p.settle(e, want)
	return e
}
