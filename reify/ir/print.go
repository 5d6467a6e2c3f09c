package ir

import (
	"fmt"
	"strconv"
)

// A printer appends text to buf. It writes <nil> for missing nodes.
type printer struct{ buf []byte }

func (w *printer) text(s string) { w.buf = append(w.buf, s...) }

func (w *printer) function(f *Function) {
	if f.Foreign != nil {
		w.foreign(f)
		return
	}
	w.text("func ")
	w.head(f)
	if f.Syms != symsUsed(f) {
		// Symbols that have gone, as when a reducer has dropped a statement.
		w.text(" syms " + strconv.Itoa(f.Syms))
	}
	w.text(" {\n")
	for _, r := range f.Types {
		w.text("    ")
		w.record(r)
		w.text("\n")
	}
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

// head prints the name, the parameters and the result.
func (w *printer) head(f *Function) {
	w.text("@" + f.Name + "(")
	comma := ""
	for _, v := range f.Vars {
		if v.Kind == Param {
			w.text(comma)
			w.decl(v)
			comma = ", "
		}
	}
	w.text(") " + f.Result.String())
}

// symsUsed returns the smallest f.Syms that covers the symbols in f, which is
// what the parser assumes.
func symsUsed(f *Function) int {
	n := 0
	for _, s := range f.Symbols() {
		n = max(n, s.ID+1)
	}
	return n
}

func (w *printer) record(r *Record) {
	if r == nil {
		w.text("<nil>")
		return
	}
	w.text(r.kind() + " " + r.Name + " {")
	for i, f := range r.Fields {
		if i > 0 {
			w.text(", ")
		}
		w.text(f.Name + " ")
		w.typ(f.Type)
		if f.Bits != 0 {
			w.text(":" + strconv.Itoa(f.Bits))
		}
	}
	w.text("}")
}

// kind returns the word that declares the record.
func (r *Record) kind() string {
	switch {
	case r.Cast:
		return "cast"
	case r.Union:
		return "union"
	}
	return "struct"
}

func (w *printer) typ(t Type) {
	if t == nil {
		w.text("<nil>")
		return
	}
	w.text(t.String())
}

func (w *printer) decl(v *Var) {
	if v.Const {
		w.text("const ")
	}
	if v.Volatile {
		w.text("volatile ")
	}
	if v.Kind != Param {
		w.text(v.Kind.String() + " ")
	}
	w.text(v.String() + " ")
	w.typ(v.Type)
	if v.Type == nil || len(v.Init) == 0 {
		return
	}
	w.text(" = ")
	if isScalar(v.Type) && len(v.Init) == 1 {
		w.init(v, 0, cell{t: v.Type})
		return
	}
	cells := cellsOf(v.Type, len(v.Init))
	w.text("{")
	for i := range v.Init {
		if i > 0 {
			w.text(", ")
		}
		at := cell{t: I32} // of a type that is not whole
		if len(cells) > 0 {
			at = cells[i%len(cells)]
		}
		w.init(v, i, at)
	}
	w.text("}")
}

// init prints the initial value i of v.
func (w *printer) init(v *Var, i int, at cell) {
	if at.hidden && v.Init[i] == nil {
		w.text("_")
		return
	}
	switch t := at.t.(type) {
	case Pointer:
		if i >= len(v.Ptrs) || v.Ptrs[i] == nil {
			w.text("null")
			return
		}
		w.expr(v.Ptrs[i], I32)
	case Int:
		w.expr(v.Init[i], t)
	default:
		w.expr(v.Init[i], I32)
	}
}

func (w *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case nil:
		w.text("<nil>")
	case *Assign:
		w.dst(s.Dst)
		w.expr(s.Src, wanted(s.Dst))
	case *Overflow:
		w.place(s.Flag)
		w.text(", ")
		w.dst(s.Dst)
		w.text(overflowName(s.Op) + "(")
		w.expr(s.X, wantedOperand(s.Dst))
		w.text(", ")
		w.expr(s.Y, wantedOperand(s.Dst))
		w.text(")")
	case *Transfer:
		w.text(s.Name() + "(")
		w.expr(s.Dst, I32)
		w.text(", ")
		w.expr(s.Src, I32)
		w.text(", ")
		w.expr(s.N, I32)
		w.text(")")
	case *Fill:
		w.text("memset(")
		w.expr(s.Dst, I32)
		w.text(", ")
		w.expr(s.Byte, I32)
		w.text(", ")
		w.expr(s.N, I32)
		w.text(")")
	case *Unreachable:
		w.text("unreachable")
	case *Assume:
		if s.Guard {
			w.text("unreachable unless ")
		} else {
			w.text("assume ")
		}
		w.expr(s.Cond, I32)
	default:
		panic(unknown(s))
	}
}

func (w *printer) dst(p Place) {
	w.place(p)
	w.text(" = ")
}

// overflowName returns the name of the builtin that an Overflow of o is.
func overflowName(o Op) string {
	if !o.Overflows() {
		return o.String() + "_overflow"
	}
	return o.OverflowFn().String()
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
	case *Switch:
		w.text("switch ")
		w.expr(t.X, I32)
		w.text(" {")
		want := chainType(t.X, I32)
		for _, c := range t.Cases {
			w.expr(c.Lo, want)
			if c.Hi != nil {
				w.text("..")
				w.expr(c.Hi, want)
			}
			w.text(": ")
			w.label(c.To)
			w.text(", ")
		}
		w.text("else ")
		w.label(t.Default)
		w.text("}")
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

func (w *printer) caseLine(c *Claim) {
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
		w.text(params[i].Name + " = " + paramInt(params[i]).Format(v))
	}
	w.text(")" + c.end() + " path")
	for _, i := range c.Path {
		if i < 0 || i >= len(c.Func.Blocks) {
			w.text(" <" + strconv.Itoa(i) + ">")
			continue
		}
		w.text(" " + c.Func.Blocks[i].Name)
	}
	w.text("\n")
}

// unknown returns the panic value for a node that no switch knows.
func unknown(node any) string { return fmt.Sprintf("ir: unknown node %T", node) }
