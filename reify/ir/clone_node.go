package ir

import "slices"

func (c *cloner) stmt(s Stmt) Stmt {
	var n Stmt
	switch s := s.(type) {
	case *Assign:
		n = c.assigns.copy(s, c.slab)
	case *Overflow:
		n = ptr(*s)
	case *Transfer:
		n = ptr(*s)
	case *Fill:
		n = ptr(*s)
	case *Unreachable:
		n = ptr(*s)
	case *Assume:
		n = ptr(*s)
	default:
		panic(unknown(s))
	}
	c.operands(n)
	return n
}

// ptr returns the address of a copy of v.
func ptr[T any](v T) *T { return &v }

// operands replaces the operands of n, a copy, by copies.
func (c *cloner) operands(n Node) {
	if c.exprAt == nil {
		c.exprAt = func(at *Expr) bool {
			*at = c.expr(*at)
			return true
		}
		c.placeAt = func(at *Place) bool {
			*at = c.place(*at)
			return true
		}
	}
	Operands(n, c.exprAt, c.placeAt)
}

func (c *cloner) term(t Term) Term {
	switch t := t.(type) {
	case *Goto:
		return &Goto{c.block(t.To)}
	case *If:
		return &If{c.expr(t.Cond), c.block(t.Then), c.block(t.Else)}
	case *Return:
		return &Return{c.expr(t.Val)}
	case *Switch:
		n := &Switch{X: c.expr(t.X), Cases: slices.Clone(t.Cases), Default: c.block(t.Default)}
		for i, k := range n.Cases {
			n.Cases[i].Lo, n.Cases[i].To = c.expr(k.Lo), c.block(k.To)
			if k.Hi != nil {
				n.Cases[i].Hi = c.expr(k.Hi)
			}
		}
		return n
	}
	panic(unknown(t))
}

func (c *cloner) block(b *Block) *Block {
	if c.blocks == nil {
		return b
	}
	return &c.blocks[b.Index]
}

// expr copies an expression. Those that are met most come of slabs.
func (c *cloner) expr(e Expr) Expr {
	var n Expr
	switch e := e.(type) {
	case *Const:
		return c.consts.copy(e, c.slab)
	case *Sym:
		return c.symNodes.copy(e, c.slab)
	case *FloatConst:
		return ptr(*e)
	case *Null:
		return &Null{c.pointer(e.T)}
	case *Load:
		n = c.loads.copy(e, c.slab)
	case *Binary:
		n = c.binaries.copy(e, c.slab)
	case *Convert:
		n = c.converts.copy(e, c.slab)
	case *Unary:
		n = c.unaries.copy(e, c.slab)
	case *Select:
		n = ptr(*e)
	case *Cast:
		n = &Cast{c.typ(e.T), e.X}
	case *Builtin:
		n = &Builtin{e.Fn, slices.Clone(e.Args)}
	case *Checksum:
		sum := &Checksum{Of: slices.Clone(e.Of)}
		for i, v := range sum.Of {
			sum.Of[i] = c.variable(v)
		}
		return sum
	case *Call:
		call := &Call{e.Func, slices.Clone(e.Args)}
		if g, ok := c.funcs[e.Func]; ok {
			call.Func = g
		}
		n = call
	case *AddrOf:
		n = ptr(*e)
	case *PtrAdd:
		n = ptr(*e)
	case *VecOf:
		n = &VecOf{e.T, slices.Clone(e.Lanes)}
	case *Shuffle:
		n = &Shuffle{e.X, e.Y, slices.Clone(e.Index)}
	case *VecCall:
		n = ptr(*e)
	default:
		panic(unknown(e))
	}
	c.operands(n)
	return n
}

func (c *cloner) place(p Place) Place {
	var n Place
	switch p := p.(type) {
	case *VarRef:
		ref := c.refs.copy(p, c.slab)
		ref.Var = c.variable(p.Var)
		return ref
	case *Elem:
		n = c.elems.copy(p, c.slab)
	case *Member:
		n = c.members.copy(p, c.slab)
	case *Deref:
		n = c.derefs.copy(p, c.slab)
	default:
		panic(unknown(p))
	}
	c.operands(n)
	return n
}
