package paper_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/tools/lab/paper"
)

func TestTable5(t *testing.T) {
	rows := paper.Table5()
	require.Len(t, rows, 70)
	assert.Equal(t, paper.Row{Rank: 1, Params: paper.Defaults(), Success: 81.5, Rate: 2.98}, rows[0])
	distinct := map[paper.Params]bool{}
	for i, row := range rows {
		distinct[row.Params] = true
		assert.Equal(t, i+1, row.Rank)
		if i > 0 {
			assert.LessOrEqual(t, row.Success, rows[i-1].Success, "sorted by success")
		}
		_, err := reify.ParseConfig(row.Params.String())
		assert.NoError(t, err)
	}
	assert.Len(t, distinct, 69)
	last := rows[69]
	assert.Equal(t, "15,10,2,5,2", last.Params.String())
	assert.Equal(t, 70.0, last.Success, "the worst success that is published")
}

func TestTable3(t *testing.T) {
	for _, row := range paper.Table3() {
		assert.Len(t, row, 8)
	}
}
