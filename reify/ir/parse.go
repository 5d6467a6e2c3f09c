package ir

import (
	"fmt"
	"strconv"
)

// Bounds on the texts that Parse and Check accept, so that neither they nor users of
// the result run out of memory or stack.
const (
	MaxScalars = 1 << 20 // in all variables of a function together
	MaxSyms    = 1 << 20 // symbols of a function
	MaxDepth   = 500     // of an expression, and of a type
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
	p := &parser{text: text, toks: toks, funcs: map[string]*Function{}, defined: map[string]bool{}}
	p.heads()
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

// A parser reads tokens. After the first error every token is tokEOF, so that all loops
// come to an end and errors that follow are not reported.
type parser struct {
	text string
	toks []token
	at   int
	err  *SyntaxError

	funcs   map[string]*Function // all whose heads can be read
	defined map[string]bool      // those read so far

	// Of the function being read.
	fn      *Function
	records map[string]*recordDecl
	sizes   sizes
	// Whether all declarations have been read, so that no record can follow.
	allDeclared bool
	vars        map[string]*Var // by name with sigil
	scalars     int             // in all variables so far
	inits       []initialiser   // to be read when all variables are known
	blocks      map[string]*Block
	jumps       []jump // to be resolved at the end of the function

	// Of the expression being read.
	depth  int // of the operands that are being read
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
		case p.is(foreignWord):
			prog.Funcs = append(prog.Funcs, p.foreign())
		case p.is("case"):
			prog.Claims = append(prog.Claims, p.caseLine())
		default:
			p.fail(p.peek(), `expected "func", "foreign" or "case", found %s`, p.peek())
		}
	}
	return prog
}

func (p *parser) caseLine() *Claim {
	c := new(Claim)
	p.want("case")
	name := p.wantKind(tokIdent, "a function's name")
	f := p.funcs[name.text]
	if f == nil || !p.defined[name.text] {
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
		c.Args = append(c.Args, p.value(paramInt(v)))
	}
	p.want(")")
	p.end(c)
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
