//go:build cgo && !noz3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
)

// expr returns the value of x and requires what makes it defined.
func (e *encoder) expr(x ir.Expr) (value, error) {
	switch x := x.(type) {
	case *ir.Const:
		return e.constant(x.T, x.V), nil
	case *ir.Sym:
		return e.symbol(x, additive), nil
	case *ir.Load:
		return e.load(x.Place)
	case *ir.Binary:
		if x.Op.Compares() {
			c, err := e.condition(x)
			if err != nil {
				return value{}, err
			}
			return e.truth(c), nil
		}
		l, r, err := e.operands(x)
		if err != nil {
			return value{}, err
		}
		return e.arith(x.Op, l, r), nil
	case *ir.Convert:
		v, err := e.expr(x.X)
		if err != nil {
			return value{}, err
		}
		return e.convert(v, x.T), nil
	}
	panic(fmt.Sprintf("z3: %T is no value", x))
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

// condition returns whether x is not zero.
func (e *encoder) condition(x ir.Expr) (z3.Bool, error) {
	if b, ok := x.(*ir.Binary); ok && b.Op.Compares() {
		l, r, err := e.operands(b)
		if err != nil {
			return z3.Bool{}, err
		}
		return e.compare(b.Op, l, r), nil
	}
	v, err := e.expr(x)
	if err != nil {
		return z3.Bool{}, err
	}
	return e.not(e.eq(v.bv, e.num(0, v.width))), nil
}
