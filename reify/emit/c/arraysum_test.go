package c

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/ir"
)

// Large arrays of integers are summed up by one call; what is small, volatile or
// no array of integers is not. That the sums are the same, running the programs
// shows.
func TestArraySums(t *testing.T) {
	array := func(t ir.Type, lens ...int) ir.Type {
		for _, n := range lens {
			t = ir.Array{Elem: t, Len: n}
		}
		return t
	}
	for _, test := range []struct {
		v    ir.Var
		want string // of the call
	}{
		{ir.Var{Type: array(ir.I32, 8)}, "crc32_array(0, x, 32)"},
		{ir.Var{Type: array(ir.I64, 4, 3)}, "crc32_array(0, x, 96)"},
		{ir.Var{Type: array(ir.I8, 9)}, "crc32_array(0, x, 9)"},
		{ir.Var{Type: array(ir.Bool, 8)}, "crc32_array(0, x, 8)"},
		{ir.Var{Type: array(ir.I32, 7)}, ""},
		{ir.Var{Type: array(ir.I32, 8), Volatile: true}, ""},
		{ir.Var{Type: array(ir.Float{Bits: 32}, 8)}, ""},
		{ir.Var{Type: ir.I32}, ""},
	} {
		v := test.v
		v.Name, v.Kind = "x", ir.Local
		for range ir.Count(v.Type) {
			v.Init = append(v.Init, &ir.Const{T: ir.I32})
		}
		sum := &ir.Return{Val: &ir.Checksum{Of: []*ir.Var{&v}}}
		f := &ir.Function{Name: "f", Result: ir.U32, Vars: []*ir.Var{&v}, Blocks: []*ir.Block{{Name: "entry", Term: sum}}}
		unit := Unit{Case: &ir.Case{Func: f}, Style: Style{ArraySums: true}}
		text := Emit([]Unit{unit})
		assert.Equal(t, test.want != "", strings.Contains(text, crcArrayFunc), "%v", v.Type)
		assert.Contains(t, text, test.want)
		unit.Style.ArraySums = false
		assert.NotContains(t, Emit([]Unit{unit}), crcArrayFunc)
	}
}
