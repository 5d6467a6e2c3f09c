package ir

import (
	"errors"
	"fmt"
)

// whole checks an expression that may be a Checksum and returns its type.
func (c *checker) whole(e Expr) (Int, error) {
	sum, ok := e.(*Checksum)
	if !ok {
		c.odd = true
		return c.expr(e, 1)
	}
	for _, v := range sum.Of {
		if err := c.belongs(v); err != nil {
			return Int{}, err
		}
	}
	return U32, nil
}

// expr checks an expression at the given depth of its tree, the root being at
// depth 1, and returns its type. It does not call e.Type, which expects a
// valid tree.
func (c *checker) expr(e Expr, depth int) (Int, error) {
	odd := c.odd
	c.odd = false
	if depth > MaxDepth {
		return Int{}, errDeep
	}
	switch e := e.(type) {
	case nil:
		return Int{}, errors.New("missing expression")
	case *Const:
		if err := checkValue(e.T, odd); err != nil {
			return Int{}, err
		}
		if !e.T.Holds(e.V) {
			return Int{}, fmt.Errorf("constant %d does not fit %s", e.V, e.T)
		}
		return e.T, nil
	case *Sym:
		if e.ID < 0 || e.ID >= len(c.syms) {
			return Int{}, fmt.Errorf("symbol ?%d is not one of the function's %d", e.ID, len(c.syms))
		}
		if c.syms[e.ID] {
			return Int{}, fmt.Errorf("symbol ?%d stands in two places", e.ID)
		}
		c.syms[e.ID] = true
		return e.T, checkValue(e.T, odd)
	case *Load:
		return c.scalar(e.Place, depth)
	case *Unary:
		return c.unary(e, depth)
	case *Binary:
		return c.binary(e, depth)
	case *Select:
		return c.choice(e, depth)
	case *Builtin:
		return c.builtin(e, depth)
	case *Convert:
		if err := checkValue(e.T, odd); err != nil {
			return Int{}, err
		}
		_, err := c.expr(e.X, depth+1)
		return e.T, err
	case *Checksum:
		return Int{}, errors.New("checksum is a part of an expression")
	case *Call:
		return c.call(e, depth)
	case *PtrCompare:
		if !e.Op.Compares() {
			return Int{}, fmt.Errorf("operator %s on pointers", e.Op)
		}
		return I32, c.sameElem(e.X, e.Y, depth)
	case *PtrDiff:
		return I64, c.sameElem(e.X, e.Y, depth)
	case *FloatToInt:
		if err := checkValue(e.T, false); err != nil {
			return Int{}, err
		}
		if e.T == Bool { // C asks whether it is zero, and does not truncate
			return Int{}, errors.New("floating-point number converted to bool")
		}
		_, err := c.float(e.X, depth+1)
		return e.T, err
	case *FloatCompare:
		if !e.Op.Compares() {
			return Int{}, fmt.Errorf("operator %s is not a comparison", e.Op)
		}
		_, err := c.floats(e.Op, e.X, e.Y, depth)
		return I32, err
	case *WideToInt:
		if err := checkValue(e.T, false); err != nil {
			return Int{}, err
		}
		_, err := c.wide(e.X, depth+1)
		return e.T, err
	case *WideCompare:
		if !e.Op.Compares() && !e.Op.Overflows() {
			return Int{}, fmt.Errorf("operator %s is not a comparison", e.Op)
		}
		t, err := c.wides(e.Op, e.X, e.Y, depth)
		if err == nil && e.Op.Overflows() && t.BitInt {
			err = fmt.Errorf("overflow of %s in %s, which not all compilers have a builtin for", e.Op, t)
		}
		return I32, err
	}
	return Int{}, notOf(e, Integers)
}

func (c *checker) call(e *Call, depth int) (Int, error) {
	if e.Func == nil {
		return Int{}, errors.New("call without a callee")
	}
	params := e.Func.Vars
	for i, v := range params {
		// The callee may not have been checked yet.
		if v == nil {
			return Int{}, fmt.Errorf("@%s: variable %d is missing", e.Func.Name, i)
		}
		if v.Kind != Param {
			params = params[:i]
			break
		}
	}
	if len(e.Args) != len(params) {
		return Int{}, fmt.Errorf("%d arguments for the %d parameters of @%s", len(e.Args), len(params), e.Func.Name)
	}
	for i, arg := range e.Args {
		t, err := c.expr(arg, depth+1)
		if err != nil {
			return Int{}, err
		}
		if t != params[i].Type {
			return Int{}, fmt.Errorf("argument %d of @%s is %s, want %v", i, e.Func.Name, t, params[i].Type)
		}
	}
	return e.Func.Result, checkInt(e.Func.Result)
}

