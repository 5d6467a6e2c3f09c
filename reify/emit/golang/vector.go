package golang

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A vector is an array of its lanes. What computes one stands before the statement that it is
// a part of, operand by operand as the interpreter does it, so what traps does so in order.

// A vectorHelper is a function that computes lanes.
type vectorHelper struct{ key, name, text string }

// assignVec writes a vector to a place.
func (f *function) assignVec(s *ir.AssignVec) {
	src := f.vec(s.Src)
	to := f.target(s.Dst)
	f.flush()
	f.line(to + " = " + src)
}

// arrayName returns the type of a vector in Go.
func arrayName(t ir.Vector) string {
	return "[" + strconv.Itoa(t.Lanes) + "]" + intName(t.Elem)
}

// array returns a new variable for a vector.
func (f *function) array(t ir.Vector) string {
	name := f.names.local.add("t" + strconv.Itoa(len(f.temporaries)+1))
	f.temporaries = append(f.temporaries, name+" "+arrayName(t))
	return name
}

// vec returns an array that holds a vector, which statements before may compute.
func (f *function) vec(e ir.VecExpr) string {
	style := f.unit.Style.Vectors
	switch x := e.(type) {
	case *ir.VecLoad:
		text := string(f.appendPlace(nil, x.Place))
		if fixedPlace(x.Place) {
			return text
		}
		t := f.array(e.Type())
		f.before = append(f.before, t+" = "+text)
		return t
	case *ir.VecOf:
		text := append([]byte(arrayName(x.T)), '{')
		for i, lane := range x.Lanes {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = f.appendExpr(text, lane, anyPrec)
		}
		t := f.array(x.T)
		f.before = append(f.before, t+" = "+string(append(text, '}')))
		return t
	case *ir.VecCall:
		e, style = x.X, Helpers
	}
	var operands []string
	ir.Parts(e, func(part ir.Node) bool {
		operands = append(operands, f.vec(part.(ir.VecExpr)))
		return true
	})
	t := f.array(e.Type())
	if style == Helpers {
		f.before = append(f.before, t+" = "+f.vectorHelper(e)+"("+strings.Join(operands, ", ")+")")
		return t
	}
	f.before = append(f.before, f.lanes(e, t, operands, style == Loops)...)
	return t
}

// fixedPlace reports whether a place is a variable or a member of one.
func fixedPlace(p ir.Place) bool {
	switch p := p.(type) {
	case *ir.VarRef:
		return true
	case *ir.Member:
		return fixedPlace(p.Base)
	}
	return false
}

// vectorHelper returns the name of a function of the package that does what e does with its
// operands.
func (f *function) vectorHelper(e ir.VecExpr) string {
	var params []string
	ir.Parts(e, func(part ir.Node) bool {
		params = append(params, []string{"x", "y"}[len(params)])
		return true
	})
	t := e.Type()
	lines := f.lanes(e, "r", params, t.Lanes > 4)
	head, from := "(", ir.Vector{}
	n := 0
	ir.Parts(e, func(part ir.Node) bool {
		if n > 0 {
			head += ", "
		}
		from = part.(ir.VecExpr).Type()
		head += params[n] + " " + arrayName(from)
		n++
		return true
	})
	text := head + ") (r " + arrayName(t) + ") {\n\t" + strings.Join(lines, "\n\t") + "\n\treturn r\n}\n"
	for _, h := range f.vectors {
		if h.key == text && !f.names.local[h.name] {
			return h.name
		}
	}
	name := f.names.ofPackage("v" + strconv.Itoa(t.Lanes) + intName(t.Elem))
	f.vectors = append(f.vectors, vectorHelper{text, name, "\nfunc " + name + text})
	return name
}

// lanes returns statements that store the lanes of an operator to an array, each by itself or
// in a loop.
func (f *function) lanes(e ir.VecExpr, to string, operands []string, loop bool) (lines []string) {
	t := e.Type()
	if s, ok := e.(*ir.VecShuffle); ok {
		return shuffled(s, to, operands, loop)
	}
	if loop {
		return []string{"for i := range " + to + " {", "\t" + to + "[i] = " + f.lane(e, operands, -1), "}"}
	}
	for i := range t.Lanes {
		lines = append(lines, to+"["+strconv.Itoa(i)+"] = "+f.lane(e, operands, i))
	}
	return lines
}

