package core

// A Policy is the shares of what no shape declares; see sketch.Policy.
type Policy struct {
	TypeShares
	ContextShares
	OperatorShares
	ConstantShares
	StatementShares
	ShapeShares
	BranchShares
	RecordShares
	PointerShares
	FloatShares
	VectorShares
	ParamShares
}

// TypeShares are shares of the variables.
type TypeShares struct {
	// of 8 or 16 bits
	Narrow   int `feature:"types" typical:"25" about:"integers of 8 to 64 bits with and without sign, and statements that mix types"`
	Wide     int `feature:"types" typical:"25"` // of 64 bits; if both sum to more than 100, Narrow gives way
	Unsigned int `feature:"types" typical:"40"` // unsigned
	Mixed    int `feature:"types" typical:"15"` // statements that compute in another type than that of the result
	Bool     int `feature:"bool" typical:"15" about:"_Bool"`
	// of those that are not parameters: const
	Const int `feature:"const" typical:"15" about:"const variables"`
}

// ContextShares are shares of regions, which restrict the operators in them, and
// weights of the contexts.
type ContextShares struct {
	// blocks whose statements have a context
	Region         int `feature:"context" typical:"40" about:"blocks and subtrees that hold operators of one kind only: additive, bits, logical"`
	Subtree        int `feature:"context" typical:"40"` // subtrees that have one of their own
	Additive       int `feature:"context" typical:"30"` // weight: + -
	Multiplicative int `feature:"context" typical:"10"` // weight: * / %
	AddMul         int `feature:"context" typical:"20"` // weight: + - * / %
	Bits           int `feature:"context" typical:"20"` // weight: & | ^ ~
	BitsShift      int `feature:"context" typical:"20"` // weight: & | ^ ~ << >>
	Logical        int `feature:"context" typical:"10"` // weight: && || ! and comparisons
}

// OperatorShares are weights of the forms that a term may have beside v ⊗ s.
type OperatorShares struct {
	// v & s, v | s, v ^ s
	Bitwise int `feature:"bitwise" typical:"40" about:"& | ^"`
	// v << s, v >> s
	Shift int `feature:"shift" typical:"30" about:"<< and >>"`
	// ~v ⊗ s, -v ⊗ s, !v
	Unary int `feature:"unary" typical:"20" about:"~ - !"`
	// v < s as a value
	Compare int `feature:"logic" typical:"20" about:"comparisons as values, && and ||"`
	Logic   int `feature:"logic" typical:"10"` // two comparisons joined by && or ||
	// c ? v ⊗ s : w ⊗ s
	Select int `feature:"select" typical:"25" about:"?:"`
	// popcount, clz, bswap, ...
	Builtin int `feature:"builtin" typical:"25" about:"builtins: popcount, clz, bswap and their like"`
	// a subtree of variables
	Nest  int `feature:"nest" typical:"25" about:"expressions of several variables as operands"`
	Reuse int `feature:"reuse" typical:"25" about:"common subexpressions"`
	// a value near to an end of its type
	Near int `feature:"near" typical:"20" about:"values near to the ends of their types"`
	// forms that passes look for: rotates, min/max, saturations, ...
	Idiom int `feature:"idiom" typical:"40" about:"what peephole passes look for: rotates, minima, saturations"`
}

// ConstantShares are for constants that are not symbols: their share of the
// leaves, and weights of the kinds.
type ConstantShares struct {
	// leaves that are constants
	Fixed      int `feature:"constant" typical:"50" about:"literals of all kinds: small ones, powers of two, runs of ones, ends of types"`
	Small      int `feature:"constant" typical:"40"` // weight: near to 0
	Ends       int `feature:"constant" typical:"15"` // weight: near to an end of the type
	Powers     int `feature:"constant" typical:"25"` // weight: powers of two and their neighbours
	Runs       int `feature:"constant" typical:"15"` // weight: runs of ones
	Again      int `feature:"constant" typical:"20"` // weight: one from elsewhere in the function
	Uniform    int `feature:"constant" typical:"10"` // weight: any value
	Negate     int `feature:"constant" typical:"10"` // of these the share that is negated
	Complement int `feature:"constant" typical:"10"` // of these the share that is complemented
}

// StatementShares are weights beside the assignment of integers.
type StatementShares struct {
	// __builtin_add_overflow and its like
	Overflow int `feature:"overflow" typical:"20" about:"__builtin_add_overflow and its like"`
	// i = i + c, and reductions and strides over arrays by it
	Induction int `feature:"induction" typical:"40" about:"induction variables, reductions and strides over arrays"`
}

// ShapeShares are shares of the shapes in the graph.
type ShapeShares struct {
	// shapes in the graph, such as nests of loops, that are filled as such
	Shaped int `feature:"shape" typical:"80" about:"nests of loops, tables and diamonds, filled as what they are"`
}

// BranchShares are for terminators.
type BranchShares struct {
	Switch int `feature:"switch" typical:"30"` // share of the branches that become a switch
	Labels int `feature:"switch" typical:"60"` // share: one more label, and again, beyond one for each successor
	Few    int `feature:"switch" typical:"60"` // switches whose operand has few values
	Ranges int `feature:"switch" typical:"25"` // labels that are a range of values
}

// RecordShares are shares of the variables that are not parameters, and weights of
// statements.
type RecordShares struct {
	// structs
	Struct int `feature:"struct" typical:"30" about:"structs, nested ones, and their assignment"`
	Inner  int `feature:"struct" typical:"25"` // members of structs that are structs or arrays
	Copy   int `feature:"struct" typical:"20"` // weight: assignment of a struct
	// members of structs that are bit-fields
	Bitfield int `feature:"bitfield" typical:"50" about:"bit-fields"`
	// unions
	Union int `feature:"union" typical:"25" about:"unions"`
}

// PointerShares are for pointers.
type PointerShares struct {
	// share of the variables that are not parameters: pointers
	Ptr      int `feature:"ptr" typical:"35" about:"pointers to scalars, elements, members, pointers; null ones and aliases"`
	PtrPtr   int `feature:"ptr" typical:"15"` // of these: pointers to pointers
	Null     int `feature:"ptr" typical:"10"` // of these: null, compared and never followed on the path
	Alias    int `feature:"ptr" typical:"30"` // of these: those that share the target of another pointer
	PtrIndex int `feature:"ptr" typical:"25"` // of these: those that walk an array
	Repoint  int `feature:"ptr" typical:"20"` // weight: assignment of a pointer
	Table    int `feature:"ptr" typical:"20"` // of these: those to a table of their own at file scope, if the policy allows it, that is only read
}

// FloatShares are for floating point.
type FloatShares struct {
	// share of the variables that are not parameters
	Float  int `feature:"float" typical:"25" about:"exact float and double"`
	Single int `feature:"float" typical:"40"` // of these: float, the others double
	Halves int `feature:"float" typical:"30"` // constants that are halves
	Floats int `feature:"float" typical:"40"` // weight: floating-point statements
}

// VectorShares are for vectors.
type VectorShares struct {
	// share of the variables that are not parameters
	Vector  int `feature:"vector" typical:"25" about:"GNU vectors"`
	Vectors int `feature:"vector" typical:"50"` // weight: vector statements
}

// ParamShares are shares of the parameters, except the first.
type ParamShares struct {
	// never assigned to, off the path neither
	ConstParams    int `feature:"param" typical:"40" about:"const and volatile parameters"`
	VolatileParams int `feature:"param" typical:"30"` // of the others: volatile
}
