package ir

import (
	"errors"
	"fmt"
	"math"
)

// The functions below check an expression at the given depth of its tree and
// return its type, like expr.

// notOf returns the error that e is not of the family that is wanted.
func notOf(e Expr, want Family) error {
	if FamilyOf(e) == want {
		panic(unknown(e))
	}
	return fmt.Errorf("%v is %s, want %s", e, FamilyOf(e), want)
}

func (c *checker) ptr(e Expr, depth int) (Pointer, error) {
	if depth > MaxDepth {
		return Pointer{}, errDeep
	}
	switch e := e.(type) {
	case nil:
		return Pointer{}, errors.New("missing expression")
	case *AddrOf:
		if _, err := c.place(e.Place, depth+1); err != nil {
			return Pointer{}, err
		}
		if err := addressable(e.Place); err != nil {
			return Pointer{}, err
		}
		return TypeOf[Pointer](e), nil
	case *LoadPtr:
		return placeOf[Pointer](c, e.Place, depth, "a pointer")
	case *Null:
		return e.T, c.typ(e.T)
	case *PtrAdd:
		t, err := c.ptr(e.X, depth+1)
		if err != nil {
			return Pointer{}, err
		}
		_, err = c.expr(e.Index, depth+1)
		return t, err
	case *PtrCast:
		if err := c.typ(e.T); err != nil {
			return Pointer{}, err
		}
		_, err := c.ptr(e.X, depth+1)
		return e.T, err
	case *PtrSelect:
		if _, err := c.expr(e.If, depth+1); err != nil {
			return Pointer{}, err
		}
		if err := c.sameElem(e.X, e.Y, depth); err != nil {
			return Pointer{}, err
		}
		return TypeOf[Pointer](e), nil
	}
	return Pointer{}, notOf(e, Pointers)
}

// addressable returns an error if p, which is valid, has no address in C.
func addressable(p Place) error {
	if _, ok := p.Type().(Wide); ok {
		return fmt.Errorf("%v is %s, whose address is not taken", p, p.Type())
	}
	if r := castPart(p); r != nil {
		return fmt.Errorf("%v is a part of %s, by which bits are cast, and has no address", p, r)
	}
	switch p := p.(type) {
	case *Member:
		if r := p.Base.Type().(*Record); r.Fields[p.Field].Bits > 0 {
			return fmt.Errorf("%v is a bit-field, which has no address", p)
		}
	case *Elem:
		if _, ok := p.Base.Type().(Vector); ok {
			return fmt.Errorf("%v is a lane, which has no address", p)
		}
	}
	return nil
}

// sameElem checks two pointers that are compared, subtracted or chosen from.
func (c *checker) sameElem(x, y Expr, depth int) error {
	s, t, err := both(c.ptr, x, y, depth+1)
	if err != nil {
		return err
	}
	if s.Elem != t.Elem {
		return fmt.Errorf("pointers are %s and %s", s, t)
	}
	return nil
}

func (c *checker) float(e Expr, depth int) (Float, error) {
	if depth > MaxDepth {
		return Float{}, errDeep
	}
	switch e := e.(type) {
	case nil:
		return Float{}, errors.New("missing expression")
	case *FloatConst:
		if err := c.typ(e.T); err != nil {
			return Float{}, err
		}
		if !e.T.holds(e.V) {
			return Float{}, fmt.Errorf("constant %s does not fit %s", formatFloat(e.V), e.T)
		}
		return e.T, nil
	case *FloatLoad:
		return placeOf[Float](c, e.Place, depth, "a floating-point number")
	case *FloatNeg:
		return c.float(e.X, depth+1)
	case *FloatBinary:
		if !e.Op.OnFloats() {
			return Float{}, fmt.Errorf("operator %s on floating-point numbers", e.Op)
		}
		return c.floats(e.Op, e.X, e.Y, depth)
	case *FloatConvert:
		if err := c.typ(e.T); err != nil {
			return Float{}, err
		}
		_, err := c.float(e.X, depth+1)
		return e.T, err
	case *FloatOf:
		if err := c.typ(e.T); err != nil {
			return Float{}, err
		}
		_, err := c.expr(e.X, depth+1)
		return e.T, err
	}
	return Float{}, notOf(e, Floats)
}

// floats checks the operands of op and returns their common type.
func (c *checker) floats(op Op, x, y Expr, depth int) (Float, error) {
	s, t, err := both(c.float, x, y, depth+1)
	if err != nil {
		return Float{}, err
	}
	if s != t {
		return Float{}, fmt.Errorf("operands of %s are %s and %s", op, s, t)
	}
	return s, nil
}

// holds reports whether v is a value of the type, and finite.
func (t Float) holds(v float64) bool {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return false
	}
	return t == F64 || float64(float32(v)) == v
}

