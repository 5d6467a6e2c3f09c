package reduce_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/cfg"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/reduce"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// predicates are properties of programs for goldens to ask for.
var predicates = map[string]func(*ir.Program) bool{
	"twice":       roundTwice,
	"calls":       twoCalls,
	"irreducible": irreducible,
}

// roundTwice reports whether a loop goes round twice: a block is visited three
// times.
func roundTwice(p *ir.Program) bool {
	visits := map[int]int{}
	for _, at := range p.Claims[0].Path {
		if visits[at]++; visits[at] == 3 {
			return true
		}
	}
	return false
}

// twoCalls reports whether the function of the case calls another one from two
// places.
func twoCalls(p *ir.Program) bool {
	sites := map[*ir.Function][]*ir.Call{}
	two := false
	_, err := interp.RunProgram(p, interp.Options{Enter: func(c interp.Call) {
		if c.Depth == 1 && !slices.Contains(sites[c.Func], c.Site) {
			sites[c.Func] = append(sites[c.Func], c.Site)
			two = two || len(sites[c.Func]) == 2
		}
	}})
	return two && err == nil
}

// irreducible reports whether the graph of a function has a region that is
// entered at two blocks.
func irreducible(p *ir.Program) bool {
	for _, f := range p.Funcs {
		succs := [][]int{{1}} // the entry of a Graph does not branch
		for _, list := range f.Graph() {
			var shifted []int
			for _, to := range list {
				shifted = append(shifted, to+1)
			}
			succs = append(succs, shifted)
		}
		g, err := cfg.New(succs)
		if err != nil {
			continue
		}
		if !collapses(g) {
			return true
		}
	}
	return false
}

// collapses reports whether one block is left when edges from a block to itself
// are removed and blocks are merged into their only predecessors.
func collapses(g *cfg.Graph) bool {
	preds := map[int]map[int]bool{}
	for b, list := range g.Preds() {
		preds[b] = map[int]bool{}
		for _, p := range list {
			preds[b][p] = true
		}
		delete(preds[b], b)
	}
	for merged := true; merged; {
		merged = false
		for b, into := range preds {
			if len(into) != 1 {
				continue
			}
			merged = true
			delete(preds, b)
			for at, from := range preds {
				if from[b] {
					delete(from, b)
					for p := range into {
						from[p] = true
					}
					delete(from, at)
				}
			}
		}
	}
	return len(preds) == 1
}

// holds returns the Test that asks for a property.
func holds(property func(*ir.Program) bool) reduce.Test {
	return func(_ context.Context, c reduce.Candidate) (bool, error) { return property(c.Program), nil }
}

// parse returns a program of the text, whose case says only what is called.
func parse(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(text)
	require.NoError(t, err)
	return settle(t, p)
}

// settle makes the case of p right.
func settle(t *testing.T, p *ir.Program) *ir.Program {
	t.Helper()
	r, err := interp.RunProgram(p, interp.Options{})
	require.NoError(t, err)
	p.Claims[0].Path, p.Claims[0].Want = r[0].Path, r[0].Value
	require.NoError(t, p.Check())
	return p
}

// TestGolden reduces the file "ir" of each archive to the smallest program with
// the property that the other file is named after.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			require.Len(t, archive.Files, 2)
			property := predicates[archive.Files[1].Name]
			require.NotNil(t, property, archive.Files[1].Name)
			start := reduce.Candidate{Program: parse(t, string(archive.Files[0].Data))}
			got, err := reduce.Run(t.Context(), start, reduce.Options{Test: holds(property)})
			require.NoError(t, err)
			t.Logf("%+v, %d rounds", got.Stats, got.Rounds)
			text := got.Program.String()
			if *update {
				archive.Files[1].Data = []byte(text)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
				return
			}
			assert.Equal(t, string(archive.Files[1].Data), text)
			assert.Less(t, got.Tests, 200)
		})
	}
}
