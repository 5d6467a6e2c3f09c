package prove

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"goreify/reify"
	"goreify/reify/language"
	"goreify/reify/lower"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/program"
)

// graphs reads back what is written of functions, in all styles.
func (r *run) graphs(ctx context.Context) error {
	const size = 50
	lang := language.Find(r.Language)
	for r.Done < r.N {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		in := r.seeds(r.Next, aligned(r.Next, r.N-r.Done, size), size)
		plan, err := in.Plan()
		if err != nil {
			return err
		}
		var list []*reify.Case
		var units []language.Unit
		for i := range in.Count {
			k, err := plan.Make(i)
			if in.Profile == "calls" && lang.Calls() { // functions that call each other
				recipe, conf, _ := plan.Nth(i)
				m, wrong := program.MakeIn(lang, i, recipe, conf, search.Engine{})
				k, err = m.Case, wrong
			}
			switch {
			case solve.Unsolved(err) || errors.Is(err, source.ErrNone):
				continue
			case err != nil:
				return fmt.Errorf("seed %d: %w", in.First+uint64(i), err)
			case lang.Supports(k.Func) == nil:
				f := lower.Function(k.Func, lang.Lacks)
				for _, c := range k.Claims() {
					c.Func = f
				}
				list = append(list, k)
				units = append(units, language.Unit{Claim: k.Claim, More: k.More, Style: lang.DrawStyle(k.Recipe.Style().Fork(lang.Short), &k.Config)})
			}
		}
		pictures, err := lang.Graphs(lang.Ready(units))
		if err != nil {
			if err := r.object(Objection{Seed: r.Next, Name: "the reader", Said: []string{err.Error()}}); err != nil {
				return err
			}
		}
		for i, p := range pictures {
			r.count("functions", 1)
			r.count("blocks", len(p.Want))
			if !reflect.DeepEqual(p.Want, p.Got) {
				f := list[i].Func
				said := fmt.Sprintf("the graph is %v, what is written has %v, in the style %s", p.Want, p.Got, p.How)
				if err := r.object(Objection{Seed: r.Next + number(f.Name), Name: f.Name, Said: []string{said}, Program: f.String()}); err != nil {
					return err
				}
			}
		}
		r.step(len(list), r.Next+uint64(in.Count))
	}
	return nil
}
