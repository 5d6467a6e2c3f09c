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
package sketch

import (
	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/offpath"
)

// A Memory is that of a function which is overwritten by the next one.
type Memory = core.Memory

// Function returns a function named name with exactly the blocks and edges of
// g and a symbol wherever a constant can stand. It panics if o is not valid.
func Function(name string, g *cfg.Graph, o Options, s *choice.Stream) *ir.Function {
	return Overwrite(new(Memory), name, g, &o, s)
}

// Overwrite is Function, but reuses the nodes of the function that was made in m before.
func Overwrite(m *Memory, name string, g *cfg.Graph, o *Options, s *choice.Stream) *ir.Function {
	if err := o.Validate(); err != nil {
		panic("sketch: " + err.Error())
	}
	c := &core.Config{Options: o.Options, Policy: o.Policy.core(), Shapes: o.Policy.shapes(), Memory: m}
	f := &ir.Function{Name: name, Result: ir.U32}
	core.Write(f, g, c, s)
	return f
}

// Fill gives values to the symbols that m leaves open: those that the path does not
// meet, which may have any value ("any const" in Figure 4b). Most of these values keep
// the statement defined; some do not. No two labels of a switch get one value.
func Fill(f *ir.Function, m *ir.Model, s *choice.Stream) { offpath.Fill(f, m, s) }

// AddUndefined adds statements to blocks of f that the path does not visit. Any
// statement is allowed there, and the compiled program must not show it. Most of what
// is added could overflow, divide by zero or leave an array, and some of it must. The
// share of blocks is o.Hostile percent. The options are those that f was made with; f
// has no symbols any more; m is the memory that it was made in, or another one.
func AddUndefined(m *Memory, f *ir.Function, path []int, o *Options, s *choice.Stream) {
	offpath.Add(f, path, &core.Config{Options: o.Options, Policy: o.Policy.core(), Memory: m}, s)
}

// Hostile makes statements with undefined behaviour for blocks of a function that
// are never executed.
type Hostile = offpath.Hostile

// NewHostile returns the Hostile of f, which is valid and has no symbols, or nil
// if f has nothing to assign to. Features of the language that p has no share of
// are used only as far as f has variables of their types.
func NewHostile(f *ir.Function, p Policy, s *choice.Stream) *offpath.Hostile {
	c := p.core()
	return offpath.NewHostile(f, &c, s)
}
