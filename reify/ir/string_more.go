package ir

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

// String returns the statement without indentation and newline.
func (s *AssignPtr) String() string { return printStmt(s) }

// String returns the statement without indentation and newline.
func (s *AssignFloat) String() string { return printStmt(s) }

// String returns the statement without indentation and newline.
func (s *AssignVec) String() string { return printStmt(s) }

// String returns the statement without indentation and newline.
func (s *Copy) String() string { return printStmt(s) }

// String returns the statement without indentation and newline.
func (s *Overflow) String() string { return printStmt(s) }

// String returns the statement without indentation and newline.
func (s *Unreachable) String() string { return printStmt(s) }

// String returns the terminator without indentation and newline.
func (t *Switch) String() string { return printTerm(t, I32) }

func printPtr(p PtrExpr) string {
	var w printer
	w.ptr(p)
	return string(w.buf)
}

func printFloat(e FloatExpr) string {
	var w printer
	w.float(e)
	return string(w.buf)
}

func printVec(e VecExpr) string {
	var w printer
	w.vec(e)
	return string(w.buf)
}

func (w *printer) ptr(PtrExpr)     { panic("ir: not written yet") }
func (w *printer) float(FloatExpr) { panic("ir: not written yet") }
func (w *printer) vec(VecExpr)     { panic("ir: not written yet") }
