package cfg

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
)

// Every injected loop is checked against Figure 5: the predecessors of the
// replaced block lead to its header, its latch leads back to the header and on
// to the block's successor, and no other edge enters or leaves it.
func TestInjectedLoopsAreThoseOfFigure5(t *testing.T) {
	injected, selfJumps := 0, 0
	for i := range 500 {
		o := Options{Blocks: 1 + i%12, Loops: 1 + i%4, LoopBlocks: 1 + i%7, Depth: 1 + i%3, LocalMax: 100, Switches: i % 2 * 50}
		s := choice.New(choice.Derive(uint64(i), "inject"))
		b := &builder{o: o, s: s, drafts: make([]draft, 1000)}
		lv := b.add(o.Blocks, o.Loops, o.Depth)
		g := b.finish()
		a := g.Analyze()

		candidates, replaced := 0, 0
		for j, d := range lv.draft[:o.Blocks] {
			if !d.kept {
				continue
			}
			if d.n == 1 {
				candidates++
			}
			want := []int{}
			for _, to := range d.list() {
				want = append(want, int(lv.draft[to].in))
			}
			header, latch := int(d.in), int(d.out)
			if !d.replace {
				require.Equal(t, header, latch)
				if len(g.Succs[header]) > 2 {
					require.Subset(t, g.Succs[header], want)
					continue
				}
				require.Equal(t, want, g.Succs[header], "block %d of\n%s", j, g)
				continue
			}
			replaced++
			injected++
			if want[0] == header {
				selfJumps++
				require.Equal(t, []int{header}, g.Succs[latch])
			} else {
				require.ElementsMatch(t, []int{header, want[0]}, g.Succs[latch], "\n%s", g)
			}
			require.Len(t, g.Succs[header], 1)
			inside := func(x int) bool { return header <= x && x <= latch }
			for from, list := range g.Succs {
				for _, to := range list {
					if inside(from) != inside(to) {
						require.True(t, to == header || from == latch, "edge %d -> %d of\n%s", from, to, g)
					}
				}
			}
			at := slices.IndexFunc(a.Loops, func(l *Loop) bool { return l.Reducible() && l.Entries[0] == header })
			require.GreaterOrEqual(t, at, 0)
			require.Contains(t, a.Loops[at].BackEdges, [2]int{latch, header})
		}
		require.Equal(t, min(o.Loops, candidates), replaced)
	}
	assert.Greater(t, injected, 300)
	assert.NotZero(t, selfJumps, "the case of a block that jumps to itself alone")
}

// Depth 3 must put headers three deep in each other, Depth 1 not beyond what
// the drawn edges do by themselves.
func TestDepthNests(t *testing.T) {
	mean := func(depth int) float64 {
		sum := 0
		for i := range 300 {
			o := Options{Blocks: 8, Loops: 2, LoopBlocks: 8, Depth: depth, LocalMin: 50, LocalMax: 100}
			a := Generate(o, choice.New(choice.Derive(uint64(i), "depth"))).Analyze()
			deepest := 0
			for _, l := range a.Loops {
				deepest = max(deepest, l.Depth)
			}
			sum += deepest
		}
		return float64(sum) / 300
	}
	one, three := mean(1), mean(3)
	t.Logf("mean depth of loops: %.2f at Depth 1, %.2f at Depth 3", one, three)
	assert.Greater(t, three, one+0.8)
}

// A graph all of whose kept blocks branch has no room for an edge to the exit:
// an edge is redirected, and no block may be cut off by it.
func TestExitIsJoinedToAFullGraph(t *testing.T) {
	edges := [][2]int32{{1, 2}, {3, 0}, {3, 1}, {2, 3}, {0, 1}} // block 4 is not kept
	redirected := map[int]bool{}
	for i := range 40 {
		b := &builder{s: choice.New([]byte{byte(i)})}
		lv := &level{draft: make([]draft, len(edges)+1)}
		for j, to := range edges {
			lv.draft[j].succs = succs{n: 2, to: to}
		}
		b.keep(lv)
		require.False(t, lv.draft[4].kept)
		b.joinExit(lv)

		joined := 0
		for j, d := range lv.draft[:4] {
			require.Len(t, d.list(), 2)
			if slices.Contains(d.list(), 5) {
				joined++
				redirected[j] = true
			}
			lv.draft[j].kept = false
		}
		require.Equal(t, 1, joined)
		b.keep(lv)
		for j := range lv.draft[:4] {
			require.True(t, lv.draft[j].kept, "block %d is cut off", j)
		}
	}
	assert.Greater(t, len(redirected), 1, "not always the same block")
}
