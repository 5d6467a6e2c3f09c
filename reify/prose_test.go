package reify_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two faults of comments that a pattern finds: a sentence without a noun as its subject,
// and "but" in the meaning of "except".
var (
	noNoun    = regexp.MustCompile(`(?:^|[.!?]["')]* )(?:What|Who|Whoever|Whatever|Nobody) [a-z]|[.!?]["')]* Others [a-z]`)
	butExcept = regexp.MustCompile(`\b(?:but for|[Aa]ll but|(?:any|every)thing but|none but)\b|, but in [A-Z]`)
)

// faults returns the faults of a comment, each with the words around it.
func faults(comment string) []string {
	text := strings.Join(strings.Fields(comment), " ")
	var found []string
	for _, fault := range []*regexp.Regexp{noNoun, butExcept} {
		for _, at := range fault.FindAllStringIndex(text, -1) {
			found = append(found, text[at[0]:min(len(text), at[1]+40)])
		}
	}
	return found
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]int{
		"Pointers are drawn, except in Java.":                   0,
		"f returns what it is given. It says who calls it.":     0,
		"What is not drawn is 0.":                               1,
		"f fails. Others do\nnot; nobody knows all but g.":      2,
		"Whoever calls it must\nnot use anything but for this.": 2,
	} {
		assert.Len(t, faults(text), want, text)
	}
}

// TestProse reads the comments of all code except tests: the sentences have subjects, and each
// package says what it is for.
func TestProse(t *testing.T) {
	documented := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || file.Doc != nil && !ast.IsGenerated(file)
		for _, c := range file.Comments {
			assert.Empty(t, faults(c.Text()), "%s", files.Position(c.Pos()))
		}
		return nil
	})
	require.NoError(t, err)
	for dir, ok := range documented {
		assert.True(t, ok, "%s has no package comment", dir)
	}
}
