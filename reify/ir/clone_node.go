package ir

import "slices"

func (c *cloner) stmt(s Stmt) Stmt {
	switch s := s.(type) {
	case *Assign:
		n := c.assigns.new()
		n.Dst, n.Src = c.place(s.Dst), c.expr(s.Src)
		return n
	case *AssignPtr:
		return &AssignPtr{c.place(s.Dst), c.ptr(s.Src)}
	case *AssignFloat:
		return &AssignFloat{c.place(s.Dst), c.float(s.Src)}
	case *AssignWide:
		return &AssignWide{c.place(s.Dst), c.wide(s.Src)}
	case *AssignVec:
		return &AssignVec{c.place(s.Dst), c.vec(s.Src)}
	case *Copy:
		return &Copy{c.place(s.Dst), c.place(s.Src)}
	case *Overflow:
		return &Overflow{Flag: c.place(s.Flag), Dst: c.place(s.Dst), Op: s.Op, X: c.expr(s.X), Y: c.expr(s.Y)}
	case *Transfer:
		return &Transfer{s.Move, c.ptr(s.Dst), c.ptr(s.Src), c.expr(s.N)}
	case *Fill:
		return &Fill{c.ptr(s.Dst), c.expr(s.Byte), c.expr(s.N)}
	case *Unreachable:
		return &Unreachable{}
	case *Assume:
		return &Assume{c.expr(s.Cond), s.Guard}
	}
	panic(unknown(s))
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

func (c *cloner) expr(e Expr) Expr {
	switch e := e.(type) {
	case *Const:
		n := c.consts.new()
		*n = *e
		return n
	case *Sym:
		n := c.symNodes.new()
		*n = *e
		return n
	case *Load:
		n := c.loads.new()
		n.Place = c.place(e.Place)
		return n
	case *Binary:
		n := c.binaries.new()
		n.Op, n.X, n.Y = e.Op, c.expr(e.X), c.expr(e.Y)
		return n
	case *Convert:
		n := c.converts.new()
		n.T, n.X = e.T, c.expr(e.X)
		return n
	case *Unary:
		n := c.unaries.new()
		n.Op, n.X = e.Op, c.expr(e.X)
		return n
	case *Select:
		return &Select{If: c.expr(e.If), X: c.expr(e.X), Y: c.expr(e.Y)}
	case *Builtin:
		return &Builtin{Fn: e.Fn, Args: c.list(e.Args)}
	case *Checksum:
		n := &Checksum{Of: slices.Clone(e.Of)}
		for i, v := range n.Of {
			n.Of[i] = c.variable(v)
		}
		return n
	case *Call:
		n := &Call{Func: e.Func, Args: c.list(e.Args)}
		if g, ok := c.funcs[e.Func]; ok {
			n.Func = g
		}
		return n
	case *PtrCompare:
		return &PtrCompare{e.Op, c.ptr(e.X), c.ptr(e.Y)}
	case *PtrDiff:
		return &PtrDiff{c.ptr(e.X), c.ptr(e.Y)}
	case *FloatToInt:
		return &FloatToInt{e.T, c.float(e.X)}
	case *FloatCompare:
		return &FloatCompare{e.Op, c.float(e.X), c.float(e.Y)}
	case *WideToInt:
		return &WideToInt{e.T, c.wide(e.X)}
	case *WideCompare:
		return &WideCompare{e.Op, c.wide(e.X), c.wide(e.Y)}
	}
	panic(unknown(e))
}

func (c *cloner) list(list []Expr) []Expr {
	copies := slices.Clone(list)
	for i, e := range copies {
		copies[i] = c.expr(e)
	}
	return copies
}

func (c *cloner) place(p Place) Place {
	switch p := p.(type) {
	case *VarRef:
		n := c.refs.new()
		n.Var = c.variable(p.Var)
		return n
	case *Elem:
		n := c.elems.new()
		n.Base, n.Index = c.place(p.Base), c.expr(p.Index)
		return n
	case *Member:
		n := c.members.new()
		n.Base, n.Field = c.place(p.Base), p.Field
		return n
	case *Deref:
		n := c.derefs.new()
		n.X = c.ptr(p.X)
		return n
	}
	panic(unknown(p))
}

func (c *cloner) ptr(e Expr) Expr {
	switch e := e.(type) {
	case *AddrOf:
		return &AddrOf{c.place(e.Place)}
	case *LoadPtr:
		n := c.ptrLoads.new()
		n.Place = c.place(e.Place)
		return n
	case *Null:
		return &Null{c.pointer(e.T)}
	case *PtrAdd:
		return &PtrAdd{c.ptr(e.X), c.expr(e.Index)}
	case *PtrCast:
		return &PtrCast{c.pointer(e.T), c.ptr(e.X)}
	case *PtrSelect:
		return &PtrSelect{c.expr(e.If), c.ptr(e.X), c.ptr(e.Y)}
	}
	panic(unknown(e))
}

func (c *cloner) float(e Expr) Expr {
	switch e := e.(type) {
	case *FloatConst:
		return &FloatConst{e.T, e.V}
	case *FloatLoad:
		return &FloatLoad{c.place(e.Place)}
	case *FloatNeg:
		return &FloatNeg{c.float(e.X)}
	case *FloatBinary:
		return &FloatBinary{e.Op, c.float(e.X), c.float(e.Y)}
	case *FloatConvert:
		return &FloatConvert{e.T, c.float(e.X)}
	case *FloatOf:
		return &FloatOf{e.T, c.expr(e.X)}
	}
	panic(unknown(e))
}

func (c *cloner) vec(e Expr) Expr {
	switch e := e.(type) {
	case *VecLoad:
		return &VecLoad{c.place(e.Place)}
	case *VecOf:
		return &VecOf{e.T, c.list(e.Lanes)}
	case *VecUnary:
		return &VecUnary{e.Op, c.vec(e.X)}
	case *VecBinary:
		return &VecBinary{e.Op, c.vec(e.X), c.vec(e.Y)}
	case *VecShuffle:
		return &VecShuffle{c.vec(e.X), c.vec(e.Y), slices.Clone(e.Index)}
	case *VecConvert:
		return &VecConvert{e.T, c.vec(e.X)}
	case *VecCast:
		return &VecCast{e.T, c.vec(e.X)}
	case *VecCall:
		return &VecCall{c.vec(e.X)}
	}
	panic(unknown(e))
}

func (c *cloner) wide(e Expr) Expr {
	switch e := e.(type) {
	case *WideLoad:
		return &WideLoad{c.place(e.Place)}
	case *WideOf:
		return &WideOf{e.T, c.expr(e.X)}
	case *WideConvert:
		return &WideConvert{e.T, c.wide(e.X)}
	case *WideUnary:
		return &WideUnary{e.Op, c.wide(e.X)}
	case *WideBinary:
		return &WideBinary{e.Op, c.wide(e.X), c.wide(e.Y)}
	case *WideSelect:
		return &WideSelect{c.expr(e.If), c.wide(e.X), c.wide(e.Y)}
	}
	panic(unknown(e))
}
