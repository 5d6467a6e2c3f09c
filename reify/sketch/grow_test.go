package sketch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/sketch"
)

// Statements of all blocks lie in one array: what a pass appends to a block
// must not end up in the next one.
func TestBlocksCanGrow(t *testing.T) {
	graphs(5, func(g *cfg.Graph, s *choice.Stream) {
		f := sketch.Function("f", g, sketch.DefaultOptions(), s)
		for i, b := range f.Blocks[1 : len(f.Blocks)-2] {
			next := f.Blocks[i+2]
			if len(next.Stmts) == 0 {
				continue
			}
			first := next.Stmts[0]
			b.Stmts = append(b.Stmts, b.Stmts[0])
			require.Same(t, first, next.Stmts[0])
		}
	})
}
