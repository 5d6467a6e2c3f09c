package ir

import "fmt"

// An Expr is a tree without side effects, except those of calls. C leaves the order
// open in which operands are evaluated. If the order can matter, because calls touch
// the same globals or statics, the interpreter reports it. The operands of an operator
// have the same type. Operands that C would promote are converted explicitly, so that
// each operator has its meaning in C.
type Expr interface {
	fmt.Stringer
	Type() Type
	isExpr()
}

// A Const is an integer of its type: sign-extended to 64 bits if the type is
// signed, zero-extended if not; a u64 is reinterpreted as int64.
type Const struct {
	T Int
	V int64
}

// A FloatConst is a floating-point number of its type.
type FloatConst struct {
	T Float
	V float64
}

// A Null is the null pointer of type T.
type Null struct{ T Pointer }

// A Sym is a symbol, a constant whose value is not chosen yet. One symbol may
// stand in one place only.
type Sym struct {
	T  Int
	ID int
}

// A Load is the value of a place. That of a record stands only as the source of an
// Assign.
type Load struct{ Place Place }

// A Unary is an operator and its operand: an integer of at least 32 bits, a wide
// integer or a vector, whose lanes are computed by themselves; with Neg also a
// floating-point number other than zero. LNot takes integers alone.
type Unary struct {
	Op UnOp
	X  Expr
}

// A Binary is an operator and its operands, of which X is evaluated first. Both have
// one type:
//
//	integers  of at least 32 bits; all operators
//	wides     all except logical operators
//	floats    Add, Sub, Mul, Div, and comparisons
//	pointers  comparisons; Sub, the distance in elements from Y to X, which point into
//	          one array. Other comparisons than Eq and Ne are undefined unless both
//	          point into one array or one object. Qualifiers of the targets may differ
//	vectors   each pair of lanes, by all except logical operators; comparisons give -1 or 0
//	          in the signed type of that width
type Binary struct {
	Op   Op
	X, Y Expr
}

// A Select is X if If is not zero, else Y; the other one is not evaluated. X and Y have
// one type: an integer of at least 32 bits, a wide integer, or a pointer, where
// qualifiers of the target may differ.
type Select struct{ If, X, Y Expr }

// A Convert changes the type of X to T, lane by lane for a vector.
//
//	Int    of an integer or a Wide: a value that T does not hold wraps modulo 2^Bits,
//	       which C defines for unsigned types and gcc and clang for signed; see Bool. To
//	       a type that is not Standard an integer converts only as the whole source of
//	       an assignment to a bit-field. A floating-point number is truncated towards
//	       zero, which is undefined if T does not hold that (6.3.1.4p1); not to Bool
//	Wide   of an integer or a Wide, modulo 2^Bits
//	Float  of an integer or a floating-point number, whose value must be one of T
//	Vector of a vector with as many lanes, as integers convert
type Convert struct {
	T Type
	X Expr
}

// A Cast takes X for a value of type T.
//
//	Pointer  of a pointer, whose target stays: to access an integer through it is
//	         defined if T.Elem differs from the type of the object in its sign alone
//	         (6.5p7), or in qualifiers
//	Vector   of a vector with as many bits, which stay, the low one first in each lane.
//	         If the lanes of T have other bits than those of X, both have a power of
//	         two lanes, or lanes of one are no standard integers
type Cast struct {
	T Type
	X Expr
}

// A Builtin is a function that gcc and clang know.
type Builtin struct {
	Fn   Fn
	Args []Expr // as many as Fn.Arity
}

// A Checksum is the CRC-32 (IEEE) of the values of all scalars of Of, in order,
// row-major. Each scalar is the little-endian bytes of its type: Int.Bytes of them, or
// for a float or double its IEEE 754 bits. Pointers and Wides are left out, and of a
// union all members except the first. It has type u32 and stands only as the operand of
// a Return or the source of an Assign.
type Checksum struct{ Of []*Var }

// A Call is the value that Func returns for Args, one for each parameter and
// of its type. The arguments are evaluated before anything in Func is.
type Call struct {
	Func *Function
	Args []Expr
}

// An AddrOf is the address of a place that is not a bit-field. Its indices are
// evaluated, and the place is not read; an index may be that behind the last element.
type AddrOf struct{ Place Place }

// A PtrAdd is the pointer that is Index elements further on in the same array. It is
// undefined beyond the ends of the array, except for the place behind the last element.
type PtrAdd struct {
	X     Expr
	Index Expr
}

// A VecOf is the vector of the values of its lanes, which are of type T.Elem.
type VecOf struct {
	T     Vector
	Lanes []Expr
}

// A Shuffle takes lane Index[i] of the lanes of X followed by those of Y as its lane
// i. X and Y have one type. There are as many lanes as indices. A lane with the index
// -1 has an arbitrary value, and must not contribute to an assigned value; see
// Undefined.
type Shuffle struct {
	X, Y  Expr
	Index []int
}

// A VecCall is X, an operator on vectors, which a function of its own computes of the
// operands of X. Neither in these nor in X is there a lane in which anything may be:
// clang takes arguments and results without a value for undefined.
type VecCall struct{ X Expr }

