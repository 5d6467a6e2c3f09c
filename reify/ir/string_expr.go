package ir

// String returns the constant with its type if that is not i32.
func (e *Const) String() string { return printNode(e) }

// String returns the symbol with its type if that is not i32.
func (e *Sym) String() string { return printNode(e) }

// String returns the place that is loaded.
func (e *Load) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Binary) String() string { return printNode(e) }

// String returns the conversion, for example "i32(%b)".
func (e *Convert) String() string { return printNode(e) }

// String returns the checksum, for example "checksum(%a, @g)".
func (e *Checksum) String() string { return printNode(e) }

// String returns the call, for example "@g(%a + 1, 3)".
func (e *Call) String() string { return printNode(e) }

// String returns the name of the variable with its sigil.
func (p *VarRef) String() string { return printNode(p) }

// String returns the element, for example "@g[%x][2]".
func (p *Elem) String() string { return printNode(p) }

// String returns the expression as it stands where the context tells no type.
func (e *Unary) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Select) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Builtin) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *PtrCompare) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *PtrDiff) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *FloatToInt) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *FloatCompare) String() string { return printNode(e) }

// String returns the pointer expression.
func (e *AddrOf) String() string { return printNode(e) }

// String returns the pointer expression.
func (e *LoadPtr) String() string { return printNode(e) }

// String returns the pointer expression.
func (e *Null) String() string { return printNode(e) }

// String returns the pointer expression.
func (e *PtrAdd) String() string { return printNode(e) }

// String returns the pointer expression.
func (e *PtrCast) String() string { return printNode(e) }

// String returns the pointer expression.
func (e *PtrSelect) String() string { return printNode(e) }

// String returns the floating-point expression.
func (e *FloatConst) String() string { return printNode(e) }

// String returns the floating-point expression.
func (e *FloatLoad) String() string { return printNode(e) }

// String returns the floating-point expression.
func (e *FloatNeg) String() string { return printNode(e) }

// String returns the floating-point expression.
func (e *FloatBinary) String() string { return printNode(e) }

// String returns the floating-point expression.
func (e *FloatConvert) String() string { return printNode(e) }

// String returns the floating-point expression.
func (e *FloatOf) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *WideToInt) String() string { return printNode(e) }

// String returns the expression as it stands where the context tells no type.
func (e *WideCompare) String() string { return printNode(e) }

// String returns the wide expression.
func (e *WideLoad) String() string { return printNode(e) }

// String returns the wide expression.
func (e *WideOf) String() string { return printNode(e) }

// String returns the wide expression.
func (e *WideSelect) String() string { return printNode(e) }

// String returns the expression in the text form.
func (e *WideConvert) String() string { return printNode(e) }

// String returns the wide expression.
func (e *WideUnary) String() string { return printNode(e) }

// String returns the wide expression.
func (e *WideBinary) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecLoad) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecOf) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecUnary) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecBinary) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecShuffle) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecConvert) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecCast) String() string { return printNode(e) }

// String returns the vector expression.
func (e *VecCall) String() string { return printNode(e) }

// String returns the place.
func (p *Member) String() string { return printNode(p) }

// String returns the place.
func (p *Deref) String() string { return printNode(p) }

// printNode returns the text of n, which is of a family of expressions, a place
// or a statement.
func printNode(n Node) string {
	var w printer
	switch n := n.(type) {
	case Expr:
		w.any(n)
	case Place:
		w.place(n)
	case Stmt:
		w.stmt(n)
	default:
		panic(unknown(n))
	}
	return string(w.buf)
}
