package sketch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch"
)

// Hostile statements are valid in functions that others have made, whatever names
// and parameters these have.
func TestHostile(t *testing.T) {
	var all sketch.Policy
	for _, s := range sketch.Shares() {
		*s.At(&all) = s.Typical
	}
	for _, head := range []string{
		"(%a i32) i32 {\n",
		"(const %a i32) i32 {\n    local %c i32\n",          // which has the name of the next variable
		"() i32 {\n    local %x [3]u8\n    local %p *i32\n", // no parameter
		"(%a bool) i32 {\n    volatile local %v i64 = 1\n    const local %k f64 = 2\n",
	} {
		for _, p := range []sketch.Policy{{}, all} {
			f := ir.MustParse("func @f" + head + "  entry:\n    goto exit\n  exit:\n    return 0\n}\n").Funcs[0]
			h := sketch.NewHostile(f, p, choice.New([]byte(head)))
			require.NotNil(t, h, head)
			for i := range 200 {
				f.Blocks[0].Stmts = append(f.Blocks[0].Stmts, h.Statement(i%3 == 0))
			}
			require.NoError(t, ir.Check(f), head)
		}
	}
	f := ir.MustParse("func @f(const %a i32) i32 {\n  exit:\n    return 0\n}\n").Funcs[0]
	assert.Nil(t, sketch.NewHostile(f, all, choice.New(nil)), "nothing can be assigned to")
}
