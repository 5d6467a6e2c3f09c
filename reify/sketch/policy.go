package sketch

import "fmt"

// A Policy holds the distributions of everything that is beyond the paper's subset of
// C: types other than i32, operators other than the arithmetic ones, records, pointers
// and so on (generation policies: YARPGen, OOPSLA 2020, section 3.3). Each is a number
// from 0 to 100. A share is a percentage; a weight is relative to the others of its
// group, where the paper's own form, if it is one of the group, weighs 100. Nothing is
// drawn for a share of 0, and the zero Policy is the paper's subset, draw for draw.
type Policy struct {
	TypeShares
	ContextShares
	OperatorShares
	ConstantShares
	StatementShares
	BranchShares
	RecordShares
	PointerShares
	FloatShares
	VectorShares
	TermShares
	ParamShares
	WidthShares
	FactShares
}

// TypeShares are shares of the variables.
type TypeShares struct {
	Narrow   int // of 8 or 16 bits
	Wide     int // of 64 bits; if both sum to more than 100, Narrow gives way
	Unsigned int // unsigned
	Bool     int // _Bool
	Const    int // of those that are not parameters: const
	Mixed    int // statements that compute in another type than that of the result
}

// ContextShares are shares of regions, which restrict the operators in them, and
// weights of the contexts.
type ContextShares struct {
	Region         int // blocks whose statements have a context
	Subtree        int // subtrees that have one of their own
	Additive       int // weight: + -
	Multiplicative int // weight: * / %
	AddMul         int // weight: + - * / %
	Bits           int // weight: & | ^ ~
	BitsShift      int // weight: & | ^ ~ << >>
	Logical        int // weight: && || ! and comparisons
}

// OperatorShares are weights of the forms that a term may have beside v ⊗ s.
type OperatorShares struct {
	Bitwise int // v & s, v | s, v ^ s
	Shift   int // v << s, v >> s
	Unary   int // ~v ⊗ s, -v ⊗ s, !v
	Compare int // v < s as a value
	Logic   int // two comparisons joined by && or ||
	Select  int // c ? v ⊗ s : w ⊗ s
	Builtin int // popcount, clz, bswap, ...
	Nest    int // a subtree of variables
	Reuse   int // a common subexpression: a subtree that stood elsewhere
	Near    int // a value near to an end of its type
	Idiom   int // forms that passes look for: rotates, min/max, saturations, ...
}

// ConstantShares are for constants that are not symbols: their share of the
// leaves, and weights of the kinds.
type ConstantShares struct {
	Fixed      int // leaves that are constants
	Small      int // weight: near to 0
	Ends       int // weight: near to an end of the type
	Powers     int // weight: powers of two and their neighbours
	Runs       int // weight: runs of ones
	Again      int // weight: one from elsewhere in the function
	Uniform    int // weight: any value
	Negate     int // of these the share that is negated
	Complement int // of these the share that is complemented
}

// StatementShares are weights beside the assignment of integers.
type StatementShares struct {
	Overflow  int // __builtin_add_overflow and its like
	Induction int // i = i + c, and reductions and strides over arrays by it
	Loop      int // share of functions: with a counter and arrays for the blocks that branch to themselves
	Trips     int // share of the loops of one to three blocks after a block of their own: with a known number of trips
	Simd      int // share of blocks: with code as it is written with vectors, before the other statements
	Lanes     int // share of blocks: with groups of alike expressions before the other statements
	// Aggregates is the share of blocks with copies of structs and arrays before the
	// other statements.
	Aggregates int
	Casts      int // share of these: bits that are cast by a union
}

// BranchShares are for terminators.
type BranchShares struct {
	Machine int // switches in loops that are filled as state machines
	Shaped  int // shapes in the graph, such as nests of loops, that are filled as such
	Switch  int // share of the branches that become a switch
	Labels  int // share: one more label, and again, beyond one for each successor
	Few     int // switches whose operand has few values
	Ranges  int // labels that are a range of values
}

// RecordShares are shares of the variables that are not parameters, and weights of
// statements.
type RecordShares struct {
	Struct   int // structs
	Inner    int // members of structs that are structs or arrays
	Bitfield int // members of structs that are bit-fields
	Copy     int // weight: assignment of a struct
	Union    int // unions
}

// PointerShares are for pointers.
type PointerShares struct {
	Ptr      int // share of the variables that are not parameters: pointers
	PtrPtr   int // of these: pointers to pointers
	Null     int // of these: null, compared and never followed on the path
	Alias    int // of these: those that share the target of another pointer
	PtrIndex int // of these: those that walk an array
	Repoint  int // weight: assignment of a pointer
	Table    int // of these: those to a table of their own at file scope, if the policy allows it, that is only read
}

