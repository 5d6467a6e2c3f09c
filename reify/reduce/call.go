package reduce

import (
	"slices"

	"goreify/reify/ir"
)

// mostCallees is how many calls of one function may become the case.
const mostCallees = 2

// callees lists, for the calls that the run makes, to make that call the case:
// of another function first, so that the callers go.
func callees(p *ir.Program, r *run) []edit {
	var others, same []edit
	count := map[*ir.Function]int{}
	k := p.Claims[0]
	for _, c := range r.calls {
		if count[c.Func]++; count[c.Func] > mostCallees || c.Func.Foreign != nil {
			continue
		}
		change := func() { k.Func, k.Args = c.Func, slices.Clone(c.Args) }
		if c.Func == k.Func {
			same = append(same, change)
		} else {
			others = append(others, change)
		}
	}
	return append(others, same...)
}

// constantCalls lists to replace each call by the value that it always has, or by 0 if
// it is never made. Calls of one function are adjacent.
func constantCalls(p *ir.Program, r *run) []edit {
	made := map[*ir.Call]bool{}
	for _, c := range r.calls {
		made[c.Site] = true
	}
	var edits []edit
	for _, callee := range p.Funcs {
		for _, f := range ours(p) {
			for at := range f.Exprs() {
				call, ok := (*at).(*ir.Call)
				if !ok || call.Func != callee {
					continue
				}
				v, known := r.values[call]
				if known || !made[call] {
					edits = append(edits, func() { *at = &ir.Const{T: callee.Result, V: v} })
				}
			}
		}
	}
	return edits
}
