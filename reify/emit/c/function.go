package c

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A function is one unit as it is written.
type function struct {
	*printer
	unit  Unit
	names names
	whole *whole // the program that the function is a part of, or nil
}

func newFunction(p *printer, u Unit, n names) *function {
	for _, c := range u.More {
		if c.Func != u.Case.Func {
			panic(fmt.Sprintf("emit/c: a case of %s in a unit of %s", c.Func.Name, u.Case.Func.Name))
		}
	}
	return &function{printer: p, unit: u, names: n}
}

// globals writes what the function has at file scope.
func (f *function) globals() {
	fn := f.unit.Case.Func
	f.str("\n")
	start := len(f.buf)
	for i, name := range f.names.inputs {
		v := fn.Vars[i]
		if f.unit.Style.VolatileArgs {
			f.str("volatile ")
		}
		t := v.Type.(ir.Int)
		f.str(typeName(t) + " " + name + " = ")
		f.constant(t, f.unit.Case.Args[i])
		f.str(";\n")
	}
	for _, v := range fn.Vars {
		switch v.Kind {
		case ir.Static:
			f.str("static ")
			f.declare(v, 0)
		case ir.Global:
			f.declare(v, 0)
		}
	}
	if len(f.buf) > start {
		f.str("\n")
	}
}

// define writes the comment and the definition of the function.
func (f *function) define() {
	f.comment()
	f.signature()
	f.str("\n{\n")
	f.locals()
	if f.unit.Style.Structured {
		f.structured()
	} else {
		f.flat()
	}
	f.end(0)
	f.str("\n")
}

// signature writes the declarator of the function and what stands before it.
func (f *function) signature() {
	fn, style := f.unit.Case.Func, f.unit.Style
	if style.NoInline {
		f.str(noinlineMacro + " ")
	}
	if f.whole != nil {
		f.whole.attributes(fn)
	}
	switch style.Linkage {
	case Static:
		f.str("static ")
	case StaticInline:
		f.str("static inline ")
	case Extern:
	default:
		panic(fmt.Sprintf("emit/c: unknown linkage %d", int(style.Linkage)))
	}
	f.str(typeName(fn.Result) + " " + f.names.fn + "(")
	if params := fn.Params(); len(params) == 0 || style.ParamsAsGlobals {
		f.str("void")
	} else {
		for i, v := range params {
			if i > 0 {
				f.str(", ")
			}
			f.variable(v)
		}
	}
	f.str(")")
}

// comment says what the function is claimed to do, a comment for each case. A
// path of many blocks is cut short: the claim is in the case, the comment is
// for the reader.
func (f *function) comment() {
	const most = 60
	for i, c := range f.unit.cases() {
		if f.whole != nil && c.Path == nil {
			continue // it is called by other functions only
		}
		f.str("/* " + f.names.fn + "(")
		for i, v := range c.Args {
			if i > 0 {
				f.str(", ")
			}
			f.str(c.Func.Vars[i].Type.(ir.Int).Format(v))
		}
		f.str(") returns " + c.Func.Result.Format(c.Want) + " by ")
		if i > 0 && slices.Equal(c.Path, f.unit.Case.Path) {
			f.str("the same way. */\n")
			continue
		}
		f.str("way of")
		for i, b := range c.Path {
			if i == most && len(c.Path) > most+1 {
				f.space(" * ")
				f.str("and ")
				f.int(len(c.Path) - most)
				f.str(" more")
				break
			}
			f.space(" * ")
			f.str(f.names.labels[b])
		}
		f.str(". */\n")
	}
}

// locals writes the declarations of the entry block.
func (f *function) locals() {
	fn := f.unit.Case.Func
	for i, name := range f.names.inputs {
		f.begin(1)
		f.variable(fn.Vars[i])
		f.str(" = " + name + ";\n")
	}
	for _, v := range fn.Vars {
		if v.Kind == ir.Local {
			f.declare(v, 1)
		}
	}
	if slices.ContainsFunc(checksums(fn), func(c *ir.Checksum) bool { return len(c.Of) > 0 }) {
		f.line(1, "unsigned "+f.names.crc+";")
	}
}

// variable writes the declarator of v without an initialiser.
func (f *function) variable(v *ir.Var) {
	if v.Volatile {
		f.str("volatile ")
	}
	f.str(typeName(ir.Scalar(v.Type)))
	f.str(" ")
	f.str(f.names.vars[v.Index])
	for t := v.Type; ; {
		a, ok := t.(ir.Array)
		if !ok {
			break
		}
		f.str("[")
		f.int(a.Len)
		f.str("]")
		t = a.Elem
	}
}

