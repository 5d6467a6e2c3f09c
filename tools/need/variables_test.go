package need

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// variables are all that the code knows. Users set the first six.
var variables = []string{
	"REIFY_CC", "REIFY_MODES", "REIFY_BOX", "REIFY_TRUNK", "REIFY_REQUIRE", "REIFY_GO_ON",
	"REIFY_BOX_SERVES", "REIFY_TEST_COMMAND",
}

// There are no other variables of the environment than these: what tests are told comes
// as flags of their binaries. Names that are there no more, and those that a test gives a
// wrong name, are left out.
func TestVariables(t *testing.T) {
	gone := regexp.MustCompile(`REIFY_(LEVELS?|[A-Z]*X[A-Z]*|NONE)`)
	name := regexp.MustCompile(`"(REIFY_[A-Z_]+)["=]`)
	read := regexp.MustCompile(`(?:Getenv|LookupEnv)\("([A-Z_]+)"\)`)
	system := []string{"PATH", "GOGC", "GOMEMLIMIT", "HOME", "TMPDIR"}
	seen := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "out" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || filepath.Base(path) == "variables_test.go" {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range name.FindAllSubmatch(text, -1) {
			seen[string(m[1])] = true
			if !slices.Contains(variables, string(m[1])) && !gone.Match(m[1]) {
				t.Errorf("%s: unknown variable %s", path, m[1])
			}
		}
		for _, m := range read.FindAllSubmatch(text, -1) {
			if !slices.Contains(variables, string(m[1])) && !slices.Contains(system, string(m[1])) {
				t.Errorf("%s: unknown variable %s", path, m[1])
			}
		}
		return err
	}))
	for _, v := range variables {
		assert.True(t, seen[v], "nothing reads %s", v)
	}
}
