package interp

import (
	"fmt"
	"math/big"

	"goreify/reify/ir"
)

// execMore is exec for the statements that are not in the paper's subset.
func (m *machine) execMore(s ir.Stmt) error {
	m.node = s
	m.begin()
	switch s.(type) {
	case *ir.Unreachable:
		return m.ub(UnreachableReached, "executed")
	}
	panic(fmt.Sprintf("interp: unknown statement %T", s))
}

// unlimited returns the value that v of type t stands for.
func unlimited(t ir.Int, v int64) *big.Int {
	if t.Signed {
		return big.NewInt(v)
	}
	return new(big.Int).SetUint64(uint64(v))
}

// wrapped computes x op y as if in a type of unlimited width. It returns the
// result in type t and whether t does not hold it.
func wrapped(op ir.Op, t ir.Int, x, y *big.Int) (v int64, overflow bool) {
	z := new(big.Int)
	switch op {
	case ir.Add:
		z.Add(x, y)
	case ir.Sub:
		z.Sub(x, y)
	case ir.Mul:
		z.Mul(x, y)
	default:
		panic(fmt.Sprintf("interp: overflow of %s", op))
	}
	// In two's complement the low 64 bits are the remainder modulo 2^64.
	low := new(big.Int).And(z, new(big.Int).SetUint64(1<<64-1))
	v = convert(t, int64(low.Uint64()))
	return v, unlimited(t, v).Cmp(z) != 0
}
