package lower_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/lower"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

var passes = map[string][]lower.Pass{
	"vectors":        {lower.Vectors(false)},
	"vectors masked": {lower.Vectors(true)},
	"wide":           {lower.Wide},
	"overflow":       {lower.Overflow},
}

// unders are the semantics that a lowered function has to keep.
func unders(list []lower.Pass, name string) []ir.Under {
	switch name {
	case "vectors masked":
		return []ir.Under{ir.C, interp.Wasm, interp.JVM}
	case "overflow":
		return []ir.Under{ir.C, interp.Wasm, interp.JVM, interp.Go}
	}
	return []ir.Under{ir.C, interp.Go}
}

// Functions of all profiles do the same when they are lowered: the interpreter finds the
// same path, answer and state under all semantics, and no node that a pass lowers is left.
func TestProfiles(t *testing.T) {
	need.Long(t)
	n := 30
	more := map[string]int{"wide": 10, "vectors": 10, "yarpgen": 3, "wild": 3} // times as many
	functions, claims := map[string]int{}, map[string]int{}
	for _, profile := range reify.Profiles() {
		p, err := reify.FindProfile(profile)
		require.NoError(t, err)
		for i := range n * max(1, more[profile]) {
			r := reify.FromSeed(uint64(i))
			k, err := reify.Make(fmt.Sprintf("f%d", i), r, p.Configure(r), search.Engine{})
			if solve.Unsolved(err) {
				continue
			}
			require.NoError(t, err)
			for name, list := range passes {
				f := k.Func
				g := lower.Function(f, list)
				if g == f {
					continue
				}
				functions[name]++
				require.NoError(t, ir.Check(g), "%s %d %s\n%v\n%v", profile, i, name, f, g)
				require.False(t, lower.Needs(g, list), "%v", g)
				for _, c := range k.Claims() {
					for _, under := range unders(list, name) {
						claims[name]++
						same(t, f, g, c.Args, under)
					}
				}
			}
		}
	}
	t.Log(functions, claims)
	for name := range passes {
		assert.Greater(t, functions[name], 0, name)
	}
}

// same compares the runs of a function and of what it is lowered to.
func same(t *testing.T, f, g *ir.Function, args []int64, under ir.Under) {
	t.Helper()
	o := interp.Options{Under: under}
	want, err := interp.Run(f, args, o)
	got, err2 := interp.Run(g, args, o)
	text := func() string { return fmt.Sprintf("under %q of %v\n%v\n%v: %v, %v", under, args, f, g, err, err2) }
	trap, trap2 := (*interp.Trap)(nil), (*interp.Trap)(nil)
	if errors.As(err, &trap) && errors.As(err2, &trap2) {
		require.Equal(t, trap.Kind, trap2.Kind, text())
	} else {
		require.NoError(t, err, text())
		require.NoError(t, err2, text())
	}
	require.Equal(t, want.Path, got.Path, text())
	require.Equal(t, want.Value, got.Value, text())
	for i, v := range f.Vars {
		if !v.Kind.Lasts() {
			continue
		}
		require.Equal(t, want.Known(v), got.Known(g.Vars[i]), text())
		if want.Known(v) {
			require.Equal(t, want.Sum([]*ir.Var{v}), got.Sum([]*ir.Var{g.Vars[i]}), text())
		}
	}
}
