package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Relate draws again the comparison of each condition that would have to find two
// values equal more than once on a path: loops change the values, so that such a path
// can hardly ever be solved. One in eight is left as it is.
func Relate(f *ir.Function, path []int, s *choice.Stream) {
	equal := make([]int, len(f.Blocks)) // by block: times its operands must be equal
	for i, b := range path[:len(path)-1] {
		if branch, ok := f.Blocks[b].Term.(*ir.If); ok {
			taken := branch.Then.Index == path[i+1]
			if cond, ok := branch.Cond.(*ir.Binary); ok && cond.Of() == ir.Integers && (cond.Op == ir.Eq && taken || cond.Op == ir.Ne && !taken) {
				equal[b]++
			}
		}
	}
	for b, n := range equal {
		if n > 1 && s.Chance(7, 8) {
			cond := f.Blocks[b].Term.(*ir.If).Cond.(*ir.Binary)
			cond.Op = choice.Pick(s, core.Orders)
		}
	}
}
