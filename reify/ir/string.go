package ir

import "fmt"

// String returns the text form of the program: the functions, then the cases. Parse
// reads it back to an equal program if Check accepts it. A program that Check rejects
// prints too, so that its errors can quote it.
func (p *Program) String() string {
	var w printer
	for i, f := range p.Funcs {
		if i > 0 {
			w.text("\n")
		}
		w.function(f)
	}
	for _, c := range p.Claims {
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
func (c *Claim) String() string {
	var w printer
	w.caseLine(c)
	return string(w.buf)
}

// String returns the statement without indentation and newline.
func (s *Assign) String() string { return printNode(s) }

// String returns the statement without indentation and newline.
func (s *Overflow) String() string { return printNode(s) }

// String returns the statement without indentation and newline.
func (s *Transfer) String() string { return printNode(s) }

// String returns the statement without indentation and newline.
func (s *Fill) String() string { return printNode(s) }

// String returns the statement without indentation and newline.
func (s *Unreachable) String() string { return printNode(s) }

// String returns the statement without indentation and newline.
func (s *Assume) String() string { return printNode(s) }

// String returns the terminator without indentation and newline.
func (t *Goto) String() string { return printTerm(t, I32) }

// String returns the terminator without indentation and newline.
func (t *If) String() string { return printTerm(t, I32) }

// String returns the terminator without indentation and newline.
func (t *Switch) String() string { return printTerm(t, I32) }

// String returns the terminator without indentation and newline, as it stands
// in a function whose result has the type of t.Val.
func (t *Return) String() string {
	e := t.Val
	for {
		switch x := e.(type) {
		case *Binary:
			if !x.Op.Yields01() {
				e = x.X
				continue
			}
		case *Unary:
			if x.Op != LNot {
				e = x.X
				continue
			}
		case *Select:
			e = x.X
			continue
		case *Const:
			return printTerm(t, x.T)
		case *Sym:
			return printTerm(t, x.T)
		}
		return printTerm(t, I32)
	}
}

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

func printTerm(t Term, result Int) string {
	var w printer
	w.term(t, result)
	return string(w.buf)
}
