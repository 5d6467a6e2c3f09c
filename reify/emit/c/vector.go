package c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// appendVec appends an expression whose value is a vector. Compilers differ in
// the type of a comparison of vectors, so that it is always cast.
func (f *function) appendVec(text []byte, e ir.Expr, prec int) []byte {
	f.named = true
	switch e := e.(type) {
	case *ir.VecLoad:
		return f.appendLoad(text, e.Place, prec)
	case *ir.VecOf:
		text = append(text, '(')
		text = append(text, vectorName(e.T)...)
		text = append(text, "){"...)
		for i, lane := range e.Lanes {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = f.appendExpr(text, f.assigned(lane, e.T.Elem), anyPrec)
		}
		return append(text, '}')
	case *ir.VecUnary:
		text = open(text, unaryPrec, prec)
		switch e.Op {
		case ir.Neg:
			text = append(text, '-')
			at := len(text)
			text = apart(f.appendVec(text, e.X, unaryPrec), at)
		case ir.Not:
			text = f.appendVec(append(text, '~'), e.X, unaryPrec)
		default:
			panic(fmt.Sprintf("emit/c: vector operator %v", e.Op))
		}
		return shut(text, unaryPrec, prec)
	case *ir.VecBinary:
		return f.appendVecBinary(text, e, prec)
	case *ir.VecShuffle:
		name, typ := shuffleMacro, maskOf(ir.TypeOf[ir.Vector](e))
		if ir.TypeOf[ir.Vector](e.X).Padded() != typ.Padded() {
			name, typ = resizeMacro, ir.TypeOf[ir.Vector](e)
		}
		// Commas of compound literals must not be those of the macro.
		text = append(text, name+"("...)
		for _, x := range []ir.Expr{e.X, e.Y} {
			text = append(text, '(')
			text = f.appendVec(text, x, anyPrec)
			text = append(text, "), "...)
		}
		text = append(text, vectorName(typ)...)
		return append(appendIndices(text, e.Index, ir.TypeOf[ir.Vector](e.X)), ')')
	case *ir.VecConvert:
		text = append(text, "__builtin_convertvector("...)
		text = f.appendVec(text, e.X, anyPrec)
		text = append(text, ", "...)
		text = append(text, vectorName(e.T)...)
		return append(text, ')')
	case *ir.VecCast:
		return f.appendVecCast(text, e, prec)
	case *ir.VecCall:
		text = append(append(text, f.lanewiseName(e)...), '(')
		for i, x := range operandsOf(e) {
			if i > 0 {
				text = append(text, ", "...)
			}
			text = f.appendVec(text, x, anyPrec)
		}
		return append(text, ')')
	case named:
		return append(text, e.name...)
	default:
		panic(fmt.Sprintf("emit/c: unknown vector expression %T", e))
	}
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

// appendVecCast appends a cast. The cast of C is of the bytes in memory, where another
// lane may be the first of those that share bytes with one.
func (f *function) appendVecCast(text []byte, e *ir.VecCast, prec int) []byte {
	from := ir.TypeOf[ir.Vector](e.X)
	t := e.T // the narrower one, whose lanes change places
	if from.Lanes > t.Lanes {
		t = from
	}
	cast := func(text []byte, x func(text []byte, prec int) []byte) []byte {
		text = open(text, unaryPrec, prec)
		text = append(append(append(text, '('), vectorName(e.T)...), ')')
		return shut(x(text, unaryPrec), unaryPrec, prec)
	}
	operand := func(text []byte, prec int) []byte { return f.appendVec(text, e.X, prec) }
	ordered := func(text []byte, x func(text []byte) []byte) []byte {
		text = x(append(text, lowFirstMacro+"(("...))
		text = append(text, "), (("+vectorName(t)+"){0}), "+vectorName(maskOf(t))...)
		group := t.Lanes / min(from.Lanes, e.T.Lanes)
		indices := make([]int, t.Lanes)
		for i := range indices {
			indices[i] = i ^ (group - 1)
		}
		return append(appendIndices(text, indices, t), ')')
	}
	switch {
	case from.Lanes == e.T.Lanes:
		return cast(text, operand)
	case from.Lanes < e.T.Lanes:
		prec = anyPrec
		return ordered(text, func(text []byte) []byte { return cast(text, operand) })
	}
	return cast(text, func(text []byte, _ int) []byte {
		return ordered(text, func(text []byte) []byte { return operand(text, anyPrec) })
	})
}

// A named vector is written as its name.
type named struct {
	ir.Expr
	name string
}

// operandsOf returns the operands of the function that e calls.
func operandsOf(e *ir.VecCall) []ir.Expr {
	var list []ir.Expr
	ir.Parts(e.X, func(part ir.Node) bool {
		list = append(list, part.(ir.Expr))
		return true
	})
	return list
}

// lanewiseName returns the name of the function that e calls. Equal operations share
// one function.
func (f *function) lanewiseName(e *ir.VecCall) string {
	names := []string{"x", "y"}
	params := ""
	operands := operandsOf(e)
	for i, x := range operands {
		if i > 0 {
			params += ", "
		}
		params += vectorName(ir.TypeOf[ir.Vector](x)) + " " + names[i]
		operands[i] = named{x, names[i]}
	}
	var body ir.Expr
	switch x := e.X.(type) {
	case *ir.VecUnary:
		body = &ir.VecUnary{Op: x.Op, X: operands[0]}
	case *ir.VecBinary:
		body = &ir.VecBinary{Op: x.Op, X: operands[0], Y: operands[1]}
	case *ir.VecShuffle:
		body = &ir.VecShuffle{X: operands[0], Y: operands[1], Index: x.Index}
	case *ir.VecConvert:
		body = &ir.VecConvert{T: x.T, X: operands[0]}
	case *ir.VecCast:
		body = &ir.VecCast{T: x.T, X: operands[0]}
	default:
		panic(fmt.Sprintf("emit/c: call for %T", x))
	}
	text := "(" + params + ")\n{\n    return " + string(f.appendVec(nil, body, anyPrec)) + ";\n}\n"
	head := "static __attribute__((noinline)) " + vectorName(ir.TypeOf[ir.Vector](e)) + " "
	i := slices.IndexFunc(f.lanewiseFuncs, func(def string) bool { return def == head+"\x00"+text })
	if i < 0 {
		i = len(f.lanewiseFuncs)
		f.lanewiseFuncs = append(f.lanewiseFuncs, head+"\x00"+text)
	}
	return lanewisePrefix + strconv.Itoa(i)
}

func (f *function) appendVecBinary(text []byte, e *ir.VecBinary, prec int) []byte {
	o := &operators[e.Op]
	own := prec
	if e.Op.Compares() {
		text = open(text, unaryPrec, prec)
		text = append(text, '(')
		text = append(text, vectorName(ir.TypeOf[ir.Vector](e))...)
		text = append(text, ")("...)
	} else {
		own = o.prec
		text = open(text, own, prec)
	}
	text = f.appendVec(text, e.X, o.left)
	text = append(text, o.text...)
	text = f.appendVec(text, e.Y, o.right)
	if e.Op.Compares() {
		text = append(text, ')')
		return shut(text, unaryPrec, prec)
	}
	return shut(text, own, prec)
}
