package reduce_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/ir"
	"goreify/reify/reduce"
)

// TestDoc reduces the example of the package comment.
func TestDoc(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	require.NoError(t, err)
	var programs []string
	for paragraph := range strings.SplitSeq(file.Doc.Text(), "\n\n") {
		if strings.HasPrefix(paragraph, "\tfunc @f") {
			programs = append(programs, strings.ReplaceAll(paragraph, "\n\t", "\n")[1:]+"\n")
		}
	}
	require.Len(t, programs, 2)
	p, err := ir.Parse(programs[0])
	require.NoError(t, err)
	got, err := reduce.Run(t.Context(), reduce.Candidate{Program: p}, reduce.Options{
		Test: holds(func(p *ir.Program) bool {
			path := p.Claims[0].Path
			for i := range path[1:] {
				if path[i] == path[i+1] {
					return true
				}
			}
			return false
		}),
	})
	require.NoError(t, err)
	assert.Equal(t, programs[1], got.Program.String())
}
