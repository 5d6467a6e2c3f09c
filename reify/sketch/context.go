package sketch

import "goreify/reify/ir"

// A context restricts the operators of a region or a subtree, so that passes
// find dense clusters of those that they rewrite together (YARPGen, section
// 3.3).
type context struct {
	join  []ir.Op // of terms
	op    []ir.Op // of the two operands of a term
	forms [numForms]bool
}

// everything is the context where none is drawn.
var everything = context{
	join:  []ir.Op{ir.Add, ir.Sub},
	forms: formSet(plain, bitwise, shift, unary, compare, logic, selection, builtin, nest, reuse, near, idiom),
}

// contexts are in the order of their weights in Policy.
var contexts = [...]context{
	{ // additive
		join:  []ir.Op{ir.Add, ir.Sub},
		op:    []ir.Op{ir.Add, ir.Sub},
		forms: formSet(plain, unary, nest, reuse, near),
	},
	{ // multiplicative
		join:  []ir.Op{ir.Mul, ir.Mul, ir.Div, ir.Rem},
		op:    []ir.Op{ir.Mul, ir.Mul, ir.Div, ir.Rem},
		forms: formSet(plain, nest, reuse),
	},
	{ // additive-multiplicative
		join:  []ir.Op{ir.Add, ir.Sub, ir.Add, ir.Sub, ir.Mul},
		op:    []ir.Op{ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Rem},
		forms: formSet(plain, unary, nest, reuse, near),
	},
	{ // bitwise
		join:  []ir.Op{ir.And, ir.Or, ir.Xor},
		op:    []ir.Op{ir.And, ir.Or, ir.Xor},
		forms: formSet(bitwise, unary, nest, reuse),
	},
	{ // bitwise-shift
		join:  []ir.Op{ir.And, ir.Or, ir.Xor},
		op:    []ir.Op{ir.And, ir.Or, ir.Xor, ir.Shl, ir.Shr},
		forms: formSet(bitwise, shift, unary, nest, reuse, idiom),
	},
	{ // logical
		join:  []ir.Op{ir.Add, ir.Xor, ir.And, ir.Or},
		op:    []ir.Op{ir.Lt, ir.Le, ir.Gt, ir.Ge, ir.Eq, ir.Ne},
		forms: formSet(compare, logic, selection),
	},
}

func formSet(of ...form) (set [numForms]bool) {
	for _, f := range of {
		set[f] = true
	}
	return set
}

// drawContext returns a context, or nil if none has a weight.
func (w *writer) drawContext() *context {
	weights := [...]int{w.p.Additive, w.p.Multiplicative, w.p.AddMul, w.p.Bits, w.p.BitsShift, w.p.Logical}
	if weights == [len(weights)]int{} {
		return nil
	}
	return &contexts[w.s.Weighted(weights[:]...)]
}
