// Package sketch fills a graph with symbolic statements: step S3 of the paper
// (section 4.2). A block with two successors becomes
//
//	b4:
//	  %c = %c * ?7 + (%a - ?8) - ?9
//	  @g[%b % ?10 + ?11] = %c / ?12 + %d * ?13 + ?14
//	  if %a * ?15 - (%d + ?16) + ?17 < 0 goto b2 else b9
//
// No statement or condition reads a volatile variable twice, its indices
// counted: two volatile reads of one object that are unsequenced are undefined
// behaviour in C.
//
// The core, package core, fills graphs, and knows no shape. A shape is a kind of code that
// passes of compilers look for. Each has a package of its own, which declares its shares,
// finds its place in the graph and writes its blocks, statements or terms:
//
//	idioms      forms that peephole passes look for
//	products    products, chains of quotients, coefficients
//	widths      values of several widths, truth values, wide integers
//	nests       loops over arrays and nests of them, tables, diamonds
//	machine     switches in loops
//	trips       loops with a known number of trips
//	lanes       groups of alike expressions
//	aggregates  copies of structs and arrays, casts
//	vectors     code with vectors
//
// Policy.shapes is their list. Package offpath has what is written where no path leads.
//
// Nothing here depends on a path: any path through the graph may be solved for.
// Afterwards Fill decides the symbols that the path leaves open, and AddUndefined adds
// undefined behaviour to the blocks off the path.
//
// # Decisions
//
// One generator. The paper's subset is drawn by the core that draws all else, with no shape;
// the second generator of version 0.6 is gone. So functions of focus, mixed, large, paper
// and of no profile are others than before, those of all other profiles the same.
//
// Small functions with long conditions. Conditions of two terms were as frequent as those of
// one, and 29 of 30 findings had two. Of small functions with three or four terms came 15
// findings in 9 CPU minutes. Of 46 findings in an hour 39 were of the profiles of the
// paper's subset, and 7 of those with more features.
package sketch
