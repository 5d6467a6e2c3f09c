package ir

// String returns the constant with its type if that is not i32.
func (e *Const) String() string { return printNode(e) }

// String returns the number with its type if that is not f64.
func (e *FloatConst) String() string { return printNode(e) }

// String returns the null pointer and its type.
func (e *Null) String() string { return printNode(e) }

// String returns the symbol with its type if that is not i32.
func (e *Sym) String() string { return printNode(e) }

// String returns the place that is loaded.
func (e *Load) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Unary) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Binary) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Select) String() string { return printNode(e) }

// String returns the conversion, for example "i32(%b)".
func (e *Convert) String() string { return printNode(e) }

// String returns the cast, for example "cast(*i32, %p)" or "bitcast(<2>i32, %v)".
func (e *Cast) String() string { return printNode(e) }

// String returns the call, for example "popcount(%a)".
func (e *Builtin) String() string { return printNode(e) }

// String returns the checksum, for example "checksum(%a, @g)".
func (e *Checksum) String() string { return printNode(e) }

// String returns the call, for example "@g(%a + 1, 3)".
func (e *Call) String() string { return printNode(e) }

// String returns the address, for example "&@g[2]".
func (e *AddrOf) String() string { return printNode(e) }

// String returns the sum, for example "%p + 1".
func (e *PtrAdd) String() string { return printNode(e) }

// String returns the type and the lanes.
func (e *VecOf) String() string { return printNode(e) }

// String returns the shuffle with its indices.
func (e *Shuffle) String() string { return printNode(e) }

// String returns "call" and the operator.
func (e *VecCall) String() string { return printNode(e) }

// String returns the name of the variable with its sigil.
func (p *VarRef) String() string { return printNode(p) }

// String returns the element, for example "@g[%x][2]".
func (p *Elem) String() string { return printNode(p) }

// String returns the member, for example "@s.x" or "%p->x".
func (p *Member) String() string { return printNode(p) }

// String returns the target, for example "*%p".
func (p *Deref) String() string { return printNode(p) }

// printNode returns the text of an expression, a place or a statement.
func printNode(n Node) string {
	var w printer
	switch n := n.(type) {
	case Expr:
		w.expr(n, I32)
	case Place:
		w.place(n)
	case Stmt:
		w.stmt(n)
	default:
		panic(unknown(n))
	}
	return string(w.buf)
}
