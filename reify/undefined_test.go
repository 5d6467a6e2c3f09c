package reify

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/solve/search"
	"goreify/tools/need"
)

// Off the path stands every kind of undefined behaviour that a function by itself
// can have: in the profile as it is, and where all features meet. Each statement
// there is executed by itself, right after the entry, and each block with what
// follows it. Functions are made until all kinds have been met.
func TestEveryKindStandsOffThePath(t *testing.T) {
	need.Long(t)
	p, err := FindProfile("wild")
	require.NoError(t, err)
	var seen [2]map[interp.Kind]int // as it is, and with all features
	for i := range seen {
		seen[i] = map[interp.Kind]int{}
	}
	var missing []interp.Kind
	for kind := interp.UninitializedRead; kind <= interp.Inexact; kind++ {
		switch kind {
		case interp.InvalidValue: // no constant may be one; through pointers they are StrictAliasing
		case interp.UnspecifiedOrder: // takes calls
		default:
			missing = append(missing, kind)
		}
	}
	functions, blocks, statements := 0, 0, 0
	for seed := uint64(0); seed < 2500 && len(missing) > 0; seed++ {
		functions++
		r := FromSeed(seed)
		c := p.Configure(r)
		if seed%2 == 1 {
			c, err = c.With("+all")
			require.NoError(t, err)
			c.Sketch.Hostile, c.Sketch.Volatile, c.Sketch.Policy.Const = 100, 20, 40
			c.Sketch.Memory, c.Sketch.Policy.Ptr = 75, 60 // pointers at file scope
		}
		k, err := Make("f", r, c, search.Engine{})
		require.NoError(t, err)
		again, err := ir.Parse(k.Func.String())
		require.NoError(t, err, "%s", k.Func)
		require.Equal(t, k.Func.String(), again.Funcs[0].String())
		visited := map[int]bool{}
		for _, b := range k.Path {
			visited[b] = true
		}
		count := func(err error) {
			var u *interp.UB
			if errors.As(err, &u) {
				seen[seed%2][u.Kind]++
			}
		}
		for i, b := range k.Func.Blocks {
			if visited[i] {
				continue
			}
			blocks++
			f := ir.Clone(k.Func)
			f.Blocks[0].Term = &ir.Goto{To: f.Blocks[i]}
			_, err := interp.Run(f, k.Args, interp.Options{Fuel: 1000})
			count(err)
			for j := range b.Stmts {
				statements++
				f := ir.Clone(k.Func)
				at := f.Blocks[i]
				f.Blocks[0].Term = &ir.Goto{To: at}
				at.Stmts = at.Stmts[j : j+1]
				at.Term = &ir.Goto{To: f.Blocks[len(f.Blocks)-1]}
				count(runTwice(f, k.Args))
			}
		}
		missing = slices.DeleteFunc(missing, func(k interp.Kind) bool { return seen[0][k]+seen[1][k] > 0 })
	}
	t.Logf("%d functions, %d blocks off the path, %d statements", functions, blocks, statements)
	for kind := interp.UninitializedRead; kind <= interp.Inexact; kind++ {
		t.Logf("%-22s %6d %6d", kind, seen[0][kind], seen[1][kind])
	}
	assert.Empty(t, missing)
}

// runTwice calls f; and, if that stores a pointer at file scope, once more, with a
// use of that pointer first.
func runTwice(f *ir.Function, args []int64) error {
	s, ok := f.Blocks[0].Term.(*ir.Goto).To.Stmts[0].(*ir.Assign)
	if !ok || ir.FamilyOf(s.Src) != ir.Pointers || ir.Root(s.Dst) == nil || !ir.Root(s.Dst).Kind.Lasts() {
		_, err := interp.Run(f, args, interp.Options{Fuel: 4})
		return err
	}
	ptr, param := ir.Root(s.Dst), f.Vars[0]
	f.Blocks[0].Stmts = []ir.Stmt{&ir.Assign{
		Dst: &ir.VarRef{Var: param},
		Src: &ir.Convert{T: param.Type.(ir.Int), X: &ir.Binary{
			Op: ir.Eq, X: &ir.Load{Place: &ir.VarRef{Var: ptr}}, Y: &ir.Null{T: ptr.Type.(ir.Pointer)},
		}},
	}}
	k := &ir.Claim{Func: f, Args: args}
	_, err := interp.RunProgram(&ir.Program{Funcs: []*ir.Function{f}, Claims: []*ir.Claim{k, k}}, interp.Options{Fuel: 8})
	return err
}
