package ir

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
	End   *End // nil until interp.Close has noted it; a copy of the program has none
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
