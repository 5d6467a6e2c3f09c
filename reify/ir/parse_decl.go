package ir

// An initialiser of a variable with pointers is read after all declarations: it
// may name variables that are declared later.
type initialiser struct {
	v  *Var
	at int // index of its first token
}

func (p *parser) decls() {
	for !p.isLabel() && !p.is("}") && p.err == nil {
		if len(p.vars) == len(p.fn.Params()) && (p.is("struct") || p.is("union") || p.is("cast")) {
			p.record()
			p.endLine()
			continue
		}
		constant, volatile := p.skip("const"), p.skip("volatile")
		t := p.next()
		kind := Kind(-1)
		for k := Local; k <= Static; k++ {
			if t.kind == tokIdent && t.text == k.String() {
				kind = k
			}
		}
		if kind < 0 {
			p.fail(t, "expected a declaration or a label, found %s", t)
			return
		}
		p.declare(kind, constant, volatile)
		p.endLine()
	}
	p.wantRecords()
	end := p.at
	for _, i := range p.inits {
		if p.err != nil {
			return
		}
		p.at = i.at
		p.init(i.v)
		if t := p.peek(); t.kind != tokNewline && t.kind != tokEOF {
			p.fail(t, "expected end of line, found %s", t)
		}
	}
	if p.err == nil {
		p.at = end
	}
}

// declare reads a declaration from the variable's name on.
func (p *parser) declare(kind Kind, constant, volatile bool) {
	v := &Var{Kind: kind, Const: constant, Volatile: volatile, Index: len(p.fn.Vars)}
	name := p.next()
	if v.Name = name.text; name.kind != tokLocal && name.kind != tokGlobal || v.sigil() != p.text[name.pos:][:1] {
		p.fail(name, "expected %s and the name of a %s, found %s", v.sigil(), kind, name)
		return
	}
	if p.vars[v.String()] != nil {
		p.fail(name, "variable %s is declared twice", name)
		return
	}
	v.Type = p.typ()
	if p.err != nil {
		return
	}
	if _, ok := v.Type.(Int); kind == Param && !ok {
		p.fail(name, "parameter %s is not an integer", name)
		return
	}
	if p.scalars += p.sizes.of(v.Type).cells; p.scalars > MaxScalars {
		p.fail(name, "the variables hold more than %d scalars", MaxScalars)
		return
	}
	p.vars[v.String()] = v
	p.fn.Vars = append(p.fn.Vars, v)
	if kind == Param || !p.skip("=") {
		return
	}
	if !p.sizes.of(v.Type).pointers {
		p.init(v)
		return
	}
	p.inits = append(p.inits, initialiser{v, p.at})
	p.skipInit()
}

// skipInit steps over an initialiser: a list in braces, or all to the end of
// the line.
func (p *parser) skipInit() {
	nested := 0
	for {
		switch t := p.peek(); {
		case t.kind == tokEOF, nested == 0 && t.kind == tokNewline:
			return
		case p.is("{"):
			nested++
		case p.is("}"):
			nested--
		}
		p.next()
	}
}

// init reads an initialiser: one value for a scalar, a list in braces for all
// else. Check compares the lengths, and says what the values may be.
func (p *parser) init(v *Var) {
	pointers := p.sizes.of(v.Type).pointers
	cells := []cell{{t: v.Type}}
	value := func() {
		e, ptr := p.initValue(v.Kind, cells[len(v.Init)%len(cells)])
		v.Init = append(v.Init, e)
		if pointers {
			v.Ptrs = append(v.Ptrs, ptr)
		}
	}
	if isScalar(v.Type) {
		value()
		return
	}
	cells = cellsOf(v.Type, MaxScalars)
	p.want("{")
	p.skipNewline()
	value()
	for p.err == nil && p.skip(",") {
		p.skipNewline()
		value()
	}
	p.skipNewline()
	p.want("}")
}

func (p *parser) initValue(kind Kind, c cell) (Expr, Expr) {
	t := p.peek()
	if c.hidden {
		p.want("_")
		return nil, nil
	}
	want := I32
	switch u := c.t.(type) {
	case Pointer:
		if p.is("null") && p.toks[p.at+1].text != ":" {
			p.next()
			return nil, nil
		}
		n, _ := p.expr()
		ptr := p.as(t, n, Pointers)
		p.settle(ptr, I32)
		return nil, ptr
	case Int:
		want = u
	}
	leaf := t.kind == tokNumber || t.kind == tokSym || p.is("-")
	if kind == Local && (leaf || t.kind == tokIdent || p.isCall() || p.is("(") || p.is("~") || p.is("!")) {
		return p.settled(want), nil
	}
	if !leaf {
		p.fail(t, "expected a constant or a symbol, found %s", t)
		return nil, nil
	}
	n, _ := p.leaf()
	e := p.as(t, n, Integers)
	p.settle(e, want)
	return e, nil
}