func (c *checker) vec(e Expr, depth int) (Vector, error) {
	if depth > MaxDepth {
		return Vector{}, errDeep
	}
	switch e := e.(type) {
	case nil:
		return Vector{}, errors.New("missing expression")
	case *VecLoad:
		return placeOf[Vector](c, e.Place, depth, "a vector")
	case *VecOf:
		return c.vecOf(e, depth)
	case *VecUnary:
		if e.Op != Neg && e.Op != Not {
			return Vector{}, fmt.Errorf("operator %s on vectors", e.Op)
		}
		t, err := c.vec(e.X, depth+1)
		if err == nil && e.Op == Neg {
			err = safe(Sub, t, e)
		}
		return t, err
	case *VecBinary:
		if e.Op < 0 || e.Op >= numOps || e.Op.Logical() {
			return Vector{}, fmt.Errorf("operator %s on vectors", e.Op)
		}
		t, err := c.vecs(e.X, e.Y, depth)
		if err == nil {
			err = safe(e.Op, t, e)
		}
		if e.Op.Compares() {
			t.Elem.Signed = true
		}
		return t, err
	case *VecShuffle:
		t, err := c.vecs(e.X, e.Y, depth)
		if err != nil {
			return Vector{}, err
		}
		if err := checkVector(TypeOf[Vector](e)); err != nil {
			return Vector{}, err
		}
		for _, i := range e.Index {
			if i < -1 || i >= 2*t.Lanes {
				return Vector{}, fmt.Errorf("there is no lane %d", i)
			}
		}
		return TypeOf[Vector](e), nil
	case *VecConvert:
		if err := checkVector(e.T); err != nil {
			return Vector{}, err
		}
		t, err := c.vec(e.X, depth+1)
		if err == nil && t.Lanes != e.T.Lanes {
			err = fmt.Errorf("%s converted to %s", t, e.T)
		}
		return e.T, err
	case *VecCast:
		if err := checkVector(e.T); err != nil {
			return Vector{}, err
		}
		t, err := c.vec(e.X, depth+1)
		switch {
		case err != nil:
		case t.bytes() != e.T.bytes() || t.Lanes != e.T.Lanes && (t.Padded() != t.Lanes || e.T.Padded() != e.T.Lanes):
			err = fmt.Errorf("%s cast to %s", t, e.T)
		case Undefined(e.X) != 0:
			err = errors.New("cast of a lane in which anything may be")
		}
		return e.T, err
	case *VecCall:
		switch e.X.(type) {
		case nil, *VecLoad, *VecOf, *VecCall:
			return Vector{}, errors.New("call of no operator on vectors")
		}
		t, err := c.vec(e.X, depth+1)
		if err == nil && !Callable(e.X) {
			err = errors.New("call with a lane in which anything may be")
		}
		return t, err
	}
	return Vector{}, notOf(e, Vectors)
}

// safe returns an error if e, which is op on vectors of type t, is not safe: it has
// lanes with arbitrary values, or C has some beyond them, and op could be undefined for
// these.
func safe(op Op, t Vector, e Expr) error {
	if t.Elem.Unsafe(op) && (t.Padded() != t.Lanes || Undefined(e) != 0) {
		return fmt.Errorf("operator %s on %s has lanes in which anything may be", op, t)
	}
	return nil
}

func (c *checker) vecOf(e *VecOf, depth int) (Vector, error) {
	if err := checkVector(e.T); err != nil {
		return Vector{}, err
	}
	if len(e.Lanes) != e.T.Lanes {
		return Vector{}, fmt.Errorf("%d values for %d lanes", len(e.Lanes), e.T.Lanes)
	}
	for i, lane := range e.Lanes {
		t, err := c.expr(lane, depth+1)
		if err != nil {
			return Vector{}, err
		}
		if t != e.T.Elem {
			return Vector{}, fmt.Errorf("lane %d is %s, want %s", i, t, e.T.Elem)
		}
	}
	return e.T, nil
}

// vecs checks two vectors of one type.
func (c *checker) vecs(x, y Expr, depth int) (Vector, error) {
	s, t, err := both(c.vec, x, y, depth+1)
	if err != nil {
		return Vector{}, err
	}
	if s != t {
		return Vector{}, fmt.Errorf("vectors are %s and %s", s, t)
	}
	return s, nil
}

func (c *checker) wide(e Expr, depth int) (Wide, error) {
	if depth > MaxDepth {
		return Wide{}, errDeep
	}
	switch e := e.(type) {
	case nil:
		return Wide{}, errors.New("missing expression")
	case *WideLoad:
		return placeOf[Wide](c, e.Place, depth, "a wide integer")
	case *WideOf:
		if err := checkWide(e.T); err != nil {
			return Wide{}, err
		}
		_, err := c.expr(e.X, depth+1)
		return e.T, err
	case *WideConvert:
		if err := checkWide(e.T); err != nil {
			return Wide{}, err
		}
		_, err := c.wide(e.X, depth+1)
		return e.T, err
	case *WideUnary:
		if e.Op != Neg && e.Op != Not {
			return Wide{}, fmt.Errorf("operator %s on wide integers", e.Op)
		}
		return c.wide(e.X, depth+1)
	case *WideBinary:
		if e.Op < 0 || e.Op.Yields01() || e.Op >= numOps {
			return Wide{}, fmt.Errorf("operator %s on wide integers", e.Op)
		}
		return c.wides(e.Op, e.X, e.Y, depth)
	case *WideSelect:
		if _, err := c.expr(e.If, depth+1); err != nil {
			return Wide{}, err
		}
		s, t, err := both(c.wide, e.X, e.Y, depth+1)
		if err == nil && s != t {
			err = fmt.Errorf("one of %s and %s is selected", s, t)
		}
		return s, err
	}
	return Wide{}, notOf(e, Wides)
}

// wides checks the operands of op and returns the type that they both have.
func (c *checker) wides(op Op, x, y Expr, depth int) (Wide, error) {
	s, t, err := both(c.wide, x, y, depth+1)
	if err != nil {
		return Wide{}, err
	}
	if s != t {
		return Wide{}, fmt.Errorf("operands of %s are %s and %s", op, s, t)
	}
	return s, nil
}
