package ir_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestText parses the section "in" of each golden file and compares with the
// text that is printed ("out"; left out if it is the same) or the error
// ("err").
func TestText(t *testing.T) {
	files, err := filepath.Glob("testdata/text/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			in := string(ar.Files[0].Data)
			got := txtar.File{Name: "out"}
			p, err := ir.Parse(in)
			if err != nil {
				got = txtar.File{Name: "err", Data: []byte(err.Error() + "\n")}
			} else {
				got.Data = []byte(p.String())
				requireRoundTrip(t, p)
				if strings.HasPrefix(string(ar.Comment), "Valid") {
					require.NoError(t, p.Check())
				}
			}
			if *update {
				ar.Files = ar.Files[:1]
				if string(got.Data) != in {
					ar.Files = append(ar.Files, got)
				}
				require.NoError(t, os.WriteFile(file, txtar.Format(ar), 0o644))
				return
			}
			want := txtar.File{Name: "out", Data: ar.Files[0].Data}
			if len(ar.Files) > 1 {
				want = ar.Files[1]
			}
			assert.Equal(t, want.Name, got.Name)
			assert.Equal(t, string(want.Data), string(got.Data))
		})
	}
}

// requireRoundTrip fails unless p prints to a text that parses to a program
// equal to p.
func requireRoundTrip(t testing.TB, p *ir.Program) {
	t.Helper()
	text := p.String()
	again, err := ir.Parse(text)
	require.NoError(t, err, "%s", text)
	require.Equal(t, text, again.String())
	require.Equal(t, p, again, "%s", text)
}
