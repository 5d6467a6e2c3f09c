// Package served asks engines that compile a program and make its calls in one go. A
// program costs little and starting an engine much, so servers are asked; a program that
// fails there is tried once more in a process of its own, as users do.
//
// # Decisions
//
// Engines are asked by servers (compilers.Server), a child for each configuration that reads
// a module a line. They take the place of the linker that is called directly: LinkDirectly
// makes them, Plain is a process a module, which confirms. A failure in a server that does
// not repeat alone is told apart. wazero is a child of this very program: its compiled code
// shares the memory of who runs it. Building has the engine compile and call, running
// compares what was printed.
package served
