package reify_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrows are the imports that must not be, not even by way of others: of a
// package, or of all at and below a path that ends in "/...", those at and below
// other paths. DESIGN.md says why.
var arrows = map[string][]string{
	"compilers/...":       {"reify", "corpus", "tools"},
	"compilers/events":    {"compilers/native", "compilers/bisect"},
	"compilers/native":    {"compilers/bisect", "compilers/targets"},
	"compilers/bisect":    {"compilers/targets"},
	"corpus":              {"reify", "compilers", "tools"},
	"reify":               {"compilers", "corpus", "tools", "reify/emit", "reify/link", "reify/oracle"},
	"reify/choice":        {"compilers", "corpus", "tools", "reify/ir"},
	"reify/cfg":           {"compilers", "corpus", "tools", "reify/ir"},
	"reify/ir":            {"compilers", "corpus", "tools", "reify/interp", "reify/sketch", "reify/solve"},
	"reify/interp":        {"compilers", "corpus", "tools", "reify/solve", "reify/sketch", "reify/repair", "reify/link"},
	"reify/sketch":        {"compilers", "corpus", "tools", "reify/solve", "reify/interp"},
	"reify/solve/...":     {"compilers", "corpus", "tools", "reify/sketch"},
	"reify/repair":        {"compilers", "corpus", "tools", "reify/sketch"},
	"reify/link":          {"compilers", "corpus", "tools", "reify/emit", "reify/solve", "reify/sketch"},
	"reify/emit/...":      {"compilers", "corpus", "tools", "reify/solve", "reify/sketch", "reify/link"},
	"reify/reduce":        {"compilers", "corpus", "tools", "reify/solve", "reify/sketch"},
	"reify/subject":       {"tools", "reify/ir", "reify/choice"},
	"reify/source/...":    {"tools", "reify/oracle"},
	"reify/oracle":        {"tools", "reify/emit", "reify/solve", "reify/link", "reify/sketch", "reify/source", "reify/ir", "reify/interp", "compilers/native"},
	"reify/triage":        {"tools", "reify/solve", "reify/sketch", "reify/source"},
	"tools/reify/report":  {"reify/oracle", "reify/source", "reify/solve", "reify/sketch"},
	"tools/reify/measure": {"compilers", "reify/oracle"},
}

// TestArrows asks go which packages each package rests on.
func TestArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}}: {{join .Deps " "}}`, "goreify/...").Output()
	require.NoError(t, err)
	deps := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		name, list, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name, ours := strings.CutPrefix(name, "goreify/"); ours {
			deps[name] = strings.Fields(list)
		}
	}
	for from, barred := range arrows {
		path, below := strings.CutSuffix(from, "/...")
		var rests []string
		for name, list := range deps {
			if name == path || below && strings.HasPrefix(name, path+"/") {
				rests = append(rests, list...)
			}
		}
		require.NotEmpty(t, rests, "there is no package %s", from)
		for _, to := range barred {
			at := slices.IndexFunc(rests, func(name string) bool {
				return name == "goreify/"+to || strings.HasPrefix(name, "goreify/"+to+"/")
			})
			assert.Negative(t, at, "%s must not rest on %s", from, to)
		}
	}
}
