package ir

import (
	"fmt"
	"strconv"
)

// Bounds on what Parse and Check accept, so that no text makes them, or those
// who work on the result, run out of memory or stack.
const (
	MaxScalars = 1 << 20 // in all variables of a function together
	MaxSyms    = 1 << 20 // symbols of a function
	MaxDepth   = 500     // of an expression, and dimensions of an array
)

// A SyntaxError says what is wrong with a text, and where. Line and Col count
// from 1, Col in bytes.
type SyntaxError struct {
	Line, Col int
	Msg       string
}

// Error returns the error as "line:col: message".
func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Msg) }

// Parse reads the text form of a program. A line ends a declaration, a
// statement or a case, and // begins a comment. The error is a *SyntaxError.
//
// Parse resolves names and infers the types of constants, and accepts nothing
// that String would not print as it was read. Whether the program is valid
// otherwise is for Check to say.
func Parse(text string) (*Program, error) {
	toks, err := lex(text)
	if err != nil {
		return nil, err
	}
	p := &parser{text: text, toks: toks, funcs: map[string]*Function{}}
	prog := p.program()
	if p.err != nil {
		return nil, p.err
	}
	return prog, nil
}

// MustParse is Parse for texts that are part of the program, such as those of
// tests. It panics if the text does not parse.
func MustParse(text string) *Program {
	p, err := Parse(text)
	if err != nil {
		panic("ir: " + err.Error())
	}
	return p
}

// A parser reads tokens. After the first error every token is tokEOF, so that
// all loops come to an end and what follows the error is not reported.
type parser struct {
	text string
	toks []token
	at   int
	err  *SyntaxError

	funcs map[string]*Function

	// Of the function being read.
	fn      *Function
	vars    map[string]*Var // by name with sigil
	scalars int             // in all variables so far
	blocks  map[string]*Block
	jumps   []jump // to be resolved at the end of the function

	// Of the expression being read.
	depth  int
	consts []pending
}

// A jump is a branch target whose block may come later.
type jump struct {
	to   **Block
	name token
}

func (p *parser) fail(at token, format string, args ...any) {
	if p.err == nil {
		p.err = errorAt(p.text, at.pos, fmt.Sprintf(format, args...))
		p.at = len(p.toks) - 1
	}
}

func (p *parser) peek() token { return p.toks[p.at] }

// next returns the next token and steps over it, but never past tokEOF.
func (p *parser) next() token {
	t := p.toks[p.at]
	if t.kind != tokEOF {
		p.at++
	}
	return t
}

// is reports whether the next token is the operator or word text.
func (p *parser) is(text string) bool {
	t := p.peek()
	return (t.kind == tokOp || t.kind == tokIdent) && t.text == text
}

// skip steps over the operator or word text if it comes next.
func (p *parser) skip(text string) bool {
	ok := p.is(text)
	if ok {
		p.next()
	}
	return ok
}

func (p *parser) want(text string) {
	if t := p.peek(); !p.skip(text) {
		p.fail(t, "expected %q, found %s", text, t)
	}
}

func (p *parser) wantKind(kind tokenKind, what string) token {
	t := p.next()
	if t.kind != kind {
		p.fail(t, "expected %s, found %s", what, t)
	}
	return t
}

// endLine steps over the end of a line, which the end of the text is, too.
func (p *parser) endLine() {
	if t := p.next(); t.kind != tokNewline && t.kind != tokEOF {
		p.fail(t, "expected end of line, found %s", t)
	}
}

// isLabel reports whether a label comes next.
func (p *parser) isLabel() bool {
	if p.peek().kind != tokIdent {
		return false
	}
	after := p.toks[p.at+1]
	return after.kind == tokOp && after.text == ":"
}

func (p *parser) program() *Program {
	prog := new(Program)
	for p.peek().kind != tokEOF {
		switch {
		case p.is("func"):
			prog.Funcs = append(prog.Funcs, p.function())
		case p.is("case"):
			prog.Cases = append(prog.Cases, p.caseLine())
		default:
			p.fail(p.peek(), `expected "func" or "case", found %s`, p.peek())
		}
	}
	return prog
}

func (p *parser) function() *Function {
	f := new(Function)
	p.fn, p.vars, p.blocks = f, map[string]*Var{}, map[string]*Block{}
	p.scalars, p.jumps = 0, nil

	p.want("func")
	name := p.wantKind(tokGlobal, "@ and the function's name")
	f.Name = name.text
	if p.funcs[f.Name] != nil {
		p.fail(name, "function @%s is declared twice", f.Name)
	}
	p.funcs[f.Name] = f
	p.want("(")
	for comma := false; p.err == nil && !p.skip(")"); comma = true {
		if comma {
			p.want(",")
		}
		p.declare(Param, p.skip("volatile"))
	}
	f.Result = p.intType()
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
		p.fail(name, "%s is declared twice", v)
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
		v.Init = p.init(v.Type)
	}
}

// init reads an initialiser: one value for a scalar, a list in braces for an
// array. Check compares the lengths.
func (p *parser) init(t Type) []Expr {
	want := Scalar(t)
	if _, ok := t.(Int); ok {
		return []Expr{p.initValue(want)}
	}
	p.want("{")
	p.skipNewline()
	list := []Expr{p.initValue(want)}
	for p.skip(",") {
		p.skipNewline()
		list = append(list, p.initValue(want))
	}
	p.skipNewline()
	p.want("}")
	return list
}

func (p *parser) initValue(want Int) Expr {
	t := p.peek()
	if t.kind != tokNumber && t.kind != tokSym && !p.is("-") {
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
		p.fail(at, "%s is an array", dst)
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
func intNamed(name string) (Int, bool) {
	for _, t := range [...]Int{I8, I16, I32, I64, U8, U16, U32, U64} {
		if t.String() == name {
			return t, true
		}
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

func (p *parser) caseLine() *Case {
	c := new(Case)
	p.want("case")
	name := p.wantKind(tokIdent, "a function's name")
	f := p.funcs[name.text]
	if f == nil {
		p.fail(name, "no function is named %s", name)
		return c
	}
	c.Func = f
	p.want("(")
	for i, v := range f.Params() {
		if i > 0 {
			p.want(",")
		}
		p.want(v.Name)
		p.want("=")
		c.Args = append(c.Args, p.value(Scalar(v.Type)))
	}
	p.want(")")
	p.want("=")
	c.Want = p.value(f.Result)
	p.want("path")
	index := make(map[string]int, len(f.Blocks))
	for _, b := range f.Blocks {
		index[b.Name] = b.Index
	}
	for p.peek().kind == tokIdent {
		t := p.next()
		i, ok := index[t.text]
		if !ok {
			p.fail(t, "@%s has no block labelled %s", f.Name, t)
		}
		c.Path = append(c.Path, i)
	}
	p.endLine()
	return c
}

// value reads a constant of type t.
func (p *parser) value(t Int) int64 {
	start := p.peek()
	sign := ""
	if p.skip("-") {
		sign = "-"
	}
	n := p.wantKind(tokNumber, "a constant")
	return p.constant(start, sign+n.text, t)
}

// constant returns the value of text, which stands at the token at.
func (p *parser) constant(at token, text string, t Int) int64 {
	v, err := strconv.ParseInt(text, 10, 64)
	if t == U64 {
		var u uint64
		u, err = strconv.ParseUint(text, 10, 64)
		v = int64(u)
	}
	if p.err == nil && (err != nil || !t.Holds(v)) {
		p.fail(at, "%s does not fit %s", text, t)
	}
	return v
}
