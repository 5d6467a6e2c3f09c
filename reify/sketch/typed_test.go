package sketch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
)

// typical returns a policy with all features, or those named.
func typical(features ...string) sketch.Policy {
	var p sketch.Policy
	for _, share := range sketch.Shares() {
		for _, name := range features {
			if share.Feature == name {
				*share.At(&p) = share.Typical
			}
		}
		if len(features) == 0 {
			*share.At(&p) = share.Typical
		}
	}
	return p
}

// policies calls f with the policy of each feature alone, and of all.
func policies(f func(name string, p sketch.Policy)) {
	seen := map[string]bool{}
	for _, share := range sketch.Shares() {
		if !seen[share.Feature] {
			seen[share.Feature] = true
			f(share.Feature, typical(share.Feature))
		}
	}
	f("all", typical())
}

// What is made is valid, has the blocks and edges of the graph, reads back, and
// stays valid when symbols are filled and blocks off the path get worse.
func TestEveryFeatureIsValid(t *testing.T) {
	policies(func(name string, p sketch.Policy) {
		t.Run(name, func(t *testing.T) {
			o := sketch.DefaultOptions()
			o.Policy = p
			o.Hostile = 100
			made := 0
			conf := cfg.DefaultOptions()
			conf.Switches = p.Switch
			for i := range uint64(30) {
				g := cfg.Generate(conf, choice.New(choice.Derive(i, "graph")))
				s := choice.New(choice.Derive(i, name))
				f := sketch.Function("f", g, o, s)
				require.NoError(t, ir.Check(f), text(f))
				require.Equal(t, g.Succs, f.Graph())
				again, err := ir.Parse(text(f))
				require.NoError(t, err, text(f))
				require.Equal(t, text(f), again.String())

				m := ir.NewModel(f)
				sketch.Fill(f, m, s)
				ir.Settle(f, m)
				require.NoError(t, ir.Check(f), text(f))
				sketch.Harden(f, g.ShortestToExit(0), o, s)
				require.NoError(t, ir.Check(f), text(f))
				require.Equal(t, g.Succs, f.Graph())
				made++
			}
			require.Equal(t, 30, made)
		})
	})
}
