package reify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// declared returns the interfaces of a package that embed a type, with that of the type, and
// its comment.
func declared(t *testing.T, dir, embedded string) (names []string, doc string) {
	files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			spec := g.Specs[0].(*ast.TypeSpec)
			if spec.Name.Name == embedded {
				doc = g.Doc.Text()
			}
			in, ok := spec.Type.(*ast.InterfaceType)
			if !ok {
				continue
			}
			for _, field := range in.Methods.List {
				of := field.Type
				if s, ok := of.(*ast.SelectorExpr); ok {
					of = s.Sel
				}
				if id, ok := of.(*ast.Ident); ok && len(field.Names) == 0 && (id.Name == embedded || id.Name == "Configurable") {
					names = append(names, spec.Name.Name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), doc
}

// The abilities of targets are the interfaces that embed Target, in the table and in the
// comment.
func TestAbilities(t *testing.T) {
	names, doc := declared(t, "compilers", "Target")
	names = slices.DeleteFunc(names, func(name string) bool { return name == "Tool" || name == "Ruled" }) // all that most have; what a Ruler makes
	require.Contains(t, names, "Linker")

	_, listed, _ := strings.Cut(doc, "callers ask for by assertion:")
	assert.Equal(t, names, strings.Fields(strings.NewReplacer(",", "", ".", "").Replace(listed)), "compilers/target.go")

	text, err := os.ReadFile("DESIGN.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(text), "| ability | the target |")
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([\\w.]+)` ").FindAllStringSubmatch(table, -1) {
		if !strings.Contains(m[1], ".") { // of another package
			rows = append(rows, m[1])
		}
	}
	assert.Equal(t, names, slices.Sorted(slices.Values(rows)), "DESIGN.md")
}

// Package comments that list the packages below theirs list those that there are.
func TestPackagesBelow(t *testing.T) {
	for _, list := range []struct{ file, head string }{
		{"compilers/doc.go", "// The packages below:\n//\n"},
	} {
		text, err := os.ReadFile(filepath.Join("..", list.file))
		require.NoError(t, err)
		_, rest, found := strings.Cut(string(text), list.head)
		require.True(t, found, list.file)
		var listed []string
		for line := range strings.Lines(rest) {
			words := strings.Fields(strings.TrimPrefix(line, "//\t"))
			if !strings.HasPrefix(line, "//\t") {
				break
			}
			listed = append(listed, words[0])
		}
		files, err := filepath.Glob(filepath.Join("..", filepath.Dir(list.file), "*", "*.go"))
		require.NoError(t, err)
		var below []string
		for _, file := range files {
			below = append(below, filepath.Base(filepath.Dir(file)))
		}
		assert.Equal(t, slices.Compact(below), slices.Sorted(slices.Values(listed)), list.file)
	}
}
