package csource_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/choice"
	"goreify/reify/others/csource"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares what is known of the statements of programs, and a variant
// of each kind, with files. What "if (dead" opens is taken as not executed.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			p, err := csource.Parse("seed.c", ar.Files[0].Data, csource.LP64)
			require.NoError(t, err)
			hits := make([]uint32, len(p.Stmts))
			for i := range hits {
				hits[i] = 1
				for j := i; j >= 0; j = p.Stmts[j].Parent {
					if up := p.Stmts[j].Parent; up >= 0 && strings.HasPrefix(string(p.Text[p.Stmts[up].From:]), "if (dead") {
						hits[i] = 0
					}
				}
			}
			rows := rowsOf(p.Points(hits))
			s := choice.From(5)
			got := []txtar.File{
				{Name: "statements", Data: []byte(listing(p, p.Deletable(hits)))},
				{Name: "counters.c", Data: p.Counters()},
				{Name: "prune.c", Data: p.Apply(csource.Prune(p, hits, csource.Options{Parent: 0.3, Leaf: 0.5}, s))},
				{Name: "insert.c", Data: p.Apply(csource.Insert(p, hits, csource.Options{}, s))},
				{Name: "guard.c", Data: p.Apply(csource.Guard(p, rows, csource.Options{}, s))},
			}
			edits, err := csource.Rename(p, "p0_")
			require.NoError(t, err)
			got = append(got, txtar.File{Name: "rename.c", Data: p.Apply(edits)})
			if *update {
				ar.Files = append(ar.Files[:1], got...)
				require.NoError(t, os.WriteFile(file, txtar.Format(ar), 0o644))
				return
			}
			want := map[string]string{}
			for _, f := range ar.Files[1:] {
				want[f.Name] = string(f.Data)
			}
			for _, f := range got {
				assert.Equal(t, want[f.Name], strings.TrimSuffix(string(f.Data), "\n")+"\n", f.Name)
			}
		})
	}
}

// listing returns a line for each statement.
func listing(p *csource.Program, deletable []bool) string {
	var b strings.Builder
	for i, s := range p.Stmts {
		depth := 0
		for j := s.Parent; j >= 0; j = p.Stmts[j].Parent {
			depth++
		}
		fmt.Fprintf(&b, "%s%v", strings.Repeat("  ", depth), s.Kind)
		for _, note := range []struct {
			text string
			is   bool
		}{{"item", s.Item}, {"fixed", s.Fixed}, {"jumped", s.Jumped}, {"deletable", deletable[i]}} {
			if note.is {
				b.WriteString(" " + note.text)
			}
		}
		text := strings.Join(strings.Fields(string(p.Text[s.From:s.To])), " ")
		if len(text) > 50 {
			text = text[:50] + "..."
		}
		fmt.Fprintf(&b, ": %s\n", text)
	}
	return b.String()
}
