package ir

import "fmt"

// String returns the text form of the program: the functions, then the cases.
// Parse reads it back to an equal program if Check accepts it; what Check
// rejects prints too, so that its errors can quote it.
func (p *Program) String() string {
	var w printer
	for i, f := range p.Funcs {
		if i > 0 {
			w.text("\n")
		}
		w.function(f)
	}
	for _, c := range p.Cases {
		w.caseLine(c)
	}
	return string(w.buf)
}

// String returns the text form of the function, which ends in a newline.
func (f *Function) String() string {
	var w printer
	w.function(f)
	return string(w.buf)
}

// String returns the line of the text form that states the case, with its
// newline.
func (c *Case) String() string {
	var w printer
	w.caseLine(c)
	return string(w.buf)
}

// String returns the statement without indentation and newline.
func (s *Assign) String() string { return printStmt(s) }

// String returns the terminator without indentation and newline.
func (t *Goto) String() string { return printTerm(t, I32) }

// String returns the terminator without indentation and newline.
func (t *If) String() string { return printTerm(t, I32) }

// String returns the terminator without indentation and newline, as it stands
// in a function whose result has the type of t.Val.
func (t *Return) String() string {
	e := t.Val
	for {
		switch x := e.(type) {
		case *Binary:
			if !x.Op.Compares() {
				e = x.X
				continue
			}
		case *Const:
			return printTerm(t, x.T)
		case *Sym:
			return printTerm(t, x.T)
		}
		return printTerm(t, I32)
	}
}

// String returns the constant with its type if that is not i32.
func (e *Const) String() string { return printExpr(e) }

// String returns the symbol with its type if that is not i32.
func (e *Sym) String() string { return printExpr(e) }

// String returns the place that is loaded.
func (e *Load) String() string { return printExpr(e) }

// String returns the expression as it stands where the context tells no type.
func (e *Binary) String() string { return printExpr(e) }

// String returns the conversion, for example "i32(%b)".
func (e *Convert) String() string { return printExpr(e) }

// String returns the checksum, for example "checksum(%a, @g)".
func (e *Checksum) String() string { return printExpr(e) }

// String returns the call, for example "@g(%a + 1, 3)".
func (e *Call) String() string { return printExpr(e) }

// String returns the name of the variable with its sigil.
func (p *VarRef) String() string { return printPlace(p) }

// String returns the element, for example "@g[%x][2]".
func (p *Elem) String() string { return printPlace(p) }

// String returns the name with its sigil: % for parameters and locals, @ for
// globals and statics.
func (v *Var) String() string { return v.sigil() + v.Name }

func (v *Var) sigil() string {
	if v.Kind == Param || v.Kind == Local {
		return "%"
	}
	return "@"
}

var kindNames = [...]string{"param", "local", "global", "static"}

// String returns the word of the text form, and "param" for Param.
func (k Kind) String() string {
	if k < Param || k > Static {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

func printStmt(s Stmt) string {
	var w printer
	w.stmt(s)
	return string(w.buf)
}

func printTerm(t Term, result Int) string {
	var w printer
	w.term(t, result)
	return string(w.buf)
}

func printExpr(e Expr) string {
	var w printer
	w.expr(e, I32)
	return string(w.buf)
}

func printPlace(p Place) string {
	var w printer
	w.place(p)
	return string(w.buf)
}
