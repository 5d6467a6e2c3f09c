package repair

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// operations are all that can be undefined, on operands of so many bits.
func operations(width int) []ir.Expr {
	s, u := ir.Int{Bits: width, Signed: true}, ir.Int{Bits: width}
	var all []ir.Expr
	for _, op := range []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem, ir.Shl, ir.Shr} {
		for _, t := range [][2]ir.Int{{s, s}, {u, u}, {s, u}, {u, s}} {
			if (t[0] == t[1] || op.Shifts()) && (t[0].Signed || op > ir.Mul) {
				all = append(all, &ir.Binary{Op: op, X: operand("a", t[0]), Y: operand("b", t[1])})
			}
		}
	}
	return append(all,
		&ir.Unary{Op: ir.Neg, X: operand("a", s)},
		&ir.Builtin{Fn: ir.Clz, Args: []ir.Expr{operand("a", u)}},
		&ir.Builtin{Fn: ir.Ctz, Args: []ir.Expr{operand("a", u)}},
		&ir.Builtin{Fn: ir.Abs, Args: []ir.Expr{operand("a", s)}},
	)
}

func describe(e ir.Expr) string {
	_, operands := parts(e)
	return fmt.Sprint(spelt(e), " of ", ir.IntOf(operands[0]), " and ", ir.IntOf(operands[len(operands)-1]))
}

// exhaust calls f with all values of the operands of e, until it fails.
func exhaust(e ir.Expr, f func(args []int64, vars map[string]int64) error) error {
	_, operands := parts(e)
	at, bt := ir.IntOf(operands[0]), ir.IntOf(operands[len(operands)-1])
	if len(operands) == 1 {
		bt = ir.Int{Bits: 1}
	}
	vars := map[string]int64{}
	for a := at.Min(); a <= at.Max(); a++ {
		for b := bt.Min(); b <= bt.Max(); b++ {
			vars["a"], vars["b"] = a, b
			if err := f([]int64{a, b}[:len(operands)], vars); err != nil {
				return fmt.Errorf("a = %d, b = %d: %w", a, b, err)
			}
		}
	}
	return nil
}

// repairs returns an error if there are values for which e is undefined and so
// is what the rules put in its place.
func repairs(rules []rule, e ir.Expr) error {
	return exhaust(e, func(args []int64, vars map[string]int64) error {
		if _, ok := eval(e, vars); ok {
			return nil
		}
		r := apply(rules, e, args)
		if r == nil {
			return errors.New("no rule")
		}
		if _, ok := eval(r, vars); !ok {
			return fmt.Errorf("%s is undefined too", spelt(r))
		}
		return wellFormed(e, r)
	})
}

// wellFormed returns an error unless r has the type of e, is of matching types,
// and holds each operand of e at most once.
func wellFormed(e, r ir.Expr) error {
	if ir.IntOf(r) != ir.IntOf(e) {
		return fmt.Errorf("%s has type %v", spelt(r), ir.IntOf(r))
	}
	_, operands := parts(e)
	var nodes []ir.Expr
	for at := range ir.SubExprs(&r) {
		if slices.Contains(nodes, *at) {
			return fmt.Errorf("%s holds %s twice", spelt(r), spelt(*at))
		}
		nodes = append(nodes, *at)
		if _, ok := (*at).(*ir.Load); ok && !slices.Contains(operands, *at) {
			return fmt.Errorf("%s holds a copy of an operand", spelt(r))
		}
		if b, ok := (*at).(*ir.Binary); ok && !b.Op.Shifts() && ir.IntOf(b.X) != ir.IntOf(b.Y) {
			return fmt.Errorf("%s has operands of two types", spelt(b))
		}
	}
	return nil
}

func TestOperationExhaustively(t *testing.T) {
	for _, width := range []int{4, 8} {
		for _, e := range operations(width) {
			assert.NoError(t, repairs(rules, e), describe(e))
		}
	}
}

