package ir

import (
	"errors"
	"fmt"
)

// whole checks an expression that may be a Checksum and returns its type.
func (c *checker) whole(e Expr) (Type, error) {
	sum, ok := e.(*Checksum)
	if !ok {
		c.odd = true
		return c.expr(e, 1)
	}
	for _, v := range sum.Of {
		if err := c.belongs(v); err != nil {
			return nil, err
		}
	}
	return U32.Boxed(), nil
}

// expr checks an expression at the given depth of its tree, the root being at
// depth 1, and returns its type. It does not call e.Type, which expects a
// valid tree, before the operands are checked.
func (c *checker) expr(e Expr, depth int) (Type, error) {
	odd := c.odd
	c.odd = false
	if depth > MaxDepth {
		return nil, errDeep
	}
	switch e := e.(type) {
	case nil:
		return nil, errors.New("missing expression")
	case *Const:
		if err := checkValue(e.T, odd); err != nil {
			return nil, err
		}
		if !e.T.Holds(e.V) {
			return nil, fmt.Errorf("constant %d does not fit %s", e.V, e.T)
		}
		return e.T.Boxed(), nil
	case *FloatConst:
		if err := c.typ(e.T); err != nil {
			return nil, err
		}
		if !e.T.holds(e.V) {
			return nil, fmt.Errorf("constant %s does not fit %s", formatFloat(e.V), e.T)
		}
	case *Null:
		return e.T, c.typ(e.T)
	case *Sym:
		if e.ID < 0 || e.ID >= len(c.syms) {
			return nil, fmt.Errorf("symbol ?%d is not one of the function's %d", e.ID, len(c.syms))
		}
		if c.syms[e.ID] {
			return nil, fmt.Errorf("symbol ?%d stands in two places", e.ID)
		}
		c.syms[e.ID] = true
		return e.T.Boxed(), checkValue(e.T, odd)
	case *Load:
		t, err := c.place(e.Place, depth)
		if err != nil {
			return nil, err
		}
		if of := familyOfType(t); of == Records {
			return nil, notA(e.Place, t, "a scalar")
		}
		return t, nil
	case *Unary:
		return c.unary(e, depth)
	case *Binary:
		return c.binary(e, depth)
	case *Select:
		return c.choice(e, depth)
	case *Convert:
		return e.T, c.conversion(e, odd, depth)
	case *Cast:
		return e.T, c.cast(e, depth)
	case *Builtin:
		return c.builtin(e, depth)
	case *Checksum:
		return nil, errors.New("checksum is a part of an expression")
	case *Call:
		return c.call(e, depth)
	case *AddrOf:
		if _, err := c.place(e.Place, depth+1); err != nil {
			return nil, err
		}
		if err := addressable(e.Place); err != nil {
			return nil, err
		}
	case *PtrAdd:
		t, err := c.ptr(e.X, depth+1)
		if err != nil {
			return nil, err
		}
		_, err = c.integer(e.Index, depth+1)
		return t, err
	case *VecOf:
		return e.T, c.vecOf(e, depth)
	case *Shuffle:
		return c.shuffle(e, depth)
	case *VecCall:
		return c.vecCall(e, depth)
	default:
		panic(unknown(e))
	}
	return e.Type(), nil
}

// typed checks an expression whose type must be a T, which want describes, and returns that.
func typed[T Type](c *checker, e Expr, depth int, want string) (t T, err error) {
	of, err := c.expr(e, depth)
	if err != nil {
		return t, err
	}
	t, ok := of.(T)
	if !ok {
		return t, notA(e, of, want)
	}
	return t, nil
}

func (c *checker) integer(e Expr, depth int) (Int, error) {
	return typed[Int](c, e, depth, Integers.String())
}

func (c *checker) ptr(e Expr, depth int) (Pointer, error) {
	return typed[Pointer](c, e, depth, Pointers.String())
}

func (c *checker) vec(e Expr, depth int) (Vector, error) {
	return typed[Vector](c, e, depth, Vectors.String())
}

// notA returns the error that n has type t and not what is wanted.
func notA(n fmt.Stringer, t Type, want string) error {
	if _, ok := t.(Array); ok {
		return fmt.Errorf("%v is an array, want a scalar", n)
	}
	return fmt.Errorf("%v is %s, want %s", n, t, want)
}

func (c *checker) call(e *Call, depth int) (Type, error) {
	if e.Func == nil {
		return nil, errors.New("call without a callee")
	}
	params := e.Func.Vars
	for i, v := range params {
		// The callee may not have been checked yet.
		if v == nil {
			return nil, fmt.Errorf("@%s: variable %d is missing", e.Func.Name, i)
		}
		if v.Kind != Param {
			params = params[:i]
			break
		}
	}
	if len(e.Args) != len(params) {
		return nil, fmt.Errorf("%d arguments for the %d parameters of @%s", len(e.Args), len(params), e.Func.Name)
	}
	for i, arg := range e.Args {
		t, err := c.integer(arg, depth+1)
		if err != nil {
			return nil, err
		}
		if t.Boxed() != params[i].Type {
			return nil, fmt.Errorf("argument %d of @%s is %s, want %v", i, e.Func.Name, t, params[i].Type)
		}
	}
	return e.Func.Result.Boxed(), checkInt(e.Func.Result)
}

