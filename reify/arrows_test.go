package reify_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// row finds a row of the table of rooms in DESIGN.md.
var row = regexp.MustCompile("(?m)^\\| (`.*`) \\| .* \\| (.*) \\|$")

// allowed returns what the table lets each package import. A name that ends in
// "/..." stands for all at and below it, "anything" for everything.
func allowed(t *testing.T) map[string][]string {
	text, err := os.ReadFile("DESIGN.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(text), "\n## Rooms\n")
	table, _, _ = strings.Cut(table, "\n## ")
	quoted := regexp.MustCompile("`([^`]+)`")
	// Rooms below reify go by their short names.
	full := func(name string) string {
		if _, err := os.Stat(filepath.Join("..", strings.TrimSuffix(name, "/..."))); err == nil {
			return name
		}
		return "reify/" + name
	}
	rows := map[string][]string{}
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		var may []string
		for _, name := range quoted.FindAllStringSubmatch(m[2], -1) {
			may = append(may, full(name[1]))
		}
		if m[2] == "anything" {
			may = []string{"anything"}
		}
		for _, name := range quoted.FindAllStringSubmatch(m[1], -1) {
			rows[full(name[1])] = may
		}
	}
	return rows
}

// TestArrows asks go what each package imports, and compares that with the table of
// rooms: no arrow points that it does not allow, and none is allowed in vain.
func TestArrows(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "goreify/...")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1") // or Z3 is left out
	out, err := cmd.Output()
	require.NoError(t, err)
	covers := func(pattern, name string) bool {
		path, below := strings.CutSuffix(pattern, "/...")
		return pattern == "anything" || name == path || below && strings.HasPrefix(name, path+"/")
	}
	rows := allowed(t)
	used := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ":")
		name = strings.TrimPrefix(name, "goreify/")
		if name == "goreify" {
			continue // holds tests alone
		}
		room := name // or one that covers it
		for pattern := range rows {
			if rows[name] == nil && covers(pattern, name) {
				room = pattern
			}
		}
		may, ok := rows[room]
		assert.True(t, ok, "DESIGN.md has no room for %s", name)
		for _, to := range strings.Fields(list) {
			to, ours := strings.CutPrefix(to, "goreify/")
			if !ours {
				continue
			}
			i := slices.IndexFunc(may, func(pattern string) bool { return covers(pattern, to) })
			if assert.GreaterOrEqual(t, i, 0, "%s must not import %s", name, to) {
				used[room+" "+may[i]] = true
			}
		}
	}
	for from, may := range rows {
		for _, to := range may {
			assert.True(t, to == "anything" || used[from+" "+to], "%s may import %s, and does not", from, to)
		}
	}
}
