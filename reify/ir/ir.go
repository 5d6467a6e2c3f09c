package ir

import "fmt"

// A Program is a list of functions and of the claims about them.
type Program struct {
	Funcs  []*Function
	Claims []*Claim
}

// A Claim says of a function that, called with Args, it visits exactly the blocks
// of Path, meets no undefined behaviour, and returns Want. The text form calls it
// a case, and so does reify.Case once the interpreter has proved it.
//
// Other semantics than C's leave less undefined, and under them a call may trap. Then
// the trap is in the last block of Path, which may be any block, and Want is 0.
type Claim struct {
	Func  *Function
	Args  []int64 // one for each parameter, in the representation of Const
	Want  int64   // of type Func.Result
	Path  []int   // indices into Func.Blocks, from entry to exit
	Under Under
	Trap  Trap // that ends the call, or ""
}

// A Function has one entry, Blocks[0], which has no predecessors, and one exit, the
// last block, which is the only one that returns. A foreign function has no blocks.
type Function struct {
	Name   string
	Result Int
	Types  []*Record // those of its variables, each after the records that it contains
	Vars   []*Var    // the parameters first, then the others as declared
	Blocks []*Block
	Syms   int // symbols are numbered from 0 to Syms-1

	Foreign *Foreign // nil unless others wrote the function
}

// Params returns the parameters, which are the first of f.Vars.
func (f *Function) Params() []*Var {
	n := 0
	for n < len(f.Vars) && f.Vars[n].Kind == Param {
		n++
	}
	return f.Vars[:n]
}

// A Kind says where a variable lives and when it is initialised.
type Kind int

const (
	Param  Kind = iota // a parameter: a scalar, set by the caller
	Local              // automatic, initialised when the function is entered
	Global             // file scope, external linkage, initialised once
	Static             // file scope, internal linkage, initialised once
)

// Lasts reports whether variables of the kind keep their values from one call
// to the next (6.2.4p3): Global or Static.
func (k Kind) Lasts() bool { return k == Global || k == Static }

// A Var is a variable. Names are unique in a function without regard to Kind.
type Var struct {
	Name     string
	Type     Type // of a parameter an Int
	Kind     Kind
	Volatile bool
	Const    bool // it has initial values and is not assigned to
	// Init holds a *Const or *Sym for each scalar in row-major order. That of an
	// integer has its type; that of a floating-point number is an i32 whose value the
	// type holds. It is nil for pointers, and for all members of a union except the
	// first. Init is nil as a whole for parameters, for locals that start
	// uninitialised, and for globals and statics that start at zero. Initial values of
	// a local may also be expressions that make a call and read no variable.
	Init []Expr
	// Ptrs holds the initial value of each scalar that is a pointer, in the order of
	// Init. A nil is the null pointer; all other values are an *AddrOf of a place whose
	// indices are constants. Only a local may start with the address of a parameter, or
	// of a local declared before it. Ptrs is nil if Type contains no pointer or Init is
	// nil.
	Ptrs  []Expr
	Index int // position in Function.Vars
}

// A Block is a basic block.
type Block struct {
	Name  string
	Index int // position in Function.Blocks
	Stmts []Stmt
	Term  Term
}

// A Stmt is a statement without control flow.
type Stmt interface {
	fmt.Stringer
	isStmt()
}

// An Assign evaluates Src, then stores it. Src has the type of Dst. The index
// expressions of Dst are evaluated after Src; neither has side effects other
// than volatile reads and those of the functions that it calls.
type Assign struct {
	Dst Place
	Src Expr
}

func (*Assign) isStmt() {}

// A Term ends a block.
type Term interface {
	fmt.Stringer
	isTerm()
}

// A Goto jumps to To.
type Goto struct{ To *Block }

// An If jumps to Then if Cond is not zero, else to Else, which is another
// block.
type If struct {
	Cond       Expr
	Then, Else *Block
}

// A Return leaves the function.
type Return struct{ Val Expr }

func (*Goto) isTerm()   {}
func (*If) isTerm()     {}
func (*Return) isTerm() {}

// Succs returns the successors of b, each once.
func (b *Block) Succs() []*Block {
	switch t := b.Term.(type) {
	case *Goto:
		return []*Block{t.To}
	case *If:
		return []*Block{t.Then, t.Else}
	case *Switch:
		return t.Targets()
	case *Return:
		return nil
	}
	panic("ir: block without a terminator")
}