// onlyCalls reports whether e makes a call and reads no variable. An incomplete
// expression may be either.
func onlyCalls(e Expr) bool {
	calls := false
	for at := range SubExprs(&e) {
		switch (*at).(type) {
		case *Load, *PtrCompare, *PtrDiff, *FloatToInt, *FloatCompare, *WideToInt, *WideCompare:
			return false
		case *Call:
			calls = true
		}
	}
	return calls
}

func (c *checker) unary(e *Unary, depth int) (Int, error) {
	if e.Op < 0 || e.Op >= numUnOps {
		return Int{}, fmt.Errorf("unknown operator %d", int(e.Op))
	}
	t, err := c.expr(e.X, depth+1)
	if err != nil {
		return Int{}, err
	}
	if err := promotes(t); err != nil {
		return Int{}, fmt.Errorf("operand of %s is %w", e.Op, err)
	}
	if e.Op == LNot {
		return I32, nil
	}
	return t, nil
}

func (c *checker) choice(e *Select, depth int) (Int, error) {
	if _, err := c.expr(e.If, depth+1); err != nil {
		return Int{}, err
	}
	x, y, err := both(c.expr, e.X, e.Y, depth+1)
	if err != nil {
		return Int{}, err
	}
	if x != y {
		return Int{}, fmt.Errorf("operands of ?: are %s and %s", x, y)
	}
	if err := promotes(x); err != nil {
		return Int{}, fmt.Errorf("operands of ?: are %w", err)
	}
	return x, nil
}

func (c *checker) builtin(e *Builtin, depth int) (Int, error) {
	if e.Fn < 0 || e.Fn >= numFns {
		return Int{}, fmt.Errorf("unknown builtin function %d", int(e.Fn))
	}
	if len(e.Args) != e.Fn.Arity() {
		return Int{}, fmt.Errorf("%d arguments for the %d of %s", len(e.Args), e.Fn.Arity(), e.Fn)
	}
	var result Int
	for i, arg := range e.Args {
		t, err := c.expr(arg, depth+1)
		if err != nil {
			return Int{}, err
		}
		if promotes(t) != nil || t.Signed != e.Fn.Signed() || e.Fn.Hints() && t != I32 {
			return Int{}, fmt.Errorf("argument %d of %s is %s", i, e.Fn, t)
		}
		if i == 0 {
			result = t
			continue
		}
		if !isLeaf(arg) {
			return Int{}, fmt.Errorf("argument %d of %s is not a constant", i, e.Fn)
		}
	}
	switch e.Fn {
	case Bswap, Abs, Expect, ExpectProbably:
		return result, nil
	}
	return I32, nil
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

func (c *checker) binary(e *Binary, depth int) (Int, error) {
	if e.Op < 0 || e.Op >= numOps {
		return Int{}, fmt.Errorf("unknown operator %d", int(e.Op))
	}
	x, y, err := both(c.expr, e.X, e.Y, depth+1)
	if err != nil {
		return Int{}, err
	}
	if x != y {
		return Int{}, fmt.Errorf("operands of %s are %s and %s", e.Op, x, y)
	}
	if err := promotes(x); err != nil {
		return Int{}, fmt.Errorf("operands of %s are %w", e.Op, err)
	}
	if e.Op.Yields01() {
		return I32, nil
	}
	return x, nil
}

// both checks two operands with check and returns their types.
func both[E, T any](check func(e E, depth int) (T, error), x, y E, depth int) (s, t T, err error) {
	if s, err = check(x, depth); err == nil {
		t, err = check(y, depth)
	}
	return s, t, err
}

// scalar checks a place that is loaded or assigned and returns its type.
func (c *checker) scalar(p Place, depth int) (Int, error) {
	return placeOf[Int](c, p, depth, "an integer")
}

// placeOf checks a place, whose type must be a T, and returns that. In an error,
// want says what a T is.
func placeOf[T Type](c *checker, p Place, depth int, want string) (t T, err error) {
	of, err := c.place(p, depth)
	if err != nil {
		return t, err
	}
	t, ok := of.(T)
	if !ok {
		return t, notA(p, of, want)
	}
	return t, nil
}

// notA returns the error that p has type t and not what is wanted.
func notA(p Place, t Type, want string) error {
	if _, ok := t.(Array); ok {
		return fmt.Errorf("%v is an array, want a scalar", p)
	}
	return fmt.Errorf("%v is %s, want %s", p, t, want)
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
		_, err = c.expr(p.Index, depth+1)
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
