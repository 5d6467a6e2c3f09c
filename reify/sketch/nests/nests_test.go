package nests_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/sketch/sketchtest"
)

// shapedFunction fills a graph in which everything that is a shape is one.
func shapedFunction(t *testing.T, seed uint64, share int, succs ...[]int) *ir.Function {
	t.Helper()
	g, err := cfg.New(succs)
	require.NoError(t, err)
	o := sketch.DefaultOptions()
	o.Policy = sketchtest.Typical()
	o.Policy.Shaped, o.Policy.Machine, o.Policy.Trips = share, 0, 0
	f := sketch.Function("f", g, o, choice.New(choice.Derive(seed, "shape")))
	require.NoError(t, ir.Check(f))
	return f
}

// zeroed returns the variable that the only statement of a block sets to 0, if
// that is what it does.
func zeroed(b *ir.Block) *ir.Var {
	if len(b.Stmts) != 1 {
		return nil
	}
	a, ok := b.Stmts[0].(*ir.Assign)
	if !ok {
		return nil
	}
	c, ok := a.Src.(*ir.Const)
	if !ok || c.V != 0 {
		return nil
	}
	return ir.Root(a.Dst)
}

// advanced returns the variable that the last statement of a block adds to.
func advanced(b *ir.Block) *ir.Var {
	return ir.Root(b.Stmts[len(b.Stmts)-1].(*ir.Assign).Dst)
}

// The inner counter of a nest begins anew in each round of the outer one, and
// nothing but the ends of the loops changes either.
func TestNests(t *testing.T) {
	nest := [][]int{{1}, {2}, {3, 2}, {1, 4}, {}}
	for seed := range uint64(30) {
		f := shapedFunction(t, seed, 100, nest...)
		inner := zeroed(f.Blocks[1])
		require.NotNil(t, inner)
		assert.Same(t, inner, advanced(f.Blocks[2]))
		outer := advanced(f.Blocks[3])
		assert.NotSame(t, inner, outer)
		for _, b := range f.Blocks {
			for i, s := range b.Stmts {
				if a, ok := s.(*ir.Assign); ok && i < len(b.Stmts)-1 {
					assert.NotContains(t, []*ir.Var{inner, outer}, ir.Root(a.Dst))
				}
			}
		}
	}
	f := shapedFunction(t, 1, 0, nest...)
	assert.Nil(t, zeroed(f.Blocks[1]), "no shapes wanted")
}

// The cases of a table are next to each other and assign constants.
func TestTables(t *testing.T) {
	for seed := range uint64(30) {
		f := shapedFunction(t, seed, 100, []int{1}, []int{2, 3, 4, 5}, []int{6}, []int{6}, []int{6}, []int{6}, []int{1, 7}, []int{})
		sw := f.Blocks[1].Term.(*ir.Switch)
		require.Len(t, sw.Cases, 3)
		first := sw.Cases[0].Lo.(*ir.Const).V
		for i, c := range sw.Cases {
			assert.Equal(t, first+int64(i), c.Lo.(*ir.Const).V)
		}
		for _, b := range f.Blocks[2:6] {
			require.NotEmpty(t, b.Stmts)
			for i, s := range b.Stmts {
				e := s.(*ir.Assign).Src
				if c, ok := e.(*ir.Convert); ok { // to a bit-field
					e = c.X
				}
				assert.IsType(t, &ir.Const{}, e)
				assert.Equal(t, ir.Root(f.Blocks[2].Stmts[i].(*ir.Assign).Dst), ir.Root(s.(*ir.Assign).Dst))
			}
		}
	}
}

// Both ways of a diamond assign to one variable; where there is but one, that
// has a value beforehand.
func TestDiamonds(t *testing.T) {
	dst := func(b *ir.Block) *ir.Var { return ir.Root(b.Stmts[len(b.Stmts)-1].(*ir.Assign).Dst) }
	for seed := range uint64(30) {
		f := shapedFunction(t, seed, 100, []int{1}, []int{2, 3}, []int{4}, []int{4}, []int{1, 5}, []int{})
		assert.Same(t, dst(f.Blocks[2]), dst(f.Blocks[3]))
		f = shapedFunction(t, seed, 100, []int{1}, []int{2, 3}, []int{3}, []int{1, 4}, []int{})
		assert.Same(t, dst(f.Blocks[1]), dst(f.Blocks[2]))
	}
}
