package ir

// The text form leaves out the type of a constant or symbol where the rest of
// the expression tells it. Printer and parser agree on one rule. A chain is an
// operator together with the operands of it that are arithmetic operators
// themselves, and so on down; all operands of a chain have one type, namely
// that of its first operand which is neither constant nor symbol, or, if there
// is none, the one the context wants: the type of the destination, the
// parameter, the result or the declaration, and i32 everywhere else. A constant or symbol of another
// type is written with a suffix.

// chainType returns the type of the chain e where the context wants the type
// want.
func chainType(e Expr, want Int) Int {
	if t, ok := evident(e); ok {
		return t
	}
	return want
}

// operandType returns the type of the chain that the operands of a comparison
// form together.
func operandType(e *Binary) Int {
	if t, ok := evident(e.X); ok {
		return t
	}
	return chainType(e.Y, I32)
}

// evident returns the type of the first operand in the chain e that is neither
// constant nor symbol. It must cope with wrongly typed trees, which the checker
// prints.
func evident(e Expr) (Int, bool) {
	switch e := e.(type) {
	case nil, *Const, *Sym:
		return Int{}, false
	case *Load:
		t, ok := placeType(e.Place).(Int)
		return t, ok
	case *Binary:
		if e.Op.Compares() {
			return I32, true
		}
		if t, ok := evident(e.X); ok {
			return t, true
		}
		return evident(e.Y)
	case *Convert:
		return e.T, true
	case *Checksum:
		return U32, true
	case *Call:
		if e.Func == nil {
			return Int{}, false
		}
		return e.Func.Result, true
	}
	panic(unknown(e))
}

// paramType returns the type of parameter i of the callee, or i32 if it has
// none.
func paramType(e *Call, i int) Int {
	if e.Func != nil && i < len(e.Func.Vars) {
		if v := e.Func.Vars[i]; v != nil && v.Kind == Param {
			if t, ok := v.Type.(Int); ok {
				return t
			}
		}
	}
	return I32
}

// placeType returns the type of p, or nil if it has none.
func placeType(p Place) Type {
	switch p := p.(type) {
	case nil:
		return nil
	case *VarRef:
		if p.Var == nil {
			return nil
		}
		return p.Var.Type
	case *Elem:
		if a, ok := placeType(p.Base).(Array); ok {
			return a.Elem
		}
		return nil
	}
	panic(unknown(p))
}
