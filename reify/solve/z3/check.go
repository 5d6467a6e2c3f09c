//go:build cgo && z3

package z3

import (
	"fmt"

	"github.com/aclements/go-z3/z3"

	"goreify/reify/ir"
	"goreify/reify/solve"
)

// check asks Z3 for a model of the formula, and to give up after that much work.
//
// Inside a Push, Z3 uses its incremental core. Outside, it first bit-blasts everything
// for a plain SAT solver, which solved none of the problems that the core solves in a
// tenth of a second. That solver also decides by the memory use of the process whether
// to simplify: the same problem could then have different answers.
func (e *encoder) check(rlimit uint) (*ir.Model, error) {
	e.ctx.Config().SetUint("rlimit", max(1, rlimit)) // 0 would be no limit
	solver := z3.NewSolver(e.ctx)
	defer solver.Reset() // frees now what the finalizer would free later
	solver.Push()
	for _, c := range e.formula {
		solver.Assert(c)
	}
	sat, err := solver.Check()
	switch {
	case err != nil:
		return nil, fmt.Errorf("z3 gave up (%w): %w", err, solve.ErrUnknown)
	case !sat && e.complete:
		return nil, fmt.Errorf("z3: %w", solve.ErrUnsat)
	case !sat:
		return nil, fmt.Errorf("z3: no model with symbols this narrow: %w", solve.ErrUnknown)
	}
	return e.model(solver.Model()), nil
}

// model reads the values of the parameters and of the symbols met.
func (e *encoder) model(m *z3.Model) *ir.Model {
	result := ir.NewModel(e.f)
	for i, arg := range e.args {
		result.Args[i] = e.eval(m, arg)
	}
	for id, sym := range e.syms {
		if sym.met {
			result.Syms[id] = e.eval(m, sym.value)
			result.Set[id] = true
		}
	}
	return result
}

func (e *encoder) eval(m *z3.Model, v value) int64 {
	n, literal, ok := e.keepBV(m.Eval(v.bv, true)).AsUint64()
	if !literal || !ok {
		panic("z3: a model with a value that is not a number")
	}
	if !v.t.Signed {
		return int64(n)
	}
	shift := 64 - v.width
	return int64(n) << shift >> shift
}
