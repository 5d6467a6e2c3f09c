package experiment

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"
)

// A rate of 0 has no logarithm, and one value has no range.
func TestChartOfZeros(t *testing.T) {
	dir := t.TempDir()
	for _, points := range []plotter.XYs{{{X: 1, Y: 0}}, {{X: 1, Y: 10}}, {{X: 1, Y: 0}, {X: 2, Y: 3000}}} {
		c := chart{file: "rate.svg", title: "rate", x: "x", y: rateLabel, ticks: []int{1}, curves: []curve{{"ours", points, nil}}}
		require.NoError(t, c.write(dir))
		data, err := os.ReadFile(file(dir, c.file))
		require.NoError(t, err)
		assert.NotContains(t, string(data), "NaN")
		assert.NotContains(t, string(data), "Inf")
	}
	missing := chart{file: "no/such/dir.svg", percent: true}
	assert.Error(t, missing.write(dir))
}
