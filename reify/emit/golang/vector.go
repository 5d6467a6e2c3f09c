package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// A vector is an array of its lanes. Its computation comes before the statement that it
// is a part of, operand by operand as in the interpreter, so that traps happen in
// order.

// A vectorHelper is a function that computes lanes.
type vectorHelper struct{ key, name, text string }

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
func (f *function) vec(e ir.Expr) string {
	style := f.unit.Style.Vectors
	switch x := e.(type) {
	case *ir.Load:
		text := string(f.appendPlace(nil, x.Place))
		if fixedPlace(x.Place) {
			return text
		}
		t := f.array(ir.TypeOf[ir.Vector](e))
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
		operands = append(operands, f.vec(part.(ir.Expr)))
		return true
	})
	t := f.array(ir.TypeOf[ir.Vector](e))
	if style == Helpers {
		f.before = append(f.before, t+" = "+f.vectorHelper(e)+"("+strings.Join(operands, ", ")+")")
		return t
	}
	index := ""
	if style == Loops {
		index = f.laneIndex()
	}
	f.before = append(f.before, f.lanes(e, t, operands, index)...)
	if s, ok := e.(*ir.Shuffle); ok && style == Unrolled {
		f.before = append(f.before, untaken(s, operands)...)
	}
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

// vectorHelper returns the name of a function of the package that does the operation of
// e on its operands.
func (f *function) vectorHelper(e ir.Expr) string {
	var params []string
	ir.Parts(e, func(part ir.Node) bool {
		params = append(params, []string{"x", "y"}[len(params)])
		return true
	})
	t := ir.TypeOf[ir.Vector](e)
	index := ""
	if t.Lanes > 4 {
		index = "i"
	}
	lines := f.lanes(e, "r", params, index)
	head, from := "(", ir.Vector{}
	n := 0
	ir.Parts(e, func(part ir.Node) bool {
		if n > 0 {
			head += ", "
		}
		from = ir.TypeOf[ir.Vector](part.(ir.Expr))
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

// fromSuffix ends the name of the variable that holds the source lane of a shuffle.
const fromSuffix = "_from"

// laneIndex returns the name of the variable of loops over lanes. It is free with fromSuffix,
// too.
func (f *function) laneIndex() string {
	if f.loop != "" {
		return f.loop
	}
	for f.loop == "" || f.names.local[f.loop+fromSuffix] {
		f.loop = f.names.local.add("lane")
	}
	f.names.local.add(f.loop + fromSuffix)
	return f.loop
}

// lanes returns statements that store the lanes of an operator to an array: each by itself or,
// with a name of an index, in a loop.
func (f *function) lanes(e ir.Expr, to string, operands []string, index string) (lines []string) {
	t := ir.TypeOf[ir.Vector](e)
	if s, ok := e.(*ir.Shuffle); ok {
		return shuffled(s, to, operands, index)
	}
	if index != "" {
		return []string{"for " + index + " := range " + to + " {", "\t" + to + "[" + index + "] = " + f.lane(e, operands, -1, index), "}"}
	}
	for i := range t.Lanes {
		lines = append(lines, to+"["+strconv.Itoa(i)+"] = "+f.lane(e, operands, i, ""))
	}
	return lines
}

// shuffled returns the statements that take lanes of two vectors. Lanes with arbitrary
// values are not assigned.
func shuffled(s *ir.Shuffle, to string, operands []string, index string) (lines []string) {
	n := ir.TypeOf[ir.Vector](s.X).Lanes
	if index != "" {
		var from []string
		for _, k := range s.Index {
			from = append(from, strconv.Itoa(k))
		}
		k := index + fromSuffix
		return []string{
			fmt.Sprintf("for %s, %s := range [%d]int{%s} {", index, k, len(from), strings.Join(from, ", ")),
			fmt.Sprintf("\tif %s >= %d {", k, n),
			fmt.Sprintf("\t\t%s[%s] = %s[%s-%d]", to, index, operands[1], k, n),
			"\t} else if " + k + " >= 0 {",
			fmt.Sprintf("\t\t%s[%s] = %s[%s]", to, index, operands[0], k),
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

// untaken returns uses of the operands from which a shuffle takes nothing.
func untaken(s *ir.Shuffle, operands []string) (lines []string) {
	n := ir.TypeOf[ir.Vector](s.X).Lanes
	for i, x := range operands {
		if !slices.ContainsFunc(s.Index, func(k int) bool { return k >= 0 && k/n == i }) {
			lines = append(lines, "_ = "+x)
		}
	}
	return lines
}

// lane returns lane i of an operator or, with -1, the one of an index.
func (f *function) lane(e ir.Expr, operands []string, i int, index string) string {
	if i >= 0 {
		index = strconv.Itoa(i)
	}
	of := func(k int) string { return operands[k] + "[" + index + "]" }
	elem := intName(ir.TypeOf[ir.Vector](e).Elem)
	switch e := e.(type) {
	case *ir.Unary:
		return string(map[ir.UnOp]byte{ir.Neg: '-', ir.Not: '^'}[e.Op]) + of(0)
	case *ir.Binary:
		text := of(0) + " " + e.Op.String() + " " + of(1)
		if e.Op.Compares() {
			f.helpers[boolFunc] = true
			return elem + "(-" + boolFunc + "(" + text + "))"
		}
		return text
	case *ir.Convert:
		return elem + "(" + of(0) + ")"
	case *ir.Cast:
		return cast(e, operands[0], i, index)
	}
	panic(fmt.Sprintf("emit/golang: vector %v", e))
}

// cast returns lane i of a cast of an array or, with -1, the one of an index.
func cast(e *ir.Cast, x string, i int, index string) string {
	from, to := ir.TypeOf[ir.Vector](e.X).Elem, ir.TypeOf[ir.Vector](e).Elem
	unsigned := func(t ir.Int) string { return "uint" + strconv.Itoa(t.Bits) }
	// at returns the index of the lane k*i plus an offset.
	at := func(k, more int) string {
		switch {
		case i >= 0:
			return strconv.Itoa(k*i + more)
		case more == 0:
			return strconv.Itoa(k) + "*" + index
		}
		return strconv.Itoa(k) + "*" + index + "+" + strconv.Itoa(more)
	}
	switch n := to.Bits / from.Bits; {
	case to.Bits == from.Bits:
		return intName(to) + "(" + x + "[" + index + "])"
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
		return fmt.Sprintf("%s(%s(%s[%s/%d]) >> uint(%s%%%d*%d))", intName(to), unsigned(from), x, index, n, index, n, to.Bits)
	}
	return fmt.Sprintf("%s(%s(%s[%d]) >> %d)", intName(to), unsigned(from), x, i/n, i%n*to.Bits)
}
