package lower_test

import (
	"errors"
	"fmt"
	"strings"
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
	"products":       {lower.Wide, lower.Overflow, lower.Products},
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
	more := map[string]int{"wide": 4, "vectors": 4} // times as many
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
		if v.Kind.Lasts() {
			require.Equal(t, want.Vars[i], got.Vars[i], text())
		}
	}
}

// Operators on integers of up to 128 bits, also where they may not be evaluated, do what
// their halves do.
func TestWide(t *testing.T) {
	runs, divided := 0, 0
	for _, typ := range []string{"i128", "u128", "bit100", "ubit65", "bit64", "ubit37", "bit2"} {
		for _, form := range []string{
			"%x + %y", "%x - %y", "%x * %y", "%x / %y", "%x % %y", "%x & %y", "%x ^ %y | %x", "%x << (%y & T(1))", "%x >> (%y & T(1))", "%x << T(%s)", "%x >> T(%s)", "-%x", "~%x",
			"%a > 5 ? %x / T(%a - 5) : %y", "%a < %b && %x < %y ? %x : T(%b)", "%x == %y || %x >= T(%a) ? %x : %y", "T(i8(%x * %y))",
			"T(%x <= %y) ", "T(add_overflow(%x, %y) + 2 * mul_overflow(%x, %y) + 4 * sub_overflow(%x, %y))",
		} {
			if strings.Contains(form, "overflow") && !strings.HasSuffix(typ, "128") {
				continue
			}
			text := strings.NewReplacer("T", typ, "FORM", strings.ReplaceAll(form, "T", typ)).Replace(`
func @f(%a i64, %b i64, %s u32) u64 {
    local %x T
    local %y T
    local %z T
  entry:
    %x = T(i128(%a) * i128(%b) + i128(%a))
    %y = T(%b)
    %z = FORM
    goto exit
  exit:
    return u64(%z) + 31 * u64(i128(%z) >> i128(64))
}
`)
			p, err := ir.Parse(text)
			require.NoError(t, err, text)
			f := p.Funcs[0]
			require.NoError(t, ir.Check(f), text)
			g := lower.Function(f, passes["wide"])
			require.NoError(t, ir.Check(g), "%v", g)
			divided += len(g.Reached()) - 1
			for _, a := range []int64{0, -1, 7, 123456789012, -1 << 58} {
				for _, b := range []int64{0, -1, 3, 1 << 62, -1 << 63} {
					for _, s := range []int64{0, 36, 64, 99} {
						if _, err := interp.Run(f, []int64{a, b, s}, interp.Options{}); err == nil {
							runs++
							same(t, f, g, []int64{a, b, s}, ir.C)
						}
					}
				}
			}
		}
	}
	t.Log(runs, divided)
	assert.Greater(t, runs, 1000)
	assert.Greater(t, divided, 5)
}

// Statements whose constant indices move on are one of a variable index.
func TestRoll(t *testing.T) {
	f := ir.MustParse(`
func @f(%a i32) i32 {
    local %x [8]i32
    local %y [8][2]i32
  entry:
    %x[2] = %y[2][1] + %a
    %x[3] = %y[3][1] + %a
    %x[4] = %y[4][1] + %a
    %x[5] = %y[5][0] + %a
    %x[6] = %y[5][0] + %a
    goto exit
  exit:
    return %a
}
`).Funcs[0]
	index := &ir.Var{Name: "i", Type: ir.I32}
	s, from, n := lower.Roll(f.Blocks[0].Stmts, index)
	assert.Equal(t, "%x[%i] = %y[%i][1] + %a", fmt.Sprint(s))
	assert.EqualValues(t, 2, from)
	assert.Equal(t, 3, n)
	_, _, n = lower.Roll(f.Blocks[0].Stmts[3:], index)
	assert.Zero(t, n)
}
