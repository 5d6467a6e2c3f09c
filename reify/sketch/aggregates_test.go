package sketch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/sketch"
)

// What is copied to and fro is defined whatever the variables hold, and there are all
// ways to copy.
func TestAggregatesAreDefined(t *testing.T) {
	p := typical("types", "bool", "bitfield", "memory", "aggregate")
	p.Aggregates = 100
	seen := map[string]int{}
	straightLines(2000, p, func(f *ir.Function) {
		require.NoError(t, ir.Check(f))
		s := choice.New(choice.Derive(uint64(f.Syms), "values"))
		m := ir.NewModel(f)
		sketch.Fill(f, m, s)
		ir.Settle(f, m)
		var args []int64
		for _, v := range f.Params() {
			args = append(args, v.Type.(ir.Int).Wrap(int64(s.Uint64())))
		}
		_, err := interp.Run(f, args, interp.Options{})
		require.NoError(t, err, "%v", f)
		var see func(ir.Node) bool
		see = func(n ir.Node) bool {
			name := fmt.Sprintf("%T", n)
			if s, ok := n.(*ir.Transfer); ok {
				name = s.Name()
			}
			seen[name]++
			return ir.Parts(n, see)
		}
		for _, s := range f.Blocks[1].Stmts {
			see(s)
		}
	})
	for _, name := range []string{"memcpy", "memmove", "*ir.Fill", "*ir.Copy", "*ir.AssignPtr", "*ir.PtrSelect", "*ir.PtrCast"} {
		assert.Greater(t, seen[name], 100, name)
	}
}

func TestAggregatesGolden(t *testing.T) {
	p := typical("types", "memory", "aggregate")
	p.Aggregates = 100
	got := ""
	straightLines(4, p, func(f *ir.Function) { got += text(f) + "\n" })
	golden(t, "aggregates", got)
}
