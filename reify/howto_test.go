package reify_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/tools/need"
)

// An operator and a shape are added as DESIGN.md says ("How to add"), in copies of the files that
// they touch, which the command is built with. A file of testdata/howto has for each file of the
// repository what it replaces, as OLD ===> NEW <===.
func TestHowToAdd(t *testing.T) {
	need.Long(t)
	for _, row := range []struct {
		file    string
		most    int // files that it touches
		profile string
		shows   string // in the functions that are made
	}{
		{"operator", 6, "wild+bitwise", " &^ "},
		{"shape", 2, "wild+toy", " = 77"},
	} {
		edits, err := txtar.ParseFile("testdata/howto/" + row.file + ".txtar")
		require.NoError(t, err)
		assert.LessOrEqual(t, len(edits.Files), row.most, row.file)
		dir := t.TempDir()
		replace := map[string]string{}
		for _, f := range edits.Files {
			path, err := filepath.Abs("../" + f.Name)
			require.NoError(t, err)
			replace[path] = filepath.Join(dir, strings.ReplaceAll(f.Name, "/", "_"))
			text, err := os.ReadFile(path)
			if !os.IsNotExist(err) { // a file of its own begins empty
				require.NoError(t, err)
			}
			require.NoError(t, os.WriteFile(replace[path], []byte(edited(t, f.Name, string(text), string(f.Data))), 0o644))
		}
		overlay, err := json.Marshal(map[string]any{"Replace": replace})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
		run := exec.CommandContext(t.Context(), "go", "run", "-overlay", filepath.Join(dir, "overlay.json"), "./testdata/howto/made", row.profile)
		run.Stderr = os.Stderr
		made, err := run.Output()
		require.NoError(t, err)
		assert.Greater(t, strings.Count(string(made), row.shows), 2, "%s: functions with %q", row.file, row.shows)
	}
}

// edited returns text with edits, of which the old text stands in it once.
func edited(t *testing.T, name, text, edits string) string {
	for edit := range strings.SplitSeq(strings.TrimSuffix(edits, "<===\n"), "<===\n") {
		before, after, ok := strings.Cut(edit, "===>\n")
		require.True(t, ok, "%s: %s", name, edit)
		before, after = strings.TrimSuffix(before, "\n"), strings.TrimSuffix(after, "\n")
		if text == "" && before == "" {
			text = after + "\n"
			continue
		}
		require.Equal(t, 1, strings.Count(text, before), "%s: the text that is replaced: %s", name, before)
		text = strings.Replace(text, before, after, 1)
	}
	return text
}
