package llvm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// value returns the type of values of an integer type.
func value(t ir.Int) string { return "i" + strconv.Itoa(t.Bits) }

// container returns the type in which memory holds values of an integer type.
func container(t ir.Int) ir.Int { return ir.Int{Bits: 8 * t.Bytes(), Signed: t.Signed} }

// stored returns the type of container.
func stored(t ir.Int) string { return value(container(t)) }

// constant returns a value of t.
func constant(t ir.Int, v int64) string {
	if t.Bits == 1 {
		return strconv.FormatBool(v&1 != 0)
	}
	return strconv.FormatInt(v<<(64-t.Bits)>>(64-t.Bits), 10)
}

func floatType(t ir.Float) string {
	if t == ir.F32 {
		return "float"
	}
	return "double"
}

func floatConstant(v float64) string { return fmt.Sprintf("0x%016X", math.Float64bits(v)) }

// typ returns the type of values of t.
func typ(t ir.Type) string {
	switch t := t.(type) {
	case ir.Int:
		return value(t)
	case ir.Wide:
		return "i" + strconv.Itoa(t.Bits)
	case ir.Float:
		return floatType(t)
	case ir.Pointer:
		return "ptr"
	case ir.Vector:
		return fmt.Sprintf("<%d x %s>", t.Lanes, value(t.Elem))
	}
	panic(fmt.Sprintf("emit/llvm: values of %v", t))
}

// mem returns the type of objects of t in memory.
func (f *function) mem(t ir.Type) string {
	switch t := t.(type) {
	case ir.Int:
		return stored(t)
	case ir.Array:
		return fmt.Sprintf("[%d x %s]", t.Len, f.mem(t.Elem))
	case *ir.Record:
		return f.records[t]
	}
	return typ(t)
}

// declareRecords names the records of the function and writes their declarations.
func (f *function) declareRecords() {
	for _, r := range f.fn.Types {
		name := "%" + f.add(f.name+"."+r.Name)
		f.records[r] = name
		var members []string
		switch {
		case r.Cast:
			members = []string{"i" + strconv.Itoa(r.Width())}
		case r.Union:
			size := int64(0)
			for _, field := range r.Fields {
				size = max(size, most(field.Type))
			}
			members = []string{fmt.Sprintf("[%d x i64]", (size+7)/8)}
		default:
			for i := range r.Fields {
				members = append(members, f.mem(r.Member(i)))
			}
		}
		f.linef("%s = type { %s }", name, strings.Join(members, ", "))
	}
}

// most returns a bound on the bytes of an object, on any processor.
func most(t ir.Type) int64 {
	switch t := t.(type) {
	case ir.Int:
		return int64(t.Bytes())
	case ir.Array:
		return int64(t.Len) * most(t.Elem)
	case ir.Vector:
		return int64(t.Padded() * t.Elem.Bytes())
	case ir.Wide:
		return 16 * int64((t.Bits+127)/128)
	case *ir.Record:
		sum := int64(0)
		for _, field := range t.Fields {
			const align = 64 // bytes, that of any vector
			sum += (most(field.Type) + align - 1) / align * align
		}
		return sum
	}
	return 8
}

// initial returns the initial value of an object that lasts. at is the next of its scalars.
func (f *function) initial(v *ir.Var, t ir.Type, at *int) string {
	scalar := func() (e, ptr ir.Expr) {
		if v.Init != nil {
			e = v.Init[*at]
		}
		if v.Ptrs != nil {
			ptr = v.Ptrs[*at]
		}
		*at++
		return e, ptr
	}
	switch t := t.(type) {
	case ir.Int:
		e, _ := scalar()
		if e == nil {
			return "0"
		}
		return constant(container(t), t.Wrap(e.(*ir.Const).V))
	case ir.Float:
		e, _ := scalar()
		if e == nil {
			return floatConstant(0)
		}
		return floatConstant(float64(e.(*ir.Const).V))
	case ir.Pointer:
		if _, ptr := scalar(); ptr != nil {
			if a, ok := ptr.(*ir.AddrOf); ok {
				return f.fixed(a.Place)
			}
		}
		return "null"
	case ir.Vector:
		var lanes []string
		for range t.Lanes {
			e, _ := scalar()
			lane := "0"
			if e != nil {
				lane = constant(t.Elem, e.(*ir.Const).V)
			}
			lanes = append(lanes, value(t.Elem)+" "+lane)
		}
		return "<" + strings.Join(lanes, ", ") + ">"
	case ir.Array:
		var list []string
		for range t.Len {
			list = append(list, f.mem(t.Elem)+" "+f.initial(v, t.Elem, at))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case *ir.Record:
		var list []string
		for i := range t.Fields {
			member := t.Member(i)
			list = append(list, f.mem(member)+" "+f.initial(v, member, at))
		}
		return "{ " + strings.Join(list, ", ") + " }"
	}
	panic(fmt.Sprintf("emit/llvm: an initial value of %v", t))
}

// fixed returns the address of a place whose indices are constants, as a constant.
func (f *function) fixed(p ir.Place) string {
	switch p := p.(type) {
	case *ir.VarRef:
		return f.vars[p.Var.Index]
	case *ir.Elem:
		k := p.Index.(*ir.Const).V
		return fmt.Sprintf("getelementptr (%s, ptr %s, i64 0, i64 %d)", f.mem(p.Base.Type()), f.fixed(p.Base), k)
	case *ir.Member:
		r := p.Base.Type().(*ir.Record)
		if r.Union {
			return f.fixed(p.Base)
		}
		return fmt.Sprintf("getelementptr (%s, ptr %s, i64 0, i32 %d)", f.mem(r), f.fixed(p.Base), p.Field)
	}
	panic(fmt.Sprintf("emit/llvm: %v is no constant address", p))
}
