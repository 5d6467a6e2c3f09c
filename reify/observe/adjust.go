package observe

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Adjust returns an expression of type t in x. Where x has the value is, the expression
// is defined and has the value want. This is the peephole rewrite of the paper, f(i) +
// (c - o), and variations of it.
func Adjust(s *choice.Stream, x ir.Expr, is int64, t ir.Int, want int64) ir.Expr {
	w := t // the type to compute in
	switch {
	case w.Bits < 32:
		w = ir.I32
	case !w.Standard(): // of a bit-field
		w = ir.I64
	}
	x, is = Convert(x, ir.IntOf(x), w), w.Wrap(is)
	return Convert(adjustIn(s, x, w, is, want), w, t)
}

// adjustIn is Adjust for an x of type t, where t is wide enough for operators.
func adjustIn(s *choice.Stream, x ir.Expr, t ir.Int, is, want int64) ir.Expr {
	constant := func(v int64) ir.Expr { return &ir.Const{T: t, V: v} }
	form := s.Intn(10)
	if is == want && form != 9 {
		return x
	}
	difference, fits := Subtract(t, want, is)
	switch {
	case form < 4 && fits:
		return binary(ir.Add, x, constant(difference))
	case form < 6:
		if d, fits := Subtract(t, is, want); fits {
			return binary(ir.Sub, x, constant(d))
		}
	case form == 6:
		if zero, fits := Subtract(t, 0, is); fits {
			if sum, fits := Subtract(t, want, zero); fits {
				return binary(ir.Sub, constant(sum), x)
			}
		}
	case form == 7:
		return binary(ir.Add, constant(want), binary(ir.Sub, x, constant(is)))
	case form == 8 && fits:
		return binary(ir.Add, constant(difference), x)
	case form == 9:
		truth := Convert(binary(ir.Eq, x, constant(is)), ir.I32, t)
		return binary(ir.Mul, truth, constant(want))
	}
	// A difference that does not fit wraps in the unsigned type.
	u := ir.Int{Bits: t.Bits}
	sum := binary(ir.Add, Convert(x, t, u), &ir.Const{T: u, V: u.Wrap(want - is)})
	return Convert(sum, u, t)
}

// Subtract returns x - y and whether t holds it; in an unsigned type it wraps.
func Subtract(t ir.Int, x, y int64) (int64, bool) {
	d := x - y
	if !t.Signed {
		return t.Wrap(d), true
	}
	overflow := (x < y) != (d < 0)
	return d, !overflow && t.Holds(d)
}

// Convert returns x, of type from, as one of type to.
func Convert(x ir.Expr, from, to ir.Int) ir.Expr {
	if from == to {
		return x
	}
	return &ir.Convert{T: to, X: x}
}

func binary(op ir.Op, x, y ir.Expr) ir.Expr { return &ir.Binary{Op: op, X: x, Y: y} }
