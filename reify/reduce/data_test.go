package reduce

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/link"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// programs returns single functions and linked programs of profiles, each with
// one case.
func programs(t *testing.T, profile string, seeds uint64) []*ir.Program {
	t.Helper()
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	var list []*ir.Program
	var leaves []*link.Leaf
	for seed := range seeds {
		r := reify.FromSeed(seed)
		k, err := reify.Make("f"+strconv.FormatUint(seed, 10), r, p.Configure(r), search.Engine{})
		if err != nil {
			continue // no path of this one can be solved
		}
		list = append(list, (&ir.Program{Funcs: []*ir.Function{k.Func}, Claims: []*ir.Claim{k.Claim}}).Clone())
		if l, err := link.NewLeaf(k.Claim); err == nil {
			leaves = append(leaves, l)
		}
	}
	require.NotEmpty(t, list)
	s := choice.New([]byte(profile))
	for i := 0; i+3 <= len(leaves); i += 3 {
		made, err := link.Link(leaves[i:i+3], link.DefaultOptions(), s)
		require.NoError(t, err)
		made.IR.Claims = made.IR.Claims[len(made.IR.Claims)-1:]
		list = append(list, made.IR)
	}
	return list
}

// dataPasses returns the passes over expressions, variables and types.
func dataPasses(t *testing.T) []pass {
	t.Helper()
	all := table()
	for i, p := range all {
		if p.name == "known values" {
			return append(all[i:], passNamed(t, "results"), passNamed(t, "checksums"))
		}
	}
	t.Fatal("no pass over expressions")
	return nil
}

func passNamed(t *testing.T, name string) pass {
	t.Helper()
	for _, p := range table() {
		if p.name == name {
			return p
		}
	}
	t.Fatalf("no pass %q", name)
	return pass{}
}

// Each edit leaves a program that is valid, alone and with others; and for a
// clone there are as many.
func TestEditsLeaveValidPrograms(t *testing.T) {
	need.Long(t)
	const most = 12 // edits of one pass tried for one program
	for _, profile := range []string{"paper", "wild", "aggregates"} {
		for _, p := range programs(t, profile, 5) {
			seen := observe(p)
			for _, pass := range dataPasses(t) {
				n := len(pass.edits(p, seen))
				after := func(from, to, step int) {
					q := p.Clone()
					list := pass.edits(q, seen.rebind(p, q))
					require.Len(t, list, n, "%s of a clone of\n%s", pass.name, p)
					for i := from; i < to; i += step {
						list[i]()
					}
					tidy(q, true)
					q.Claims = nil
					require.NoError(t, q.Check(), "%s %s %d to %d by %d", profile, pass.name, from, to, step)
				}
				for i := 0; i < n; i += 1 + n/most {
					after(i, i+1, 1)
				}
				if pass.order != alone {
					after(0, n, 1)
					after(0, n, 2)
					after(n/2, n, 1)
				}
			}
		}
	}
}

// A record becomes its first member, from which others are read.
func TestUnrecorded(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) u8 {
    cast s {a i16, b [2]u8}
    local %b u8
    local %c s = {0, _, _}
    local %d s = {1, _, _}
  entry:
    %d = *(%a >= 0 ? &%d : &%c)
    %b = %d.b[0]
    %d = %c
    return %b
}
case f(a = 0) = 1 path entry
`)
	for _, change := range unrecorded(p, nil) {
		change()
	}
	tidy(p, true)
	require.NoError(t, p.Check())
	require.Contains(t, p.String(), "%b = u8(%d)")
	require.Contains(t, p.String(), "local %d i16 = 1")
}
