package frame

import "goreify/reify/ir"

// Limits returns the first and the last value of a label.
func Limits(c ir.SwitchCase) (from, to int64) {
	from = c.Lo.(*ir.Const).V
	if c.Hi == nil {
		return from, from
	}
	return from, c.Hi.(*ir.Const).V
}

// Bounds returns the smallest and the largest value of a label, in the order of the type
// of the operand, or false if a switch has no labels.
func Bounds(t *ir.Switch) (lo, hi int64, ok bool) {
	flip := int64(0)
	if !ir.IntOf(t.X).Signed {
		flip = -1 << 63
	}
	for i, c := range t.Cases {
		from, to := Limits(c)
		if i == 0 || from^flip < lo^flip {
			lo = from
		}
		if i == 0 || to^flip > hi^flip {
			hi = to
		}
	}
	return lo, hi, len(t.Cases) > 0
}

// Within reports whether a type holds all values of another.
func Within(from, to ir.Int) bool {
	return from == to || from.Bits < to.Bits && (to.Signed || !from.Signed)
}

// IsCall reports whether n is a call.
func IsCall(n ir.Node) bool {
	_, ok := n.(*ir.Call)
	return ok
}
