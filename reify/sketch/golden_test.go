package sketch_test

import (
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
	"goreify/reify/sketch/sketchtest"
)

// The paper's subset is made of the draws that it was made of before there was
// more: the hash is of what version 0.6 made.
func TestPaperSubsetIsPinned(t *testing.T) {
	h := xxhash.New()
	draws := 0
	graphs(40, func(g *cfg.Graph, s *choice.Stream) {
		o := sketch.DefaultOptions()
		o.Hostile = 60
		f := sketch.Function("f", g, o, s)
		_, _ = h.WriteString(sketchtest.Text(f))
		m := ir.NewModel(f)
		sketch.Fill(f, m, s)
		ir.Settle(f, m)
		sketch.AddUndefined(f, shortest(g), o, s)
		_, _ = h.WriteString(sketchtest.Text(f))
		draws += s.Draws()
	})
	assert.Equal(t, uint64(0x12a56b62ed5888f), h.Sum64())
	assert.Equal(t, 159135, draws)
}
