package compilers

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCompareVersions(t *testing.T) {
	// Each comes before all that follow.
	sorted := []string{"", "1x", "git", "3", "9.4.0", "10", "10.x", "10.2", "10.2.1", "10.10", "12.2.0", "12.2.0.1", "17.0.0", "17.0.0 20261020 r17-999", "17.0.0-20261020-r17-5409", "17.0.0 20261101", "17.0.1 20260101", "100"}
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

func TestSnapshotDay(t *testing.T) {
	for version, want := range map[string]string{
		"17.0.0 20261020": "2026-10-20", "17.0.0 20261020 r17-5409": "2026-10-20", "24.0.0-20261025-abc": "2026-10-25",
		"24.0.0 ++20261025102030+abc": "2026-10-25", "20261020": "2026-10-20", "": "", "16.2.0": "", "1.20261320": "", "17.0.0 r1720261020": "",
	} {
		assert.Equal(t, want, SnapshotDay(version), version)
	}
}
