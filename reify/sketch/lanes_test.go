package sketch_test

import (
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
)

// straightLines calls f with functions whose blocks are lanes alone.
func straightLines(n int, p sketch.Policy, f func(f *ir.Function)) {
	o := sketch.DefaultOptions()
	o.Vars, o.Assigns, o.Policy = 3, 0, p
	g := &cfg.Graph{Succs: [][]int{{1}, {2}, {}}}
	for i := range n {
		f(sketch.Function("f", g, o, choice.New([]byte{byte(i), byte(i >> 8)})))
	}
}

// A group of lanes begins with 4 to 16 assignments, and has two operators but for what
// masks shift counts and offsets, and for what folds it.
func TestLanesHaveFewOperators(t *testing.T) {
	p := typical("types", "select", "struct", "ptr", "lanes")
	p.Lanes = 100
	few, all := 0, 0
	straightLines(200, p, func(f *ir.Function) {
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

// The draws of lanes are pinned, so that seeds keep their meaning until someone means
// to change it.
func TestLanesArePinned(t *testing.T) {
	h := xxhash.New()
	p := typical("types", "select", "struct", "ptr", "lanes")
	p.Lanes = 100
	straightLines(50, p, func(f *ir.Function) { _, _ = h.WriteString(text(f)) })
	assert.Equal(t, uint64(0x7d46529a30e54c25), h.Sum64())
}
