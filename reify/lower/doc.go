// Package lower has passes from functions to functions, by which nodes that a language
// lacks become nodes that it has: a vector becomes an array of its lanes, an operator on
// it one statement for each lane. So a writer knows only the nodes of its language, and
// ir.Check and the interpreter judge what took the place of the others.
//
//	%v = %v * %w + <2>i32{7, 7}        %v[0] = %v[0] * %w[0] + 7
//	                             →     %v[1] = %v[1] * %w[1] + 7
//
// A pass leaves blocks, branches and calls as they are. A claim about a function holds
// for what the pass makes of it, under the same semantics: the path, the answer or the
// trap, and the state afterwards. Passes of a language stand in a list, and an earlier
// one may make nodes that a later one lowers.
//
// # Decisions
//
// Nodes that a language lacks are lowered before its writer sees them, and the result is
// judged by the interpreter: path, answer and state stay. Vectors are arrays of lanes in Go
// and Java, bits are cast by shifts, so they do not depend on the order of bytes; overflows
// and wide integers are halves of 64 bits. A pass adds no blocks. Lacks of a writer is the
// list of its passes.
package lower
