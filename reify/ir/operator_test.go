package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/ir"
)

func TestComparisons(t *testing.T) {
	holds := map[ir.Op]func(x, y int) bool{
		ir.Lt: func(x, y int) bool { return x < y },
		ir.Le: func(x, y int) bool { return x <= y },
		ir.Gt: func(x, y int) bool { return x > y },
		ir.Ge: func(x, y int) bool { return x >= y },
		ir.Eq: func(x, y int) bool { return x == y },
		ir.Ne: func(x, y int) bool { return x != y },
	}
	for op, f := range holds {
		for _, x := range []int{1, 2, 3} {
			assert.Equal(t, !f(x, 2), holds[op.Negated()](x, 2), "%d %s 2, negated", x, op)
			assert.Equal(t, f(x, 2), holds[op.Swapped()](2, x), "%d %s 2, swapped", x, op)
		}
	}
	assert.PanicsWithValue(t, "ir: + is not a comparison", func() { ir.Add.Negated() })
	assert.PanicsWithValue(t, "ir: && is not a comparison", func() { ir.LAnd.Swapped() })
}
