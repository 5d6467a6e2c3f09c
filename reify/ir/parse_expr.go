package ir

import (
	"math"
	"strconv"
)

// A node is the result of reading a piece of an expression: a Place or an Expr.
type node interface{ String() string }

// The functions below return a node and its depth. They return nil after an
// error.

// expr reads a whole expression or place.
func (p *parser) expr() (node, int) {
	start := p.peek()
	x, depth := p.binary(1)
	t := p.peek()
	if !p.skip("?") {
		return x, depth
	}
	if p.depth++; p.depth > maxNesting {
		p.failDepth(t)
	}
	defer func() { p.depth-- }()
	cond := p.as(start, x, Integers)
	first := p.peek()
	x, dx := p.expr()
	x = p.loaded(first, x)
	p.want(":")
	of := Integers
	if e, ok := x.(Expr); ok && (FamilyOf(e) == Pointers || FamilyOf(e) == Wides) {
		of = FamilyOf(e)
	}
	one := p.as(first, x, of)
	other, dy := p.operandOf(of)
	return p.grown(t, &Select{If: cond, X: one, Y: other}, max(depth, dx, dy))
}

// grown returns n, which stands at t and is one level deeper than depth.
func (p *parser) grown(t token, n node, depth int) (node, int) {
	if depth >= MaxDepth {
		p.failDepth(t)
	}
	if p.err != nil {
		return nil, 0
	}
	return n, depth + 1
}

func (p *parser) failDepth(t token) { p.fail(t, "expression of more than %d levels", MaxDepth) }

// binary reads operands and operators that bind at least as tightly as prec.
func (p *parser) binary(prec int) (node, int) {
	start := p.peek()
	x, depth := p.unary()
	for {
		t := p.peek()
		op, ok := operator(t)
		if !ok || op.prec() < prec {
			return x, depth
		}
		p.next()
		second := p.peek()
		y, yDepth := p.binary(op.prec() + 1)
		x = p.combine(t, op, p.loaded(start, x), p.loaded(second, y))
		x, depth = p.grown(t, x, max(depth, yDepth))
		if p.err != nil {
			return nil, 0
		}
	}
}

// combine returns the node of op, which stands at t, and its operands.
func (p *parser) combine(t token, op Op, x, y node) node {
	if p.err != nil {
		return nil
	}
	if x, ok := x.(Expr); ok {
		if y, ok := y.(Expr); ok {
			if e := combined(op, x, y); e != nil {
				return e
			}
		}
	}
	p.fail(t, "operands of %s are %s and %s", op, describe(x), describe(y))
	return nil
}

// combined returns the node of op and its operands, or nil if there is none for their families.
func combined(op Op, x, y Expr) Expr {
	switch of, second := FamilyOf(x), FamilyOf(y); {
	case of == Pointers && second == Integers && op == Add:
		return &PtrAdd{x, y}
	case of == second && op.On(of):
		return &Binary{op, x, y}
	}
	return nil
}

func operator(t token) (Op, bool) {
	if t.kind == tokOp {
		for op := range numOps {
			if opTable[op].name == t.text {
				return op, true
			}
		}
	}
	return 0, false
}

// maxNesting bounds the operands within operands that are being read, and so
// the stack. Parentheses make it larger than the depth of a tree.
const maxNesting = 4 * MaxDepth

// unary reads an operand with the operators before and after it.
func (p *parser) unary() (node, int) {
	if p.depth++; p.depth > maxNesting {
		p.failDepth(p.peek())
	}
	defer func() { p.depth-- }()
	n, depth := p.prefixed()
	if p.err != nil {
		return nil, 0
	}
	return n, depth
}

func (p *parser) prefixed() (node, int) {
	t := p.peek()
	if t.kind != tokOp {
		n, depth := p.primary()
		return p.postfix(t, n, depth)
	}
	for op := Neg; op < numUnOps; op++ {
		if t.text != unOpTable[op].name || p.isNegative() {
			continue
		}
		p.next()
		x, depth := p.operand()
		if x, ok := x.(Expr); ok {
			if op.On(FamilyOf(x)) {
				return p.grown(t, &Unary{op, x}, depth)
			}
		}
		p.fail(t, "operand of %s is %s", op, describe(x))
		return nil, 0
	}
	switch {
	case p.skip("*"):
		at := p.peek()
		x, depth := p.unary()
		return p.grown(t, &Deref{p.as(at, x, Pointers)}, depth)
	case p.skip("&"):
		at := p.peek()
		x, depth := p.unary()
		place, ok := x.(Place)
		if !ok {
			p.fail(at, "expected a place behind &")
		}
		return p.grown(t, &AddrOf{place}, depth)
	}
	n, depth := p.primary()
	return p.postfix(t, n, depth)
}

// operand reads the operand of a unary operator.
func (p *parser) operand() (node, int) {
	at := p.peek()
	x, depth := p.unary()
	return p.loaded(at, x), depth
}

// isNegative reports whether the sign of a constant comes next.
func (p *parser) isNegative() bool {
	if !p.is("-") {
		return false
	}
	after := p.toks[p.at+1].kind
	return after == tokNumber || after == tokFloat
}