// shuffled returns what takes lanes of two vectors. Those in which anything may be stay as
// they are.
func shuffled(s *ir.VecShuffle, to string, operands []string, loop bool) (lines []string) {
	n := s.X.Type().Lanes
	if loop {
		var index []string
		for _, k := range s.Index {
			index = append(index, strconv.Itoa(k))
		}
		return []string{
			fmt.Sprintf("for i, k := range [%d]int{%s} {", len(index), strings.Join(index, ", ")),
			fmt.Sprintf("\tif k >= %d {", n),
			fmt.Sprintf("\t\t%s[i] = %s[k-%d]", to, operands[1], n),
			"\t} else if k >= 0 {",
			fmt.Sprintf("\t\t%s[i] = %s[k]", to, operands[0]),
			"\t}",
			"}",
		}
	}
	for i, k := range s.Index {
		switch {
		case k >= n:
			lines = append(lines, fmt.Sprintf("%s[%d] = %s[%d]", to, i, operands[1], k-n))
		case k >= 0:
			lines = append(lines, fmt.Sprintf("%s[%d] = %s[%d]", to, i, operands[0], k))
		}
	}
	return lines
}

// lane returns lane i of an operator or, with -1, the one of the variable i.
func (f *function) lane(e ir.VecExpr, operands []string, i int) string {
	index := strconv.Itoa(i)
	if i < 0 {
		index = "i"
	}
	of := func(k int) string { return operands[k] + "[" + index + "]" }
	elem := intName(e.Type().Elem)
	switch e := e.(type) {
	case *ir.VecUnary:
		return string(map[ir.UnOp]byte{ir.Neg: '-', ir.Not: '^'}[e.Op]) + of(0)
	case *ir.VecBinary:
		text := of(0) + " " + e.Op.String() + " " + of(1)
		if e.Op.Compares() {
			f.helpers[boolFunc] = true
			return elem + "(-" + boolFunc + "(" + text + "))"
		}
		return text
	case *ir.VecConvert:
		return elem + "(" + of(0) + ")"
	case *ir.VecCast:
		return cast(e, operands[0], i)
	}
	panic(fmt.Sprintf("emit/golang: vector %v", e))
}

// cast returns lane i of a cast of an array, or the one of the variable i.
func cast(e *ir.VecCast, x string, i int) string {
	from, to := e.X.Type().Elem, e.T.Elem
	unsigned := func(t ir.Int) string { return "uint" + strconv.Itoa(t.Bits) }
	// at returns the index of the lane that k times i, and more, is.
	at := func(k, more int) string {
		switch {
		case i >= 0:
			return strconv.Itoa(k*i + more)
		case more == 0:
			return strconv.Itoa(k) + "*i"
		}
		return strconv.Itoa(k) + "*i+" + strconv.Itoa(more)
	}
	switch n := to.Bits / from.Bits; {
	case to.Bits == from.Bits:
		if i < 0 {
			return intName(to) + "(" + x + "[i])"
		}
		return intName(to) + "(" + x + "[" + strconv.Itoa(i) + "])"
	case n > 1: // the low one first
		text := intName(to) + "("
		for k := range n {
			if k > 0 {
				text += " | "
			}
			text += unsigned(to) + "(" + unsigned(from) + "(" + x + "[" + at(n, k) + "]))<<" + strconv.Itoa(k*from.Bits)
		}
		return text + ")"
	}
	n := from.Bits / to.Bits
	if i < 0 {
		return fmt.Sprintf("%s(%s(%s[i/%d]) >> uint(i%%%d*%d))", intName(to), unsigned(from), x, n, n, to.Bits)
	}
	return fmt.Sprintf("%s(%s(%s[%d]) >> %d)", intName(to), unsigned(from), x, i/n, i%n*to.Bits)
}
