// Package targets is the table of what programs can be tried on: a line for each
// kind of compiler or engine.
//
// # Decisions
//
// A path names a compiler. An executable or a directory that -cc names is asked in a box
// what it is, and the finder that knows the words takes it (Finder.Signs). A build that
// calls itself as another does gets a digest of its content into its version.
package targets
