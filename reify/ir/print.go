package ir

import (
	"fmt"
	"strconv"
)

// A printer appends text to buf. It writes <nil> for what is missing.
type printer struct{ buf []byte }

func (w *printer) text(s string) { w.buf = append(w.buf, s...) }

func (w *printer) function(f *Function) {
	w.text("func @" + f.Name + "(")
	comma := ""
	for _, v := range f.Vars {
		if v.Kind == Param {
			w.text(comma)
			w.decl(v)
			comma = ", "
		}
	}
	w.text(") " + f.Result.String())
	if f.Syms != symsUsed(f) {
		// Symbols that have gone, as when a reducer has dropped a statement.
		w.text(" syms " + strconv.Itoa(f.Syms))
	}
	w.text(" {\n")
	for _, v := range f.Vars {
		if v.Kind != Param {
			w.text("    ")
			w.decl(v)
			w.text("\n")
		}
	}
	for _, b := range f.Blocks {
		w.text("  " + b.Name + ":\n")
		for _, s := range b.Stmts {
			w.text("    ")
			w.stmt(s)
			w.text("\n")
		}
		w.text("    ")
		w.term(b.Term, f.Result)
		w.text("\n")
	}
	w.text("}\n")
}

// symsUsed returns the smallest f.Syms that covers the symbols in f, which is
// what the parser assumes.
func symsUsed(f *Function) int {
	n := 0
	for e := range f.Exprs() {
		if s, ok := (*e).(*Sym); ok {
			n = max(n, s.ID+1)
		}
	}
	return n
}

func (w *printer) decl(v *Var) {
	if v.Volatile {
		w.text("volatile ")
	}
	if v.Kind != Param {
		w.text(v.Kind.String() + " ")
	}
	w.text(v.String() + " ")
	if v.Type == nil {
		w.text("<nil>")
		return
	}
	w.text(v.Type.String())
	if len(v.Init) == 0 {
		return
	}
	w.text(" = ")
	want := Scalar(v.Type)
	if _, scalar := v.Type.(Int); scalar && len(v.Init) == 1 {
		w.expr(v.Init[0], want)
		return
	}
	w.text("{")
	for i, e := range v.Init {
		if i > 0 {
			w.text(", ")
		}
		w.expr(e, want)
	}
	w.text("}")
}

func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case nil:
		w.text("<nil>")
	case *Assign:
		w.place(s.Dst)
		w.text(" = ")
		want, ok := placeType(s.Dst).(Int)
		if !ok {
			want = I32
		}
		w.expr(s.Src, want)
	default:
		panic(unknown(s))
	}
}

func (w *printer) term(t Term, result Int) {
	switch t := t.(type) {
	case nil:
		w.text("<nil>")
	case *Goto:
		w.text("goto ")
		w.label(t.To)
	case *If:
		w.text("if ")
		w.expr(t.Cond, I32)
		w.text(" goto ")
		w.label(t.Then)
		w.text(" else ")
		w.label(t.Else)
	case *Return:
		w.text("return ")
		w.expr(t.Val, result)
	default:
		panic(unknown(t))
	}
}

func (w *printer) label(b *Block) {
	if b == nil {
		w.text("<nil>")
		return
	}
	w.text(b.Name)
}

// expr prints a whole expression where the context wants the type want.
func (w *printer) expr(e Expr, want Int) { w.chain(e, chainType(e, want), 0) }

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
	case *Binary:
		own := e.Op.prec()
		if own < prec {
			w.text("(")
			defer w.text(")")
		}
		if e.Op.Compares() {
			t = operandType(e)
		}
		w.chain(e.X, t, own)
		w.text(" ")
		w.text(e.Op.String())
		w.text(" ")
		w.chain(e.Y, t, own+1)
	case *Convert:
		w.text(e.T.String() + "(")
		w.expr(e.X, I32)
		w.text(")")
	case *Checksum:
		w.text("checksum(")
		for i, v := range e.Of {
			if i > 0 {
				w.text(", ")
			}
			w.place(&VarRef{v})
		}
		w.text(")")
	case *Call:
		if e.Func == nil {
			w.text("<nil>(")
		} else {
			w.text("@" + e.Func.Name + "(")
		}
		for i, arg := range e.Args {
			if i > 0 {
				w.text(", ")
			}
			w.expr(arg, paramType(e, i))
		}
		w.text(")")
	default:
		panic(unknown(e))
	}
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
		w.place(p.Base)
		w.text("[")
		w.expr(p.Index, I32)
		w.text("]")
	default:
		panic(unknown(p))
	}
}

func (w *printer) caseLine(c *Case) {
	w.text("case ")
	if c.Func == nil {
		w.text("<nil>\n")
		return
	}
	w.text(c.Func.Name + "(")
	params := c.Func.Params()
	for i, v := range c.Args {
		if i > 0 {
			w.text(", ")
		}
		if i >= len(params) {
			w.text("<nil> = " + strconv.FormatInt(v, 10))
			continue
		}
		w.text(params[i].Name + " = " + Scalar(params[i].Type).Format(v))
	}
	w.text(") = " + c.Func.Result.Format(c.Want) + " path")
	for _, i := range c.Path {
		if i < 0 || i >= len(c.Func.Blocks) {
			w.text(" <" + strconv.Itoa(i) + ">")
			continue
		}
		w.text(" " + c.Func.Blocks[i].Name)
	}
	w.text("\n")
}

// prec returns the precedence of o, as in C; all operators associate to the
// left.
func (o Op) prec() int {
	switch o {
	case Mul, Div, Rem:
		return 4
	case Add, Sub:
		return 3
	case Lt, Le, Gt, Ge:
		return 2
	case Eq, Ne:
		return 1
	}
	return 0 // no operator: in parentheses everywhere
}

// unknown is what to panic with for a node that no switch knows.
func unknown(node any) string { return fmt.Sprintf("ir: unknown node %T", node) }
