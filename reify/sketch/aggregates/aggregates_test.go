package aggregates_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core/coretest"
	"goreify/reify/sketch/sketchtest"
)

// What is copied to and fro is defined whatever the variables hold, and there are all
// ways to copy.
func TestAggregatesAreDefined(t *testing.T) {
	p := sketchtest.Typical("types", "bool", "bitfield", "memory", "aggregate")
	p.Aggregates = 100
	seen := map[string]int{}
	sketchtest.StraightLines(2000, p, func(f *ir.Function) {
		require.NoError(t, ir.Check(f))
		s := choice.New(choice.Derive(uint64(f.Syms), "values"))
		sketchtest.Settle(f, s)
		_, err := coretest.Run(f, s, 0)
		require.NoError(t, err, "%v", f)
		var see func(ir.Node) bool
		see = func(n ir.Node) bool {
			name := fmt.Sprintf("%T", n)
			if s, ok := n.(*ir.Transfer); ok {
				name = s.Name()
			}
			seen[name]++
			return ir.Parts(n, see)
		}
		for _, s := range f.Blocks[1].Stmts {
			see(s)
		}
	})
	for _, name := range []string{"memcpy", "memmove", "*ir.Fill", "*ir.Assign", "*ir.Assign", "*ir.Select", "*ir.Cast"} {
		assert.Greater(t, seen[name], 100, name)
	}
}

func TestAggregatesGolden(t *testing.T) {
	p := sketchtest.Typical("types", "memory", "aggregate")
	p.Aggregates = 100
	got := ""
	sketchtest.StraightLines(4, p, func(f *ir.Function) { got += sketchtest.Text(f) + "\n" })
	sketchtest.Golden(t, "aggregates", got)
}

// Casts are defined, too, and there are casts to and from all sorts of members.
func TestCastsAreDefined(t *testing.T) {
	p := sketchtest.Typical("types", "memory", "aggregate", "cast")
	p.Aggregates, p.Casts = 100, 100
	floats, arrays, chosen := 0, 0, 0
	sketchtest.StraightLines(1000, p, func(f *ir.Function) {
		require.NoError(t, ir.Check(f))
		s := choice.New(choice.Derive(uint64(f.Syms), "values"))
		sketchtest.Settle(f, s)
		_, err := coretest.Run(f, s, 0)
		require.NoError(t, err, "%v", f)
		var see func(ir.Node) bool
		see = func(n ir.Node) bool {
			if m, ok := n.(*ir.Member); ok && m.Base.Type().(*ir.Record).Cast {
				switch m.Type().(type) {
				case ir.Float:
					floats++
				case ir.Array:
					arrays++
				}
				if d, ok := m.Base.(*ir.Deref); ok {
					if _, ok := d.X.(*ir.Select); ok {
						chosen++
					}
				}
			}
			return ir.Parts(n, see)
		}
		for _, s := range f.Blocks[1].Stmts {
			see(s)
		}
	})
	for _, n := range []int{floats, arrays, chosen} {
		assert.Greater(t, n, 100)
	}
}

func TestCastsGolden(t *testing.T) {
	p := sketchtest.Typical("types", "memory", "aggregate", "cast")
	p.Aggregates, p.Casts = 100, 100
	got := ""
	sketchtest.StraightLines(3, p, func(f *ir.Function) { got += sketchtest.Text(f) + "\n" })
	sketchtest.Golden(t, "casts", got)
}
