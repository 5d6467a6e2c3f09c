package c

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// visit calls see for every expression and place in a block of fn, and for their parts.
func visit(fn *ir.Function, see func(ir.Node)) {
	look := func(n ir.Node) bool {
		visitNode(n, see)
		return true
	}
	for _, b := range fn.Blocks {
		for _, s := range b.Stmts {
			ir.Parts(s, look)
		}
		switch t := b.Term.(type) {
		case *ir.Goto:
		case *ir.If:
			visitNode(t.Cond, see)
		case *ir.Switch:
			visitNode(t.X, see)
		case *ir.Return:
			visitNode(t.Val, see)
		default:
			panic(fmt.Sprintf("emit/c: unknown terminator %T", t))
		}
	}
}

func visitNode(n ir.Node, see func(ir.Node)) {
	ir.Any(n, func(part ir.Node) bool {
		see(part)
		return false
	})
}

// visitAll is visit, also for the initial values of pointers.
func visitAll(fn *ir.Function, see func(ir.Node)) {
	for _, v := range fn.Vars {
		for _, p := range v.Ptrs {
			if p != nil {
				visitNode(p, see)
			}
		}
	}
	visit(fn, see)
}

// needs are the definitions that a function needs at file scope besides its variables.
type needs struct {
	vectors []ir.Vector // types, in the order of their first use
	wides   []ir.Wide   // the same
	sums    []ir.Float  // types of scalars in checksums
	macros  []string    // see vectorMacros
	calls   []*ir.VecCall

	overflows []*ir.Builtin // that ask whether an operator overflows
}

func needsOf(fn *ir.Function) needs {
	var n needs
	for _, r := range fn.Types {
		for _, field := range r.Fields {
			n.addType(field.Type)
		}
	}
	for _, v := range fn.Vars {
		n.addType(v.Type)
	}
	visit(fn, func(node ir.Node) {
		e, ok := node.(ir.Expr)
		if !ok {
			return
		}
		if b, ok := e.(*ir.Binary); ok && !b.Op.Compares() {
			return // its type is that of X, which comes next
		}
		switch ir.FamilyOf(e) {
		case ir.Vectors, ir.Pointers, ir.Wides:
			n.addType(e.Type())
		}
		n.add(e)
	})
	return n
}

// add adds the needs of e besides its type.
func (n *needs) add(e ir.Expr) {
	switch e := e.(type) {
	case *ir.Builtin:
		if _, ok := e.Fn.Overflows(); ok {
			n.overflows = append(n.overflows, e)
		}
	case *ir.Checksum:
		for _, v := range e.Of {
			if _, integers := ir.Innermost(v.Type).(ir.Int); integers {
				continue
			}
			for i := range ir.Count(v.Type) {
				if t, ok := ir.Cell(v.Type, i).(ir.Float); ok && !slices.Contains(n.sums, t) {
					n.sums = append(n.sums, t)
				}
			}
		}
	case *ir.Shuffle:
		name := shuffleMacro
		if ir.TypeOf[ir.Vector](e.X).Padded() != ir.TypeOf[ir.Vector](e).Padded() {
			name = resizeMacro
		}
		n.macros = append(n.macros, name)
		n.addType(maskOf(ir.TypeOf[ir.Vector](e)))
	case *ir.Cast:
		if from, to, most := lanesOf(e); from != to {
			n.macros = append(n.macros, shuffleMacro, lowFirstMacro)
			n.addType(maskOf(most))
		}
	case *ir.VecCall:
		n.calls = append(n.calls, e)
	}
}

// addType adds the vectors that t contains or that its pointers point to.
func (n *needs) addType(t ir.Type) {
	switch t := t.(type) {
	case ir.Int, ir.Float, *ir.Record:
	case ir.Array:
		n.addType(t.Elem)
	case ir.Pointer:
		n.addType(t.Elem)
	case ir.Wide:
		if !slices.Contains(n.wides, t) {
			n.wides = append(n.wides, t)
		}
	case ir.Vector:
		if !slices.Contains(n.vectors, t) {
			n.vectors = append(n.vectors, t)
		}
	default:
		panic(fmt.Sprintf("emit/c: unknown type %T", t))
	}
}
