package language

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// errOddLanes is the error of languages whose vectors have lanes of 8, 16, 32 and 64 bits, and
// perhaps of 128.
var errOddLanes = errors.New("lanes of other widths than 8, 16, 32 and 64 bits")

// lanesOfC is Supports of C, whose vectors alone it may lack.
func lanesOfC(f *ir.Function) error {
	return hasNo(f, func(lane ir.Int) bool { return !lane.Standard() && lane.Bits != 128 })
}

// hasNo returns an error if a function has lanes of such types.
func hasNo(f *ir.Function, such func(lane ir.Int) bool) error {
	if f.HasLanes(such) {
		return fmt.Errorf("@%s: %w", f.Name, errOddLanes)
	}
	return nil
}

// supported is Supports of a language that lacks something, of that of its writer.
func supported(supports func(*ir.Function) error, lacks []lower.Pass) func(*ir.Function) error {
	return func(f *ir.Function) error {
		if err := hasNo(f, func(lane ir.Int) bool { return !lane.Standard() }); err != nil {
			return err
		}
		if slices.ContainsFunc(f.Reached(), func(g *ir.Function) bool { return g.Foreign != nil }) {
			return supports(f)
		}
		return supports(lower.Function(f, lacks))
	}
}

// Ready returns units as Write takes them: lowered, and with what their calls leave. Each
// may be written alone, or with some of the others. It panics if a claim is wrong.
func (l *Language) Ready(list []Unit) []Unit {
	list = lowered(slices.Clone(list), l.Lacks)
	ready := l.ready
	if ready == nil {
		ready = closed
	}
	for i := range list {
		if err := ready(&list[i]); err != nil {
			panic("language: a unit of our own: " + err.Error())
		}
	}
	return list
}

// closed notes what is left of the calls of a unit.
func closed(u *Unit) error { return interp.Close(u.Claims()...) }

// lowered changes units such that a language which lacks something can write them.
func lowered(list []Unit, lacks []lower.Pass) []Unit {
	if lacks == nil {
		return list
	}
	var p ir.Program
	for _, u := range list {
		for _, f := range u.Claim.Func.Reached() {
			if !slices.Contains(p.Funcs, f) {
				p.Funcs = append(p.Funcs, f)
			}
		}
		p.Claims = append(append(p.Claims, u.Claim), u.More...)
	}
	if slices.ContainsFunc(p.Funcs, func(f *ir.Function) bool { return f.Foreign != nil }) {
		return list
	}
	q := lower.Program(&p, lacks)
	if q == &p {
		return list
	}
	claims := q.Claims
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
	return list
}
