package ir

import "strconv"

// heads reads the heads of all functions ahead of the rest, so that calls can
// come before their callees. Wrong heads are left for function to report.
func (p *parser) heads() {
	for i, t := range p.toks[:len(p.toks)-1] {
		begins := i == 0 || p.toks[i-1].kind == tokNewline
		if !begins || t.kind != tokIdent || t.text != "func" && t.text != foreignWord || p.toks[i+1].kind != tokGlobal {
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
	p.records, p.sizes, p.inits, p.allDeclared = map[string]*recordDecl{}, sizes{}, nil, false
	f.Vars = nil
	if !p.skip(foreignWord) {
		p.want("func")
	}
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
		p.declare(Param, p.skip("const"), p.skip("volatile"))
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
	for p.isStmt() {
		b.Stmts = append(b.Stmts, p.stmt())
		p.endLine()
	}
	b.Term = p.term()
	p.endLine()
}

func (p *parser) target(to **Block) {
	p.jumps = append(p.jumps, jump{to, p.wantKind(tokIdent, "a label")})
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
