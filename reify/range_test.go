package reify

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
)

// Paths go by way of ranges of labels: by values in the middle of them, and past
// them to the default.
func TestRangesOfLabelsOnThePath(t *testing.T) {
	p, err := FindProfile("wild")
	require.NoError(t, err)
	ends, inside, past := 0, 0, 0
	for seed := range uint64(250) {
		r := FromSeed(seed)
		c, err := p.Configure(r).With("-all,+switch,+types")
		require.NoError(t, err)
		k, err := Make("f", r, c, search.Engine{})
		require.NoError(t, err)
		_, err = interp.Run(k.Func, k.Args, interp.Options{Trace: func(e interp.Event) {
			sw, ok := e.Block.Term.(*ir.Switch)
			if !ok || e.Stmt != nil {
				return
			}
			for _, l := range sw.Cases {
				if l.Hi == nil {
					continue
				}
				switch lo, hi := l.Lo.(*ir.Const).V, l.Hi.(*ir.Const).V; {
				case lo == hi:
				case e.Value == lo || e.Value == hi:
					ends++
				case lo < e.Value && e.Value < hi:
					inside++
				default:
					past++
				}
			}
		}})
		require.NoError(t, err)
	}
	t.Logf("values that are an end of a range: %d, inside of one: %d; ranges passed: %d", ends, inside, past)
	assert.Greater(t, ends, 20)
	assert.Greater(t, inside, 20)
	assert.Greater(t, past, 20)
}
