package ir

import "strconv"

// heads reads the heads of all functions ahead of the rest, so that calls can
// come before their callees. Wrong heads are left for function to report.
func (p *parser) heads() {
	for i, t := range p.toks[:len(p.toks)-1] {
		begins := i == 0 || p.toks[i-1].kind == tokNewline
		if !begins || t.kind != tokIdent || t.text != "func" || p.toks[i+1].kind != tokGlobal {
			continue
		}
		p.at = i
		name := p.toks[i+1].text
		if f := p.head(new(Function)); p.err == nil && p.funcs[name] == nil {
			p.funcs[name] = f
		}
		p.err = nil
	}
	p.at = 0
}

// head reads a function up to its result type into f.
func (p *parser) head(f *Function) *Function {
	p.fn, p.vars, p.scalars = f, map[string]*Var{}, 0
	f.Vars = nil
	p.want("func")
	name := p.wantKind(tokGlobal, "@ and the function's name")
	f.Name = name.text
	if p.defined[f.Name] {
		p.fail(name, "function @%s is declared twice", f.Name)
	}
	p.want("(")
	for comma := false; p.err == nil && !p.skip(")"); comma = true {
		if comma {
			p.want(",")
		}
		p.declare(Param, p.skip("volatile"))
	}
	f.Result = p.intType()
	return f
}

func (p *parser) function() *Function {
	f := p.funcs[p.toks[min(p.at+1, len(p.toks)-1)].text]
	if f == nil || p.defined[f.Name] {
		f = new(Function) // there is an error in the head
	}
	p.blocks, p.jumps = map[string]*Block{}, nil
	p.head(f)
	p.defined[f.Name] = true
	syms := p.peek()
	explicit := p.skip("syms")
	if explicit {
		f.Syms = p.count("number of symbols", MaxSyms)
	}
	p.want("{")
	p.endLine()
	p.decls()
	for p.isLabel() {
		p.block()
	}
	end := p.peek()
	p.want("}")
	p.endLine()

	for _, j := range p.jumps {
		if *j.to = p.blocks[j.name.text]; *j.to == nil {
			p.fail(j.name, "no block is labelled %s", j.name)
		}
	}
	if p.err != nil {
		return f
	}
	used := symsUsed(f)
	if !explicit {
		f.Syms = used
	} else if f.Syms < used {
		p.fail(syms, "the function has %d symbols and ?%d", f.Syms, used-1)
	}
	if len(f.Blocks) == 0 {
		p.fail(end, "function @%s has no blocks", f.Name)
	}
	return f
}

func (p *parser) decls() {
	for !p.isLabel() && !p.is("}") && p.err == nil {
		volatile := p.skip("volatile")
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
		p.declare(kind, volatile)
		p.endLine()
	}
}

// declare reads a declaration from the variable's name on.
func (p *parser) declare(kind Kind, volatile bool) {
	v := &Var{Kind: kind, Volatile: volatile, Index: len(p.fn.Vars)}
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
	if p.scalars += Count(v.Type); p.scalars > MaxScalars {
		p.fail(name, "the variables hold more than %d scalars", MaxScalars)
		return
	}
	p.vars[v.String()] = v
	p.fn.Vars = append(p.fn.Vars, v)
	if kind != Param && p.skip("=") {
		v.Init = p.init(kind, v.Type)
	}
}

// init reads an initialiser: one value for a scalar, a list in braces for an
// array. Check compares the lengths, and says what the values of a local may
// be.
func (p *parser) init(kind Kind, t Type) []Expr {
	want := Scalar(t)
	if _, ok := t.(Int); ok {
		return []Expr{p.initValue(kind, want)}
	}
	p.want("{")
	p.skipNewline()
	list := []Expr{p.initValue(kind, want)}
	for p.skip(",") {
		p.skipNewline()
		list = append(list, p.initValue(kind, want))
	}
	p.skipNewline()
	p.want("}")
	return list
}

func (p *parser) initValue(kind Kind, want Int) Expr {
	t := p.peek()
	leaf := t.kind == tokNumber || t.kind == tokSym || p.is("-")
	if _, convert := intNamed(t.text); kind == Local && (leaf || convert || p.isCall() || p.is("(")) {
		return p.settled(want)
	}
	if !leaf {
		p.fail(t, "expected a constant or a symbol, found %s", t)
	}
	e, _ := p.primary()
	p.settle(e, want)
	return e
}

func (p *parser) skipNewline() {
	if p.peek().kind == tokNewline {
		p.next()
	}
}

func (p *parser) block() {
	label := p.next()
	p.want(":")
	p.endLine()
	b := &Block{Name: label.text, Index: len(p.fn.Blocks)}
	if p.blocks[b.Name] != nil {
		p.fail(label, "label %s is defined twice", label)
	}
	p.blocks[b.Name] = b
	p.fn.Blocks = append(p.fn.Blocks, b)
	for k := p.peek().kind; k == tokLocal || k == tokGlobal; k = p.peek().kind {
		b.Stmts = append(b.Stmts, p.assign())
		p.endLine()
	}
	b.Term = p.term()
	p.endLine()
}

func (p *parser) assign() Stmt {
	at := p.peek()
	dst, _ := p.place()
	if p.err != nil {
		return nil
	}
	want, ok := dst.Type().(Int)
	if !ok {
		p.fail(at, "%s has too few indices", at)
		return nil
	}
	p.settle(&Load{dst}, want)
	p.want("=")
	return &Assign{Dst: dst, Src: p.settled(want)}
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
	case p.skip("return"):
		return &Return{Val: p.settled(p.fn.Result)}
	}
	p.fail(t, "expected a statement, goto, if or return, found %s", t)
	return nil
}

func (p *parser) target(to **Block) {
	p.jumps = append(p.jumps, jump{to, p.wantKind(tokIdent, "a label")})
}

func (p *parser) typ() Type {
	var dims []int
	scalars := 1
	for t := p.peek(); p.skip("["); t = p.peek() {
		n := p.count("array length", MaxScalars)
		p.want("]")
		if p.err == nil && n == 0 {
			p.fail(t, "array of length 0")
		}
		if scalars *= n; scalars > MaxScalars {
			p.fail(t, "array of more than %d scalars", MaxScalars)
		}
		if dims = append(dims, n); len(dims) > MaxDepth {
			p.fail(t, "array of more than %d dimensions", MaxDepth)
		}
	}
	var t Type = p.intType()
	for i := len(dims) - 1; i >= 0; i-- {
		t = Array{t, dims[i]}
	}
	return t
}

func (p *parser) intType() Int {
	t := p.next()
	typ, ok := intNamed(t.text)
	if t.kind != tokIdent || !ok {
		p.fail(t, "expected an integer type, found %s", t)
	}
	return typ
}

// intNamed returns the type of a name such as "u8".
func intNamed(name string) (t Int, ok bool) {
	switch name {
	case "i8":
		return I8, true
	case "i16":
		return I16, true
	case "i32":
		return I32, true
	case "i64":
		return I64, true
	case "u8":
		return U8, true
	case "u16":
		return U16, true
	case "u32":
		return U32, true
	case "u64":
		return U64, true
	}
	return Int{}, false
}

// count reads a number from 0 to limit.
func (p *parser) count(what string, limit int) int {
	t := p.wantKind(tokNumber, "a "+what)
	return p.number(t, what, limit)
}

// number returns the value of the digits of t.
func (p *parser) number(t token, what string, limit int) int {
	n, err := strconv.Atoi(t.text)
	if p.err == nil && (err != nil || n > limit) {
		p.fail(t, "%s %s is over %d", what, t.text, limit)
	}
	return n
}
