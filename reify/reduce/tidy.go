package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// tidy removes the useless nodes that edits leave: it turns a branch whose targets are
// equal into a jump. If all is set, it also drops unreachable blocks, functions without
// calls, and variables, parameters and records without uses. It sets the Index fields.
func tidy(p *ir.Program, all bool) {
	for _, f := range ours(p) {
		simplify(f)
		number(f)
		if all {
			dropBlocks(f)
		}
	}
	if !all {
		return
	}
	dropFuncs(p)
	for again := true; again; {
		again = false
		for _, f := range ours(p) {
			again = dropVars(p, f) || again
		}
	}
	for _, f := range ours(p) {
		dropTypes(f)
	}
}

// number sets the Index fields, and puts the parameters first.
func number(f *ir.Function) {
	slices.SortStableFunc(f.Vars, func(v, w *ir.Var) int {
		return min(1, int(v.Kind)) - min(1, int(w.Kind))
	})
	for i, v := range f.Vars {
		v.Index = i
	}
	for i, b := range f.Blocks {
		b.Index = i
	}
}

// simplify makes jumps of the branches of f that go one way.
func simplify(f *ir.Function) {
	for _, b := range f.Blocks {
		switch t := b.Term.(type) {
		case *ir.If:
			if t.Then == t.Else {
				b.Term = &ir.Goto{To: t.Then}
			}
		case *ir.Switch:
			if list := t.Targets(); len(list) == 1 {
				b.Term = &ir.Goto{To: list[0]}
			}
		}
	}
}

// dropBlocks drops the unreachable blocks of f, except the exit.
func dropBlocks(f *ir.Function) {
	reached := make([]bool, len(f.Blocks))
	reached[0], reached[len(f.Blocks)-1] = true, true
	for list := []*ir.Block{f.Blocks[0]}; len(list) > 0; {
		b := list[len(list)-1]
		list = list[:len(list)-1]
		for _, to := range b.Succs() {
			if !reached[to.Index] {
				reached[to.Index] = true
				list = append(list, to)
			}
		}
	}
	f.Blocks = slices.DeleteFunc(f.Blocks, func(b *ir.Block) bool { return !reached[b.Index] })
	number(f)
}

// dropFuncs drops the functions that the case does not need.
func dropFuncs(p *ir.Program) {
	needed := map[*ir.Function]bool{}
	var need func(f *ir.Function)
	need = func(f *ir.Function) {
		if needed[f] {
			return
		}
		needed[f] = true
		for call := range f.Calls() {
			need(call.Func)
		}
	}
	need(p.Claims[0].Func)
	p.Funcs = slices.DeleteFunc(p.Funcs, func(f *ir.Function) bool { return !needed[f] })
}

// dropVars drops the variables of f without uses, with the arguments if they are
// parameters, and reports whether there were any.
func dropVars(p *ir.Program, f *ir.Function) bool {
	used := usedVars(f)
	var params []int // that go
	for i, v := range f.Params() {
		if !used[v] {
			params = append(params, i)
		}
	}
	n := len(f.Vars)
	f.Vars = slices.DeleteFunc(f.Vars, func(v *ir.Var) bool { return !used[v] })
	if len(f.Vars) == n {
		return false
	}
	number(f)
	slices.Reverse(params)
	for _, i := range params {
		for _, g := range ours(p) {
			for call := range g.Calls() {
				if call.Func == f && i < len(call.Args) {
					call.Args = slices.Delete(call.Args, i, i+1)
				}
			}
		}
		if k := p.Claims[0]; k.Func == f && i < len(k.Args) {
			k.Args = slices.Delete(k.Args, i, i+1)
		}
	}
	return true
}

// usedVars returns the variables that f names.
func usedVars(f *ir.Function) map[*ir.Var]bool {
	used := make(map[*ir.Var]bool, len(f.Vars))
	see := func(n ir.Node) {
		switch n := n.(type) {
		case *ir.VarRef:
			used[n.Var] = true
		case *ir.Checksum:
			for _, v := range n.Of {
				used[v] = true
			}
		}
	}
	for _, v := range f.Vars {
		for _, e := range v.Ptrs {
			if e != nil {
				visit(e, see)
			}
		}
	}
	for _, b := range f.Blocks {
		for n := range roots(b) {
			visit(n, see)
		}
	}
	return used
}

// dropTypes drops the records of f that no type contains or points to.
func dropTypes(f *ir.Function) {
	if len(f.Types) == 0 {
		return
	}
	used := map[*ir.Record]bool{}
	var use func(t ir.Type)
	use = func(t ir.Type) {
		switch t := t.(type) {
		case ir.Array:
			use(t.Elem)
		case ir.Pointer:
			use(t.Elem)
		case *ir.Record:
			if !used[t] {
				used[t] = true
				for _, m := range t.Fields {
					use(m.Type)
				}
			}
		}
	}
	for _, v := range f.Vars {
		use(v.Type)
	}
	for _, b := range f.Blocks {
		for n := range roots(b) {
			visit(n, func(n ir.Node) {
				switch n := n.(type) {
				case *ir.Null:
					use(n.T)
				case *ir.Cast:
					use(n.T)
				}
			})
		}
	}
	f.Types = slices.DeleteFunc(f.Types, func(r *ir.Record) bool { return !used[r] })
}