// onlyCalls reports whether e makes a call, reads no variable, and is computed of integers
// alone. An incomplete expression may be either.
func onlyCalls(e Expr) bool {
	calls := false
	return !Any(e, func(n Node) bool {
		x, ok := n.(Expr)
		if _, call := n.(*Call); call {
			calls = true
		}
		return !ok || !IsInt(x)
	}) && calls
}

func (c *checker) unary(e *Unary, depth int) (Type, error) {
	t, err := c.expr(e.X, depth+1)
	if err != nil {
		return nil, err
	}
	if err := operand(e.Op.On(familyOfType(t)), e.Op, t); err != nil {
		return nil, err
	}
	if e.Op == LNot {
		return I32.Boxed(), nil
	}
	if v, ok := t.(Vector); ok && e.Op == Neg {
		return t, safe(Sub, v, e)
	}
	return t, nil
}

// operand returns an error unless op is on operands of type t, and C does not promote that.
func operand(on bool, op fmt.Stringer, t Type) error {
	if !on {
		return fmt.Errorf("operator %s on %s", op, familyOfType(t))
	}
	if t, ok := t.(Int); ok {
		if err := promotes(t); err != nil {
			return fmt.Errorf("operand of %s is %w", op, err)
		}
	}
	return nil
}

func (c *checker) binary(e *Binary, depth int) (Type, error) {
	x, y, err := c.both(e.X, e.Y, depth)
	if err != nil {
		return nil, err
	}
	if !alike(x, y) {
		return nil, fmt.Errorf("operands of %s are %s and %s", e.Op, x, y)
	}
	if t, ok := x.(Int); ok && e.Op.On(Integers) && promotes(t) == nil { // as most are
		return e.typeOver(x), nil
	}
	if err := operand(e.Op.On(familyOfType(x)), e.Op, x); err != nil {
		return nil, err
	}
	if v, ok := x.(Vector); ok {
		if err := safe(e.Op, v, e); err != nil {
			return nil, err
		}
	}
	return e.typeOver(x), nil
}

// both checks two operands and returns their types.
func (c *checker) both(x, y Expr, depth int) (s, t Type, err error) {
	if s, err = c.expr(x, depth+1); err == nil {
		t, err = c.expr(y, depth+1)
	}
	return s, t, err
}

// alike reports whether two types are the same, or point to the same type.
func alike(s, t Type) bool {
	if s, ok := s.(Int); ok { // as most are
		t, ok := t.(Int)
		return ok && s == t
	}
	p, ok := s.(Pointer)
	q, ok2 := t.(Pointer)
	return s == t || ok && ok2 && p.Elem == q.Elem
}

func (c *checker) choice(e *Select, depth int) (Type, error) {
	if _, err := c.integer(e.If, depth+1); err != nil {
		return nil, err
	}
	x, y, err := c.both(e.X, e.Y, depth)
	if err != nil {
		return nil, err
	}
	if !alike(x, y) {
		return nil, fmt.Errorf("operands of ?: are %s and %s", x, y)
	}
	switch x := x.(type) {
	case Int:
		if err := promotes(x); err != nil {
			return nil, fmt.Errorf("operands of ?: are %w", err)
		}
	case Pointer, Wide:
	default:
		return nil, fmt.Errorf("operands of ?: are %s", x)
	}
	return e.Type(), nil
}

// conversion checks e, whose type may be one that is not Standard if odd says so.
func (c *checker) conversion(e *Convert, odd bool, depth int) error {
	of, err := c.expr(e.X, depth+1)
	if err != nil {
		return err
	}
	from := familyOfType(of)
	switch t := e.T.(type) {
	case Int:
		err = checkValue(t, odd && from == Integers)
		if err == nil && from == Floats && t == Bool { // C asks whether it is zero, and does not truncate
			err = errors.New("floating-point number converted to bool")
		}
	case Vector:
		if err = checkVector(t); err != nil {
			break
		}
		if v, ok := of.(Vector); !ok || v.Lanes != t.Lanes || v.Elem.Bits > 64 {
			err = fmt.Errorf("%s converted to %s", of, t)
		}
		return err
	case Wide:
		err = checkWide(t)
	case Float:
		err = c.typ(t)
	default:
		return fmt.Errorf("conversion to %v", t)
	}
	if err == nil && !converted(from, familyOfType(e.T)) {
		err = fmt.Errorf("%s is converted to %s", from, e.T)
	}
	return err
}

