package ir

import (
	"errors"
	"fmt"
)

func (c *checker) stmt(s Stmt) error {
	switch s := s.(type) {
	case nil:
		return errors.New("missing statement")
	case *Assign:
		return c.assign(s)
	case *Overflow:
		return c.overflow(s)
	case *Transfer:
		return c.transfer(s)
	case *Fill:
		return c.fill(s)
	case *Unreachable:
		return nil
	case *Assume:
		if _, err := c.integer(s.Cond, 1); err != nil {
			return err
		}
		return idle(s.Cond)
	}
	panic(unknown(s))
}

// idle checks that n can be evaluated without effect: it has no call and no volatile
// access.
func idle(n Node) (err error) {
	switch n := n.(type) {
	case *Call:
		return fmt.Errorf("%s is called in an assumption", n.Func.Name)
	case *VarRef:
		if n.Var.Volatile {
			return fmt.Errorf("volatile %s in an assumption", n.Var)
		}
	case *Deref:
		if TypeOf[Pointer](n.X).Volatile {
			return fmt.Errorf("%s, which is volatile, in an assumption", n)
		}
	}
	Parts(n, func(part Node) bool {
		err = idle(part)
		return err == nil
	})
	return err
}

func (c *checker) assign(s *Assign) error {
	src, err := c.source(s.Src)
	if err != nil {
		return err
	}
	dst, err := c.place(s.Dst, 1)
	if err != nil {
		return err
	}
	from, ok := src.(Pointer)
	to, ok2 := dst.(Pointer)
	if src != dst && !(ok && ok2 && converts(from, to)) {
		if _, ok := dst.(Array); ok {
			return notA(s.Dst, dst, "a scalar")
		}
		return fmt.Errorf("%s assigned to %s", src, dst)
	}
	if _, ok := src.(Vector); ok && Undefined(s.Src) != 0 {
		return errors.New("a lane in which anything may be is assigned")
	}
	return notConst(s.Dst)
}

// source checks what is assigned, which may be a record, and returns its type.
func (c *checker) source(e Expr) (Type, error) {
	load, ok := e.(*Load)
	if !ok {
		return c.whole(e)
	}
	t, err := c.place(load.Place, 1)
	if err != nil {
		return nil, err
	}
	if _, ok := t.(Array); ok {
		return nil, notA(load.Place, t, "a scalar")
	}
	return t, nil
}

// converts reports whether a pointer of type src can be assigned to one of type
// dst: it may add qualifiers.
func converts(src, dst Pointer) bool {
	return src.Elem == dst.Elem && (dst.Const || !src.Const) && (dst.Volatile || !src.Volatile)
}

// notConst returns an error if p, which is valid, is const.
func notConst(p Place) error {
	if constant, _ := qualifiers(p); constant {
		return fmt.Errorf("%v is const", p)
	}
	return nil
}

func (c *checker) overflow(s *Overflow) error {
	if !s.Op.Overflows() {
		return fmt.Errorf("overflow of %s", s.Op)
	}
	for _, e := range []Expr{s.X, s.Y} {
		t, err := c.integer(e, 1)
		if err != nil {
			return err
		}
		if err := promotes(t); err != nil {
			return fmt.Errorf("operand is %w", err)
		}
	}
	t, err := c.scalar(s.Dst, 1)
	if err != nil {
		return err
	}
	if t == Bool || !t.Standard() {
		return fmt.Errorf("%v is %s, want an integer of 8 to 64 bits", s.Dst, t)
	}
	if err := addressable(s.Dst); err != nil {
		return err
	}
	flag, err := c.scalar(s.Flag, 1)
	if err != nil {
		return err
	}
	if flag != I32 && flag != Bool {
		return fmt.Errorf("flag is %s, want i32 or bool", flag)
	}
	x, ok1 := s.Dst.(*VarRef)
	y, ok2 := s.Flag.(*VarRef)
	if ok1 && ok2 && x.Var == y.Var {
		return errors.New("both destinations are the same")
	}
	if err := notConst(s.Dst); err != nil {
		return err
	}
	return notConst(s.Flag)
}

func (c *checker) transfer(s *Transfer) error {
	dst, err := c.bytesAt(s.Dst, true)
	if err != nil {
		return err
	}
	src, err := c.bytesAt(s.Src, false)
	if err != nil {
		return err
	}
	if dst.Elem != src.Elem {
		return fmt.Errorf("%s of %s to %s", s.Name(), src, dst)
	}
	_, err = c.integer(s.N, 1)
	return err
}

func (c *checker) fill(s *Fill) error {
	dst, err := c.bytesAt(s.Dst, true)
	if err != nil {
		return err
	}
	if !Bytewise(dst.Elem) {
		return fmt.Errorf("memset of %s, in which there are pointers or unions", dst.Elem)
	}
	if _, err := c.integer(s.Byte, 1); err != nil {
		return err
	}
	_, err = c.integer(s.N, 1)
	return err
}

// bytesAt checks a pointer to bytes that a function of C reads, or writes.
func (c *checker) bytesAt(e Expr, written bool) (Pointer, error) {
	t, err := c.ptr(e, 1)
	switch {
	case err != nil:
		return t, err
	case t.Volatile:
		return t, fmt.Errorf("%v points to what is volatile", e)
	case written && t.Const:
		return t, fmt.Errorf("%v points to what is const", e)
	}
	return t, nil
}

func (c *checker) switchTerm(t *Switch) error {
	for _, k := range t.Cases {
		if err := c.target(k.To); err != nil {
			return err
		}
	}
	if err := c.target(t.Default); err != nil {
		return err
	}
	want, err := c.integer(t.X, 1)
	if err != nil {
		return err
	}
	if err := promotes(want); err != nil {
		return fmt.Errorf("operand is %w", err)
	}
	var used []span
	for i, k := range t.Cases {
		lo, err := c.label(k.Lo, want)
		if err != nil {
			return fmt.Errorf("label %d: %w", i, err)
		}
		hi := lo
		if k.Hi != nil {
			if hi, err = c.label(k.Hi, want); err != nil {
				return fmt.Errorf("label %d: %w", i, err)
			}
		}
		if lo == nil || hi == nil {
			continue // not chosen yet
		}
		s := span{*lo, *hi}
		if s.hi < s.lo {
			return fmt.Errorf("label %d: an empty range", i)
		}
		used = append(used, s)
	}
	return disjoint(used)
}

// label checks a label of type want and returns its order among the values of
// the type, or nil if it is a symbol.
func (c *checker) label(e Expr, want Int) (*uint64, error) {
	if !isLeaf(e) {
		return nil, errors.New("neither constant nor symbol")
	}
	t, err := c.integer(e, 1)
	if err != nil {
		return nil, err
	}
	if t != want {
		return nil, fmt.Errorf("is %s, want %s", t, want)
	}
	k, ok := e.(*Const)
	if !ok {
		return nil, nil
	}
	order := uint64(k.V)
	if t.Signed {
		order ^= 1 << 63
	}
	return &order, nil
}
