package ir

import (
	"errors"
	"fmt"
)

// whole checks an expression that may be a Checksum and returns its type.
func (c *checker) whole(e Expr) (Int, error) {
	sum, ok := e.(*Checksum)
	if !ok {
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
	if depth > MaxDepth {
		return Int{}, errDeep
	}
	switch e := e.(type) {
	case nil:
		return Int{}, errors.New("missing expression")
	case *Const:
		if err := checkInt(e.T); err != nil {
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
		return e.T, checkInt(e.T)
	case *Load:
		return c.scalar(e.Place, depth)
	case *Binary:
		return c.binary(e, depth)
	case *Convert:
		if err := checkInt(e.T); err != nil {
			return Int{}, err
		}
		_, err := c.expr(e.X, depth+1)
		return e.T, err
	case *Checksum:
		return Int{}, errors.New("checksum is a part of an expression")
	case *Call:
		return c.call(e, depth)
	}
	panic(unknown(e))
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

// onlyCalls reports whether e makes a call and reads no variable. What is not
// whole may be either.
func onlyCalls(e Expr) bool {
	calls := false
	for at := range SubExprs(&e) {
		switch (*at).(type) {
		case *Load:
			return false
		case *Call:
			calls = true
		}
	}
	return calls
}

func (c *checker) binary(e *Binary, depth int) (Int, error) {
	if e.Op < 0 || e.Op >= numOps {
		return Int{}, fmt.Errorf("unknown operator %d", int(e.Op))
	}
	x, err := c.expr(e.X, depth+1)
	if err != nil {
		return Int{}, err
	}
	y, err := c.expr(e.Y, depth+1)
	if err != nil {
		return Int{}, err
	}
	if x != y {
		return Int{}, fmt.Errorf("operands of %s are %s and %s", e.Op, x, y)
	}
	if x.Bits < 32 {
		return Int{}, fmt.Errorf("operands of %s are %s, want at least 32 bits", e.Op, x)
	}
	if e.Op.Compares() {
		return I32, nil
	}
	return x, nil
}

// scalar checks a place that is loaded or assigned and returns its type.
func (c *checker) scalar(p Place, depth int) (Int, error) {
	t, err := c.place(p, depth)
	if err != nil {
		return Int{}, err
	}
	s, ok := t.(Int)
	if !ok {
		return Int{}, fmt.Errorf("%v is an array, want a scalar", p)
	}
	return s, nil
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
		a, ok := t.(Array)
		if !ok {
			return nil, fmt.Errorf("%v is not an array", p.Base)
		}
		_, err = c.expr(p.Index, depth+1)
		return a.Elem, err
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

func checkInt(t Int) error {
	switch t {
	case I8, I16, I32, I64, U8, U16, U32, U64:
		return nil
	}
	return fmt.Errorf("unknown integer type %s", t)
}

func checkType(t Type) error {
	scalars := 1
	for dims := 0; ; dims++ {
		switch a := t.(type) {
		case nil:
			return errors.New("no type")
		case Int:
			return checkInt(a)
		case Array:
			if a.Len < 1 || a.Len > MaxScalars/scalars {
				return fmt.Errorf("array of length %d, want 1 or more and at most %d scalars", a.Len, MaxScalars)
			}
			if dims >= MaxDepth {
				return fmt.Errorf("array of more than %d dimensions", MaxDepth)
			}
			scalars *= a.Len
			t = a.Elem
		default:
			panic(unknown(t))
		}
	}
}

// checkName returns an error if name cannot be a name in C: it is no
// identifier, a keyword, or reserved for the compiler (C11 7.1.3).
func checkName(name string) error {
	ok := name != "" && isLetter(name[0]) && scan(name, 0, isLetterOrDigit) == len(name)
	if !ok {
		return fmt.Errorf("name %q is not an identifier", name)
	}
	if len(name) > 1 && name[0] == '_' && (name[1] == '_' || 'A' <= name[1] && name[1] <= 'Z') || isKeyword(name) {
		return fmt.Errorf("name %q is reserved in C", name)
	}
	return nil
}

// isKeyword reports whether name is a keyword of C up to C23, or one of gcc
// and clang by default.
func isKeyword(name string) bool {
	switch name {
	case "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char",
		"const", "constexpr", "continue", "default", "do", "double", "else",
		"enum", "extern", "false", "float", "for", "goto", "if", "inline",
		"int", "long", "nullptr", "register", "restrict", "return", "short",
		"signed", "sizeof", "static", "static_assert", "struct", "switch",
		"thread_local", "true", "typedef", "typeof", "typeof_unqual", "union",
		"unsigned", "void", "volatile", "while":
		return true
	}
	return false
}
