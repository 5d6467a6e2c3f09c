package lanes

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// newKinds draws the operators and constants of a group.
func (l *lanes) newKinds() {
	shift := choice.Pick(l.S, []ir.Op{ir.Shl, ir.Shr})
	other := choice.Pick(l.S, []ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Mul, ir.Sub})
	l.ops = [2]ir.Op{shift, other}
	switch l.S.Weighted(7, 1, 1, 1) {
	case 1:
		l.ops[0] = choice.Pick(l.S, []ir.Op{ir.And, ir.Or, ir.Xor, ir.Add, ir.Mul})
	case 2:
		l.ops[0] = other
	case 3:
		l.ops[1] = shift
	}
	l.numbers = choice.Pick(l.S, laneNumbers)
}

// laneNumbers are the weights of the kinds of constants, of which a group has some.
var laneNumbers = [][]int{anyNumbers, {1}, {1, 4, 2}, {0, 0, 1, 2, 2, 1}, tooMany, tooMany, tooMany}

var (
	anyNumbers = []int{3, 3, 2, 2, 2, 1}
	tooMany    = []int{0, 0, 0, 0, 0, 0, 1} // as counts of shifts
)

// laneConstant draws a constant: mostly one at an edge of the width, in value or as a
// number of bits. A vectoriser applies both operators to all lanes, and chooses then: a
// factor in one lane may so become a shift count that is too large.
func (l *lanes) laneConstant(t ir.Int) int64 {
	bits := t.Bits
	switch l.S.Weighted(l.numbers...) {
	case 0:
		return int64(l.S.Range(0, bits))
	case 1:
		return int64(choice.Pick(l.S, []int{0, 1, bits / 2, bits - 2, bits - 1, bits - 1, bits, bits + 1, 2*bits - 1}))
	case 2:
		return t.Wrap(int64(1)<<(bits-1) + int64(l.S.Range(-2, 2)))
	case 3:
		return t.Wrap(int64(1)<<l.S.Intn(bits) + int64(l.S.Range(-1, 1)))
	case 4:
		from := l.S.Intn(bits)
		return t.Wrap(int64(^uint64(0)>>(64-l.S.Range(1, bits-from))) << from)
	case 6:
		return int64(l.S.Range(bits, 2*bits-1))
	}
	return t.Wrap(int64(l.S.Uint64()))
}

// laneValue draws the initial values of lanes: mostly any bits, so that each of them
// counts.
func (l *lanes) laneValue(t ir.Int) int64 {
	if l.S.Chance(1, 4) {
		return l.laneConstant(t)
	}
	return int64(l.S.Uint64())
}

// laneCount draws a shift count for lanes of type t that are computed in type c.
func (l *lanes) laneCount(t, c ir.Int) int64 {
	switch l.S.Weighted(2, 2, 2, 4, 2) {
	case 0:
		return int64(t.Bits - l.S.Range(1, 2))
	case 1:
		return int64(l.S.Range(0, 1))
	case 2:
		return int64(choice.Pick(l.S, []int{8 % t.Bits, t.Bits / 2, t.Bits / 2}))
	case 3:
		return int64(l.S.Intn(t.Bits))
	}
	return int64(l.S.Intn(c.Bits))
}
