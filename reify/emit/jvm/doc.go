// Package jvm writes Java class files of functions with known answers, and reads them
// back. It knows no virtual machine.
//
//	Emit    cases → class: a method for each function, and what their calls print
//	Text    class → the assembly language of Jasmin and its kin, for people
//	Graphs  class → the control-flow graphs of its functions
//
// Integers of at most 32 bits are int, kept sign- or zero-extended, others long. A u32
// is an int whose sign bit is an ordinary bit. Records are split into scalars, and
// variables with static lifetime are in fields. A variable whose address is taken is an
// object, and a pointer an object and an index into it; see memory.go.
// A jump is a goto or a branch, so the graph is that of the
// function, irreducible or not. Classes have version 49, whose verifier accepts any
// control flow and needs no table of frames. In the style frames they have version 53
// and a table, unless a method is so long that a jump needs 32 bits.
//
// A class is called Cases. It is a java.util.function.ToLongFunction whose argument is
// a long[]: the request, the index of a function, and arguments. The requests are to
// resolve the references of its code (0), to give a function's globals and statics
// their initial values (1), to call it (2), and to return their checksum (3). The last
// attribute of the class has the name Calls and ends the file: a line for each call, an
// empty line, a line for each answer, and the length of all that in four bytes.
//
// # Decisions
//
// Classes have version 49. The old verifier takes any flow of control and wants no table of
// frames, so each edge is one jump and irreducible graphs stay what they are. A style has
// version 53 with a table, for the day that the old one is gone: all locals are set at
// entry, so frames differ by the operand stack alone. The machine's code is the same.
//
// Traps of Java are what its library throws, with what kind it is. What C calls unreachable
// throws in five ways: an exception of our own, an array of negative length, a cast that
// fails, null, an element of a wrong type. A call is an answer with the state of fields
// after it, thrown or not.
//
// In Java a variable with an address is an object, an array or an Object[] of the arrays
// that a record's members are in, and a pointer is such an object and an index
// (emit/jvm/memory.go). So all pointers to a type are alike, and are compared, moved and
// followed as in C; only the order of those into different objects of one variable is
// computed. Objects other than Java's own arrays check their indices where a trap is to be
// seen. Other variables stay locals, fields and arrays. Lanes are computed in one go or
// operator by operator, unrolled or in loops over arrays, of which C2 makes vectors again
// once it has a profile; a function on vectors is a method.
//
// A class holds a program: functions call each other, static or not, and are inlined as
// HotSpot likes. All that lasts, of a call and those below it, is set anew before it.
package jvm
