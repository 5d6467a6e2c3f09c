package c

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares the C of the cases in the file "ir" of each archive with
// the other files, whose names are styles. A name that begins with "whole" has
// the whole program, one with "calls" the tests, the others what stands between
// preamble and main. Cases of one function make one unit.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []Unit
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Equal(t, "ir", archive.Files[0].Name)
			require.Greater(t, len(archive.Files), 1)
			p, err := ir.Parse(string(archive.Files[0].Data))
			require.NoError(t, err)
			require.NoError(t, p.Check())
			for _, c := range p.Claims {
				r, err := interp.Run(c.Func, c.Args, interp.Options{})
				require.NoError(t, err)
				require.Equal(t, c.Want, r.Value)
				require.Equal(t, c.Path, r.Path)
			}
			for i, f := range archive.Files[1:] {
				words, whole := strings.CutPrefix(f.Name, "whole ")
				words, calls := strings.CutPrefix(words, "calls ")
				style, err := ParseStyle(words)
				require.NoError(t, err)
				units := unitsOf(p, style)
				got := Emit(units)
				switch {
				case whole:
				case calls:
					got = callsOf(got)
				default:
					got = functionsOf(got)
				}
				if *update {
					archive.Files[i+1].Data = []byte(got)
				} else {
					assert.Equal(t, string(f.Data), got, f.Name)
				}
				all = append(all, units...)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			}
		})
	}
	requireRight(t, all)
}

// unitsOf returns a unit for each function of p that has cases.
func unitsOf(p *ir.Program, style Style) []Unit {
	var units []Unit
	for _, c := range p.Claims {
		if n := len(units); n > 0 && units[n-1].Claim.Func == c.Func {
			units[n-1].More = append(units[n-1].More, c)
			continue
		}
		units = append(units, Unit{Claim: c, Style: style}.Watched(interp.Stored))
	}
	return units
}

// callsOf returns the tests of text.
func callsOf(text string) string {
	var out strings.Builder
	for {
		_, rest, ok := strings.Cut(text, "\nint test_")
		if !ok {
			return out.String()
		}
		body, rest, _ := strings.Cut(rest, "\n}\n")
		out.WriteString("int test_" + body + "\n}\n")
		text = rest
	}
}

// functionsOf returns text without the preamble, the tests, and main.
func functionsOf(text string) string {
	_, body, found := strings.Cut(text, "    return ~crc;\n}\n")
	if !found {
		_, body, _ = strings.Cut(text, "...);\n")
	}
	text = body
	var out strings.Builder
	for text != "" {
		body, rest, ok := strings.Cut(text, "\nint test_")
		if !ok {
			break
		}
		out.WriteString(body)
		_, text, _ = strings.Cut(rest, "\n}\n")
	}
	return out.String()
}
