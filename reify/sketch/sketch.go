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
// There are two generators. Which of them fills a graph depends on the options
// and the graph alone:
//
//	Builder  the paper's subset of C: Options.Subset, and no switches in the graph
//	writer   the whole language: switches, and all that a Policy gives a share to
//
// They cannot be one. The draws of Builder are those of version 0.6
// (TestPaperSubsetIsPinned). It also takes its nodes from memory that is used
// again: a function of the default options costs it about 20 allocations.
//
// The files of the whole language are as follows. writer puts the parts together.
// draws, scope, expr and stmt are its layers. constant, context, reuse and idiom make
// values. induction, overflow, loop, nest, trips, lanes, aggregates, shape, machine and
// switches make forms that passes look for. coefficient and product make terms. narrow,
// narrow_forms and truth make forms that back ends combine; odd, wide and wide_forms
// make those that they split or widen. record, union, pointer, float and vector make
// variables that are not integers. leaf has the paths from variables to integers.
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
	return Overwrite(nil, name, g, o, s)
}

// Overwrite is Function, but reuses the nodes of the function that was made in m before.
func Overwrite(m *Memory, name string, g *cfg.Graph, o Options, s *choice.Stream) *ir.Function {
	if err := o.Validate(); err != nil {
		panic("sketch: " + err.Error())
	}
	c := o.config()
	c.Memory = m
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
// has no symbols any more.
func AddUndefined(f *ir.Function, path []int, o Options, s *choice.Stream) {
	offpath.Add(f, path, o.config(), s)
}

// Hostile makes statements with undefined behaviour for blocks of a function that
// are never executed.
type Hostile = offpath.Hostile

// NewHostile returns the Hostile of f, which is valid and has no symbols, or nil
// if f has nothing to assign to. Features of the language that p has no share of
// are used only as far as f has variables of their types.
func NewHostile(f *ir.Function, p Policy, s *choice.Stream) *offpath.Hostile {
	return offpath.NewHostile(f, p.core(), s)
}
