package function

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// common returns how often a block computes an operation on variables once more of which
// it has the value: what the elimination of local common subexpressions is for, whose
// bugs in OpenJ9 the paper found.
func common(b *ir.Block) (again int) {
	known := map[string][]*ir.Var{}
	var look func(n ir.Node) []*ir.Var
	look = func(n ir.Node) (vars []*ir.Var) {
		if v, ok := n.(*ir.VarRef); ok {
			vars = append(vars, v.Var)
		}
		ir.Parts(n, func(part ir.Node) bool {
			vars = append(vars, look(part)...)
			return true
		})
		if e, ok := n.(*ir.Binary); ok && len(vars) > 0 {
			text := fmt.Sprint(e)
			if _, ok := known[text]; ok {
				again++
			}
			known[text] = vars
		}
		return vars
	}
	for _, s := range b.Stmts {
		if a, ok := s.(*ir.Assign); ok {
			look(a.Src)
			for text, vars := range known {
				if slices.Contains(vars, ir.Root(a.Dst)) {
					delete(known, text)
				}
			}
		} else {
			clear(known)
		}
	}
	switch t := b.Term.(type) {
	case *ir.If:
		look(t.Cond)
	case *ir.Switch:
		look(t.X)
	}
	return again
}

// Some functions compute what they have in blocks that paths go round.
func TestCommonSubexpressions(t *testing.T) {
	for _, profile := range []string{"focus", "mixed", "swarm", "wild", "loops", "paper"} {
		s := Source{Options{Profile: profile, Size: 120, Language: compilers.JVM}}
		made, err := s.Make(t.Context(), s.Draw(choice.From(1<<20)))
		require.NoError(t, err)
		functions, several := 0, 0
		for _, k := range made.(*Batch).Cases {
			visits := map[int]int{}
			for _, b := range k.Path {
				visits[b]++
			}
			n := 0
			for b, count := range visits {
				if count > 1 && b < len(k.Func.Blocks)-1 {
					n += common(k.Func.Blocks[b])
				}
			}
			if functions++; n > 0 {
				several++
			}
		}
		t.Logf("%s: %d of %d functions compute an expression again in a block of a loop that the path goes round", profile, several, functions)
		assert.Positive(t, several, profile)
	}
}
