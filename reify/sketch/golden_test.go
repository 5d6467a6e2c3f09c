package sketch_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/cespare/xxhash/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
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
		_, _ = h.WriteString(text(f))
		m := ir.NewModel(f)
		sketch.Fill(f, m, s)
		ir.Settle(f, m)
		sketch.AddUndefined(f, shortest(g), o, s)
		_, _ = h.WriteString(text(f))
		draws += s.Draws()
	})
	assert.Equal(t, uint64(0x12a56b62ed5888f), h.Sum64())
	assert.Equal(t, 159135, draws)
}

var update = flag.Bool("update", false, "rewrite the golden files")

// What features look like that are made of many parts.
func TestGolden(t *testing.T) {
	for name, p := range map[string]sketch.Policy{
		"coefficients": {TypeShares: types, TermShares: sketch.TermShares{Coefficients: 100}},
		"narrow":       {TypeShares: types, WidthShares: sketch.WidthShares{Widths: 100}},
		"odd":          {TypeShares: types, WidthShares: sketch.WidthShares{Odd: 100}},
		"wide":         {TypeShares: types, WidthShares: sketch.WidthShares{Int128: 50, BitInt: 50}},
		"truth":        {TypeShares: types, WidthShares: sketch.WidthShares{Truths: 100}},
	} {
		o := sketch.DefaultOptions()
		o.Vars, o.Assigns, o.AssignTerms, o.CondTerms = 14, 6, 1, 1
		o.Policy = p
		got := ""
		for seed := range uint64(4) {
			s := choice.New(choice.Derive(seed, name))
			g := cfg.GenerateAcyclic(cfg.Options{Blocks: 1 + int(seed)%2}, s)
			got += text(sketch.Function("f", g, o, s)) + "\n"
		}
		golden(t, name, got)
	}
}

// golden compares what was made with testdata/name.txt, or rewrites that.
func golden(t *testing.T, name, got string) {
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, name)
}

var types = sketch.TypeShares{Narrow: 40, Wide: 50, Unsigned: 50, Bool: 15}
