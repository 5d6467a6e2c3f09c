// Package wasm writes WebAssembly modules of functions with known answers, and reads
// them back. It knows no engine.
//
//	Emit    cases → module: an export for each function, and what their calls print
//	Text    module → the text format, for people
//	Graphs  module → the control-flow graphs of its functions
//
// Blocks are nested by package structure. Integers of at most 32 bits are i32, kept
// sign- or zero-extended, others i64. Variables that need an address, or are not
// scalars, are in linear memory, laid out as in C; those of functions are on a stack of
// frames.
//
// A module has a custom section CallsSection: a line for each call that is to be made,
// with the name for its output. Before each the export NAME.reset, if there is one,
// gives the function's globals and statics their initial values; after it NAME.state is
// their checksum.
//
// # Decisions
//
// A graph in WebAssembly is nested by its dominators (emit/structure, after Ramsey, Beyond
// Relooper). A loop with several entries gets a dispatcher; copies of small entries, and one
// dispatcher for the whole function, are rarer styles, for they hide the shape. Our own
// reader finds the graph of the function in the module again.
//
// A module knows its calls and its answers, in custom sections, so that whoever runs it
// needs nothing else. Before a call NAME.reset sets what lasts, after it NAME.state sums it
// up, after a trap, too.
package wasm
