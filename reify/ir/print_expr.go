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

// prec returns the precedence of o, from 1 to 10, as in C; all binary operators
// associate to the left.
func (o Op) prec() int {
	switch o {
	case Mul, Div, Rem:
		return 10
	case Add, Sub:
		return 9
	case Shl, Shr:
		return 8
	case Lt, Le, Gt, Ge:
		return 7
	case Eq, Ne:
		return 6
	case And:
		return 5
	case Xor:
		return 4
	case Or:
		return 3
	case LAnd:
		return 2
	case LOr:
		return 1
	}
	return 0 // no operator: in parentheses everywhere
}

// expr prints a whole expression where the context wants the type want.
func (w *printer) expr(e Expr, want Int) { w.chain(e, chainType(e, want), 0) }

// any prints an expression of whatever family. Printers of families call it for operands
// of another one, as the checker prints those.
func (w *printer) any(e Expr) {
	switch FamilyOf(e) {
	case Pointers:
		w.ptr(e, 0)
	case Floats:
		w.float(e, 0)
	case Vectors:
		w.vec(e, 0)
	case Wides:
		w.wide(e, 0)
	default:
		w.expr(e, I32)
	}
}

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
	case *Sym:
		w.text("?" + strconv.Itoa(e.ID))
		w.suffix(e.T, t)
	case *Load:
		w.place(e.Place)
	case *Unary:
		end := w.open(precUnary, prec)
		w.text(e.Op.String())
		if e.Op == LNot {
			t = chainType(e.X, I32)
		}
		w.negated(e.Op, e.X, func(prec int) { w.chain(e.X, t, prec) })
		w.text(end)
	case *Binary:
		if e.Op.Yields01() {
			t = operandType(e)
		}
		infix(w, e.Op, prec, func(x Expr, prec int) { w.chain(x, t, prec) }, e.X, e.Y)
	case *Select:
		end := w.open(precSelect, prec)
		w.chain(e.If, chainType(e.If, I32), precSelect+1)
		w.text(" ? ")
		w.chain(e.X, t, precSelect)
		w.text(" : ")
		w.chain(e.Y, t, precSelect)
		w.text(end)
	case *Convert:
		w.text(e.T.String() + "(")
		w.expr(e.X, I32)
		w.text(")")
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
	case *PtrCompare:
		infix(w, e.Op, prec, w.ptr, e.X, e.Y)
	case *PtrDiff:
		infix(w, Sub, prec, w.ptr, e.X, e.Y)
	case *FloatToInt:
		w.text(e.T.String() + "(")
		w.float(e.X, 0)
		w.text(")")
	case *FloatCompare:
		infix(w, e.Op, prec, w.float, e.X, e.Y)
	case *WideToInt:
		w.text(e.T.String() + "(")
		w.wide(e.X, 0)
		w.text(")")
	case *WideCompare:
		if e.Op.Overflows() {
			w.text(overflowName(e.Op) + "(")
			w.wide(e.X, 0)
			w.text(", ")
			w.wide(e.Y, 0)
			w.text(")")
			return
		}
		infix(w, e.Op, prec, w.wide, e.X, e.Y)
	default:
		if FamilyOf(e) == Integers {
			panic(unknown(e))
		}
		w.any(e)
	}
}

// infix prints op between its operands with the function print, where an operator of
// prec or more is wanted.
func infix[E any](w *printer, op Op, prec int, print func(e E, prec int), x, y E) {
	own := op.prec()
	end := w.open(own, prec)
	print(x, own)
	w.operator(op)
	print(y, own+1)
	w.text(end)
}

