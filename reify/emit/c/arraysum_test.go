package c

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
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
		{ir.Var{Type: array(ir.I32, 8)}, "crc32_array(0, x, 8, 4)"},
		{ir.Var{Type: array(ir.I64, 4, 3)}, "crc32_array(0, x, 12, 8)"},
		{ir.Var{Type: array(ir.I8, 9)}, "crc32_array(0, x, 9, 1)"},
		{ir.Var{Type: array(ir.Bool, 8)}, "crc32_array(0, x, 8, 1)"},
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
		unit := Unit{Claim: &ir.Claim{Func: f}, Style: Style{ArraySums: true}}
		text := Emit([]Unit{unit})
		assert.Equal(t, test.want != "", strings.Contains(text, crcArrayFunc), "%v", v.Type)
		assert.Contains(t, text, test.want)
		unit.Style.ArraySums = false
		assert.NotContains(t, Emit([]Unit{unit}), crcArrayFunc)
	}
}

// In the style Rows whatever is in memory anyway is summed up by one call, unless there are
// bytes between its integers.
func TestArraySumsOfRows(t *testing.T) {
	var units []Unit
	for declared, want := range map[string]string{
		"global @x <4>u32 = {1, 2, 3, 4}":          "crc32_array(0, &f_x, 4, 4)",
		"static @x <3>u16 = {1, 2, 3}":             "crc32_array(0, &f_x, 3, 2)",
		"global @x [2]<2>i64 = {1, 2, 3, 4}":       "crc32_array(0, f_x, 4, 8)",
		"global @x [2]i8 = {1, 2}":                 "crc32_array(0, f_x, 2, 1)",
		"global @x [2]<3>u16 = {1, 2, 3, 4, 5, 6}": "",
		"global @x i32 = 1":                        "",
		"volatile global @x <4>u32 = {1, 2, 3, 4}": "",
		"local %x <4>u32 = {1, 2, 3, 4}":           "",
	} {
		name := declared[strings.IndexAny(declared, "%@"):][:2]
		f := parseOne(t, "func @f() u32 {\n    "+declared+"\n  only:\n    return checksum("+name+")\n}\n")
		unit := unitOf(t, f, nil, Style{ArraySums: true, Rows: true})
		text := Emit([]Unit{unit})
		assert.Equal(t, want != "", strings.Contains(text, crcArrayFunc), declared)
		assert.Contains(t, text, want, declared)
		units = append(units, unit)
	}
	requireRight(t, units)
}

// Programs in several files know the function in all of them.
func TestArraySumsOfPrograms(t *testing.T) {
	need.Long(t)
	p, err := ir.Parse(`func @outer(%a i32) u32 {
    local %r u32 = 0
    local %x [2][4]i16 = {1, 2, 3, 4, 5, 6, 7, 8}
  entry:
    %x[0][1] = i16(%a)
    %r = checksum(%x, %a)
    goto exit
  exit:
    return %r + @inner(%a)
}
func @inner(%b i32) u32 {
    global @y [9]i32 = {1, 2, 3, 4, 5, 6, 7, 8, 9}
  only:
    @y[3] = %b
    return checksum(@y)
}
case outer(a=7) = 0 path entry exit
`)
	require.NoError(t, err)
	want, err := interp.RunProgram(p, interp.Options{})
	require.NoError(t, err)
	p.Claims[0].Want = want[0].Value
	for _, split := range []Split{OneFile, DriverApart, FilePerFunction} {
		style := ProgramStyle{Split: split, Funcs: []FuncStyle{{Style: Style{ArraySums: true}}, {Style: Style{ArraySums: true}}}}
		for _, f := range EmitProgram(p, answered(t, p), style) {
			assert.Contains(t, f.Text, crcArrayHead, "%v: %s", split, f.Name)
		}
		for _, compiler := range compilersFound(t) {
			requireProgramRight(t, p, style, compiler, "-O0", "-O2")
		}
	}
}
