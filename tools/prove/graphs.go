package prove

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/jvm"
	"goreify/reify/emit/structure"
	"goreify/reify/emit/wasm"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/language"
	"goreify/reify/lower"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
	"goreify/reify/source"
	"goreify/reify/source/program"
)

// A picture is the graph of a function, and what was read of what was written.
type picture struct {
	want, got [][]int
	text      string // how it is written
}

// readers read back the graphs of cases, in styles that the seed of the first decides.
var readers = map[compilers.Language]func(list []*reify.Case, seed uint64) ([]picture, error){
	compilers.Go: func(list []*reify.Case, seed uint64) (all []picture, err error) {
		for i, k := range list {
			p, err := inGo(k.Claims()[0], seed+uint64(i))
			if err != nil {
				return nil, err
			}
			all = append(all, p)
		}
		return all, nil
	},
	compilers.Wasm: func(list []*reify.Case, _ uint64) (all []picture, err error) {
		var units []wasm.Unit
		for i, k := range list {
			if err := interp.Close(k.Claims()...); err != nil {
				return nil, err
			}
			u := wasm.Unit{Claim: k.Claim, More: k.More, Style: wasm.DrawStyle(k.Recipe.Style().Fork("wasm"))}
			u.Style.Form = structure.Form(i % int(structure.NumForms))
			units = append(units, u)
		}
		m := wasm.Emit(units)
		graphs, err := wasm.Graphs(m.Binary, m.Locations)
		if err != nil {
			return nil, err
		}
		for i, u := range units {
			p := picture{want: reached(u.Claim.Func), got: graphs[i], text: u.Style.String()}
			for b := range p.got {
				if p.want[b] == nil { // of a dispatcher of all blocks
					p.got[b] = nil
				}
			}
			p.got = append(p.got, make([][]int, len(p.want)-len(p.got))...)
			all = append(all, p)
		}
		return all, nil
	},
	compilers.JVM: func(list []*reify.Case, _ uint64) (all []picture, err error) {
		var units []jvm.Unit
		for _, k := range list {
			if err := interp.Close(k.Claims()...); err != nil {
				return nil, err
			}
			units = append(units, jvm.Unit{Claim: k.Claim, More: k.More, Style: jvm.DrawStyle(k.Recipe.Style().Fork("jvm"))})
		}
		c := jvm.Emit(units)
		graphs, err := jvm.Graphs(c.Binary, c.Locations)
		if err != nil {
			return nil, err
		}
		for i, u := range units {
			p := picture{got: graphs[i], text: u.Style.String()}
			for _, succs := range u.Claim.Func.Graph() {
				list := append([]int{}, succs...)
				slices.Sort(list)
				p.want = append(p.want, list)
			}
			all = append(all, p)
		}
		return all, nil
	},
}

// reached returns the graph of a function without what cannot be reached.
func reached(f *ir.Function) [][]int {
	g := f.Graph()
	want := make([][]int, len(g))
	var visit func(at int)
	visit = func(at int) {
		if want[at] != nil {
			return
		}
		want[at] = append([]int{}, g[at]...)
		slices.Sort(want[at])
		for _, to := range g[at] {
			visit(to)
		}
	}
	visit(0)
	return want
}

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
			}
		}
		pictures, err := readers[r.Language](list, r.Next)
		if err != nil {
			if err := r.object(Objection{Seed: r.Next, Name: "the reader", Said: []string{err.Error()}}); err != nil {
				return err
			}
		}
		for i, p := range pictures {
			r.count("functions", 1)
			r.count("blocks", len(p.want))
			if !reflect.DeepEqual(p.want, p.got) {
				f := list[i].Func
				said := fmt.Sprintf("the graph is %v, what is written has %v, in the style %s", p.want, p.got, p.text)
				if err := r.object(Objection{Seed: r.Next + number(f.Name), Name: f.Name, Said: []string{said}, Program: f.String()}); err != nil {
					return err
				}
			}
		}
		r.step(len(list), r.Next+uint64(in.Count))
	}
	return nil
}
