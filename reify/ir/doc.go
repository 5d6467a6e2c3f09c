// Package ir is the program representation, SYMLANG (section 4.1 and Figure 4 of the
// paper). It has trees of expressions over all integer types of C and its operators,
// arrays, structs, unions, pointers, floating point, vectors and switches. The file of
// each node says what the node means.
//
// A Function is a graph of blocks. Its expressions hold symbols, written ?n, whose
// values are unknown until a solver chooses them; Concretize puts constants in their
// place. The text form is printed by String and parsed by Parse, and is the form of
// goldens, reproducers and bug hunts:
//
//	func @f(%a i32, %b i32) u32 {
//	    local %x i32 = ?0
//	    static @g [2]i32 = {?1, ?2}
//	  entry:
//	    goto b1
//	  b1:
//	    %x = %a * ?3 + %b - ?4
//	    if %x * ?5 + ?6 <= 0 goto b1 else exit
//	  exit:
//	    return checksum(%a, %b, %x, @g)
//	}
//	case f(a = 7, b = 200) = 1873461 path entry b1 b1 exit
//
// Functions of one program may call each other, and themselves, in any order:
// @g(%a + 1, 3) is the value that @g returns. Each function's globals and
// statics are its own and live as long as the program; no other function can
// name them.
//
// # Text form
//
// In the grammar, {x} stands for any number of x, [x] for one or none, and words, signs
// and brackets between quotes for themselves. A // begins a comment that ends with the
// line. Blanks separate tokens and have no other meaning. No blank is allowed within a
// name with its sigil, and none around the ":" of a constant or symbol. A line end ends
// a construct that has a line of its own. It is also allowed after the opening brace
// and after the commas of a record, an initialiser or a switch, and before their
// closing brace.
//
//	program  = { function | foreign | case }
//	function = "func" "@"name "(" [ param { "," param } ] ")" int [ "syms" number ] "{"
//	           { record } { variable } block { block } "}"
//	foreign  = "foreign" "@"name "(" [ param { "," param } ] ")" int "{"
//	           [ "origin" string ] [ "licence" string ] [ "models" ( "lp64" | "ilp32" ) ]
//	           { "answer" "(" [ value { "," value } ] ")" "=" value [ "steps" number ] }
//	           "c" string { "c" string } "}"                // each on a line of its own
//	case     = "case" name "(" [ name "=" value { "," name "=" value } ] ")" end
//	           "path" { label }
//	end      = [ "under" name ] "=" value
//	         | "under" name "traps" name { "-" name }   // a name of Traps
//
//	record   = ( "struct" | "union" | "cast" ) name "{" member { "," member } "}"
//	member   = name type [ ":" number ]                 // a bit-field's width
//	param    = [ "const" ] [ "volatile" ] "%"name int
//	variable = [ "const" ] [ "volatile" ]
//	           ( "local" "%"name | ( "global" | "static" ) "@"name ) type [ "=" init ]
//	init     = cell | "{" cell { "," cell } "}"         // braces unless of a scalar
//	cell     = expr | "null" | "_"                      // "_" is a member of a union
//	                                                    // that is not the first
//	wide     = "i128" | "u128" | "bit2" ... | "ubit1" ...       // up to MaxWide bits
//	type     = int | wide | "f32" | "f64" | name | "[" number "]" type | "<" number ">" int
//	         | "*" [ "const" ] [ "volatile" ] type
//	int      = "bool" | "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64"
//
//	block    = label ":" { stmt } term
//	stmt     = place "=" ( expr | place )               // a place of a record is copied
//	         | place "," place "=" ( "add_overflow" | "sub_overflow" | "mul_overflow" )
//	           "(" expr "," expr ")"
//	         | ( "memcpy" | "memmove" | "memset" ) "(" expr "," expr "," expr ")"
//	         | "unreachable" [ "unless" expr ]
//	         | "assume" expr
//	term     = "goto" label
//	         | "if" expr "goto" label "else" label
//	         | "switch" expr "{" { leaf [ ".." leaf ] ":" label "," } "else" label "}"
//	         | "return" expr
//
//	expr     = binary [ "?" expr ":" expr ]
//	binary   = unary | binary operator binary           // precedence as in C, all to the left
//	operator = "*" | "/" | "%" | "+" | "-" | "<<" | ">>" | "<" | "<=" | ">" | ">="
//	         | "==" | "!=" | "&" | "^" | "|" | "&&" | "||"
//	unary    = ( "-" | "~" | "!" | "*" | "&" ) unary | postfix
//	postfix  = primary { "[" expr "]" | "." name | "->" name }
//	primary  = leaf | "%"name | "@"name | "(" expr ")"
//	         | "@"name "(" [ expr { "," expr } ] ")"    // a call
//	         | ( intN | "f32" | "f64" | wide ) "(" expr ")"
//	         | builtin "(" expr { "," expr } ")"        // a name of Fn
//	         | "checksum" "(" [ variable { "," variable } ] ")"
//	         | "null" ":" type                          // a pointer's
//	         | "cast" "(" type "," expr ")"             // of a pointer
//	         | "bitcast" "(" type "," expr ")"          // of a vector
//	         | "convert" "(" type "," expr ")"          // of a vector
//	         | "<" number ">" int "{" expr { "," expr } "}"
//	         | "shuffle" "(" expr "," expr { "," value } ")"
//	         | "call" "(" expr ")"                      // of a function of its own, for a vector
//	leaf     = value [ ":" intN ] | "?"number [ ":" intN ] | float [ ":" ( "f32" | "f64" ) ]
//	intN     = int | "i1" ... "i64" | "u2" ... "u64"    // those of bit-fields, too
//	value    = [ "-" ] number
//	string   = what is between quotation marks, with the escapes of Go
//	float    = [ "-" ] digits with a point and digits, an exponent, or the suffix
//	place    = unary                                    // that is a place
//
// The type of its operands decides the meaning of an operator; a pointer "+" an integer is
// a PtrAdd. p->m is (*p).m. -1 is a constant, -(1) a negation. A record may be pointed to
// before it is declared.
//
// A constant or symbol has the type of the other operands beside it. Without such
// operands it has the type of the destination (for operands of an Overflow at least
// i32), the parameter, the result, the declaration, the lane or the operand of the
// switch. Elsewhere it is an i32 (indices, conditions, operands of conversions), or a
// u32 as the argument of a builtin on unsigned types. If the type is another one, it
// follows: 7:u8, ?3:i64. A floating-point constant is an f64 unless its type follows:
// 1.5:f32. Initial values of floating-point variables are integers. After the result
// type, "syms n" tells the number of symbols if it is not one more than the largest.
//
// # Nodes
//
// There are three kinds of nodes besides terminators. An Expr has a value of its Type, a
// Place is an object or a part of one, a Stmt does something. All implement sealed
// interfaces; switches over them are exhaustive and panic on an unknown node. Functions are
// trees: a statement, an expression or a place stands in one place only, so that passes may
// change it where it stands. Operands yields the addresses of what a node is directly made
// of; all walks are made of it.
//
//	Type      is                                         its values are
//	Int       an integer type of C of at most 64 bits    integers
//	Wide      __int128, _BitInt(N) up to MaxWide bits    wide integers
//	Float     float, double                              floating-point numbers
//	Pointer   to any type                                pointers
//	Vector    2 to 64 lanes of an Int, or of 128 bits    vectors
//	Array     elements of one type                       –, a place only
//	*Record   a struct or union                          records, which are assigned as a whole
//
// FamilyOf tells the family of the value of an expression, which the column on the right
// names.
//
//	Expr          value                                            families
//	*Const        an integer                                       integers
//	*FloatConst   a floating-point number                          floats
//	*Null         the null pointer                                 pointers
//	*Sym          ?n, a constant that is not chosen yet            integers
//	*Load         what a place holds                               all; records as a source only
//	*Unary        - ~ !                                            integers, wides, vectors; - floats
//	*Binary       + - * / % & | ^ << >> < <= > >= == != && ||      see Binary and Op.On
//	*Select       ?:                                               integers, wides, pointers
//	*Convert      the value in another type                        all except pointers
//	*Cast         the address or the bytes in another type         pointers, vectors
//	*Builtin      a function that compilers know                   integers
//	*Checksum     CRC-32 of variables                              integers, whole sources only
//	*Call         what a function of the program returns           integers
//	*AddrOf       the address of a place                           pointers
//	*PtrAdd       a pointer moved by elements                      pointers
//	*VecOf        a vector of its lanes                            vectors
//	*Shuffle      lanes of two vectors                             vectors
//	*VecCall      an operator in a function of its own             vectors
//
//	Place         is
//	*VarRef       a variable
//	*Elem         an element of an array, or a lane of a vector
//	*Member       a member of a record
//	*Deref        the target of a pointer
//
//	Stmt          does
//	*Assign       stores a value of any family
//	*Overflow     stores a result and whether it has wrapped
//	*Transfer     memcpy, memmove
//	*Fill         memset
//	*Unreachable  nothing: it is undefined
//	*Assume       nothing: it is undefined if its condition is 0
//
//	Term          goes to
//	*Goto         a block
//	*If           one of two
//	*Switch       that of a label
//	*Return       the caller
//
// What an operator or a builtin function takes is a row of a table in operator.go.
//
// # Decisions
//
// One family of expressions. There were 57 kinds of nodes in five families of integers,
// pointers, floating-point numbers, vectors and wide integers; now there are 28, and what is
// of one family asks ir.FamilyOf, which walks down the first operands of operators. All text
// of 24 profiles, of programs and variants in four languages stayed byte for byte the same
// (7,514 files). Evaluators keep a function for each representation of values: 64 bits, wide
// integers (math/big in the interpreter, words in the search), float64, lanes, addresses.
// Int and Wide are two types, as all that holds an Int holds it in 64 bits.
//
// Lanes of 128 bits are in values alone, between two casts of vectors of narrower lanes, so that
// memory, initial values, checksums and styles of arguments know nothing of them.
//
// Floating point is exact, or not there. Compilers may differ in results that are not exact
// and in zeros with a sign: gcc 12.2 folds 0.0 - (double)i to -0 for 0, at -O0 too. Both are
// left out.
package ir
