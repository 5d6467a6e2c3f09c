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
