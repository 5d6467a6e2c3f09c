package reify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// byName are functions that do something to a file by its name, and so through links that
// a child or a stranger may have put there.
var byName = map[string][]string{
	"os": {"Chmod", "Chown", "CopyFS", "Create", "CreateTemp", "DirFS", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "Open", "OpenFile",
		"OpenRoot", "ReadDir", "ReadFile", "Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile"},
	"filepath": {"Glob", "Walk", "WalkDir"},
}

// TestFiles reads all code except tests: files are opened by safefile, except at the places
// listed here.
func TestFiles(t *testing.T) {
	left := map[string]string{}
	for place, why := range trustedPlaces {
		left[place] = why
	}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "safefile" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			place := filepath.ToSlash(filepath.Dir(path))[len("../"):]
			if f, ok := decl.(*ast.FuncDecl); ok {
				place += "." + f.Name.Name
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := s.X.(*ast.Ident); ok && slices.Contains(byName[x.Name], s.Sel.Name) {
					_, listed := trustedPlaces[place]
					assert.True(t, listed, "%s: %s.%s in %s: use package safefile, or list the place with its reason", files.Position(n.Pos()), x.Name, s.Sel.Name, place)
					delete(left, place)
				}
				return true
			})
		}
		return nil
	})
	require.NoError(t, err)
	assert.Empty(t, left, "places without such a function")
}

// trustedPlaces are functions, by package, that open files by name, and why they may.
var trustedPlaces = places(map[string][]string{
	"golden files of the tree, in tests": {"reify/sketch/sketchtest.Golden"},
	"files of the kernel": {
		"compilers.stats", "compilers.putUp", "compilers.becomeNobody", "compilers.SealDescriptors",
		"compilers/gc.runs", "compilers/native.registered", "compilers/wasm.resident", "tools/lab/experiment.cpuModel",
	},
	"it runs in the box, and can do no more there than the children": {
		"compilers.serve", "compilers.hidden", "compilers.public", "compilers.mounts", "compilers.furnish", "compilers/wasm.wazeroFile", "compilers/wasm.wazeroServe",
	},
	"directories of compilers, which are trusted as /usr is": {
		"compilers.triplesIn", "compilers.InRoot", "compilers.sumOf", "compilers/gc.others", "compilers/gc.overlay", "compilers/gc.versionOf", "compilers/gccgo.here",
		"compilers/jvm.installed", "compilers/llvm.others", "compilers/native.librariesBeside", "compilers/native.scanPath", "compilers/wasm.fetched", "compilers/wasm.here",
		"compilers/wasm.packageVersion", "tools/reify.examine",
	},
	"it makes, locks and sweeps workspaces, in a directory that is the user's alone": {
		"compilers.NewWorkspace", "compilers.makePrivate", "compilers.lockDir", "compilers.sweep", "compilers.NewDir", "compilers.enclose",
	},
	"it removes a directory that only we can exchange, and opens all below it by descriptor":                 {"compilers.removeAll"},
	"it gives a directory that only root can exchange to its children, and opens all below it by descriptor": {"compilers.hand"},
	"it only weighs the files of a child, in the box where there is one, and follows no link":                {"compilers.weight"},
	"a directory that children can only read":                                                                {"compilers/gc.Rules", "compilers/gc.makeReadable", "compilers/gc.writeFile"},
	"the user's cache": {"compilers.WriteCache"},
	"directories below out, in the user's own clone": {
		"tools/fuzzing.found", "tools/fuzzing.keep", "tools/fuzzing.lock", "tools/fuzzing.open", "tools/fuzzing.remove", "tools/fuzzing.tell",
		"tools/fuzzing.first", "tools/fuzzing.sum",
	},
	"a new file or directory of a random name": {"tools/fuzzing.saveBug", "tools/generators.generate", "tools/standin.Run"},
	"the system's headers":                     {"reify/others/foreign.Load", "tools/reify.addCsmith"},
	"a directory that the user names":          {"reify/others/database.Open"},
})

// places returns the reasons of places.
func places(byReason map[string][]string) map[string]string {
	reasons := map[string]string{}
	for reason, list := range byReason {
		for _, place := range list {
			reasons[place] = reason
		}
	}
	return reasons
}
