package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// parameters makes parameters locals that begin with the argument: that of the
// case, or of the first call.
func parameters(p *ir.Program, r *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, x := range f.Params() {
			value := int64(0)
			for _, c := range r.calls {
				if c.Func == f {
					value = c.Args[x.Index]
					break
				}
			}
			for _, k := range p.Claims {
				if k.Func == f {
					value = k.Args[x.Index]
				}
			}
			list = append(list, func() { localise(p, f, x, value) })
		}
	}
	return list
}

// localise makes a parameter of f a local that begins with a value.
func localise(p *ir.Program, f *ir.Function, x *ir.Var, value int64) {
	i := slices.Index(f.Params(), x)
	if i < 0 {
		return
	}
	for _, g := range ours(p) {
		for call := range g.Calls() {
			if call.Func == f && i < len(call.Args) {
				call.Args = slices.Delete(call.Args, i, i+1)
			}
		}
	}
	for _, k := range p.Claims {
		if k.Func == f {
			k.Args = slices.Delete(k.Args, i, i+1)
		}
	}
	x.Kind = ir.Local
	x.Init = []ir.Expr{&ir.Const{T: x.Type.(ir.Int), V: value}}
	number(f)
}

// uninitialised removes initial values; without these, globals and statics are zero.
func uninitialised(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		for _, x := range f.Vars {
			if x.Init != nil {
				list = append(list, func() { x.Init, x.Ptrs, x.Const = nil, nil, false })
			}
		}
	}
	return list
}

// initialised makes the first constant that the entry assigns to a local its
// initial value.
func initialised(p *ir.Program, _ *run) []edit {
	var list []edit
	for _, f := range ours(p) {
		entry := f.Blocks[0]
		done := make(map[*ir.Var]bool)
		for _, s := range entry.Stmts {
			a, ok := s.(*ir.Assign)
			if !ok {
				continue
			}
			dst, ok := a.Dst.(*ir.VarRef)
			if !ok || dst.Var.Kind != ir.Local || done[dst.Var] {
				continue
			}
			done[dst.Var] = true
			k, ok := a.Src.(*ir.Const)
			if !ok {
				continue
			}
			list = append(list, func() {
				if i := slices.Index(entry.Stmts, s); i >= 0 {
					entry.Stmts = slices.Delete(entry.Stmts, i, i+1)
					dst.Var.Init = []ir.Expr{k}
				}
			})
		}
	}
	return list
}
