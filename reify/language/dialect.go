package language

import (
	"errors"
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// A lowering takes a feature that compilers may lack out of functions.
type lowering struct {
	feature string // of compilers.Feature
	passes  []lower.Pass
}

// lowerings are those that there are: a pass may make nodes of a later one.
var lowerings = []lowering{
	{"int128", []lower.Pass{lower.Wide, lower.Products}},
	{"bitint", []lower.Pass{lower.Wide, lower.Products}},
	{"vector", []lower.Pass{lower.Vectors(false)}},
	{"overflow", []lower.Pass{lower.Overflow, lower.Products}},
}

// ErrLacking says that a function has a node that a dialect lacks and that no pass takes
// out of it. It comes wrapped.
var ErrLacking = errors.New("cannot be written in the dialect")

// Dialect returns the language as those compilers have it that lack some features: what can
// be lowered is drawn and lowered, all else is not drawn.
func (l *Language) Dialect(lacking []string) *Language {
	if len(lacking) == 0 {
		return l
	}
	d := *l
	d.lacking, d.Lacks, d.Masked = lacking, slices.Clone(l.Lacks), slices.Clone(l.Masked)
	for _, w := range lowerings {
		if slices.Contains(lacking, w.feature) {
			d.Lacks = append(d.Lacks, w.passes...) // the second of two finds nothing to do
		}
	}
	for _, feature := range lacking {
		lowered := func(w lowering) bool { return w.feature == feature }
		if slices.Contains(reify.Features(), feature) && !slices.ContainsFunc(lowerings, lowered) {
			d.Masked = append(d.Masked, feature)
		}
	}
	return &d
}

// Suits reports whether a text can be compiled by those that have the dialect.
func (l *Language) Suits(files []compilers.File) bool {
	return l.lacking == nil || compilers.Traits{Lacks: l.lacking}.Meet(compilers.NeedsOf(files))
}

// Settle returns a case without the nodes that a dialect lacks, proved again. The error
// wraps ErrLacking, or is a *reify.GeneratorBug.
func (l *Language) Settle(k *reify.Case) (*reify.Case, error) {
	if l.lacking == nil {
		return k, nil
	}
	if slices.ContainsFunc([]string{"int128", "vector"}, func(feature string) bool { return slices.Contains(l.lacking, feature) }) {
		if err := hasNo(k.Func, func(lane ir.Int) bool { return lane.Bits > 64 }); err != nil {
			return nil, fmt.Errorf("%w: %w", err, ErrLacking)
		}
	}
	p := &ir.Program{Funcs: k.Func.Reached(), Claims: k.Claims()}
	if q := lower.Program(p, l.Lacks); q != p {
		if len(q.Funcs) > len(p.Funcs) {
			return nil, fmt.Errorf("@%s: a quotient of more than 64 bits: %w", k.Func.Name, ErrLacking)
		}
		one := *k
		one.Claim, one.More = q.Claims[0], q.Claims[1:]
		err := ir.Check(one.Func)
		for _, c := range q.Claims {
			err = errors.Join(err, interp.Verify(c))
		}
		if err != nil {
			return nil, &reify.GeneratorBug{Program: one.Program().String(), Err: err}
		}
		k = &one
	}
	text := l.Write(l.Ready([]Unit{{Claim: k.Claim, Style: l.DrawStyle(k.Recipe.Style(), &k.Config)}}))
	if needs := compilers.NeedsOf(text.Files()); !l.Suits(text.Files()) {
		return nil, fmt.Errorf("@%s: %v: %w", k.Func.Name, needs, ErrLacking)
	}
	return k, nil
}