// FloatShares are for floating point.
type FloatShares struct {
	Float  int // share of the variables that are not parameters
	Single int // of these: float, the others double
	Halves int // constants that are halves
	Floats int // weight: floating-point statements
}

// VectorShares are for vectors.
type VectorShares struct {
	Vector  int // share of the variables that are not parameters
	Vectors int // weight: vector statements
}

// TermShares are shares of the terms that begin with no pilot. Each is a share of the
// terms that the ones before leave.
type TermShares struct {
	Product   int // multiples of one variable that differ in a constant
	Invariant int // products of variables that are mostly never assigned to
	Division  int // chains of / and %

	Coefficients int // chains of products with constants that nearly overflow
}

// ParamShares are shares of the parameters, except the first.
type ParamShares struct {
	ConstParams    int // never assigned to, off the path neither
	VolatileParams int // of the others: volatile
}

// WidthShares are shares of the statements, and of the terms that begin with no
// pilot.
type WidthShares struct {
	Widths int // a value and narrower and wider forms of it meet
	Truths int // truth values are joined
	Odd    int // computed in widths made by pairs of shifts
	Int128 int // in __int128
	BitInt int // in _BitInt
}

// FactShares are for assumptions and hints for compilers.
type FactShares struct {
	Facts int // share of statements and terminators with an assumption before them; see package fact
}

// A Share is one distribution of a Policy: a name to set it by.
type Share struct {
	Name    string
	Feature string // the feature that it belongs to; see reify.Features
	Typical int    // its value if the feature is asked for by name
	At      func(*Policy) *int
}

