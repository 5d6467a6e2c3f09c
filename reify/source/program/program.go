package program

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/link"
	"goreify/reify/mutate"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/function"
	"goreify/reify/subject"
)

// Name is the name of the source.
const Name = "program"

// A Source makes whole programs. Nearly every seed ends in one.
type Source struct {
	function.Options
	Variants bool // half of their functions are variants (package mutate) of generated functions
}

// Name returns "program".
func (s Source) Name() string { return Name }

// Draw spends one number of the stream: the first of Size seeds that follow each
// other.
func (s Source) Draw(st *choice.Stream) source.Input {
	return function.Encode(Name, function.Seeds{
		Profile: s.Profile, Features: s.Features, Single: s.Single, Language: s.Language, Lacks: s.Lacks, First: st.Uint64(), Count: s.Size, Variants: s.Variants,
	})
}

// Make makes the programs of an input, named program-0, program-1 and so on. It returns
// a Joined if there are several programs, and in a language that does not link them a
// batch of package function.
func (s Source) Make(ctx context.Context, in source.Input) (subject.Subject, error) {
	seeds, err := function.Decode(Name, in)
	if err != nil {
		return nil, err
	}
	lang, err := seeds.In()
	if err != nil {
		return nil, fmt.Errorf("input of source %s: %w", Name, err)
	}
	plan, err := seeds.Plan()
	if err != nil {
		return nil, err
	}
	var list []*Program
	var members []function.Member
	n := max(seeds.Count, 1) // or one recipe
	for i := range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		r, conf, err := plan.Nth(i)
		if err != nil {
			return nil, err
		}
		var m function.Member
		var p *Program
		if !lang.Linked {
			m, err = MakeIn(lang, i, r, conf, search.Engine{})
		} else {
			p, err = build(r, Size(r), conf, search.Engine{}, extras{variants: seeds.Variants, settle: lang.Settle})
		}
		switch {
		case errors.Is(err, source.ErrNone):
		case err != nil:
			return nil, err
		case !lang.Linked:
			members = append(members, m)
		default:
			if lang.Suits(p.files) {
				list = append(list, p.Named(i))
			}
		}
	}
	if len(list)+len(members) == 0 {
		return nil, fmt.Errorf("%d seeds: %w", n, source.ErrNone)
	}
	if !lang.Linked {
		return function.Of(lang, members), nil
	}
	return Several(list), nil
}

// WithoutFeatures returns the source of what compilers can take that lack some features.
func (s Source) WithoutFeatures(lacks []string) source.Source {
	s.Options.Lacks = lacks
	return s
}

// Named gives a program the name of number i of a batch.
func (p *Program) Named(i int) *Program {
	p.name = "program-" + strconv.Itoa(i)
	return p
}

// Several returns programs, at least one, as one subject: a Joined if there are
// several.
func Several(list []*Program) subject.Subject {
	if len(list) == 1 {
		return list[0]
	}
	return join(list)
}

// Size returns how many functions the program of a recipe has: mostly ten, as in
// the paper.
func Size(r reify.Recipe) int {
	s := choice.Named("config", r.Config).Fork("program")
	if s.Chance(1, 2) {
		return 10
	}
	return s.Range(2, 20)
}

// Foreign are functions of others for a program.
type Foreign struct {
	Leaves []*link.Leaf // the leaves of link.NewForeign, then those of link.NewDead
	// Live and OnlyLive are Foreign and OnlyLive of link.Options.
	Live     int
	OnlyLive bool
}

// Make returns the program that a recipe stands for: functions of the recipes Nth,
// linked, and functions of others. Ours have one configuration, except for the kind of
// their results. The program has less than n of them if some cannot be solved; if none
// can, the error wraps source.ErrNone. It is a *reify.GeneratorBug if the program is wrong.
func Make(r reify.Recipe, n int, conf reify.Config, solver solve.Solver, others Foreign) (*Program, error) {
	return build(r, n, conf, solver, extras{others: others})
}

// Extras are additions to the programs of Make.
type extras struct {
	variants bool // in place of some functions
	others   Foreign
	supports func(*ir.Function) error               // reports objections to a function, which is left out then; nil for none
	settle   func(*reify.Case) (*reify.Case, error) // for a dialect; nil for none
}

// build is Make with extras.
func build(r reify.Recipe, n int, conf reify.Config, solver solve.Solver, more extras) (*Program, error) {
	var leaves []*link.Leaf
	var cases []*reify.Case
	for i := range n {
		one := r.Nth(i)
		of := conf
		// Some return their variables' sum: without a checksum they may be pure.
		of.Sketch.Sum = of.Sketch.Sum || choice.Named("config", one.Config).Fork("sum").Chance(1, 3)
		k, err := reify.Make("f"+strconv.Itoa(i), one, of, solver)
		switch {
		case solve.Unsolved(err):
			continue
		case err != nil:
			return nil, err
		}
		if more.supports != nil && more.supports(k.Func) != nil {
			continue
		}
		if more.settle != nil {
			if k, err = more.settle(k); errors.Is(err, language.ErrLacking) {
				continue
			} else if err != nil {
				return nil, err
			}
		}
		claims := k.Claims()
		if s := choice.Named("body", one.Body).Fork("variant"); more.variants && s.Chance(1, 2) {
			if claims, err = variantOf(k, s); err != nil {
				return nil, err
			}
		}
		l, err := link.NewLeaf(claims...)
		if err != nil {
			return nil, &reify.GeneratorBug{Program: k.Program().String(), Err: err}
		}
		leaves, cases = append(leaves, l), append(cases, k)
	}
	if len(leaves) == 0 {
		return nil, fmt.Errorf("none of %d functions: %w", n, source.ErrNone)
	}
	leaves = append(leaves, more.others.Leaves...)
	s := choice.Named("body", r.Body).Fork("link")
	o := link.DefaultOptions()
	o.Deciding, o.Helpers = conf.Calls.Deciding, conf.Calls.Helpers
	o.Foreign, o.OnlyLive = more.others.Live, more.others.OnlyLive
	linked, err := link.Link(leaves, o, s)
	var wrong *link.Wrong
	if errors.As(err, &wrong) {
		return nil, &reify.GeneratorBug{Program: wrong.Program, Err: wrong.Err}
	}
	if err != nil {
		return nil, err
	}
	p := New(linked, s.Fork("style"))
	p.recipe, p.cases = r, cases
	return p, nil
}

// variantOf returns the cases of a variant of a function, under the function's name.
// The variant has no callers yet: purity is declared by it as they find it.
func variantOf(k *reify.Case, s *choice.Stream) ([]*ir.Claim, error) {
	seed, err := mutate.NewSeed(k.Claims())
	if err != nil {
		return nil, &reify.GeneratorBug{Program: k.Program().String(), Err: err}
	}
	claims, _, err := seed.Mutate(k.Func.Name, mutate.Options{Policy: k.Config.Sketch.Policy}, s)
	return claims, err
}
