package reduce

import (
	"math"

	"goreify/reify/ir"
)

// cutStart lists, for each step of the path, to start there: the entry leads to that
// block, and the values of the variables at that visit become the arguments and the
// initial values.
func cutStart(p *ir.Program, r *run) []edit {
	k := p.Claims[0]
	f := k.Func
	var edits []edit
	for step := 1; step < min(len(r.path), len(r.states)); step++ {
		edits = append(edits, func() {
			entry := f.Blocks[0]
			entry.Stmts, entry.Term = nil, &ir.Goto{To: f.Blocks[r.path[step]]}
			for i, v := range f.Vars {
				if v.Kind == ir.Param {
					k.Args[i] = r.states[step][i][0].value
				} else {
					start(v, r.states[step][i])
				}
			}
		})
	}
	return edits
}

// cutEnd lists, for each block of the path, to go from there to the exit, the
// last one first.
func cutEnd(p *ir.Program, r *run) []edit {
	f := p.Claims[0].Func
	exit := f.Blocks[len(f.Blocks)-1]
	var edits []edit
	seen := make([]bool, len(f.Blocks))
	for _, at := range r.path {
		if b := f.Blocks[at]; !seen[at] && b != exit {
			seen[at] = true
			edits = append(edits, func() { b.Term = &ir.Goto{To: exit} })
		}
	}
	for i, j := 0, len(edits)-1; i < j; i, j = i+1, j-1 {
		edits[i], edits[j] = edits[j], edits[i]
	}
	return edits
}

// start gives v the initial values of a state, if they can be written down. If
// not, v keeps those that it has.
func start(v *ir.Var, s []scalar) {
	types, ok := flat(v.Type, nil)
	if !ok || v.Const {
		return
	}
	init := make([]ir.Expr, len(types))
	defined := false
	for i, t := range types {
		x := s[i]
		defined = defined || x.defined
		if !x.defined {
			x.value = 0
		}
		switch t := t.(type) {
		case ir.Int:
			init[i] = &ir.Const{T: t, V: t.Wrap(x.value)}
		case ir.Float:
			number := math.Float64frombits(uint64(x.value))
			whole := int64(number)
			if float64(whole) != number || !ir.I32.Holds(whole) {
				return
			}
			init[i] = &ir.Const{T: ir.I32, V: whole}
		}
	}
	if v.Init = init; !defined {
		v.Init = nil
	}
}

// flat appends the types of the scalars of t to list. It fails if there are
// unions or pointers among them.
func flat(t ir.Type, list []ir.Type) ([]ir.Type, bool) {
	ok := true
	switch t := t.(type) {
	case ir.Int, ir.Float:
		return append(list, t), true
	case ir.Array:
		for range t.Len {
			if list, ok = flat(t.Elem, list); !ok {
				return nil, false
			}
		}
		return list, true
	case ir.Vector:
		for range t.Lanes {
			list = append(list, t.Elem)
		}
		return list, true
	case *ir.Record:
		if t.Union {
			return nil, false
		}
		for i := range t.Fields {
			if list, ok = flat(t.Member(i), list); !ok {
				return nil, false
			}
		}
		return list, true
	}
	return nil, false
}
