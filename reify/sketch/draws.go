package sketch

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// The draws decide what the policy leaves to chance. They depend on the policy, the
// stream and the earlier constants alone.
type draws struct {
	o      coreOptions
	p      corePolicy
	s      *choice.Stream
	f      *ir.Function // counts the symbols
	consts []int64      // that stand in the function
}

// roll reports whether an event with a share in percent happens. It draws nothing if
// the outcome is certain.
func (d *draws) roll(share int) bool {
	switch {
	case share <= 0:
		return false
	case share >= 100:
		return true
	}
	return d.s.Chance(share, 100)
}

// weigh draws among weights. It draws nothing if only the first is positive.
func (d *draws) weigh(weights []int) int {
	sum := 0
	for _, v := range weights {
		sum += v
	}
	if sum == weights[0] {
		return 0
	}
	return d.s.Weighted(weights...)
}

// symbol returns a new symbol of type t.
func (d *draws) symbol(t ir.Int) *ir.Sym {
	e := &ir.Sym{T: t, ID: d.f.Syms}
	d.f.Syms++
	return e
}

// kind draws the kind of a variable other than a parameter.
func (d *draws) kind() ir.Kind {
	if d.roll(d.o.Memory) {
		return choice.Pick(d.s, []ir.Kind{ir.Global, ir.Static})
	}
	return ir.Local
}

// manyTypes reports whether there are to be other integers than i32 and bool.
func (d *draws) manyTypes() bool { return d.p.Narrow+d.p.Wide+d.p.Unsigned > 0 }

// scalarType draws the type of an integer variable.
func (d *draws) scalarType() ir.Int {
	if d.roll(d.p.Bool) {
		return ir.Bool
	}
	t := ir.I32
	if d.roll(d.p.Narrow) {
		t.Bits = 8 << d.s.Intn(2)
	} else if d.roll(d.p.Wide) {
		t.Bits = 64
	}
	if d.roll(d.p.Unsigned) {
		t.Signed = false
	}
	return t
}

// laneTypes are the types of lanes, if there are others than i32. Processors have most
// vector operations, shifts by a count a lane above all, for 32 bits.
var laneTypes = []ir.Int{
	ir.I8, ir.U8, ir.I16, ir.U16, ir.I64, ir.U64, ir.I32, ir.I32, ir.I32, ir.I32, ir.I32, ir.I32, ir.U32, ir.U32,
}
