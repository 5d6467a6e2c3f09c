//go:build cgo && z3

package z3

import (
	"fmt"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// Check asks Z3 about a model that another engine found: given the parameters and the
// symbols that the model sets, the path must be satisfiable. The error wraps
// solve.ErrUnsat if it is not, and solve.ErrUnknown if the budget ran out before Z3
// could tell; other errors say that the model or the path is not one of the function.
func (s *Solver) Check(p solve.Problem, m *ir.Model) (err error) {
	if len(m.Args) != len(p.Func.Params()) || len(m.Syms) != p.Func.Syms || len(m.Set) != p.Func.Syms {
		return fmt.Errorf("z3: model is not one of %s", p.Func.Name)
	}
	withTerms(func(t *terms) {
		e := newEncoder(t, assume(p.Func, m), FullWidth)
		if err = e.path(p.Path); err == nil {
			_, err = e.check(s.opts.RLimit)
		}
	})
	return err
}

// assume returns f with constants for its parameters and for the symbols that m sets.
// Redundant equations cost Z3 a multiplier for each product.
func assume(f *ir.Function, m *ir.Model) *ir.Function {
	f = ir.Clone(f)
	for i, v := range f.Params() {
		v.Kind = ir.Local
		v.Init = []ir.Expr{&ir.Const{T: ir.Scalar(v.Type), V: m.Args[i]}}
	}
	for at, sym := range f.Symbols() {
		if m.Set[sym.ID] {
			*at = &ir.Const{T: sym.T, V: m.Syms[sym.ID]}
		}
	}
	return f
}