// Each row matters: without it, or with the operation that it replaces in the
// place of its replacement, some values are undefined.
func TestAWrongRuleIsCaught(t *testing.T) {
	fails := func(rules []rule) bool {
		return slices.ContainsFunc(operations(4), func(e ir.Expr) bool { return repairs(rules, e) != nil })
	}
	require.False(t, fails(rules))
	for i, r := range rules {
		if _, ok := r.op.(ir.UnOp); !ok {
			wrong := slices.Clone(rules)
			wrong[i].with = replacement{op: r.op}
			assert.True(t, fails(wrong), "row %d replaces %v with itself", i, r.op)
		}
		assert.True(t, fails(slices.Delete(slices.Clone(rules), i, i+1)), "row %d, of %v, is missing", i, r.op)
	}
}

// The table of the paper, a row each, and the rows that it has not.
func TestOperation(t *testing.T) {
	const maximum, minimum = 2147483647, -2147483648
	for _, test := range []struct {
		op   any
		t    ir.Int // of both operands
		a, b int64
		want string
	}{
		{ir.Neg, ir.I32, minimum, 0, "a"},
		{ir.Add, ir.I32, maximum, 1, "(a - b)"},
		{ir.Sub, ir.I32, minimum, 1, "(a + b)"},
		{ir.Mul, ir.I32, maximum, 2, "(a / b)"},
		{ir.Mul, ir.I32, minimum, -1, "(a - b)"},
		{ir.Mul, ir.I32, -1, minimum, "(a / b)"},
		{ir.Div, ir.I32, 5, 0, "(a * b)"},
		{ir.Div, ir.U32, 5, 0, "(a * b)"},
		{ir.Div, ir.I32, minimum, -1, "(a - b)"},
		{ir.Rem, ir.U32, 5, 0, "(a * b)"},
		{ir.Rem, ir.I32, minimum, -1, "(a - b)"},
		{ir.Shl, ir.I32, 3, -2, "(a << (b + 30))"}, // 30 counts keep all of 3, and -2 is 28 modulo 30
		{ir.Shl, ir.I32, 3, minimum, "a"},
		{ir.Shl, ir.I32, 3, 65, "(a << (b - 60))"},
		{ir.Shl, ir.I32, 3, 31, "(a << (b - 30))"},
		{ir.Shl, ir.I32, maximum, 31, "(a << (b - 31))"},
		{ir.Shl, ir.I32, -3, 2, "(a >> b)"},
		{ir.Shl, ir.I32, -3, 33, "(a >> (b - 32))"},
		{ir.Shl, ir.I32, minimum, 0, "(a >> b)"},
		{ir.Shl, ir.U32, 3, 65, "(a << (b - 64))"},
		{ir.Shl, ir.U64, -1, -1, "(a << (b - 18446744073709551552))"},
		{ir.Shr, ir.I64, -3, -2, "(a >> (b + 64))"},
		{ir.Shr, ir.I32, -3, minimum, "a"},
		{ir.Shr, ir.I32, -3, maximum, "(a >> (b - 2147483616))"},
		{ir.Shr, ir.I32, 1, minimum + 1, "(a >> (b + 2147483647))"}, // 1 modulo 32, which takes a constant too large
		{ir.Clz, ir.U64, 0, 0, "popcount(a)"},
		{ir.Ctz, ir.U32, 0, 0, "parity(a)"},
		{ir.Abs, ir.I64, math.MinInt64, 0, "a"},
	} {
		e := build(test.op, test.t)
		_, operands := parts(e)
		got := Operation(e, []int64{test.a, test.b}[:len(operands)])
		assert.Equal(t, test.want, spelt(got), "%v of %s with %d and %d", test.op, test.t, test.a, test.b)
	}
	assert.Nil(t, Operation(build(ir.And, ir.I32), []int64{1, 2}))
	assert.Nil(t, Operation(build(ir.Not, ir.I32), []int64{1}))
	assert.Nil(t, Operation(operand("a", ir.I32), nil))
}

