package compilers

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompareVersions(t *testing.T) {
	// Each comes before all that follow.
	sorted := []string{"", "1x", "git", "3", "9.4.0", "10", "10.x", "10.2", "10.2.1", "10.10", "12.2.0", "12.2.0.1", "100"}
	for i, a := range sorted {
		for j, b := range sorted {
			assert.Equal(t, i-j < 0, CompareVersions(a, b) < 0, "%q, %q", a, b)
			assert.Equal(t, i == j, CompareVersions(a, b) == 0, "%q, %q", a, b)
		}
	}
	reversed := slices.Clone(sorted)
	slices.Reverse(reversed)
	slices.SortFunc(reversed, CompareVersions)
	assert.Equal(t, sorted, reversed)
	assert.Zero(t, CompareVersions("12.02", "12.2"), "numbers, not texts")
}
