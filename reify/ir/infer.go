package ir

// The text form leaves out the type of a constant or symbol where the rest of the
// expression tells it. Printer and parser agree on one rule. A chain is an operator
// whose result has the type of its operands, with those of its operands that are such
// operators themselves, and so on down. All operands of a chain have one type: that of
// the first operand which is neither constant nor symbol. Without such an operand, the
// context decides the type: that of the destination, the parameter, the result, the
// declaration, the lane or the label, and i32 everywhere else (u32 in builtins on
// unsigned types). A constant or symbol of another type is written with a suffix.

// chainType returns the type of the chain e where the context wants the type
// want.
func chainType(e Expr, want Int) Int {
	if t, ok := evident(e); ok {
		return t
	}
	return want
}

// operandType returns the type of the chain that the operands of a comparison
// or of a logical operator form together.
func operandType(e *Binary) Int {
	if t, ok := evident(e.X); ok {
		return t
	}
	return chainType(e.Y, I32)
}

// evident returns the type of the first operand in the chain e that is neither constant
// nor symbol, if that is an integer. It must accept wrongly typed trees, which the checker
// prints.
func evident(e Expr) (Int, bool) {
	var of Type
	switch e := e.(type) {
	case *Load:
		of = placeType(e.Place)
	case *Unary:
		if e.Op == LNot {
			return I32, true
		}
		return evident(e.X)
	case *Binary:
		if e.Op.Yields01() {
			return I32, true
		}
		if e.Op == Sub && FamilyOf(e.X) == Pointers {
			return I64, true
		}
		if t, ok := evident(e.X); ok {
			return t, true
		}
		return evident(e.Y)
	case *Select:
		if t, ok := evident(e.X); ok {
			return t, true
		}
		return evident(e.Y)
	case *Convert:
		of = e.T
	case *Builtin:
		if !e.Fn.keeps() {
			return I32, true
		}
		if len(e.Args) > 0 {
			return evident(e.Args[0])
		}
	case *Checksum:
		return U32, true
	case *Call:
		if e.Func != nil {
			return e.Func.Result, true
		}
	}
	t, ok := of.(Int)
	return t, ok
}

// wants returns the type of the arguments of f unless they tell it themselves.
func (f Fn) wants() Int {
	if f.Signed() {
		return I32
	}
	return U32
}

// paramType returns the type of parameter i of the callee, or i32 if the callee has no
// such parameter.
func paramType(e *Call, i int) Int {
	if e.Func != nil && i < len(e.Func.Vars) {
		if v := e.Func.Vars[i]; v != nil && v.Kind == Param {
			return paramInt(v)
		}
	}
	return I32
}

// paramInt returns the type of a parameter, or i32 if that is not an integer.
func paramInt(v *Var) Int {
	if t, ok := v.Type.(Int); ok {
		return t
	}
	return I32
}

// wanted returns the type that a destination wants for the assigned value, or i32 if
// the destination is not an integer.
func wanted(dst Place) Int {
	if t, ok := placeType(dst).(Int); ok {
		return t
	}
	return I32
}

// wantedOperand returns the type that the destination of an Overflow wants of the
// operands: its own, or i32 if that is narrower.
func wantedOperand(dst Place) Int {
	if t := wanted(dst); t.Bits >= 32 {
		return t
	}
	return I32
}

// placeType returns the type of p, or nil if p is invalid.
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
		switch t := placeType(p.Base).(type) {
		case Array:
			return t.Elem
		case Vector:
			return t.Elem
		}
		return nil
	case *Member:
		if r, ok := placeType(p.Base).(*Record); ok && r.has(p.Field) {
			return r.Member(p.Field)
		}
		return nil
	case *Deref:
		return pointee(p.X)
	}
	panic(unknown(p))
}

// pointee returns the type that e points to, or nil if e is invalid.
func pointee(e Expr) Type {
	for {
		switch x := e.(type) {
		case nil:
			return nil
		case *AddrOf:
			return placeType(x.Place)
		case *Load:
			t, _ := placeType(x.Place).(Pointer)
			return t.Elem
		case *Null:
			return x.T.Elem
		case *PtrAdd:
			e = x.X
		case *Cast:
			t, _ := x.T.(Pointer)
			return t.Elem
		case *Select:
			e = x.X
		default:
			return nil
		}
	}
}

// has reports whether r has a field of that index.
func (r *Record) has(field int) bool {
	return r != nil && 0 <= field && field < len(r.Fields)
}
