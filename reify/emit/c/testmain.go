package c

import (
	"goreify/reify/ir"
)

// testMain writes main and, if the form wants one, the function that calls for
// it.
func (w *whole) testMain() {
	c := w.program.Claims[0]
	f := w.function(w.index[c.Func])
	local := scope{}
	for name := range w.atFile {
		local[name] = true
	}
	args := w.testArgs(f, c, local)
	name := "main"
	if w.test.Caller {
		name = w.atFile.add("test")
		local[name] = true
	}
	result := "int"
	if w.test.Caller {
		result = "void"
	}
	if w.test.Print && !w.test.Compare && !w.test.Caller && (w.test.GlobalArgs || len(args.list) == 0) {
		w.str("\nint main(void) { ")
		w.str(`printf("` + verb(c.Func.Result) + `\n", `)
		w.call(f, c, args)
		w.str("); } /* " + c.Func.Result.Format(c.Want) + " */\n")
		return
	}
	w.str("\n" + result + " " + name + "(void)\n{\n")
	if !w.test.GlobalArgs && len(args.list) > 0 {
		args.write(w.printer, 1)
		if !w.test.Print {
			w.str("\n")
		}
	}
	switch want := f.bare(&ir.Const{T: c.Func.Result, V: c.Want}); {
	case w.test.Print && w.test.Compare:
		got := local.add("got")
		w.begin(1)
		w.str(f.declarator(c.Func.Result, false, false, got))
		w.str(" = ")
		w.call(f, c, args)
		w.str(";\n")
		w.begin(1)
		w.str(`printf("` + verb(c.Func.Result) + ` %d\n", ` + got + ", " + got + " == ")
		f.expr(want)
		w.str("); /* " + c.Func.Result.Format(c.Want) + " 1 */\n}\n")
	case w.test.Print:
		w.begin(1)
		w.str(`printf("` + verb(c.Func.Result) + `\n", `)
		w.call(f, c, args)
		w.str("); /* " + c.Func.Result.Format(c.Want) + " */\n}\n")
	default:
		w.begin(1)
		w.str("if (")
		w.call(f, c, args)
		w.str(" != ")
		f.expr(want)
		w.str(")\n")
		w.line(2, "__builtin_abort();")
		w.str("}\n")
	}
	if w.test.Caller {
		w.str("\nint main(void)\n{\n    " + name + "();\n}\n")
	}
}

// call writes the call of a case.
func (w *whole) call(f *function, c *ir.Claim, args testArgs) {
	w.buf = f.appendInvocation(w.buf, func(text []byte, i int) []byte {
		if args.names != nil {
			return append(text, args.names[i]...)
		}
		return f.appendExpr(text, f.bare(&ir.Const{T: c.Func.Vars[i].Type.(ir.Int), V: c.Args[i]}), anyPrec)
	})
}

// The arguments of main's call that are passed in variables.
type testArgs struct {
	declarations
	names []string // by parameter; nil if they are passed as constants
}

// testArgs returns the arguments, and writes those that are at file scope.
func (w *whole) testArgs(f *function, c *ir.Claim, local scope) testArgs {
	var args testArgs
	if !w.test.GlobalArgs && !w.test.VolatileArgs {
		return args
	}
	for i, p := range c.Func.Params() {
		v := &ir.Var{Name: p.Name, Type: p.Type, Volatile: w.test.VolatileArgs, Init: []ir.Expr{&ir.Const{T: p.Type.(ir.Int), V: c.Args[i]}}}
		var name string
		if w.test.GlobalArgs {
			name = w.atFile.add(globalName(p.Name))
			v.Kind = ir.Global
			local[name] = true
		} else {
			name = local.add(p.Name)
			v.Kind = ir.Local
		}
		args.names = append(args.names, name)
		args.addNamed(f, v, name, 0)
	}
	if w.test.GlobalArgs {
		w.str("\n")
		args.write(w.printer, 0)
	}
	return args
}
