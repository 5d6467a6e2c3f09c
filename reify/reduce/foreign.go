package reduce

import (
	"slices"

	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Functions that others wrote go as a whole, with the last call of them. Their texts
// stay.

// ours returns the functions of p that are not foreign.
func ours(p *ir.Program) []*ir.Function {
	foreign := func(f *ir.Function) bool { return f.Foreign != nil }
	if !slices.ContainsFunc(p.Funcs, foreign) {
		return p.Funcs
	}
	return slices.DeleteFunc(slices.Clone(p.Funcs), foreign)
}

// answers lists to drop the answers of foreign functions that are not asked for.
func answers(p *ir.Program, _ *run) []edit {
	asked, err := interp.Asked(p)
	if err != nil {
		return nil
	}
	var list []edit
	for _, f := range p.Funcs {
		if f.Foreign == nil {
			continue
		}
		some := *f.Foreign
		some.Answers = nil
		if asked[f] != nil {
			some = *asked[f]
		}
		if len(some.Answers) < len(f.Foreign.Answers) {
			list = append(list, func() { f.Foreign = &some })
		}
	}
	return list
}
