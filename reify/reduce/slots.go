package reduce

import (
	"fmt"

	"goreify/reify/ir"
)

// A slot says which expressions may replace one.
type slot int

const (
	typed  slot = iota // an expression of the same type
	loose              // an expression of any type: a condition, an index, an operand of a conversion
	whole              // the whole source of an assignment, or an initial value: also a constant of a bit-field's type
	leaf               // a constant of the same type: a label, or a hint
	frozen             // nothing else: an index within an initial value that is a pointer
)

// slots has a function for each kind of node. It is called with the address of the
// node, so that an assignment to it replaces the node. Outer nodes come before their
// parts, and a node that has been replaced is visited in its new place. A function that
// is nil is not called.
type slots struct {
	last  bool                              // expr, other and stmt are called after the parts of the node, not before
	expr  func(at *ir.Expr, s slot)         // for integers
	other [ir.Records + 1]func(at *ir.Expr) // for the other families
	place func(at *ir.Place)
	stmt  func(at *ir.Stmt)
}

// of returns slots that call f for the expressions of a family other than integers.
func of(family ir.Family, f func(at *ir.Expr)) *slots {
	v := new(slots)
	v.other[family] = f
	return v
}

// program visits the nodes of all functions.
func (v *slots) program(p *ir.Program) {
	for _, f := range ours(p) {
		v.function(f)
	}
}

// function visits the initial values, then the blocks.
func (v *slots) function(f *ir.Function) {
	for _, x := range f.Vars {
		for i := range x.Init {
			if x.Init[i] != nil {
				v.onExpr(&x.Init[i], whole)
			}
		}
		for i := range x.Ptrs {
			if x.Ptrs[i] != nil {
				v.frozenPtr(x.Ptrs[i])
			}
		}
	}
	v.code(f)
}

// code visits the blocks of f.
func (v *slots) code(f *ir.Function) {
	for _, b := range f.Blocks {
		for i := range b.Stmts {
			v.onStmt(&b.Stmts[i])
		}
		v.onTerm(b.Term)
	}
}

// onTerm visits what the end of a block is made of.
func (v *slots) onTerm(t ir.Term) {
	switch t := t.(type) {
	case *ir.Goto:
	case *ir.If:
		v.onExpr(&t.Cond, loose)
	case *ir.Switch:
		v.onExpr(&t.X, typed)
		for i := range t.Cases {
			v.onExpr(&t.Cases[i].Lo, leaf)
			if t.Cases[i].Hi != nil {
				v.onExpr(&t.Cases[i].Hi, leaf)
			}
		}
	case *ir.Return:
		v.onExpr(&t.Val, typed)
	default:
		panic(fmt.Sprintf("reduce: unknown terminator %T", t))
	}
}

// frozenPtr visits the places in an initial value that is a pointer, and the
// constants of their indices.
func (v *slots) frozenPtr(p ir.Expr) {
	a, ok := p.(*ir.AddrOf)
	if !ok {
		panic(fmt.Sprintf("reduce: initial value %T", p))
	}
	for at := &a.Place; ; {
		if v.place != nil {
			v.place(at)
		}
		switch q := (*at).(type) {
		case *ir.Elem:
			if v.expr != nil {
				v.expr(&q.Index, frozen)
			}
			at = &q.Base
		case *ir.Member:
			at = &q.Base
		default:
			return
		}
	}
}

func (v *slots) onStmt(at *ir.Stmt) {
	if v.stmt != nil {
		if v.last {
			defer v.stmt(at)
		} else {
			v.stmt(at)
		}
	}
	typed := func(e *ir.Expr) bool { return v.onExpr(e, typed) }
	loose := func(e *ir.Expr) bool { return v.onExpr(e, loose) }
	switch s := (*at).(type) {
	case *ir.Assign:
		v.onExpr(&s.Src, whole)
		v.onPlace(&s.Dst)
	case *ir.Assume:
		v.onExpr(&s.Cond, whole)
	case *ir.Transfer, *ir.Fill:
		ir.Operands(s, loose, v.onPlace)
	default:
		ir.Operands(s, typed, v.onPlace)
	}
}

// onExpr visits an expression, and what it is made of. It returns true, as a walk over
// operands wants it.
func (v *slots) onExpr(at *ir.Expr, s slot) bool {
	family := ir.FamilyOf(*at)
	call := func() {
		if f := v.other[family]; f != nil {
			f(at)
		} else if v.expr != nil && family == ir.Integers {
			v.expr(at, s)
		}
	}
	if v.last {
		defer call()
	} else {
		call()
	}
	operand := func(e *ir.Expr) bool { return v.onExpr(e, typed) }
	switch e := (*at).(type) {
	case *ir.Select:
		v.onExpr(&e.If, loose)
		v.onExpr(&e.X, typed)
		v.onExpr(&e.Y, typed)
	case *ir.Convert:
		v.onExpr(&e.X, loose)
	case *ir.PtrAdd:
		v.onExpr(&e.X, typed)
		v.onExpr(&e.Index, loose)
	case *ir.Builtin:
		v.onExpr(&e.Args[0], typed)
		if len(e.Args) > 1 {
			v.onExpr(&e.Args[1], leaf)
		}
	default:
		ir.Operands(e, operand, v.onPlace)
	}
	return true
}

// onPlace visits a place, and what it is made of.
func (v *slots) onPlace(at *ir.Place) bool {
	if v.place != nil {
		v.place(at)
	}
	ir.Operands(*at, func(e *ir.Expr) bool { return v.onExpr(e, loose) }, v.onPlace)
	return true
}
