package language

import (
	"slices"

	"goreify/reify/ir"
	"goreify/reify/lower"
)

// supported is Supports of a language that lacks something, of that of its writer.
func supported(supports func(*ir.Function) error, lacks []lower.Pass) func(*ir.Function) error {
	return func(f *ir.Function) error {
		if slices.ContainsFunc(f.Reached(), func(g *ir.Function) bool { return g.Foreign != nil }) {
			return supports(f)
		}
		return supports(lower.Function(f, lacks))
	}
}

// lowered is Write of a language that lacks something.
func lowered(write func([]Unit) Text, lacks []lower.Pass) func([]Unit) Text {
	return func(list []Unit) Text {
		var p ir.Program
		for _, u := range list {
			for _, f := range u.Claim.Func.Reached() {
				if !slices.Contains(p.Funcs, f) {
					p.Funcs = append(p.Funcs, f)
				}
			}
			p.Claims = append(append(p.Claims, u.Claim), u.More...)
		}
		q := lower.Program(&p, lacks)
		if q == &p {
			return write(list)
		}
		list, claims := slices.Clone(list), q.Claims
		for i := range list {
			u := &list[i]
			n := 1 + len(u.More)
			u.Claim, u.More, claims = claims[0], claims[1:n], claims[n:]
			called := map[*ir.Function]Style{}
			for k, f := range p.Funcs {
				if style, ok := u.Called[f]; ok {
					called[q.Funcs[k]] = style
				}
			}
			u.Called = called
		}
		return write(list)
	}
}
