package c

import (
	"goreify/reify/answers"
	"goreify/reify/ir"
)

// test writes the function that calls the unit's function and checks its answers. It is
// extern, so that gcc does not assume that it runs once.
func (f *function) test() {
	n, first := f.names, f.unit.Claim
	f.str("\nint " + n.test + "(void)\n{\n")
	for i, name := range n.args {
		t := first.Func.Vars[i].Type.(ir.Int)
		f.begin(1)
		f.str("volatile " + typeName(t) + " " + name + " = ")
		f.constant(t, first.Args[i])
		f.str(";\n")
	}
	f.begin(1)
	f.str(typeName(first.Func.Result) + " ")
	f.call(first)
	if len(f.unit.More) == 0 {
		f.str("\n")
		f.print(0)
		f.begin(1)
		f.str("return ")
		f.differs(first)
		f.str("}\n")
		return
	}
	f.line(1, "int "+n.wrong+" = 0;")
	for i, c := range f.unit.claims() {
		f.str("\n")
		if i > 0 {
			f.restart(c)
			f.begin(1)
			f.call(c)
		}
		f.print(i)
		f.begin(1)
		f.str(n.wrong + " |= ")
		f.differs(c)
	}
	f.line(1, "return "+n.wrong+";")
	f.str("}\n")
}

// call writes the call for a case up to the end of its line.
func (f *function) call(c *ir.Claim) {
	f.str(f.names.got + " = ")
	f.buf = f.appendInvocation(f.buf, func(text []byte, i int) []byte {
		if f.names.args != nil {
			return append(text, f.names.args[i]...)
		}
		return appendConst(text, c.Func.Vars[i].Type.(ir.Int), c.Args[i])
	})
	f.str(";\n")
}

// print writes the statement that prints the answer to the call for case i.
func (f *function) print(i int) {
	f.line(1, `printf("`+answers.Name(f.names.fn, i)+" "+verb(f.unit.Claim.Func.Result)+`\n", `+f.names.got+");")
}

// differs writes the comparison with the right answer up to the end of its
// line.
func (f *function) differs(c *ir.Claim) {
	f.str(f.names.got + " != ")
	f.constant(c.Func.Result, c.Want)
	f.str(";\n")
}

// restart writes the assignments that make the program ready for the call for c: the
// inputs that are passed in variables, and the initial values of variables that the
// function may have changed. Variables without assignments in the function are left
// alone, so that compilers see them as never written.
func (f *function) restart(c *ir.Claim) {
	fn := c.Func
	inputs := f.names.inputs
	if inputs == nil {
		inputs = f.names.args
	}
	for i, name := range inputs {
		f.begin(1)
		f.str(name + " = ")
		f.constant(ir.Scalar(fn.Vars[i].Type), c.Args[i])
		f.str(";\n")
	}
	for _, v := range changed(f.unit) {
		f.reset(v)
	}
}

// assigns returns, by variable, whether some statement of fn may assign to it,
// by name or through a pointer.
func assigns(fn *ir.Function) []bool {
	assigned := make([]bool, len(fn.Vars))
	mark := func(p ir.Place) {
		if v := ir.Root(p); v != nil {
			assigned[v.Index] = true
		}
	}
	see := func(node ir.Node) {
		if a, ok := node.(*ir.AddrOf); ok {
			mark(a.Place)
		}
	}
	visitAll(fn, see)
	for _, b := range fn.Blocks {
		for _, s := range b.Stmts {
			for _, dst := range ir.Stored(s) {
				mark(dst)
			}
		}
	}
	return assigned
}