// primary reads an operand that no operator belongs to.
func (p *parser) primary() (node, int) {
	t := p.peek()
	switch {
	case t.kind == tokNumber, t.kind == tokFloat, t.kind == tokSym, p.isNegative():
		return p.leaf()
	case p.isCall():
		return p.call()
	case t.kind == tokLocal, t.kind == tokGlobal:
		v := p.variable()
		if v == nil {
			return nil, 0
		}
		return &VarRef{v}, 1
	case p.skip("("):
		n, depth := p.expr()
		p.want(")")
		return n, depth
	case p.is("<"):
		return p.vecOf()
	case t.kind == tokIdent:
		return p.named()
	}
	p.fail(t, "expected an operand, found %s", t)
	return nil, 0
}

// leaf reads a constant or a symbol.
func (p *parser) leaf() (node, int) {
	t := p.peek()
	if t.kind == tokSym {
		p.next()
		e := &Sym{ID: p.number(t, "symbol", MaxSyms-1)}
		if u := p.suffix(); u.text != "" {
			e.T = p.intSuffix(u)
		}
		return e, 1
	}
	sign := ""
	if p.skip("-") {
		sign = "-"
	}
	n := p.next()
	if n.kind != tokNumber && n.kind != tokFloat {
		p.fail(n, "expected a constant, found %s", n)
		return nil, 0
	}
	u := p.suffix()
	if n.kind == tokFloat || u.text == "f32" || u.text == "f64" {
		return p.floatConst(t, sign+n.text, u), 1
	}
	c := new(Const)
	if u.text != "" {
		c.T = p.intSuffix(u)
	}
	p.consts = append(p.consts, pending{c, sign + n.text, t})
	return c, 1
}

// suffix reads the type that may follow a constant or symbol without a blank, and
// returns its name, or a token without text if no type follows.
func (p *parser) suffix() token {
	last, colon, name := p.toks[p.at-1], p.peek(), p.toks[min(p.at+1, len(p.toks)-1)]
	end := last.pos + len(last.text)
	if last.kind == tokSym {
		end++
	}
	if !p.is(":") || colon.pos != end || name.pos != end+1 || name.kind == tokNewline || name.kind == tokEOF {
		return token{}
	}
	p.next()
	return p.next()
}

func (p *parser) intSuffix(t token) Int {
	typ, ok := intNamed(t.text)
	if t.kind != tokIdent || !ok {
		p.fail(t, "expected an integer type, found %s", t)
	}
	return typ
}

// floatConst returns the constant text, which stands at the token at and has
// the given suffix.
func (p *parser) floatConst(at token, text string, suffix token) node {
	e := &FloatConst{T: F64}
	if suffix.text != "" {
		if suffix.text != "f32" && suffix.text != "f64" {
			p.fail(suffix, "expected a floating-point type, found %s", suffix)
			return nil
		}
		e.T = floatNamed(suffix.text)
	}
	var err error
	e.V, err = strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(e.V, 0) {
		p.fail(at, "%s does not fit %s", text, e.T)
		return nil
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

// postfix reads the indices and members of n, which stands at the token at.
func (p *parser) postfix(at token, n node, depth int) (node, int) {
	for p.err == nil {
		t := p.peek()
		switch {
		case p.skip("["):
			place, ok := n.(Place)
			if ok {
				switch place.Type().(type) {
				case Array, Vector:
				default:
					ok = false
				}
			}
			if !ok {
				p.fail(at, "%s has too many indices", at)
				return nil, 0
			}
			index, d := p.operandOf(Integers)
			p.want("]")
			n, depth = p.grown(at, &Elem{Base: place, Index: index}, max(depth, d))
		case p.skip("."):
			place, _ := n.(Place)
			n, depth = p.member(t, place, depth)
		case p.skip("->"):
			ptr := p.as(at, n, Pointers)
			if p.err != nil {
				return nil, 0
			}
			n, depth = p.member(t, &Deref{ptr}, depth+1)
		default:
			return n, depth
		}
	}
	return nil, 0
}

// member reads the name of a member of base after the token t.
func (p *parser) member(t token, base Place, depth int) (node, int) {
	var r *Record
	if base != nil {
		r, _ = base.Type().(*Record)
	}
	if r == nil {
		p.fail(t, "a struct or union has members, nothing else")
		return nil, 0
	}
	name := p.wantKind(tokIdent, "a member's name")
	for i, f := range r.Fields {
		if f.Name == name.text {
			return p.grown(t, &Member{Base: base, Field: i}, depth)
		}
	}
	p.fail(name, "record %s has no member %s", r.Name, name)
	return nil, 0
}

// place reads a destination.
func (p *parser) place() Place {
	at := p.peek()
	var n node
	if at.kind == tokLocal || at.kind == tokGlobal {
		if v := p.variable(); v != nil {
			n, _ = p.postfix(at, &VarRef{v}, 1)
		}
	} else {
		n, _ = p.unary()
	}
	place, ok := n.(Place)
	if !ok {
		p.fail(at, "expected a place")
	}
	return place
}
