package core

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// The draws decide what the policy leaves to chance. They depend on the policy, the
// stream and the earlier constants alone.
type draws struct {
	*Memory
	Options Options
	Policy  Policy
	S       *choice.Stream // that all is drawn from
	Func    *ir.Function   // that is written; it counts the symbols
	consts  []int64        // that stand in the function
	paper   bool           // the function is one of the paper's subset of C
}

// Roll reports whether an event with a share in percent happens. It draws nothing if
// the outcome is certain.
func (d *draws) Roll(share int) bool {
	switch {
	case share <= 0:
		return false
	case share >= 100:
		return true
	}
	return d.S.Chance(share, 100)
}

// positive returns the weights up to the last that is positive, and at least one.
func positive(weights []int) []int {
	for len(weights) > 1 && weights[len(weights)-1] == 0 {
		weights = weights[:len(weights)-1]
	}
	return weights
}

// weigh draws among weights. It draws nothing if only the first is positive.
func (d *draws) weigh(weights []int) int {
	for _, v := range weights[1:] {
		if v > 0 {
			return d.S.Weighted(weights...)
		}
	}
	return 0
}

// Symbol returns a new symbol of type t.
func (d *draws) Symbol(t ir.Int) *ir.Sym {
	e := d.syms.new()
	e.T, e.ID = t, d.Func.Syms
	d.Func.Syms++
	return e
}

// Kind draws the kind of a variable other than a parameter.
func (d *draws) Kind() ir.Kind {
	if d.Roll(d.Options.Memory) {
		return choice.Pick(d.S, []ir.Kind{ir.Global, ir.Static})
	}
	return ir.Local
}

// ManyTypes reports whether there are to be other integers than i32 and bool.
func (d *draws) ManyTypes() bool { return d.Policy.Narrow+d.Policy.Wide+d.Policy.Unsigned > 0 }

// ScalarType draws the type of an integer variable.
func (d *draws) ScalarType() ir.Int {
	if d.Roll(d.Policy.Bool) {
		return ir.Bool
	}
	t := ir.I32
	if d.Roll(d.Policy.Narrow) {
		t.Bits = 8 << d.S.Intn(2)
	} else if d.Roll(d.Policy.Wide) {
		t.Bits = 64
	}
	if d.Roll(d.Policy.Unsigned) {
		t.Signed = false
	}
	return t
}

// LaneTypes are the types of lanes, if there are others than i32. Processors have most
// vector operations, shifts by a count a lane above all, for 32 bits.
var LaneTypes = []ir.Int{
	ir.I8, ir.U8, ir.I16, ir.U16, ir.I64, ir.U64, ir.I32, ir.I32, ir.I32, ir.I32, ir.I32, ir.I32, ir.U32, ir.U32,
}
