package ir

// String returns the constant with its type if that is not i32.
func (e *Const) String() string { return printExpr(e) }

// String returns the symbol with its type if that is not i32.
func (e *Sym) String() string { return printExpr(e) }

// String returns the place that is loaded.
func (e *Load) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Binary) String() string { return printExpr(e) }

// String returns the conversion, for example "i32(%b)".
func (e *Convert) String() string { return printExpr(e) }

// String returns the checksum, for example "checksum(%a, @g)".
func (e *Checksum) String() string { return printExpr(e) }

// String returns the call, for example "@g(%a + 1, 3)".
func (e *Call) String() string { return printExpr(e) }

// String returns the name of the variable with its sigil.
func (p *VarRef) String() string { return printPlace(p) }

// String returns the element, for example "@g[%x][2]".
func (p *Elem) String() string { return printPlace(p) }

// String returns the expression as it stands where the context tells no type.
func (e *Unary) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Select) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Builtin) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *PtrCompare) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *PtrDiff) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *FloatToInt) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *FloatCompare) String() string { return printExpr(e) }

// String returns the pointer expression.
func (e *AddrOf) String() string { return printPtr(e) }

// String returns the pointer expression.
func (e *LoadPtr) String() string { return printPtr(e) }

// String returns the pointer expression.
func (e *Null) String() string { return printPtr(e) }

// String returns the pointer expression.
func (e *PtrAdd) String() string { return printPtr(e) }

// String returns the pointer expression.
func (e *PtrCast) String() string { return printPtr(e) }

// String returns the floating-point expression.
func (e *FloatConst) String() string { return printFloat(e) }

// String returns the floating-point expression.
func (e *FloatLoad) String() string { return printFloat(e) }

// String returns the floating-point expression.
func (e *FloatNeg) String() string { return printFloat(e) }

// String returns the floating-point expression.
func (e *FloatBinary) String() string { return printFloat(e) }

// String returns the floating-point expression.
func (e *FloatConvert) String() string { return printFloat(e) }

// String returns the floating-point expression.
func (e *FloatOf) String() string { return printFloat(e) }

// String returns the vector expression.
func (e *VecLoad) String() string { return printVec(e) }

// String returns the vector expression.
func (e *VecOf) String() string { return printVec(e) }

// String returns the vector expression.
func (e *VecUnary) String() string { return printVec(e) }

// String returns the vector expression.
func (e *VecBinary) String() string { return printVec(e) }

// String returns the vector expression.
func (e *VecShuffle) String() string { return printVec(e) }

// String returns the vector expression.
func (e *VecConvert) String() string { return printVec(e) }

// String returns the place.
func (p *Member) String() string { return printPlace(p) }

// String returns the place.
func (p *Deref) String() string { return printPlace(p) }

func printExpr(e Expr) string {
	var w printer
	w.expr(e, I32)
	return string(w.buf)
}

func printPlace(p Place) string {
	var w printer
	w.place(p)
	return string(w.buf)
}

func printPtr(p PtrExpr) string {
	var w printer
	w.ptr(p, 0)
	return string(w.buf)
}

func printFloat(e FloatExpr) string {
	var w printer
	w.float(e, 0)
	return string(w.buf)
}

func printVec(e VecExpr) string {
	var w printer
	w.vec(e, 0)
	return string(w.buf)
}
