package machine_test

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

// machineGraph has a switch of four cases, one of which leads to the latch by two ways.
func machineGraph(t *testing.T) *cfg.Graph {
	g, err := cfg.New([][]int{{1}, {2, 3, 4, 5}, {6}, {6}, {7, 8}, {6}, {9, 1}, {6}, {6}, {}})
	require.NoError(t, err)
	return g
}

func TestMachinesGolden(t *testing.T) {
	o := sketch.DefaultOptions()
	o.Vars, o.Assigns = 3, 1
	o.Policy = sketchtest.Typical("types", "select", "machine")
	o.Policy.Machine = 100
	got := ""
	for seed := range uint64(3) {
		got += sketchtest.Text(sketch.Function("f", machineGraph(t), o, choice.New(choice.Derive(seed, "machine")))) + "\n"
	}
	sketchtest.Golden(t, "machine", got)
}

// A switch in a loop is about a variable that nothing but its cases assigns to, and
// they assign what it has labels for.
func TestMachines(t *testing.T) {
	g := machineGraph(t)
	o := sketch.DefaultOptions()
	o.Policy = sketchtest.Typical()
	o.Policy.Machine, o.Policy.Select = 100, 0
	assigned := 0
	for seed := range uint64(40) {
		f := sketch.Function("f", g, o, choice.New(choice.Derive(seed, "machine")))
		require.NoError(t, ir.Check(f))
		sw, ok := f.Blocks[1].Term.(*ir.Switch)
		require.True(t, ok)
		x := sw.X
		if c, ok := x.(*ir.Convert); ok {
			x = c.X
		}
		state := ir.Root(x.(*ir.Load).Place)
		labels := map[int64]bool{}
		for _, c := range sw.Cases {
			labels[c.Lo.(*ir.Const).V] = true
		}
		assert.Len(t, labels, 3)
		other := map[int64]bool{} // for the default
		for i, b := range f.Blocks {
			for _, s := range b.Stmts {
				a, ok := s.(*ir.Assign)
				if !ok || ir.Root(a.Dst) != state {
					continue
				}
				assigned++
				assert.Contains(t, []int{2, 3, 5, 7, 8}, i)
				src := a.Src
				if c, ok := src.(*ir.Convert); ok {
					src = c.X
				}
				if v := src.(*ir.Const).V; !labels[v] {
					other[v] = true
				}
			}
		}
		assert.LessOrEqual(t, len(other), 1)
	}
	assert.Greater(t, assigned, 100)
}
