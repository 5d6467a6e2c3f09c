package sketch

import (
	"fmt"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// maxBuffer bounds the subtrees that are kept: the older ones stay, to be common with
// later ones.
const maxBuffer = 16

// keep puts a subtree that has no symbols and reads nothing volatile into the
// buffer of common subexpressions.
func (w *exprWriter) keep(e ir.Expr) {
	if w.p.Reuse > 0 && len(w.buffer) < maxBuffer {
		w.buffer = append(w.buffer, e)
	}
}

// reuse returns a copy of a subtree in the buffer as a value of type t, mostly of one
// that has that type already; nil if the buffer is empty.
func (w *exprWriter) reuse(t ir.Int) ir.Expr {
	if len(w.buffer) == 0 {
		return nil
	}
	e := choice.Pick(w.s, w.buffer)
	for range 3 {
		if ir.IntOf(e) == t {
			break
		}
		e = choice.Pick(w.s, w.buffer)
	}
	return convert(t, duplicate(e))
}

// duplicate returns a copy of a subtree without symbols, floating-point numbers
// and calls.
func duplicate(e ir.Expr) ir.Expr {
	switch e := e.(type) {
	case *ir.Const:
		return &ir.Const{T: e.T, V: e.V}
	case *ir.Load:
		return &ir.Load{Place: duplicatePlace(e.Place)}
	case *ir.Convert:
		return &ir.Convert{T: e.T, X: duplicate(e.X)}
	case *ir.Unary:
		return &ir.Unary{Op: e.Op, X: duplicate(e.X)}
	case *ir.Binary:
		return bin(e.Op, duplicate(e.X), duplicate(e.Y))
	case *ir.Select:
		return &ir.Select{If: duplicate(e.If), X: duplicate(e.X), Y: duplicate(e.Y)}
	case *ir.WideToInt:
		return &ir.WideToInt{T: e.T, X: duplicateWide(e.X)}
	case *ir.WideCompare:
		return &ir.WideCompare{Op: e.Op, X: duplicateWide(e.X), Y: duplicateWide(e.Y)}
	case *ir.Builtin:
		c := &ir.Builtin{Fn: e.Fn}
		for _, arg := range e.Args {
			c.Args = append(c.Args, duplicate(arg))
		}
		return c
	}
	panic(fmt.Sprintf("sketch: %T in the buffer of subexpressions", e))
}

func duplicatePlace(p ir.Place) ir.Place {
	switch p := p.(type) {
	case *ir.VarRef:
		return &ir.VarRef{Var: p.Var}
	case *ir.Elem:
		return &ir.Elem{Base: duplicatePlace(p.Base), Index: duplicate(p.Index)}
	case *ir.Member:
		return &ir.Member{Base: duplicatePlace(p.Base), Field: p.Field}
	case *ir.Deref:
		return &ir.Deref{X: duplicatePtr(p.X)}
	}
	panic(fmt.Sprintf("sketch: %T in the buffer of subexpressions", p))
}

func duplicatePtr(p ir.Expr) ir.Expr {
	switch p := p.(type) {
	case *ir.LoadPtr:
		return &ir.LoadPtr{Place: duplicatePlace(p.Place)}
	case *ir.PtrAdd:
		return &ir.PtrAdd{X: duplicatePtr(p.X), Index: duplicate(p.Index)}
	case *ir.AddrOf:
		return &ir.AddrOf{Place: duplicatePlace(p.Place)}
	case *ir.PtrSelect:
		return &ir.PtrSelect{If: duplicate(p.If), X: duplicatePtr(p.X), Y: duplicatePtr(p.Y)}
	}
	panic(fmt.Sprintf("sketch: %T in the buffer of subexpressions", p))
}
