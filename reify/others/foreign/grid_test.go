package foreign

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
)

// What a database does not know of the grids is asked once; a refusal cuts a grid down.
func TestGrids(t *testing.T) {
	db, err := Open(filepath.Join(t.TempDir(), "functions.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	f := &Function{Symbol: "r12", Text: "int r12(int x, signed char y) { return 0; }", Params: []ir.Int{ir.I32, ir.I8}, Result: ir.I32, Class: Plain, Models: Both}
	pairs := []Pair{{[]int64{0, 120}, 4, 1}, {[]int64{1000, -3}, 5, 1}}
	_, err = db.Add(Source{Sum: "1"}, []Harvest{{Function: f, Pairs: pairs}}, nil)
	require.NoError(t, err)

	known, err := db.Asked(f)
	require.NoError(t, err)
	grids, _, open := Around(f, pairs, known)
	assert.Empty(t, grids)
	require.Greater(t, len(open), MaxGrid)
	var replies []Reply
	for _, q := range open {
		require.True(t, ir.I8.Holds(q.Args[1]), "%v", q.Args)
		r := Reply{Pair: Pair{Args: q.Args, Want: q.Args[0] ^ q.Args[1], Steps: 2}}
		if q.Args[0] == 1005 {
			r.Refused = ReasonUndefined
		}
		replies = append(replies, r)
	}
	require.NoError(t, db.Learn(f, replies))
	require.NoError(t, db.Learn(f, replies), "again")
	known, err = db.Asked(f)
	require.NoError(t, err)
	assert.Len(t, known, len(replies))
	grids, answers, open := Around(f, pairs, known)
	assert.Empty(t, open)
	answered := map[[2]int64]bool{}
	for _, a := range answers {
		assert.Equal(t, a.Args[0]^a.Args[1], a.Want)
		answered[[2]int64(a.Args)] = true
	}
	cut := 0
	for _, g := range grids {
		for _, q := range g.Questions(f) {
			assert.True(t, answered[[2]int64(q.Args)], "%v of %v", q.Args, g)
		}
		if g.Count < MaxGrid {
			cut++
		}
	}
	assert.Positive(t, cut, "%v", grids)
	assert.Less(t, cut, len(grids))
}
