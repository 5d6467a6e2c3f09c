package program

import (
	"errors"
	"fmt"
	"strconv"

	"goreify/corpus"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/solve"
	"goreify/reify/source"
	"goreify/reify/source/function"
)

// MakeIn returns program number i of a batch in a language that does not link. It is the
// program that Make makes of a recipe, without the functions that the language cannot
// write, and with claims about all of its functions. Their names begin with its number.
// The error wraps source.ErrNone if there is no program, or the language cannot write
// it.
func MakeIn(lang *language.Language, i int, r reify.Recipe, conf reify.Config, solver solve.Solver) (function.Member, error) {
	if !lang.Calls() {
		return function.Member{}, fmt.Errorf("language %s has no calls: %w", lang.Name, source.ErrNone)
	}
	p, err := build(r, Size(r), conf, solver, extras{supports: lang.Supports})
	if err != nil {
		return function.Member{}, err
	}
	funcs := p.Linked.IR.Funcs
	for _, f := range funcs {
		f.Name = "p" + strconv.Itoa(i) + "_" + f.Name
		if err := lang.Supports(f); err != nil {
			return function.Member{}, fmt.Errorf("%w: %w", err, source.ErrNone)
		}
	}
	m := function.Member{
		Notes: []corpus.Note{
			{Key: corpus.NoteConfig, Value: conf.String()},
			{Key: corpus.NoteFunctions, Value: strconv.Itoa(p.Weight())},
		},
		Helpers: funcs[len(p.cases):],
	}
	for n, k := range p.cases {
		one := *k
		claims := k.Claims()
		if n == 0 {
			one.Recipe = r
			claims = append(p.Linked.IR.Claims[:1:1], k.More...)
		}
		if claims, err = again(funcs[n], claims); err != nil {
			return function.Member{}, err
		}
		if len(claims) == 0 {
			if n == 0 {
				return m, fmt.Errorf("@%s, which calls all others, takes too long: %w", funcs[0].Name, source.ErrNone)
			}
			m.Helpers = append([]*ir.Function{funcs[n]}, m.Helpers...)
			continue
		}
		one.Claim, one.More = claims[0], claims[1:]
		more, err := one.Under(lang.Under)
		if err != nil {
			return function.Member{}, err
		}
		one.More = append(one.More, more...)
		if n == 0 {
			m.Case = &one
		} else {
			m.More = append(m.More, &one)
		}
		trapped, err := function.Planted(&one, lang.Under)
		if err != nil {
			return function.Member{}, err
		}
		if trapped != nil { // it has no callers
			trapped.Func.Name += "t"
			m.More = append(m.More, trapped)
		}
	}
	return m, nil
}

// mostVisits bounds the blocks that a claim visits.
const mostVisits = 50_000

// again returns the claims about a function that now calls others, as far as they have
// answers. A function that is passed the number of its real calls is passed two.
func again(f *ir.Function, claims []*ir.Claim) (list []*ir.Claim, err error) {
	for _, c := range claims {
		c := &ir.Claim{Func: f, Args: c.Args}
		for len(c.Args) < len(f.Params()) {
			c.Args = append(c.Args[:len(c.Args):len(c.Args)], 2)
		}
		run, err := interp.Run(f, c.Args, interp.Options{Fuel: mostVisits})
		var ub *interp.UB
		switch {
		case errors.As(err, &ub), errors.Is(err, interp.ErrFuel), errors.Is(err, interp.ErrDepth):
			continue
		case err != nil:
			return nil, &reify.GeneratorBug{Program: f.String(), Err: err}
		}
		c.Want, c.Path = run.Value, run.Path
		list = append(list, c)
	}
	return list, nil
}
