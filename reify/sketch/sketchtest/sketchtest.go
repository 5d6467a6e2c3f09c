// Package sketchtest helps the tests of the rooms of package sketch: functions of a
// shape, their texts, and golden files.
package sketchtest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares what was made with testdata/name.txt of the package that is tested, or
// rewrites that.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, name)
}

// Text returns f as a program.
func Text(f *ir.Function) string { return (&ir.Program{Funcs: []*ir.Function{f}}).String() }

// Typical returns a policy with all features, or those named.
func Typical(features ...string) sketch.Policy {
	var p sketch.Policy
	for _, share := range sketch.Shares() {
		for _, name := range features {
			if share.Feature == name {
				*share.At(&p) = share.Typical
			}
		}
		if len(features) == 0 {
			*share.At(&p) = share.Typical
		}
	}
	return p
}

// Types are shares of all types of integers.
var Types = sketch.TypeShares{Narrow: 40, Wide: 50, Unsigned: 50, Bool: 15}

// StraightLines calls f with n functions of one block that has no assignments but those
// of shapes.
func StraightLines(n int, p sketch.Policy, f func(f *ir.Function)) {
	o := sketch.DefaultOptions()
	o.Vars, o.Assigns, o.Policy = 3, 0, p
	g := &cfg.Graph{Succs: [][]int{{1}, {2}, {}}}
	for i := range n {
		f(sketch.Function("f", g, o, choice.New([]byte{byte(i), byte(i >> 8)})))
	}
}

// Terms returns some functions whose expressions have one term each.
func Terms(name string, p sketch.Policy) (text string) {
	o := sketch.DefaultOptions()
	o.Vars, o.Assigns, o.AssignTerms, o.CondTerms = 14, 6, 1, 1
	o.Policy = p
	for seed := range uint64(4) {
		s := choice.New(choice.Derive(seed, name))
		g := cfg.GenerateAcyclic(cfg.Options{Blocks: 1 + int(seed)%2}, s)
		text += Text(sketch.Function("f", g, o, s)) + "\n"
	}
	return text
}

// Settle gives values to the symbols of f.
func Settle(f *ir.Function, s *choice.Stream) {
	m := ir.NewModel(f)
	sketch.Fill(f, m, s)
	ir.Settle(f, m)
}
