package ir

import (
	"math"
	"strconv"
	"strings"
)

// Precedences beyond those of Op.prec: an operator that is not one of the binary
// ones is in parentheses where a tighter one is wanted.
const (
	precSelect  = 0
	precUnary   = 11
	precPostfix = 12 // of "->", "." and "["
)

// expr prints a whole expression where the context wants the type want.
func (w *printer) expr(e Expr, want Int) { w.chain(e, chainType(e, want), 0) }

// open prints a parenthesis if an operator of precedence own is printed where one of
// prec or more is wanted, and returns the closing one.
func (w *printer) open(own, prec int) string {
	if own >= prec {
		return ""
	}
	w.text("(")
	return ")"
}

// chain prints e in a chain of type t; operators that bind less tightly than
// prec are put in parentheses.
func (w *printer) chain(e Expr, t Int, prec int) {
	switch e := e.(type) {
	case nil:
		w.text("<nil>")
	case *Const:
		w.text(e.T.Format(e.V))
		w.suffix(e.T, t)
	case *FloatConst:
		w.text(formatFloat(e.V))
		if e.T != F64 {
			w.text(":" + e.T.String())
		}
	case *Null:
		w.text("null:" + e.T.String())
	case *Sym:
		w.text("?" + strconv.Itoa(e.ID))
		w.suffix(e.T, t)
	case *Load:
		own := precPostfix
		if _, ok := e.Place.(*Deref); ok {
			own = precUnary
		}
		end := w.open(own, prec)
		w.place(e.Place)
		w.text(end)
	case *Unary:
		end := w.open(precUnary, prec)
		w.text(e.Op.String())
		if e.Op == LNot {
			t = chainType(e.X, I32)
		}
		w.negated(e, t)
		w.text(end)
	case *Binary:
		if e.Op.Yields01() {
			t = operandType(e)
		}
		w.infix(e.Op, prec, t, e.X, e.Y, t)
	case *PtrAdd:
		w.infix(Add, prec, t, e.X, e.Index, chainType(e.Index, I32))
	case *Select:
		end := w.open(precSelect, prec)
		w.chain(e.If, chainType(e.If, I32), precSelect+1)
		w.text(" ? ")
		w.chain(e.X, t, precSelect)
		w.text(" : ")
		w.chain(e.Y, t, precSelect)
		w.text(end)
	case *Convert:
		if v, ok := e.T.(Vector); ok {
			w.typed("convert", v, e.X)
			return
		}
		w.typ(e.T)
		w.list(1, func(int) { w.expr(e.X, I32) })
	case *Cast:
		name := "bitcast"
		if _, ok := e.T.(Pointer); ok {
			name = "cast"
		}
		w.typed(name, e.T, e.X)
	case *Builtin:
		w.text(e.Fn.String())
		w.list(len(e.Args), func(i int) { w.expr(e.Args[i], e.Fn.wants()) })
	case *Checksum:
		w.text("checksum")
		w.list(len(e.Of), func(i int) { w.place(&VarRef{e.Of[i]}) })
	case *Call:
		if e.Func == nil {
			w.text("<nil>")
		} else {
			w.text("@" + e.Func.Name)
		}
		w.list(len(e.Args), func(i int) { w.expr(e.Args[i], paramType(e, i)) })
	case *AddrOf:
		end := w.open(precUnary, prec)
		w.text("&")
		w.place(e.Place)
		w.text(end)
	case *VecOf:
		w.text(e.T.String() + "{")
		for i, lane := range e.Lanes {
			if i > 0 {
				w.text(", ")
			}
			w.expr(lane, e.T.Elem)
		}
		w.text("}")
	case *Shuffle:
		w.text("shuffle(")
		w.expr(e.X, I32)
		w.text(", ")
		w.expr(e.Y, I32)
		for _, i := range e.Index {
			w.text(", " + strconv.Itoa(i))
		}
		w.text(")")
	case *VecCall:
		w.text("call")
		w.list(1, func(int) { w.expr(e.X, I32) })
	default:
		panic(unknown(e))
	}
}

// typed prints a function of a type and a value.
func (w *printer) typed(name string, t Type, x Expr) {
	w.text(name + "(")
	w.typ(t)
	w.text(", ")
	w.expr(x, I32)
	w.text(")")
}

// infix prints op between its operands, x in a chain of type t and y in one of type u, where
// an operator of prec or more is wanted.
func (w *printer) infix(op Op, prec int, t Int, x, y Expr, u Int) {
	own := op.prec()
	end := w.open(own, prec)
	w.chain(x, t, own)
	w.text(" " + op.String() + " ")
	w.chain(y, u, own+1)
	w.text(end)
}

// list prints n things in parentheses, with commas between them.
func (w *printer) list(n int, print func(i int)) {
	w.text("(")
	for i := range n {
		if i > 0 {
			w.text(", ")
		}
		print(i)
	}
	w.text(")")
}

// negated prints the operand of e in a chain of type t. A parenthesis or a blank keeps a
// text that could be read as the sign of a constant apart from it.
func (w *printer) negated(e *Unary, t Int) {
	if e.Op == Neg {
		switch x := e.X.(type) {
		case *Const, *FloatConst:
			w.text("(")
			w.chain(x, t, 0)
			w.text(")")
			return
		case *Unary:
			if x.Op == Neg {
				w.text(" ")
			}
		}
	}
	w.chain(e.X, t, precUnary)
}

func (w *printer) suffix(t, inferred Int) {
	if t != inferred {
		w.text(":" + t.String())
	}
}

func (w *printer) place(p Place) {
	switch p := p.(type) {
	case nil:
		w.text("<nil>")
	case *VarRef:
		if p.Var == nil {
			w.text("<nil>")
			return
		}
		w.text(p.Var.sigil())
		w.text(p.Var.Name)
	case *Elem:
		w.base(p.Base)
		w.text("[")
		w.expr(p.Index, I32)
		w.text("]")
	case *Member:
		if d, ok := p.Base.(*Deref); ok {
			w.chain(d.X, I32, precPostfix)
			w.text("->")
		} else {
			w.base(p.Base)
			w.text(".")
		}
		if r, ok := placeType(p.Base).(*Record); ok && r.has(p.Field) {
			w.text(r.Fields[p.Field].Name)
		} else {
			w.text("<" + strconv.Itoa(p.Field) + ">")
		}
	case *Deref:
		w.text("*")
		w.chain(p.X, I32, precUnary)
	default:
		panic(unknown(p))
	}
}

// base prints a place that an index or a member's name follows.
func (w *printer) base(p Place) {
	_, deref := p.(*Deref)
	if deref {
		w.text("(")
	}
	w.place(p)
	if deref {
		w.text(")")
	}
}

// formatFloat returns the shortest decimal that is v, with a point or an
// exponent.
func formatFloat(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if math.IsInf(v, 0) || math.IsNaN(v) || strings.ContainsAny(s, ".e") {
		return s
	}
	return s + ".0"
}
