//go:build !cgo || !z3

package z3

import (
	"goreify/reify/ir"
	"goreify/reify/solve"
)

// Check returns ErrUnavailable.
func (s *Solver) Check(solve.Problem, *ir.Model) error { return ErrUnavailable }
