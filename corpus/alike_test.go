package corpus

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What looks alike fails in the same modes, or in some of them if not all were asked.
func TestAlike(t *testing.T) {
	dir := t.TempDir()
	entry := func(modes string, incomplete bool) *Entry {
		list := strings.Fields(modes)
		e := &Entry{
			Tool: "test", Title: "x", Verdict: "crash", Language: "C", Source: "function", Trust: "proved", Main: "repro.c",
			Compiler: "gcc-99", Family: "gcc", Version: "99.1.0", Mode: list[0], Message: "signal 11", Expected: "f 1",
			Date: "2026-01-01", Command: "gcc-99", Weight: 1, Sources: map[string]string{"repro.c": "int x;\n"}, Want: "f 1\n",
			Bad: []Configuration{{Family: "gcc", Version: "99.1.0", Modes: list}},
		}
		if incomplete {
			e.SetNote(NoteIncomplete, "not all configurations could be asked")
		}
		return e
	}
	path, err := Save(dir, entry("-O1 -O2", false))
	require.NoError(t, err)
	require.Equal(t, dir, filepath.Dir(path))
	for _, tt := range []struct {
		modes      string
		incomplete bool
		want       string
	}{
		{"-O2 -O1", false, path},
		{"-O2", false, ""},
		{"-O2", true, path},
		{"-O3", true, ""},
		{"-O1 -O2 -O3", true, ""},
	} {
		assert.Equal(t, tt.want, Alike(entry(tt.modes, tt.incomplete), filepath.Join(dir, "none"), dir), "%s, incomplete: %v", tt.modes, tt.incomplete)
	}
	other := entry("-O2", true)
	other.Message = "signal 6"
	assert.Empty(t, Alike(other, dir))
	other = entry("-O2", true)
	other.Version = "98"
	assert.Empty(t, Alike(other, dir))
}
