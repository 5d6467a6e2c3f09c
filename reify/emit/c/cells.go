package c

import (
	"fmt"
	"strconv"

	"goreify/reify/ir"
)

// A cell is a scalar of a variable as C names it: "x", "g[1][2]", "s.f[3]".
type cell struct {
	name   []byte
	typ    ir.Type // see ir.Cell
	index  int     // among the scalars of the variable
	hidden bool    // it is a member of a union and not of its first member
}

// cells calls see for the scalars of v in order. Its argument is overwritten by the
// next one.
func (f *function) cells(v *ir.Var, see func(c *cell)) {
	c := cell{name: append(f.room[:0], f.names.vars[v.Index]...)}
	eachCell(&c, v.Type, see)
	f.room = c.name
}

func eachCell(c *cell, t ir.Type, see func(c *cell)) {
	start := len(c.name)
	subscript := func(k int) {
		c.name = append(c.name[:start], '[')
		c.name = strconv.AppendInt(c.name, int64(k), 10)
		c.name = append(c.name, ']')
	}
	switch t := t.(type) {
	case ir.Int, ir.Float, ir.Pointer:
		c.typ = t
		see(c)
		c.index++
	case ir.Array:
		for k := range t.Len {
			subscript(k)
			eachCell(c, t.Elem, see)
		}
	case ir.Wide: // is in no checksum
		c.index += ir.Count(t)
	case ir.Vector:
		for k := range t.Lanes {
			subscript(k)
			eachCell(c, t.Elem, see)
		}
	case *ir.Record:
		hidden := c.hidden
		for k := range t.Fields {
			c.name = append(append(c.name[:start], '.'), fieldName(t, k)...)
			c.hidden = hidden || t.Union && k > 0
			eachCell(c, t.Member(k), see)
		}
		c.hidden = hidden
	default:
		panic(fmt.Sprintf("emit/c: unknown type %T", t))
	}
	c.name = c.name[:start]
}

// checksum writes the calls that compute sum and returns the variable that holds it
// then.
func (f *function) checksum(sum *ir.Checksum, depth int) string {
	if f.short != nil && f.nests(sum) {
		return f.nestedSum(sum)
	}
	before := "0"
	call := func(convert string, value []byte, bytes int) {
		f.begin(depth)
		text := append(append(f.buf, f.names.crc...), " = "+crcFunc+"("...)
		text = append(append(text, before...), ", "...)
		if convert == "" {
			text = append(text, value...)
		} else {
			text = append(append(text, convert...), '(')
			text = append(append(text, value...), ')')
		}
		text = strconv.AppendInt(append(text, ", "...), int64(bytes), 10)
		f.buf = append(text, ");\n"...)
		before = f.names.crc
	}
	for _, v := range sum.Of {
		if f.unit.Style.sumsArray(v) {
			address := f.names.vars[v.Index]
			if _, vector := v.Type.(ir.Vector); vector {
				address = "&" + address
			}
			f.line(depth, fmt.Sprintf("%s = %s(%s, %s, %d, %d);", f.names.crc, crcArrayFunc, before, address, ir.Count(v.Type), ir.Scalar(v.Type).Bytes()))
			before = f.names.crc
			continue
		}
		f.cells(v, func(c *cell) {
			if c.hidden {
				return
			}
			switch t := c.typ.(type) {
			case ir.Int:
				call("", c.name, t.Bytes())
			case ir.Float:
				call(floatBits(t), c.name, t.Bits/8)
			}
		})
	}
	return before
}

// reset writes the assignments that give v its initial value.
func (f *function) reset(v *ir.Var) {
	f.cells(v, func(c *cell) {
		if c.hidden {
			return
		}
		f.begin(1)
		f.buf = append(f.buf, c.name...)
		f.str(" = ")
		switch t := c.typ.(type) {
		case ir.Int:
			if v.Init != nil {
				f.expr(v.Init[c.index])
			} else {
				f.constant(ir.Int{Bits: max(t.Bits, 32), Signed: t.Signed}, 0)
			}
		case ir.Float:
			if v.Init != nil {
				f.expr(v.Init[c.index])
			} else {
				f.str("0")
			}
		case ir.Pointer:
			f.buf = f.appendInitialPtr(f.buf, v, c.index)
		}
		f.str(";\n")
	})
}