// An Expr is a tree without side effects, except those of calls. C leaves the order
// open in which operands are evaluated. If the order can matter, because calls touch
// the same globals or statics, the interpreter reports it. The operands of an operator
// have the same type, which is at least 32 bits wide. Operands that C would promote are
// converted explicitly, so that each operator has its meaning in C. The families of
// expressions, by the types of their values, have nodes of their own; Check has an operand
// be of the family that its node takes.
type Expr interface {
	fmt.Stringer
	Type() Type
	isExpr()
}

// IntOf returns the type of an expression that is an integer. It is e.Type without an
// allocation.
func IntOf(e Expr) Int {
	for {
		switch x := e.(type) {
		case *Const:
			return x.T
		case *Sym:
			return x.T
		case *Convert:
			return x.T
		case *Load:
			return x.Place.Type().(Int)
		case *Select:
			e = x.X
		case *Unary:
			if x.Op == LNot {
				return I32
			}
			e = x.X
		case *Binary:
			if x.Op.Yields01() {
				return I32
			}
			e = x.X
		default:
			return e.Type().(Int)
		}
	}
}

// TypeOf returns the type of an expression of which it is known what kind of type it has.
func TypeOf[T Type](e Expr) T { return e.Type().(T) }

// A Const is a value of its type: sign-extended to 64 bits if the type is
// signed, zero-extended if not; a u64 is reinterpreted as int64.
type Const struct {
	T Int
	V int64
}

// A Sym is a symbol, a constant whose value is not chosen yet. One symbol may
// stand in one place only.
type Sym struct {
	T  Int
	ID int
}

// A Load is the value of a scalar place.
type Load struct{ Place Place }

// A Binary is an operator and its operands, of which X is evaluated first.
type Binary struct {
	Op   Op
	X, Y Expr
}

// A Convert changes the type of X: a value that T does not hold wraps modulo
// 2^Bits, which C defines for unsigned types and gcc and clang for signed; see
// Bool. To a type that is not Standard it converts only as the whole source of
// an assignment to a bit-field.
type Convert struct {
	T Int
	X Expr
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

func (*Const) isExpr()    {}
func (*Sym) isExpr()      {}
func (*Load) isExpr()     {}
func (*Binary) isExpr()   {}
func (*Convert) isExpr()  {}
func (*Checksum) isExpr() {}
func (*Call) isExpr()     {}

// Type returns the type of the constant.
func (e *Const) Type() Type { return e.T }

// Type returns the type of the symbol.
func (e *Sym) Type() Type { return e.T }

// Type returns the type of the place, which is a scalar.
func (e *Load) Type() Type { return e.Place.Type() }

// Type returns the type of the operands, or i32 for comparisons and logical
// operators.
func (e *Binary) Type() Type {
	if e.Op.Yields01() {
		return I32
	}
	return e.X.Type()
}

// Type returns the type converted to.
func (e *Convert) Type() Type { return e.T }

// Type returns u32.
func (e *Checksum) Type() Type { return U32 }

// Type returns the type of the callee's result.
func (e *Call) Type() Type { return e.Func.Result }

// A Place is the destination of an assignment: a variable, an element or lane, a
// member, or the target of a pointer.
type Place interface {
	fmt.Stringer
	Type() Type
	isPlace()
}

// A VarRef is a variable as a place.
type VarRef struct{ Var *Var }

// An Elem is an element of Base, which is an array, or a lane of a vector. Index is
// undefined outside [0, Len).
type Elem struct {
	Base  Place
	Index Expr
}

func (*VarRef) isPlace() {}
func (*Elem) isPlace()   {}

// Type returns the type of the variable.
func (p *VarRef) Type() Type { return p.Var.Type }

// Type returns the type of the element.
func (p *Elem) Type() Type {
	switch t := p.Base.Type().(type) {
	case Array:
		return t.Elem
	case Vector:
		return t.Elem
	default:
		panic(fmt.Sprintf("ir: element of a %v", t))
	}
}

// Root returns the variable that p is, or is a part of, or nil if p is reached
// through a pointer.
func Root(p Place) *Var {
	for {
		switch q := p.(type) {
		case *VarRef:
			return q.Var
		case *Elem:
			p = q.Base
		case *Member:
			p = q.Base
		case *Deref:
			return nil
		default:
			panic("ir: unknown place")
		}
	}
}
