package ir_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/ir"
)

func TestInt(t *testing.T) {
	rows := []struct {
		t        ir.Int
		name     string
		min, max string
	}{
		{ir.I8, "i8", "-128", "127"},
		{ir.I16, "i16", "-32768", "32767"},
		{ir.I32, "i32", "-2147483648", "2147483647"},
		{ir.I64, "i64", "-9223372036854775808", "9223372036854775807"},
		{ir.U8, "u8", "0", "255"},
		{ir.U16, "u16", "0", "65535"},
		{ir.U32, "u32", "0", "4294967295"},
		{ir.U64, "u64", "0", "18446744073709551615"},
	}
	for _, row := range rows {
		assert.Equal(t, row.name, row.t.String())
		assert.Equal(t, row.min, row.t.Format(row.t.Min()))
		assert.Equal(t, row.max, row.t.Format(row.t.Max()))
		assert.Equal(t, row.t.Min(), row.t.Wrap(row.t.Max()+1), row.name)
		assert.Equal(t, row.t.Max(), row.t.Wrap(row.t.Min()-1), row.name)
		assert.True(t, row.t.Holds(row.t.Min()) && row.t.Holds(row.t.Max()))
		if row.t.Bits < 64 {
			assert.False(t, row.t.Holds(row.t.Min()-1), row.name)
			assert.False(t, row.t.Holds(row.t.Max()+1), row.name)
		}
	}
	assert.True(t, ir.U64.Holds(math.MinInt64))
	assert.Equal(t, int64(-56), ir.I8.Wrap(200))
	assert.Equal(t, int64(200), ir.U8.Wrap(-56))
}

func TestArray(t *testing.T) {
	a := ir.Array{Elem: ir.Array{Elem: ir.U8, Len: 3}, Len: 2}
	assert.Equal(t, "[2][3]u8", a.String())
	assert.Equal(t, 6, ir.Count(a))
	assert.Equal(t, 1, ir.Count(ir.I64))
	assert.Equal(t, ir.U8, ir.Scalar(a))
	assert.Equal(t, ir.Type(ir.U8), ir.Innermost(a))
	assert.Equal(t, ir.Type(ir.F64), ir.Innermost(ir.F64))
	assert.True(t, ir.Type(a) == ir.Type(ir.Array{Elem: ir.Array{Elem: ir.U8, Len: 3}, Len: 2}))
}
