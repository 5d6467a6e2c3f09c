package c

import (
	"fmt"
	"slices"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// A function is one unit while it is written.
type function struct {
	*printer
	unit  Unit
	names names
	whole *whole // the program that the function is a part of, or nil
	start int    // where its definitions are in buf
	named bool   // whether an expression was written that may name a type
	// The pointers that are declared restrict, if the style wants any.
	restrict map[*ir.Var]bool
	pointers []string   // by variable that is not automatic: the pointer to it; nil if all are automatic
	movable  []bool     // by variable: it may get another place on the heap; nil if no variable may
	byValue  *byValue   // or nil
	short    *shortForm // nil unless it is written in the short form
}

func newFunction(p *printer, u Unit, n names) *function {
	for _, c := range u.More {
		if c.Func != u.Claim.Func {
			panic(fmt.Sprintf("emit/c: a case of %s in a unit of %s", c.Func.Name, u.Claim.Func.Name))
		}
	}
	f := &function{printer: p, unit: u, names: n}
	f.store()
	f.findByValue()
	return f
}

// globals writes the definitions of the function at file scope.
func (f *function) globals() {
	fn := f.unit.Claim.Func
	f.types()
	f.str("\n")
	start := len(f.buf)
	for i, name := range f.names.inputs {
		v := fn.Vars[i]
		if f.unit.Style.VolatileArgs {
			f.str("volatile ")
		}
		t := v.Type.(ir.Int)
		f.str(typeName(t) + " " + name + " = ")
		f.constant(t, f.unit.Claim.Args[i])
		f.str(";\n")
	}
	var declared map[*ir.Var]bool
	for _, v := range fn.Vars {
		if !v.Kind.Lasts() {
			continue
		}
		if v.Ptrs != nil {
			if declared == nil {
				declared = map[*ir.Var]bool{}
			}
			f.forward(v, declared)
		}
		if v.Kind == ir.Static {
			f.str("static ")
		}
		f.declare(v, 0)
	}
	if len(f.buf) > start {
		f.str("\n")
	}
	f.getters()
}

// define writes the comment and the definition of the function.
func (f *function) define() {
	f.comment()
	f.signature()
	f.str("\n{\n")
	f.locals()
	f.body()
	f.end(0)
	f.str("\n")
	f.belated()
}

// signature writes the declarator of the function and the specifiers before it.
func (f *function) signature() {
	fn, style := f.unit.Claim.Func, f.unit.Style
	if f.whole != nil && f.whole.test != nil {
		f.whole.testSignature(style)
	} else {
		if style.NoInline {
			f.str(noinlineMacro + " ")
		}
		if f.whole != nil {
			f.whole.attributes(fn)
		}
	}
	f.declaredAttributes()
	f.declaration()
}

// declaration writes the declarator of the function with its linkage.
func (f *function) declaration() {
	style := f.unit.Style
	switch style.Linkage {
	case Static:
		f.str("static ")
	case StaticInline:
		f.str("static inline ")
	case Extern:
	default:
		panic(fmt.Sprintf("emit/c: unknown linkage %d", int(style.Linkage)))
	}
	f.str(f.resultType() + " " + f.names.fn + "(")
	f.params()
	f.str(")")
}

// comment writes the claims about the function, a comment for each case.
func (f *function) comment() {
	for i, c := range f.unit.claims() {
		if f.whole != nil && c.Path == nil {
			continue // it is called by other functions only
		}
		f.str("/* " + frame.Said(f.names.fn, c) + " by ")
		if i > 0 && slices.Equal(c.Path, f.unit.Claim.Path) {
			f.str("the same way. */\n")
			continue
		}
		f.str("way of")
		for _, word := range frame.Way(c.Path, f.names.labels) {
			f.space(" * ")
			f.str(word)
		}
		f.str(". */\n")
	}
}

// locals writes the declarations of the entry block.
func (f *function) locals() {
	fn := f.unit.Claim.Func
	for i, name := range f.names.inputs {
		f.begin(1)
		f.variable(fn.Vars[i], f.names.vars[i])
		f.str(" = " + name + ";\n")
	}
	if f.short != nil {
		f.shortLocals()
		return
	}
	for _, v := range fn.Vars {
		if v.Kind == ir.Local && !f.passed(v) {
			f.declare(v, 1)
		}
	}
	if slices.ContainsFunc(checksums(fn), func(c *ir.Checksum) bool { return len(c.Of) > 0 }) {
		f.line(1, "unsigned "+f.names.crc+";")
	}
}

// flat writes the blocks one after the other, joined by gotos.
func (f *function) flat() {
	blocks := f.unit.Claim.Func.Blocks
	order := frame.Blocks(len(blocks), f.unit.Style.Order, "C block order")
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
		case *ir.Switch:
			f.flatSwitch(t, at, 1)
		case *ir.Return:
			f.result(t, 1)
		default:
			panic(fmt.Sprintf("emit/c: unknown terminator %T", t))
		}
	}
}
