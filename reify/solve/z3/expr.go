//go:build cgo && z3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// notEncoded is the error for a construct that is not encoded.
func notEncoded(what string) error {
	return fmt.Errorf("z3: %s not encoded: %w", what, solve.ErrUnknown)
}

// otherFamily is the error for values that are neither integers nor pointers.
func otherFamily(of ir.Family) error {
	switch of {
	case ir.Floats:
		return notEncoded("floating point is")
	case ir.Vectors:
		return notEncoded("vectors are")
	}
	return notEncoded("wide integers are")
}

// expr returns the value of x, an integer, and requires that it is defined.
func (e *encoder) expr(x ir.Expr) (value, error) {
	switch x := x.(type) {
	case *ir.Const:
		return e.constant(x.T, x.V), nil
	case *ir.Sym:
		return e.symbol(x, additive), nil
	case *ir.Load:
		return e.load(x.Place)
	case *ir.Unary:
		if x.Op == ir.LNot {
			return e.asValue(x)
		}
		return e.apply(x.X, func(v value) value { return e.unary(x.Op, v) })
	case *ir.Binary:
		switch of := x.Of(); of {
		case ir.Integers:
			return e.binary(x)
		case ir.Pointers:
			return e.onPointers(x)
		default:
			return value{}, otherFamily(of)
		}
	case *ir.Select:
		return e.selected(x)
	case *ir.Convert:
		if of := ir.FamilyOf(x.X); of != ir.Integers {
			return value{}, otherFamily(of)
		}
		return e.apply(x.X, func(v value) value { return e.convert(v, x.T.(ir.Int)) })
	case *ir.Builtin:
		if of := ir.FamilyOf(x.Args[0]); of != ir.Integers {
			return value{}, otherFamily(of)
		}
		return e.apply(x.Args[0], func(v value) value { return e.builtin(x.Fn, v) })
	case *ir.Call:
		return value{}, notEncoded("calls are")
	case *ir.Checksum:
		return value{}, notEncoded("checksums that are not returned are")
	}
	panic(fmt.Sprintf("z3: %T is not a value", x))
}

// apply returns f of the value of x.
func (e *encoder) apply(x ir.Expr, f func(value) value) (value, error) {
	v, err := e.expr(x)
	if err != nil {
		return value{}, err
	}
	return f(v), nil
}

func (e *encoder) binary(x *ir.Binary) (value, error) {
	if x.Op.Yields01() {
		return e.asValue(x)
	}
	l, r, err := e.operands(x)
	if err != nil {
		return value{}, err
	}
	switch x.Op {
	case ir.And, ir.Or, ir.Xor:
		return e.bitwise(x.Op, l, r), nil
	case ir.Shl, ir.Shr:
		return e.shift(x.Op, l, r), nil
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem:
		return e.arith(x.Op, l, r), nil
	}
	return value{}, notEncoded("operator " + x.Op.String() + " is")
}

func (e *encoder) operands(x *ir.Binary) (l, r value, err error) {
	role := additive
	if x.Op == ir.Mul || x.Op == ir.Div || x.Op == ir.Rem {
		role = coefficient
	}
	if l, err = e.operand(x.X, role); err != nil {
		return l, r, err
	}
	r, err = e.operand(x.Y, role)
	return l, r, err
}

func (e *encoder) operand(x ir.Expr, r role) (value, error) {
	if s, ok := x.(*ir.Sym); ok {
		return e.symbol(s, r), nil
	}
	return e.expr(x)
}

// asValue returns 1 if the condition x holds, else 0.
func (e *encoder) asValue(x ir.Expr) (value, error) {
	c, err := e.condition(x)
	if err != nil {
		return value{}, err
	}
	return e.truth(c), nil
}

// condition returns whether x is not zero.
func (e *encoder) condition(x ir.Expr) (z3.Bool, error) {
	switch x := x.(type) {
	case *ir.Binary:
		if x.Op.Logical() {
			return e.logical(x)
		}
		if x.Op.Compares() && x.Of() == ir.Integers {
			l, r, err := e.operands(x)
			if err != nil {
				return z3.Bool{}, err
			}
			return e.compare(x.Op, l, r), nil
		}
	case *ir.Unary:
		if x.Op == ir.LNot {
			c, err := e.condition(x.X)
			if err != nil {
				return z3.Bool{}, err
			}
			return e.not(c), nil
		}
	}
	v, err := e.expr(x)
	if err != nil {
		return z3.Bool{}, err
	}
	return e.not(e.eq(v.bv, e.num(0, v.width))), nil
}
