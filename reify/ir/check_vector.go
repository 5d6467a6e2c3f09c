package ir

import (
	"errors"
	"fmt"
)

// safe returns an error if e, which is op on vectors of type t, is not safe: it has
// lanes with arbitrary values, or C, which has no odd lanes, has some beyond them, and op could
// be undefined for these.
func safe(op Op, t Vector, e Expr) error {
	if t.Elem.Unsafe(op) && (t.Elem.Standard() && t.Padded() != t.Lanes || Undefined(e) != 0) {
		return fmt.Errorf("operator %s on %s has lanes in which anything may be", op, t)
	}
	return nil
}

func (c *checker) vecOf(e *VecOf, depth int) error {
	if err := checkVector(e.T); err != nil {
		return err
	}
	if len(e.Lanes) != e.T.Lanes {
		return fmt.Errorf("%d values for %d lanes", len(e.Lanes), e.T.Lanes)
	}
	for i, lane := range e.Lanes {
		c.odd = true
		t, err := c.integer(lane, depth+1)
		if err != nil {
			return err
		}
		if t != e.T.Elem {
			return fmt.Errorf("lane %d is %s, want %s", i, t, e.T.Elem)
		}
	}
	return nil
}

func (c *checker) shuffle(e *Shuffle, depth int) (Type, error) {
	x, err := c.vec(e.X, depth+1)
	if err != nil {
		return nil, err
	}
	y, err := c.vec(e.Y, depth+1)
	if err != nil {
		return nil, err
	}
	if x != y {
		return nil, fmt.Errorf("vectors are %s and %s", x, y)
	}
	t := TypeOf[Vector](e)
	if err := checkVector(t); err != nil {
		return nil, err
	}
	for _, i := range e.Index {
		if i < -1 || i >= 2*x.Lanes {
			return nil, fmt.Errorf("there is no lane %d", i)
		}
	}
	return t, nil
}

func (c *checker) vecCall(e *VecCall, depth int) (Type, error) {
	switch e.X.(type) {
	case *Unary, *Binary, *Shuffle, *Convert, *Cast:
	default:
		return nil, errors.New("call of no operator on vectors")
	}
	t, err := c.vec(e.X, depth+1)
	if err == nil && !Callable(e.X) {
		err = errors.New("call with a lane in which anything may be")
	}
	return t, err
}
