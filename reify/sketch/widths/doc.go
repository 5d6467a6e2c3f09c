// Package widths is the shape of functions in which values of several widths meet: a
// value, narrower and wider forms of it, comparisons of it as numbers, flags of
// overflows; truth values that are joined; widths that no type has; __int128 and _BitInt.
// Each statement has few operations and assigns to a variable of its own, so
// that all values stay alive and later ones are computed from them: back ends combine
// such operations.
//
// # Decisions
//
// Many values, alive, and many inputs. Back ends go wrong where narrow and wide values meet.
// The first forms of narrow and truth had few kinds of operations in large expressions, and
// three to nine variables that were assigned to again: nothing in 64,870 functions (447 CPU
// s) of clang-24 for loongarch64, 24,000 of which had nine inputs with bits at the edges of
// types. Now statements have one or two operations, of up to a dozen kinds, and a variable
// of their own; all of these reach the result, and no argument is known to the compiler.
// 9,300 functions (165 CPU s) showed three bugs, of two to four statements.
package widths