// declare writes a declaration with the initialiser.
func (f *function) declare(v *ir.Var, depth int) {
	f.begin(depth)
	f.variable(v)
	if v.Init != nil {
		f.str(" = ")
		f.initialiser(v.Type, v.Init, depth)
	}
	f.str(";\n")
}

func (f *function) initialiser(t ir.Type, init []ir.Expr, depth int) {
	a, ok := t.(ir.Array)
	if !ok {
		f.expr(init[0])
		return
	}
	if f.unit.Style.FlatBraces {
		a = ir.Array{Elem: ir.Scalar(t), Len: ir.Count(t)}
	}
	f.str("{")
	each := ir.Count(a.Elem)
	for i := range a.Len {
		if i > 0 {
			f.str(",")
			f.space(blanks[:(depth+1)*indentWidth])
		}
		f.initialiser(a.Elem, init[i*each:(i+1)*each], depth)
	}
	f.str("}")
}

// stmts writes the label and the statements of a block.
func (f *function) stmts(b *ir.Block, depth int) {
	f.label(depth, f.names.labels[b.Index])
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ir.Assign:
			sum, isSum := s.Src.(*ir.Checksum)
			last := ""
			if isSum {
				last = f.checksum(sum, depth)
			}
			f.begin(depth)
			text := f.appendPlace(f.buf, s.Dst)
			text = append(text, " = "...)
			if isSum {
				text = append(text, last...)
			} else {
				text = f.appendExpr(text, s.Src, anyPrec)
			}
			f.buf = append(text, ";\n"...)
		default:
			panic(fmt.Sprintf("emit/c: unknown statement %T", s))
		}
	}
}

// result writes a return, and before it the calls that compute a checksum.
func (f *function) result(r *ir.Return, depth int) {
	sum, ok := r.Val.(*ir.Checksum)
	if !ok {
		f.begin(depth)
		f.str("return ")
		f.expr(r.Val)
		f.str(";\n")
		return
	}
	last := f.checksum(sum, depth)
	f.line(depth, "return "+last+";")
}

// checksum writes the calls that compute sum and returns what holds it then.
func (f *function) checksum(sum *ir.Checksum, depth int) string {
	before := "0"
	for _, v := range sum.Of {
		bytes := ir.Scalar(v.Type).Bits / 8
		for elem := range ir.Count(v.Type) {
			f.begin(depth)
			f.str(f.names.crc)
			f.str(" = " + crcFunc + "(")
			f.str(before)
			f.str(", ")
			f.scalar(v, elem)
			f.str(", ")
			f.int(bytes)
			f.str(");\n")
			before = f.names.crc
		}
	}
	return before
}

// scalar writes scalar elem of v, in row-major order: "x" or "g[1][2]".
func (f *function) scalar(v *ir.Var, elem int) {
	f.str(f.names.vars[v.Index])
	for t := v.Type; ; {
		a, ok := t.(ir.Array)
		if !ok {
			return
		}
		each := ir.Count(a.Elem)
		f.str("[")
		f.int(elem / each)
		f.str("]")
		elem %= each
		t = a.Elem
	}
}

// flat writes the blocks one after the other, joined by gotos.
func (f *function) flat() {
	blocks := f.unit.Case.Func.Blocks
	order := layout(len(blocks), f.unit.Style.Order)
	for i, b := range order {
		f.stmts(blocks[b], 1)
		at := outside()
		if f.unit.Style.Cond == FallThrough && i+1 < len(order) {
			at.next = order[i+1]
		}
		switch t := blocks[b].Term.(type) {
		case *ir.Goto:
			f.jump(t.To.Index, at, 1)
		case *ir.If:
			f.branch(t, at, 1)
		case *ir.Return:
			f.result(t, 1)
		default:
			panic(fmt.Sprintf("emit/c: unknown terminator %T", t))
		}
	}
}

// layout returns the order in which n blocks are written: the entry first,
// then the others, as they stand if seed is 0, else shuffled.
func layout(n int, seed uint32) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if seed != 0 {
		s := choice.New(choice.Derive(uint64(seed), "C block order"))
		s.Shuffle(n-1, func(i, j int) { order[i+1], order[j+1] = order[j+1], order[i+1] })
	}
	return order
}