func (*Const) isExpr()      {}
func (*FloatConst) isExpr() {}
func (*Null) isExpr()       {}
func (*Sym) isExpr()        {}
func (*Load) isExpr()       {}
func (*Unary) isExpr()      {}
func (*Binary) isExpr()     {}
func (*Select) isExpr()     {}
func (*Convert) isExpr()    {}
func (*Cast) isExpr()       {}
func (*Builtin) isExpr()    {}
func (*Checksum) isExpr()   {}
func (*Call) isExpr()       {}
func (*AddrOf) isExpr()     {}
func (*PtrAdd) isExpr()     {}
func (*VecOf) isExpr()      {}
func (*Shuffle) isExpr()    {}
func (*VecCall) isExpr()    {}

// Type returns the type of the constant.
func (e *Const) Type() Type { return e.T.Boxed() }

// Type returns the type of the number.
func (e *FloatConst) Type() Type { return e.T }

// Type returns T.
func (e *Null) Type() Type { return e.T }

// Type returns the type of the symbol.
func (e *Sym) Type() Type { return e.T.Boxed() }

// Type returns the type of the place.
func (e *Load) Type() Type { return e.Place.Type() }

// Type returns the type of the operand, or i32 for LNot.
func (e *Unary) Type() Type {
	if e.Op == LNot {
		return I32.Boxed()
	}
	return e.X.Type()
}

// Type returns the type of the operands, which for comparisons of vectors has signed
// lanes. It is i32 for other comparisons and logical operators, i64 for the distance of
// pointers.
func (e *Binary) Type() Type {
	if e.Op.Logical() {
		return I32.Boxed()
	}
	return e.typeOver(e.X.Type())
}

// typeOver returns the type of e, whose first operand is of type t.
func (e *Binary) typeOver(t Type) Type {
	if e.Op.Yields01() {
		if v, ok := t.(Vector); ok {
			v.Elem.Signed = true
			return v
		}
		return I32.Boxed()
	}
	if _, ok := t.(Pointer); ok {
		return I64.Boxed()
	}
	return t
}

// Type returns the type of X, with the qualifiers of Y added if both are pointers.
func (e *Select) Type() Type {
	x := e.X.Type()
	t, ok := x.(Pointer)
	if !ok {
		return x
	}
	u := TypeOf[Pointer](e.Y)
	t.Const, t.Volatile = t.Const || u.Const, t.Volatile || u.Volatile
	return t
}

// Type returns T.
func (e *Convert) Type() Type { return e.T }

// Type returns T.
func (e *Cast) Type() Type { return e.T }

// Type returns i32, or the type of the first argument for functions that keep it.
func (e *Builtin) Type() Type {
	if e.Fn.keeps() {
		return e.Args[0].Type()
	}
	return I32.Boxed()
}

// Type returns u32.
func (e *Checksum) Type() Type { return U32.Boxed() }

// Type returns the type of the callee's result.
func (e *Call) Type() Type { return e.Func.Result.Boxed() }

// Type returns the pointer to the type of the place, with the qualifiers of the object
// that contains the place.
func (e *AddrOf) Type() Type {
	t := Pointer{Elem: e.Place.Type()}
	t.Const, t.Volatile = qualifiers(e.Place)
	return t
}

// Type returns the type of X.
func (e *PtrAdd) Type() Type { return e.X.Type() }

// Type returns T.
func (e *VecOf) Type() Type { return e.T }

// Type returns a type of the lanes of the operands.
func (e *Shuffle) Type() Type {
	return Vector{Elem: TypeOf[Vector](e.X).Elem, Lanes: len(e.Index)}
}

// Type returns the type of X.
func (e *VecCall) Type() Type { return e.X.Type() }

// IntOf returns the type of an expression that is an integer. It is e.Type without an
// allocation.
func IntOf(e Expr) Int {
	t, ok := AsInt(e)
	if !ok {
		panic(fmt.Sprintf("ir: %s is %s, not an integer", e, FamilyOf(e)))
	}
	return t
}

// AsInt returns the type of e, which is no vector, if e is an integer. It is IsInt and
// IntOf in one walk.
func AsInt(e Expr) (t Int, ok bool) {
	distance := false
	for {
		switch x := e.(type) {
		case *Const:
			return x.T, true
		case *Sym:
			return x.T, true
		case *Load:
			if v, whole := x.Place.(*VarRef); whole {
				t, ok = v.Var.Type.(Int)
			} else {
				t, ok = x.Place.Type().(Int)
			}
			if ok {
				return t, true
			}
		case *Convert:
			if t, ok = x.T.(Int); ok {
				return t, true
			}
		case *Binary:
			if x.Op.Yields01() {
				return I32, true
			}
			distance = distance || x.Op == Sub
			e = x.X
			continue
		case *Unary:
			if x.Op == LNot {
				return I32, true
			}
			e = x.X
			continue
		case *Select:
			e = x.X
			continue
		}
		switch FamilyOf(e) {
		case Integers:
			t, ok = e.Type().(Int)
			return t, ok
		case Pointers:
			return I64, distance
		}
		return Int{}, false
	}
}

// TypeOf returns the type of an expression of which it is known what kind of type it has.
func TypeOf[T Type](e Expr) T { return e.Type().(T) }
