package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Operators are drawn from these lists. Their order and repetitions decide what a
// recipe means; the order of package ir does not.
var (
	additives       = [...]ir.Op{ir.Add, ir.Sub}
	Multiplicatives = [...]ir.Op{ir.Mul, ir.Mul, ir.Mul, ir.Mul, ir.Mul, ir.Mul, ir.Div, ir.Div, ir.Rem, ir.Rem}
	bitwises        = [...]ir.Op{ir.And, ir.Or, ir.Xor}
	comparisons     = [...]ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne}
	Orders          = comparisons[:4]
	Equalities      = comparisons[4:]

	// Conditions are for branches. Equality is the exception: on data that
	// changes it nearly always goes one way.
	Conditions = [...]ir.Op{ir.Lt, ir.Lt, ir.Le, ir.Le, ir.Gt, ir.Gt, ir.Ge, ir.Ge, ir.Eq, ir.Ne}

	Operators = [...]ir.Op{
		ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr,
		ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne, ir.LAnd, ir.LOr,
	}
)

// AdditiveOp draws + or -.
func AdditiveOp(s *choice.Stream) ir.Op { return choice.Pick(s, additives[:]) }

// BitwiseOp draws &, | or ^.
func BitwiseOp(s *choice.Stream) ir.Op { return choice.Pick(s, bitwises[:]) }

// ComparisonOp draws a comparison.
func ComparisonOp(s *choice.Stream) ir.Op { return choice.Pick(s, comparisons[:]) }