// build returns the operation on variables of type t.
func build(op any, t ir.Int) ir.Expr {
	switch op := op.(type) {
	case ir.UnOp:
		return &ir.Unary{Op: op, X: operand("a", t)}
	case ir.Fn:
		return &ir.Builtin{Fn: op, Args: []ir.Expr{operand("a", t)}}
	case ir.Op:
		return &ir.Binary{Op: op, X: operand("a", t), Y: operand("b", t)}
	}
	panic("not needed")
}

func TestAlwaysExhaustively(t *testing.T) {
	for _, width := range []int{4, 8} {
		for _, e := range operations(width) {
			r := Always(e)
			require.NotNil(t, r, describe(e))
			require.NoError(t, wellFormed(e, r))
			assert.NoError(t, exhaust(e, func(args []int64, vars map[string]int64) error {
				got, ok := eval(r, vars)
				if !ok {
					return fmt.Errorf("%s is undefined", spelt(r))
				}
				if want, ok := eval(e, vars); ok && equalWhere(e, args) && got != want {
					return fmt.Errorf("%s is %d, want %d", spelt(r), got, want)
				}
				return nil
			}), describe(e))
		}
	}
	for _, op := range []any{ir.And, ir.Lt, ir.LAnd, ir.LNot, ir.Not, ir.Popcount, ir.Ffs, ir.Bswap} {
		assert.Nil(t, Always(build(op, ir.I32)), "%v", op)
	}
	for _, op := range []any{ir.Add, ir.Sub, ir.Mul, ir.Neg} {
		assert.Nil(t, Always(build(op, ir.U32)), "%v", op)
	}
	assert.Nil(t, Always(operand("a", ir.I32)))
}

// equalWhere reports whether Always promises to be equal to e.
func equalWhere(e ir.Expr, args []int64) bool {
	b, ok := e.(*ir.Binary)
	return !ok || b.Op != ir.Div && b.Op != ir.Rem || args[1] > 0 && args[1]%2 == 1
}

func TestIndex(t *testing.T) {
	for _, typ := range []ir.Int{ir.I8, ir.U8, ir.I16, ir.I32, ir.U32, ir.Bool} {
		for _, n := range []int{1, 2, 3, 7, 8, 300} {
			e := Index(operand("a", typ), n)
			values := []int64{typ.Min(), typ.Min() + 1, typ.Max() - 1, typ.Max(), typ.Wrap(-1)}
			for v := range int64(400) {
				values = append(values, typ.Wrap(v))
			}
			for _, v := range values {
				got, ok := eval(e, map[string]int64{"a": v})
				require.True(t, ok && 0 <= got && got < int64(n), "%s of %d", spelt(e), v)
				if 0 <= v && v < int64(n) {
					require.Equal(t, v, got, spelt(e))
				}
			}
		}
	}
	assert.Equal(t, "(u64(a) % 3)", spelt(Index(operand("a", ir.I64), 3)))
	assert.Equal(t, "(u32(a) & 3)", spelt(Index(operand("a", ir.I8), 4)))
}

func TestOtherFamiliesAreLeftAlone(t *testing.T) {
	load := func(of ir.Type) ir.Expr { return &ir.Load{Place: &ir.VarRef{Var: &ir.Var{Name: "x", Type: of}}} }
	float, wide, vector := load(ir.F32), load(ir.I128), load(ir.Vector{Elem: ir.I32, Lanes: 4})
	pointer := load(ir.Pointer{Elem: ir.I32})
	for _, e := range []ir.Expr{
		&ir.Binary{Op: ir.Add, X: float, Y: float},
		&ir.Binary{Op: ir.Lt, X: float, Y: float},
		&ir.Binary{Op: ir.Sub, X: pointer, Y: pointer},
		&ir.Binary{Op: ir.Div, X: wide, Y: wide},
		&ir.Binary{Op: ir.Shl, X: vector, Y: vector},
		&ir.Unary{Op: ir.Neg, X: vector},
		&ir.Builtin{Fn: ir.AddOverflows, Args: []ir.Expr{wide, wide}},
	} {
		assert.Nil(t, Always(e), "%v", e)
		assert.Nil(t, Operation(e, make([]int64, 2)), "%v", e)
	}
}