func (w *printer) operator(o Op) {
	w.text(" ")
	w.text(o.String())
	w.text(" ")
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

// negated prints the operand x of op with print. A parenthesis keeps a text that could
// be read as the sign of a constant apart from it.
func (w *printer) negated(op UnOp, x any, print func(prec int)) {
	if op == Neg {
		switch x := x.(type) {
		case *Const, *FloatConst:
			w.text("(")
			print(0)
			w.text(")")
			return
		case *Unary:
			if x.Op == Neg {
				w.text(" ")
			}
		case *VecUnary:
			if x.Op == Neg {
				w.text(" ")
			}
		case *WideUnary:
			if x.Op == Neg {
				w.text(" ")
			}
		case *FloatNeg:
			w.text(" ")
		}
	}
	print(precUnary)
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
			w.ptr(d.X, precPostfix)
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
		w.ptr(p.X, precUnary)
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

func (w *printer) ptr(e Expr, prec int) {
	switch e := e.(type) {
	case nil:
		w.text("<nil>")
	case *AddrOf:
		end := w.open(precUnary, prec)
		w.text("&")
		w.place(e.Place)
		w.text(end)
	case *LoadPtr:
		own := precPostfix
		if _, ok := e.Place.(*Deref); ok {
			own = precUnary
		}
		end := w.open(own, prec)
		w.place(e.Place)
		w.text(end)
	case *Null:
		w.text("null:" + e.T.String())
	case *PtrAdd:
		own := Add.prec()
		end := w.open(own, prec)
		w.ptr(e.X, own)
		w.operator(Add)
		w.chain(e.Index, chainType(e.Index, I32), own+1)
		w.text(end)
	case *PtrCast:
		w.text("cast(" + e.T.String() + ", ")
		w.ptr(e.X, 0)
		w.text(")")
	case *PtrSelect:
		end := w.open(precSelect, prec)
		w.chain(e.If, chainType(e.If, I32), precSelect+1)
		w.text(" ? ")
		w.ptr(e.X, precSelect)
		w.text(" : ")
		w.ptr(e.Y, precSelect)
		w.text(end)
	default:
		w.any(e)
	}
}

func (w *printer) float(e Expr, prec int) {
	switch e := e.(type) {
	case nil:
		w.text("<nil>")
	case *FloatConst:
		w.text(formatFloat(e.V))
		if e.T != F64 {
			w.text(":" + e.T.String())
		}
	case *FloatLoad:
		w.place(e.Place)
	case *FloatNeg:
		end := w.open(precUnary, prec)
		w.text("-")
		w.negated(Neg, e.X, func(prec int) { w.float(e.X, prec) })
		w.text(end)
	case *FloatBinary:
		infix(w, e.Op, prec, w.float, e.X, e.Y)
	case *FloatConvert:
		w.text(e.T.String() + "(")
		w.float(e.X, 0)
		w.text(")")
	case *FloatOf:
		w.text(e.T.String() + "(")
		w.expr(e.X, I32)
		w.text(")")
	default:
		w.any(e)
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

func (w *printer) vec(e Expr, prec int) {
	switch e := e.(type) {
	case nil:
		w.text("<nil>")
	case *VecLoad:
		w.place(e.Place)
	case *VecOf:
		w.text(e.T.String() + "{")
		for i, lane := range e.Lanes {
			if i > 0 {
				w.text(", ")
			}
			w.expr(lane, e.T.Elem)
		}
		w.text("}")
	case *VecUnary:
		end := w.open(precUnary, prec)
		w.text(e.Op.String())
		w.negated(e.Op, e.X, func(prec int) { w.vec(e.X, prec) })
		w.text(end)
	case *VecBinary:
		infix(w, e.Op, prec, w.vec, e.X, e.Y)
	case *VecShuffle:
		w.text("shuffle(")
		w.vec(e.X, 0)
		w.text(", ")
		w.vec(e.Y, 0)
		for _, i := range e.Index {
			w.text(", " + strconv.Itoa(i))
		}
		w.text(")")
	case *VecConvert:
		w.text("convert(" + e.T.String() + ", ")
		w.vec(e.X, 0)
		w.text(")")
	case *VecCast:
		w.text("bitcast(" + e.T.String() + ", ")
		w.vec(e.X, 0)
		w.text(")")
	case *VecCall:
		w.text("call(")
		w.vec(e.X, 0)
		w.text(")")
	default:
		w.any(e)
	}
}

func (w *printer) wide(e Expr, prec int) {
	switch e := e.(type) {
	case nil:
		w.text("<nil>")
	case *WideLoad:
		w.place(e.Place)
	case *WideOf:
		w.text(e.T.String() + "(")
		w.expr(e.X, I32)
		w.text(")")
	case *WideConvert:
		w.text(e.T.String() + "(")
		w.wide(e.X, 0)
		w.text(")")
	case *WideUnary:
		end := w.open(precUnary, prec)
		w.text(e.Op.String())
		w.negated(e.Op, e.X, func(prec int) { w.wide(e.X, prec) })
		w.text(end)
	case *WideBinary:
		infix(w, e.Op, prec, w.wide, e.X, e.Y)
	case *WideSelect:
		end := w.open(precSelect, prec)
		w.chain(e.If, chainType(e.If, I32), precSelect+1)
		w.text(" ? ")
		w.wide(e.X, precSelect)
		w.text(" : ")
		w.wide(e.Y, precSelect)
		w.text(end)
	default:
		w.any(e)
	}
}
