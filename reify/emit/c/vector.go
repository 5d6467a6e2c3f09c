package c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// appendLanes appends a vector of its lanes.
func (f *function) appendLanes(text []byte, e *ir.VecOf) []byte {
	f.named = true
	text = append(append(append(text, '('), vectorName(e.T)...), "){"...)
	for i, lane := range e.Lanes {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = f.appendExpr(text, f.assigned(lane, e.T.Elem), anyPrec)
	}
	return append(text, '}')
}

func (f *function) appendShuffle(text []byte, e *ir.Shuffle) []byte {
	from, t := ir.TypeOf[ir.Vector](e.X), ir.TypeOf[ir.Vector](e)
	name, typ := shuffleMacro, maskOf(t)
	if from.Padded() != t.Padded() {
		name, typ = resizeMacro, t
	}
	// Commas of compound literals must not be those of the macro.
	text = append(text, name+"("...)
	for _, x := range []ir.Expr{e.X, e.Y} {
		text = f.appendExpr(append(text, '('), x, anyPrec)
		text = append(text, "), "...)
	}
	text = append(text, vectorName(typ)...)
	return append(appendIndices(text, e.Index, from), ')')
}

// maskOf returns the type of the indices of a shuffle of vectors of type t.
func maskOf(t ir.Vector) ir.Vector {
	t.Elem.Signed = true
	return t
}

// appendIndices appends a comma and an index for each lane, in two vectors of type t.
// If C has lanes beyond those of t or of the result, there are more indices.
func appendIndices(text []byte, indices []int, t ir.Vector) []byte {
	for _, i := range indices {
		text = append(text, ", "...)
		text = strconv.AppendInt(text, int64(i), 10)
		if more := t.Padded() - t.Lanes; more > 0 && i >= t.Lanes {
			text = fmt.Appendf(text, " "+paddedMacro+"(+ %d)", more)
		}
	}
	result := ir.Vector{Lanes: len(indices)}
	if more := result.Padded() - result.Lanes; more > 0 {
		text = append(text, " "+paddedMacro+"("+strings.Repeat(", 0", more)+")"...)
	}
	return text
}

// appendCast appends a cast. That of a vector in C is of the bytes in memory, where another
// lane may be the first of those that share bytes with one.
func (f *function) appendCast(text []byte, e *ir.Cast, prec int) []byte {
	operand := func(text []byte, prec int) []byte { return f.appendExpr(text, e.X, prec) }
	from, to, widest := lanesOf(e)
	if from == to {
		return f.cast(text, e.T, prec, operand)
	}
	ordered := func(text []byte, x func(text []byte) []byte) []byte {
		text = x(append(text, lowFirstMacro+"(("...))
		text = append(text, "), (("+vectorName(widest)+"){0}), "+vectorName(maskOf(widest))...)
		group := widest.Lanes / min(from, to)
		indices := make([]int, widest.Lanes)
		for i := range indices {
			indices[i] = i ^ (group - 1)
		}
		return append(appendIndices(text, indices, widest), ')')
	}
	if from < to {
		return ordered(text, func(text []byte) []byte { return f.cast(text, e.T, anyPrec, operand) })
	}
	return f.cast(text, e.T, prec, func(text []byte, _ int) []byte {
		return ordered(text, func(text []byte) []byte { return operand(text, anyPrec) })
	})
}

// lanesOf returns how many lanes the operand of a cast and its result have, and the type
// with more of them, whose lanes change places. It returns zeros for a pointer.
func lanesOf(e *ir.Cast) (from, to int, most ir.Vector) {
	t, ok := e.T.(ir.Vector)
	if !ok {
		return 0, 0, t
	}
	most = ir.TypeOf[ir.Vector](e.X)
	from = most.Lanes
	if from < t.Lanes {
		most = t
	}
	return from, t.Lanes, most
}

// operandsOf returns the operands of e.
func operandsOf(e ir.Expr) []ir.Expr {
	var list []ir.Expr
	ir.Parts(e, func(part ir.Node) bool {
		list = append(list, part.(ir.Expr))
		return true
	})
	return list
}

// lanewiseName returns the name of the function that e calls. Equal operations share
// one function.
func (f *function) lanewiseName(e *ir.VecCall) string {
	params := []string{"x", "y"}
	body := function{printer: f.printer, unit: Unit{Style: f.unit.Style}, names: names{vars: []string{"x", "y"}}}
	result := ir.CopyExpr(e.X)
	n := 0
	ir.Operands(result, func(at *ir.Expr) bool {
		v := &ir.Var{Type: (*at).Type(), Index: n}
		params[n] = vectorName(v.Type.(ir.Vector)) + " " + params[n]
		*at = &ir.Load{Place: &ir.VarRef{Var: v}}
		n++
		return true
	}, nil)
	text := "(" + strings.Join(params[:n], ", ") + ")\n{\n    return " + string(body.appendExpr(nil, result, anyPrec)) + ";\n}\n"
	head := "static __attribute__((noinline)) " + vectorName(ir.TypeOf[ir.Vector](e)) + " "
	i := slices.IndexFunc(f.lanewiseFuncs, func(def string) bool { return def == head+"\x00"+text })
	if i < 0 {
		i = len(f.lanewiseFuncs)
		f.lanewiseFuncs = append(f.lanewiseFuncs, head+"\x00"+text)
	}
	return lanewisePrefix + strconv.Itoa(i)
}
