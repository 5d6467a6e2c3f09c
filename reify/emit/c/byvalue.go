package c

import (
	"slices"

	"goreify/reify/ir"
)

// In the style ByValue half of the copies of structs and unions are results of small
// functions that take them by value: alone, as members of other structs, or behind as
// many arguments as registers hold. So are half of the members that are read.
//
//	s = byval_pass_S(*p);
//	a = byval_S_m2(t[1], i);

// byValuePrefix begins the names of these functions and of their structs, and no other
// names.
const byValuePrefix = "byval_"

// A carrier is the way in which such a function takes a record.
type carrier int

const (
	carryAlone  carrier = iota
	carryNested         // as a member of a struct
	carryLate           // behind other arguments
	numCarriers
)

var carrierNames = [numCarriers]string{"pass", "nested", "late"}

// byValue lists the records that a function passes by value.
type byValue struct {
	copies map[*ir.Load]carrier
	loads  map[*ir.Load]*ir.Member
	passes map[*ir.Record][numCarriers]bool
	reads  map[*ir.Record][]bool // by field
}

// findByValue chooses the records that are passed by value: none if some local record
// may have no value.
func (f *function) findByValue() {
	fn := f.unit.Claim.Func
	if !f.unit.Style.ByValue || len(fn.Types) == 0 {
		return
	}
	for _, v := range fn.Vars {
		if _, ok := ir.Innermost(v.Type).(*ir.Record); ok && v.Kind == ir.Local && v.Init == nil {
			return
		}
	}
	b := &byValue{map[*ir.Load]carrier{}, map[*ir.Load]*ir.Member{}, map[*ir.Record][numCarriers]bool{}, map[*ir.Record][]bool{}}
	n := 0
	for _, block := range fn.Blocks {
		for _, s := range block.Stmts {
			a, ok := s.(*ir.Assign)
			if !ok {
				continue
			}
			r, ok := a.Dst.Type().(*ir.Record)
			if !ok || !carried(a.Src.(*ir.Load).Place) {
				continue
			}
			if n++; n%2 == 0 {
				continue
			}
			way := carrier(n / 2 % int(numCarriers))
			b.copies[a.Src.(*ir.Load)] = way
			used := b.passes[r]
			used[way] = true
			b.passes[r] = used
		}
	}
	visit(fn, func(node ir.Node) {
		l, ok := node.(*ir.Load)
		if !ok {
			return
		}
		m := readMember(l.Place)
		if m == nil {
			return
		}
		if n++; n%2 == 0 {
			return
		}
		r := m.Base.Type().(*ir.Record)
		if b.reads[r] == nil {
			b.reads[r] = make([]bool, len(r.Fields))
		}
		b.reads[r][m.Field] = true
		b.loads[l] = m
	})
	f.byValue = b
}

// readMember returns the member that p is, or is an element of, if its record may be
// passed by value, or nil. Bit-fields are left out: their promoted type differs from
// the result type of a function.
func readMember(p ir.Place) *ir.Member {
	if e, ok := p.(*ir.Elem); ok {
		p = e.Base
	}
	m, ok := p.(*ir.Member)
	if !ok || m.Base.Type().(*ir.Record).Fields[m.Field].Bits > 0 || !carried(m.Base) {
		return nil
	}
	switch t := m.Type().(type) {
	case ir.Int:
		return m
	case ir.Array:
		if _, ok := t.Elem.(ir.Int); ok {
			return m
		}
	}
	return nil
}

// carried reports whether the record at p may be read as a whole: it is not volatile,
// and not a union, unless all members of the union have values.
func carried(p ir.Place) bool {
	if r := p.Type().(*ir.Record); ir.HasUnion(r) && !r.Cast {
		return false
	}
	for {
		switch q := p.(type) {
		case *ir.VarRef:
			return !q.Var.Volatile
		case *ir.Elem:
			p = q.Base
		case *ir.Member:
			p = q.Base
		case *ir.Deref:
			return !ir.TypeOf[ir.Pointer](q.X).Volatile
		default:
			return false
		}
	}
}

// byValueHelpers writes the functions for r, a record of the function.
func (f *function) byValueHelpers(r *ir.Record) {
	if f.byValue == nil {
		return
	}
	of := f.recordName(r)
	name := f.names.records[slices.Index(f.unit.Claim.Func.Types, r)]
	for way, used := range f.byValue.passes[r] {
		helper := byValuePrefix + carrierNames[way] + "_" + name
		if !used {
			continue
		}
		switch carrier(way) {
		case carryAlone:
			f.str("\n__attribute__((noinline)) static " + of + " " + helper + "(" + of + " x)\n{\n    return x;\n}\n")
		case carryNested:
			nest := "struct " + helper
			f.str("\n" + nest + " {\n    signed char before;\n    " + of + " x;\n    short behind[1];\n};\n" +
				"\n__attribute__((noinline)) static " + nest + " " + helper + "(" + nest + " y)\n{\n    y.before = (signed char)y.behind[0];\n    return y;\n}\n")
		case carryLate:
			f.str("\nstatic " + of + " " + helper + "(int a, long long b, int c, int d, int e, double f, " + of + " x, int g)\n{\n" +
				"    " + of + " y = x;\n\n    return a + b + c + d + e == g ? x : y;\n}\n")
		}
	}
	for i, used := range f.byValue.reads[r] {
		if !used {
			continue
		}
		t, index, at := r.Member(i), "", ""
		if a, ok := t.(ir.Array); ok {
			t, index, at = a.Elem, ", long long i", "[i]"
		}
		attribute := ""
		if i%2 == 0 {
			attribute = "__attribute__((noinline)) "
		}
		f.str("\n" + attribute + "static " + f.declarator(t, false, false, byValuePrefix+name+"_"+fieldName(r, i)) +
			"(" + of + " x" + index + ")\n{\n    return x." + fieldName(r, i) + at + ";\n}\n")
	}
}

// appendPassed appends a record or member that is read, and reports whether the record is
// passed by value.
func (f *function) appendPassed(text []byte, l *ir.Load) ([]byte, bool) {
	if f.byValue == nil {
		return text, false
	}
	if way, ok := f.byValue.copies[l]; ok {
		return f.appendCarried(text, l, way), true
	}
	m := f.byValue.loads[l]
	if m == nil {
		return text, false
	}
	r := m.Base.Type().(*ir.Record)
	name := f.names.records[slices.Index(f.unit.Claim.Func.Types, r)]
	text = append(text, byValuePrefix+name+"_"+fieldName(r, m.Field)+"("...)
	text = f.appendLoad(text, m.Base, anyPrec)
	if e, ok := l.Place.(*ir.Elem); ok {
		text = append(text, ", "...)
		text = f.appendIndex(text, e)
	}
	return append(text, ')'), true
}

// appendCarried appends a record that is passed in a way.
func (f *function) appendCarried(text []byte, l *ir.Load, way carrier) []byte {
	r := l.Type().(*ir.Record)
	helper := byValuePrefix + carrierNames[way] + "_" + f.names.records[slices.Index(f.unit.Claim.Func.Types, r)]
	text = append(append(text, helper...), '(')
	after := ""
	switch way {
	case carryNested:
		text = append(text, "(struct "+helper+"){1, "...)
		after = ", {2}}"
	case carryLate:
		text = append(text, "1, 2, 3, 4, 5, 6, "...)
		after = ", 15"
	}
	text = append(append(f.appendLoad(text, l.Place, anyPrec), after...), ')')
	if way == carryNested {
		text = append(text, ".x"...)
	}
	return text
}
