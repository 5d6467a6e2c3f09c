package lanes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/reify/sketch/sketchtest"
)

// A group of lanes begins with 4 to 16 assignments, and has two operators but for what
// masks shift counts and offsets, and for what folds it.
func TestLanesHaveFewOperators(t *testing.T) {
	p := sketchtest.Typical("types", "select", "struct", "ptr", "lanes")
	p.Lanes = 100
	few, all := 0, 0
	sketchtest.StraightLines(200, p, func(f *ir.Function) {
		require.NoError(t, ir.Check(f))
		stmts := f.Blocks[1].Stmts
		require.GreaterOrEqual(t, len(stmts), 4, "%v", f)
		ops := map[ir.Op]bool{}
		for _, s := range stmts[:4] {
			for e := range ir.StmtExprs(s) {
				if b, ok := (*e).(*ir.Binary); ok {
					ops[b.Op] = true
				}
			}
		}
		all++
		if len(ops) <= 3 {
			few++
		}
	})
	t.Logf("%d of %d groups have few operators", few, all)
	assert.Greater(t, few, all*8/10)
}

func TestLanesGolden(t *testing.T) {
	p := sketchtest.Typical("types", "select", "struct", "ptr", "lanes")
	p.Lanes = 100
	got := ""
	sketchtest.StraightLines(3, p, func(f *ir.Function) { got += sketchtest.Text(f) + "\n" })
	sketchtest.Golden(t, "lanes", got)
}
