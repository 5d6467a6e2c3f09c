package ir_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// What is found by way of Parts is what Exprs yields, in the same order.
func TestPartsAreAll(t *testing.T) {
	var below func(n ir.Node, list []ir.Expr) []ir.Expr
	below = func(n ir.Node, list []ir.Expr) []ir.Expr {
		require.True(t, ir.Parts(n, func(part ir.Node) bool {
			list = below(part, list)
			return true
		}))
		if e, ok := n.(ir.Expr); ok && ir.FamilyOf(e) == ir.Integers {
			list = append(list, e)
		}
		return list
	}
	forRandom(t, 200, func(p *ir.Program, _ *choice.Stream) {
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, s := range b.Stmts {
					got := below(s, nil)
					var want []ir.Expr
					for at := range ir.StmtExprs(s) {
						want = append(want, *at)
					}
					require.Equal(t, len(want), len(got), "%s", s)
					for i := range want {
						require.Same(t, want[i], got[i], "%s", s)
					}
				}
			}
		}
	})
}

// A false stops it.
func TestPartsStop(t *testing.T) {
	calls := 0
	stop := func(ir.Node) bool { calls++; return false }
	x := &ir.Const{T: ir.I32}
	for _, n := range []ir.Node{
		&ir.Binary{Op: ir.Add, X: x, Y: x},
		&ir.Builtin{Args: []ir.Expr{x, x}},
		&ir.VecOf{Lanes: []ir.Expr{x, x}},
		&ir.PtrAdd{X: &ir.Null{}, Index: x},
	} {
		calls = 0
		require.False(t, ir.Parts(n, stop), "%T", n)
		require.Equal(t, 1, calls, "%T", n)
	}
	require.True(t, ir.Parts(nil, stop))
}
