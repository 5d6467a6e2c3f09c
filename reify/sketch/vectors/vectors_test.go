package vectors_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/sketch/sketchtest"
)

func simdPolicy() sketch.Policy {
	p := sketchtest.Typical("types", "select", "simd")
	p.Simd = 100
	return p
}

// Blocks of simd have all forms, also those that few compilers see.
func TestSimdHasAllForms(t *testing.T) {
	seen := map[string]int{}
	sketchtest.StraightLines(400, simdPolicy(), func(f *ir.Function) {
		require.NoError(t, ir.Check(f), "%v", f)
		var see func(n ir.Node) bool
		see = func(n ir.Node) bool {
			switch n := n.(type) {
			case *ir.Shuffle:
				from, to := ir.TypeOf[ir.Vector](n.X), ir.TypeOf[ir.Vector](n)
				if from != to {
					seen["shuffle of other lanes"]++
				}
				if ir.Undefined(n) != 0 {
					seen["lane in which anything may be"]++
				}
				seen["shuffle"]++
			case *ir.Cast:
				if t, ok := n.T.(ir.Vector); ok && t.Lanes != ir.TypeOf[ir.Vector](n.X).Lanes {
					seen["cast of other lanes"]++
				}
			case *ir.Convert:
				if _, ok := n.T.(ir.Vector); ok {
					seen["conversion"]++
				}
			case *ir.VecCall:
				seen["call"]++
			case *ir.Binary:
				if ir.FamilyOf(n) != ir.Vectors {
					break
				}
				if n.Op.Compares() {
					seen["mask"]++
				}
				if n.Op.Divides() {
					seen["division"]++
				}
			case *ir.Elem:
				if _, known := n.Index.(*ir.Const); !known {
					seen["variable index"]++
				}
			}
			if v, ok := n.(ir.Expr); ok && ir.FamilyOf(v) == ir.Vectors && ir.TypeOf[ir.Vector](v).Padded() != ir.TypeOf[ir.Vector](v).Lanes {
				seen["odd length"]++
			}
			return ir.Parts(n, see)
		}
		for _, s := range f.Blocks[1].Stmts {
			see(s)
		}
	})
	for _, form := range []string{"shuffle", "shuffle of other lanes", "lane in which anything may be", "cast of other lanes",
		"conversion", "call", "mask", "division", "variable index", "odd length"} {
		assert.Greater(t, seen[form], 20, form)
	}
}

func TestSimdGolden(t *testing.T) {
	got := ""
	sketchtest.StraightLines(3, simdPolicy(), func(f *ir.Function) { got += sketchtest.Text(f) + "\n" })
	sketchtest.Golden(t, "simd", got)
}
