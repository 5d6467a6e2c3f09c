package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A record grows when a newer compiler answers, or another answer comes.
func TestAddLife(t *testing.T) {
	path := filepath.Join(t.TempDir(), LifeFile)
	first := Life{"2026-11-20", "a", "gcc 16.2.0", StillFails, ""}
	again, newer := first, first
	again.Day, newer.Day, newer.Compiler, newer.State, newer.Detail = "2026-11-21", "2026-11-22", "gcc 17.0.0 20261101", ChangedForm, "endless at -O3"
	other := Life{"2026-11-22", "b", "gcc 17.0.0 20261101", Fixed, ""}
	for _, list := range [][]Life{{first}, {again}, {newer, other}, {newer}} {
		require.NoError(t, AddLife(path, list))
	}
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "2026-11-20\ta\tgcc 16.2.0\tfails\n2026-11-22\ta\tgcc 17.0.0 20261101\tchanged\tendless at -O3\n2026-11-22\tb\tgcc 17.0.0 20261101\tfixed\n", string(data))
	list, err := LoadLife(path)
	require.NoError(t, err)
	last, ok := LastLife(list, "a")
	assert.True(t, ok)
	assert.Equal(t, newer, last)
	_, ok = LastLife(list, "c")
	assert.False(t, ok)

	for _, bad := range []Life{{}, {"today", "a", "gcc 1", Fixed, ""}, {"2026-11-20", "a\tb", "gcc 1", Fixed, ""}, {"2026-11-20", "a", "gcc 1", "gone", ""}} {
		assert.ErrorContains(t, AddLife(path, []Life{bad}), "cannot be a line", "%q", bad)
	}
	for text, want := range map[string]string{
		"# c\n\nx\n":                 "f:3: want day, finding, compiler, state and maybe a detail, with a tab between them",
		"2026-11-20\ta\tgcc 1\tok\n": `f:1: the state "ok" is not known, want fails, fixed or changed`,
		"20\ta\tgcc 1\tfixed\n":      `f:1: "20" is not a day such as 2026-11-20`,
	} {
		_, err := parseLife("f", text)
		assert.EqualError(t, err, want)
	}
	assert.Equal(t, "crash-1", FindingName("h/findings/crash-1/finding.txtar"))
	assert.Equal(t, "crash-1", FindingName("corpus/crash-1.txtar"))
}