func (c *checker) cast(e *Cast, depth int) error {
	switch t := e.T.(type) {
	case Pointer:
		if err := c.typ(t); err != nil {
			return err
		}
		_, err := c.ptr(e.X, depth+1)
		return err
	case Vector:
		if t.Elem.Bits != 128 || t.Padded() != t.Lanes {
			if err := checkVector(t); err != nil {
				return err
			}
		}
		of, err := c.vec(e.X, depth+1)
		switch {
		case err != nil:
		case of.Lanes*of.Elem.Bits != t.Lanes*t.Elem.Bits, t.Elem.Standard() && of.Elem.Standard() && of.Lanes != t.Lanes && (of.Padded() != of.Lanes || t.Padded() != t.Lanes):
			err = fmt.Errorf("%s cast to %s", of, t)
		case Undefined(e.X) != 0:
			err = errors.New("cast of a lane in which anything may be")
		}
		return err
	}
	return fmt.Errorf("cast to %v", e.T)
}

func (c *checker) builtin(e *Builtin, depth int) (Type, error) {
	if e.Fn < 0 || e.Fn >= numFns {
		return nil, fmt.Errorf("unknown builtin function %d", int(e.Fn))
	}
	if len(e.Args) != e.Fn.Arity() {
		return nil, fmt.Errorf("%d arguments for the %d of %s", len(e.Args), e.Fn.Arity(), e.Fn)
	}
	if _, ok := e.Fn.Overflows(); ok {
		x, y, err := c.both(e.Args[0], e.Args[1], depth)
		if err != nil {
			return nil, err
		}
		if t, ok := x.(Wide); !ok || x != y {
			return nil, fmt.Errorf("operands of %s are %s and %s", e.Fn, x, y)
		} else if t.BitInt {
			return nil, fmt.Errorf("overflow in %s, which not all compilers have a builtin for", t)
		}
		return e.Type(), nil
	}
	for i, arg := range e.Args {
		t, err := c.integer(arg, depth+1)
		if err != nil {
			return nil, err
		}
		if promotes(t) != nil || t.Signed != e.Fn.Signed() || e.Fn.Hints() && t != I32 || e.Fn == MulHigh && t != U64 {
			return nil, fmt.Errorf("argument %d of %s is %s", i, e.Fn, t)
		}
		if i > 0 && e.Fn.Hints() && !isLeaf(arg) {
			return nil, fmt.Errorf("argument %d of %s is not a constant", i, e.Fn)
		}
	}
	return e.Type(), nil
}

// isLeaf reports whether e is a constant or a symbol.
func isLeaf(e Expr) bool {
	switch e.(type) {
	case *Const, *Sym:
		return true
	}
	return false
}

// promotes returns an error unless t is one that C does not promote.
func promotes(t Int) error {
	if t.Bits < 32 {
		return fmt.Errorf("%s, want at least 32 bits", t)
	}
	if !t.Standard() {
		return fmt.Errorf("%s, the type of a bit-field", t)
	}
	return nil
}

// scalar checks a place that an integer is stored in and returns its type.
func (c *checker) scalar(p Place, depth int) (Int, error) {
	of, err := c.place(p, depth)
	if err != nil {
		return Int{}, err
	}
	t, ok := of.(Int)
	if !ok {
		return t, notA(p, of, Integers.String())
	}
	return t, nil
}

func (c *checker) place(p Place, depth int) (Type, error) {
	if depth > MaxDepth {
		return nil, errDeep
	}
	switch p := p.(type) {
	case nil:
		return nil, errors.New("missing place")
	case *VarRef:
		if err := c.belongs(p.Var); err != nil {
			return nil, err
		}
		return p.Var.Type, nil
	case *Elem:
		t, err := c.place(p.Base, depth+1)
		if err != nil {
			return nil, err
		}
		switch a := t.(type) {
		case Array:
			t = a.Elem
		case Vector:
			t = a.Elem
		default:
			return nil, fmt.Errorf("%v is not an array", p.Base)
		}
		_, err = c.integer(p.Index, depth+1)
		return t, err
	case *Member:
		t, err := c.place(p.Base, depth+1)
		if err != nil {
			return nil, err
		}
		r, ok := t.(*Record)
		if !ok {
			return nil, fmt.Errorf("%v is not a record", p.Base)
		}
		if !r.has(p.Field) {
			return nil, fmt.Errorf("record %s has no field %d", r, p.Field)
		}
		return r.Member(p.Field), nil
	case *Deref:
		t, err := c.ptr(p.X, depth+1)
		return t.Elem, err
	}
	panic(unknown(p))
}

func (c *checker) belongs(v *Var) error {
	if v == nil {
		return errors.New("missing variable")
	}
	if v.Index < 0 || v.Index >= len(c.fn.Vars) || c.fn.Vars[v.Index] != v {
		return fmt.Errorf("variable %v is not one of the function", v)
	}
	return nil
}
