package c

import "goreify/reify/ir"

// The styles differ in the way that values get into a function and out of it:
// parameters one by one, or as members of a struct that is passed by value; and the
// result by itself, or in a struct that is returned.

// resultMember is the member of the struct in which a result is returned.
const resultMember = "value"

// packs reports whether the parameters are passed in a struct.
func packs(u Unit) bool {
	return u.Style.ParamStruct && !u.Style.ParamsAsGlobals && len(u.Claim.Func.Params()) > 0
}

// passed reports whether v, a local variable, is a parameter in C: a pointer
// that always starts at one place at file scope, which the callers know.
func (f *function) passed(v *ir.Var) bool {
	return (f.whole == nil || f.whole.test != nil) && passed(f.unit, v)
}

func passed(u Unit, v *ir.Var) bool { return u.Style.PointerParams && startsLasting(v) }

// startsLasting reports whether v is a local pointer whose initial value is the address
// of a part of a global or static.
func startsLasting(v *ir.Var) bool {
	if v.Kind != ir.Local || len(v.Ptrs) != 1 {
		return false
	}
	if _, ok := v.Type.(ir.Pointer); !ok {
		return false
	}
	a, ok := v.Ptrs[0].(*ir.AddrOf)
	if !ok {
		return false
	}
	to := ir.Root(a.Place)
	return to != nil && to.Kind.Lasts()
}

// structs writes the definitions of the structs that its callers need.
func (f *function) structs() {
	fn := f.unit.Claim.Func
	if packs(f.unit) {
		f.str("\nstruct " + f.names.params + " {\n")
		for _, v := range fn.Params() {
			f.begin(1)
			f.variable(v, f.names.vars[v.Index][len(f.names.in)+1:])
			f.str(";\n")
		}
		f.str("};\n")
	}
	if f.unit.Style.ResultStruct {
		f.str("\nstruct " + f.names.result + " {\n")
		f.line(1, typeName(fn.Result)+" "+resultMember+";")
		f.str("};\n")
	}
}

// resultType returns the type that the function returns in C.
func (f *function) resultType() string {
	if f.unit.Style.ResultStruct {
		return "struct " + f.names.result
	}
	return typeName(f.unit.Claim.Func.Result)
}

// params writes the list of parameters.
func (f *function) params() {
	fn := f.unit.Claim.Func
	start := len(f.buf)
	comma := func() {
		if len(f.buf) > start {
			f.str(", ")
		}
	}
	switch {
	case packs(f.unit):
		f.str("struct " + f.names.params + " " + f.names.in)
	case !f.unit.Style.ParamsAsGlobals:
		for _, v := range fn.Params() {
			comma()
			f.variable(v, f.names.vars[v.Index])
		}
	}
	if f.unit.Style.PointerParams {
		for _, v := range fn.Vars {
			if f.passed(v) {
				comma()
				f.variable(v, f.names.vars[v.Index])
			}
		}
	}
	if len(f.buf) == start {
		f.str("void")
	}
}

// appendInvocation appends a call of the function in C. The arguments, one for
// each parameter, are appended by arg.
func (f *function) appendInvocation(text []byte, arg func(text []byte, i int) []byte) []byte {
	fn := f.unit.Claim.Func
	text = append(text, f.names.fn...)
	text = append(text, '(')
	packed := packs(f.unit)
	first := true
	comma := func() {
		if !first {
			text = append(text, ", "...)
		}
		first = false
	}
	if packed {
		text = append(text, "(struct "...)
		text = append(text, f.names.params...)
		text = append(text, "){"...)
	}
	if !f.unit.Style.ParamsAsGlobals {
		for i := range fn.Params() {
			comma()
			text = arg(text, i)
		}
	}
	if packed {
		text = append(text, '}')
	}
	if f.unit.Style.PointerParams {
		for _, v := range fn.Vars {
			if f.passed(v) {
				comma()
				text = f.appendExpr(text, v.Ptrs[0], anyPrec)
			}
		}
	}
	text = append(text, ')')
	if f.unit.Style.ResultStruct {
		text = append(text, "."+resultMember...)
	}
	return text
}

// result writes a return, and before it the calls that compute a checksum.
func (f *function) result(r *ir.Return, depth int) {
	before, after := "return ", ";"
	if f.unit.Style.ResultStruct {
		before, after = "return ("+f.resultType()+"){", "};"
	}
	value := ""
	if sum, ok := r.Val.(*ir.Checksum); ok {
		value = f.checksum(sum, depth)
	} else {
		value = string(f.appendExpr(nil, f.assigned(r.Val, f.unit.Claim.Func.Result), anyPrec))
	}
	if heap := f.onHeap(); heap != nil {
		name := f.kept()
		f.line(depth, "{") // a declaration cannot follow a label
		f.line(depth+1, typeName(f.unit.Claim.Func.Result)+" "+name+" = "+value+";")
		for _, p := range heap {
			f.line(depth+1, "__builtin_free("+p+");")
		}
		f.line(depth+1, before+name+after)
		f.line(depth, "}")
		return
	}
	f.line(depth, before+value+after)
}
