package link_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/link"
)

// Programs are right, whatever is drawn, and leave the leaves as they were.
func TestPrograms(t *testing.T) {
	all := made(t, 1, 64, drawn)
	before := map[*link.Leaf]string{}
	for _, l := range all {
		before[l] = l.Func().String()
	}
	s := choice.New([]byte("programs"))
	var calls, sites, reset, recursive, guarded, pure int
	for range 400 {
		n := s.Range(1, 12)
		s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		p, err := link.Link(all[:n], link.DefaultOptions(), s)
		require.NoError(t, err)
		require.NoError(t, p.IR.Check(), "%s", p.IR)
		require.NoError(t, interp.VerifyProgram(p.IR))
		assert.LessOrEqual(t, p.Calls, 2000)
		calls += p.Calls
		sites += p.Sites
		for i, f := range p.IR.Funcs {
			if f.Blocks[0].Name == "guard" {
				guarded++
			}
			if p.Purity[i] != link.Impure {
				pure++
			}
			for c := range f.Calls() {
				if _, on := p.Answers[c]; on && c.Func == f {
					recursive++
				}
			}
		}
		p.Unlink()
	}
	t.Log(calls, sites, reset, recursive, guarded, pure)
	for l, text := range before {
		assert.Equal(t, text, l.Func().String())
	}
}

// The number of calls stays within any bound, however many functions there are
// and however densely they call each other.
func TestMaxCalls(t *testing.T) {
	all := made(t, 100, 64, drawn)
	s := choice.New([]byte("bounds"))
	for _, most := range []int{1, 2, 3, 10, 64, 100, 1000, 20000} {
		for _, edges := range []int{0, 100, 2000} {
			for _, n := range []int{1, 2, 10, 64} {
				p, err := link.Link(all[:n], link.Options{MaxCalls: most, Edges: edges, Sites: 3, Off: 5}, s)
				require.NoError(t, err)
				require.NoError(t, p.IR.Check())
				assert.LessOrEqual(t, p.Calls, most)
				if most >= 100 && n >= 10 && edges > 0 {
					assert.Greater(t, p.Calls, 3)
				}
				p.Unlink()
			}
		}
	}
}
