package core

import "goreify/reify/ir"

// A form is a shape of a term, the part of a sum that begins with a variable.
type form int

const (
	plain form = iota
	bitwise
	shift
	unary
	compare
	logic
	selection
	builtin
	nest
	reuse
	near
	idiom
	numForms
)

// A context restricts the operators of a region or a subtree, so that passes
// find dense clusters of those that they rewrite together (YARPGen, section
// 3.3).
type context struct {
	join  []ir.Op // of terms
	op    []ir.Op // of the two operands of a term
	forms [numForms]bool
}

// everything is the context if none is drawn.
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
func (d *draws) drawContext() *context {
	weights := [...]int{d.Policy.Additive, d.Policy.Multiplicative, d.Policy.AddMul, d.Policy.Bits, d.Policy.BitsShift, d.Policy.Logical}
	if weights == [len(weights)]int{} {
		return nil
	}
	return &contexts[d.S.Weighted(weights[:]...)]
}

// weights returns the weights of the forms in a context.
func (w *Exprs) weights(c *context) [numForms]int {
	p := &w.Policy
	weights := [numForms]int{
		plain: 100, bitwise: p.Bitwise, shift: p.Shift, unary: p.Unary, compare: p.Compare, logic: p.Logic,
		selection: p.Select, builtin: p.Builtin, nest: p.Nest, reuse: p.Reuse, near: p.Near, idiom: p.Idiom,
	}
	sum := 0
	for f := range weights {
		if !c.forms[f] {
			weights[f] = 0
		}
		sum += weights[f]
	}
	if sum == 0 { // the policy has no form of the context
		return [numForms]int{100}
	}
	return weights
}

// Region returns the context of the region at hand.
func (w *Exprs) Region() *context {
	if w.context != nil {
		return w.context
	}
	return &everything
}