// Shares returns the distributions of a Policy, in its order.
func Shares() []Share {
	return []Share{
		{"Narrow", "types", 25, func(p *Policy) *int { return &p.Narrow }},
		{"Wide", "types", 25, func(p *Policy) *int { return &p.Wide }},
		{"Unsigned", "types", 40, func(p *Policy) *int { return &p.Unsigned }},
		{"Mixed", "types", 15, func(p *Policy) *int { return &p.Mixed }},
		{"Bool", "bool", 15, func(p *Policy) *int { return &p.Bool }},
		{"Const", "const", 15, func(p *Policy) *int { return &p.Const }},

		{"Region", "context", 40, func(p *Policy) *int { return &p.Region }},
		{"Subtree", "context", 40, func(p *Policy) *int { return &p.Subtree }},
		{"Additive", "context", 30, func(p *Policy) *int { return &p.Additive }},
		{"Multiplicative", "context", 10, func(p *Policy) *int { return &p.Multiplicative }},
		{"AddMul", "context", 20, func(p *Policy) *int { return &p.AddMul }},
		{"Bits", "context", 20, func(p *Policy) *int { return &p.Bits }},
		{"BitsShift", "context", 20, func(p *Policy) *int { return &p.BitsShift }},
		{"Logical", "context", 10, func(p *Policy) *int { return &p.Logical }},

		{"Bitwise", "bitwise", 40, func(p *Policy) *int { return &p.Bitwise }},
		{"Shift", "shift", 30, func(p *Policy) *int { return &p.Shift }},
		{"Unary", "unary", 20, func(p *Policy) *int { return &p.Unary }},
		{"Compare", "logic", 20, func(p *Policy) *int { return &p.Compare }},
		{"Logic", "logic", 10, func(p *Policy) *int { return &p.Logic }},
		{"Select", "select", 25, func(p *Policy) *int { return &p.Select }},
		{"Builtin", "builtin", 25, func(p *Policy) *int { return &p.Builtin }},
		{"Nest", "nest", 25, func(p *Policy) *int { return &p.Nest }},
		{"Reuse", "reuse", 25, func(p *Policy) *int { return &p.Reuse }},
		{"Near", "near", 20, func(p *Policy) *int { return &p.Near }},
		{"Idiom", "idiom", 40, func(p *Policy) *int { return &p.Idiom }},

		{"Fixed", "constant", 50, func(p *Policy) *int { return &p.Fixed }},
		{"Small", "constant", 40, func(p *Policy) *int { return &p.Small }},
		{"Ends", "constant", 15, func(p *Policy) *int { return &p.Ends }},
		{"Powers", "constant", 25, func(p *Policy) *int { return &p.Powers }},
		{"Runs", "constant", 15, func(p *Policy) *int { return &p.Runs }},
		{"Again", "constant", 20, func(p *Policy) *int { return &p.Again }},
		{"Uniform", "constant", 10, func(p *Policy) *int { return &p.Uniform }},
		{"Negate", "constant", 10, func(p *Policy) *int { return &p.Negate }},
		{"Complement", "constant", 10, func(p *Policy) *int { return &p.Complement }},

		{"Overflow", "overflow", 20, func(p *Policy) *int { return &p.Overflow }},
		{"Induction", "induction", 40, func(p *Policy) *int { return &p.Induction }},
		{"Loop", "loop", 50, func(p *Policy) *int { return &p.Loop }},
		{"Trips", "trips", 100, func(p *Policy) *int { return &p.Trips }},
		{"Simd", "simd", 60, func(p *Policy) *int { return &p.Simd }},
		{"Lanes", "lanes", 60, func(p *Policy) *int { return &p.Lanes }},
		{"Aggregates", "aggregate", 60, func(p *Policy) *int { return &p.Aggregates }},
		{"Casts", "cast", 30, func(p *Policy) *int { return &p.Casts }},

		{"Shaped", "shape", 80, func(p *Policy) *int { return &p.Shaped }},
		{"Machine", "machine", 90, func(p *Policy) *int { return &p.Machine }},
		{"Switch", "switch", 30, func(p *Policy) *int { return &p.Switch }},
		{"Labels", "switch", 60, func(p *Policy) *int { return &p.Labels }},
		{"Few", "switch", 60, func(p *Policy) *int { return &p.Few }},
		{"Ranges", "switch", 25, func(p *Policy) *int { return &p.Ranges }},

		{"Struct", "struct", 30, func(p *Policy) *int { return &p.Struct }},
		{"Inner", "struct", 25, func(p *Policy) *int { return &p.Inner }},
		{"Copy", "struct", 20, func(p *Policy) *int { return &p.Copy }},
		{"Bitfield", "bitfield", 50, func(p *Policy) *int { return &p.Bitfield }},
		{"Union", "union", 25, func(p *Policy) *int { return &p.Union }},

		{"Ptr", "ptr", 35, func(p *Policy) *int { return &p.Ptr }},
		{"PtrPtr", "ptr", 15, func(p *Policy) *int { return &p.PtrPtr }},
		{"Null", "ptr", 10, func(p *Policy) *int { return &p.Null }},
		{"Alias", "ptr", 30, func(p *Policy) *int { return &p.Alias }},
		{"PtrIndex", "ptr", 25, func(p *Policy) *int { return &p.PtrIndex }},
		{"Repoint", "ptr", 20, func(p *Policy) *int { return &p.Repoint }},
		{"Table", "ptr", 20, func(p *Policy) *int { return &p.Table }},

		{"Float", "float", 25, func(p *Policy) *int { return &p.Float }},
		{"Single", "float", 40, func(p *Policy) *int { return &p.Single }},
		{"Halves", "float", 30, func(p *Policy) *int { return &p.Halves }},
		{"Floats", "float", 40, func(p *Policy) *int { return &p.Floats }},

		{"Vector", "vector", 25, func(p *Policy) *int { return &p.Vector }},
		{"Vectors", "vector", 50, func(p *Policy) *int { return &p.Vectors }},

		{"Product", "product", 60, func(p *Policy) *int { return &p.Product }},
		{"Invariant", "invariant", 60, func(p *Policy) *int { return &p.Invariant }},
		{"Division", "division", 60, func(p *Policy) *int { return &p.Division }},
		{"Coefficients", "coefficients", 60, func(p *Policy) *int { return &p.Coefficients }},

		{"ConstParams", "param", 40, func(p *Policy) *int { return &p.ConstParams }},
		{"VolatileParams", "param", 30, func(p *Policy) *int { return &p.VolatileParams }},

		{"Widths", "narrow", 20, func(p *Policy) *int { return &p.Widths }},
		{"Truths", "truth", 20, func(p *Policy) *int { return &p.Truths }},
		{"Odd", "odd", 20, func(p *Policy) *int { return &p.Odd }},
		{"Int128", "int128", 20, func(p *Policy) *int { return &p.Int128 }},
		{"BitInt", "bitint", 20, func(p *Policy) *int { return &p.BitInt }},

		{"Facts", "facts", 20, func(p *Policy) *int { return &p.Facts }},
	}
}

// validate returns an error that names the first distribution out of bounds.
func (p Policy) validate() error {
	for _, share := range Shares() {
		if v := *share.At(&p); v < 0 || v > 100 {
			return fmt.Errorf("%s is %d, must be in [0, 100]", share.Name, v)
		}
	}
	return nil
}
