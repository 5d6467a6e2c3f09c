package link_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/link"
)

// Programs with helpers are right, and between them they have all that helpers can be.
func TestHelpers(t *testing.T) {
	wild, err := reify.FindProfile("wild")
	require.NoError(t, err)
	all := made(t, 1, 80, func(r reify.Recipe) reify.Config { return wild.Draw(choice.Named("config", r.Config)) })
	o := link.DefaultOptions()
	o.Deciding, o.Helpers = 60, 40
	s := choice.New([]byte("helpers"))
	seen := map[string]int{}
	for range 100 {
		n := s.Range(1, 8)
		s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		p, err := link.Link(link.Fresh(all[:n]), o, s)
		require.NoError(t, err)
		require.NoError(t, p.IR.Check(), "%s", p.IR)
		require.NoError(t, interp.VerifyProgram(p.IR), "%s", p.IR)
		require.Len(t, p.IR.Funcs, n+p.Helpers)
		require.Len(t, p.Purity, n+p.Helpers)
		noticeHelpers(t, p, n, seen)
	}
	t.Log(seen)
	for _, what := range []string{
		"in a condition", "in an index", "operand of a switch", "argument of another", "in a helper", "recursive", "loops", "branches",
		"reads memory", "pure", "const", "called from several places", "the same as another", "another value each time", "constant argument", "variable argument",
	} {
		assert.NotZero(t, seen[what], what)
	}
}

// noticeHelpers counts what there is of the helpers of a program of n leaves.
func noticeHelpers(t *testing.T, p *link.Linked, n int, seen map[string]int) {
	count := func(what string, is bool) {
		if is {
			seen[what]++
		}
	}
	helper := map[*ir.Function]int{}
	texts := map[string]bool{}
	for i, f := range p.IR.Funcs[n:] {
		helper[f] = n + i
		text := f.String()[len("func @")+len(f.Name):]
		count("the same as another", texts[text])
		texts[text] = true
		count("pure", p.Purity[n+i] == link.Pure)
		count("const", p.Purity[n+i] == link.Const)
		for _, v := range f.Vars {
			count("reads memory", v.Kind.Lasts())
			if v.Kind.Lasts() {
				assert.NotEqual(t, link.Const, p.Purity[n+i], "%s", f)
			}
		}
		for _, b := range f.Blocks {
			if term, ok := b.Term.(*ir.If); ok {
				count("loops", term.Then.Name == "round")
				count("branches", term.Then.Name == "one")
			}
		}
	}
	sites := map[*ir.Function]int{}
	for _, f := range p.IR.Funcs {
		for c := range f.Calls() {
			at, is := helper[c.Func]
			if !is {
				_, inHelper := helper[f]
				assert.False(t, inHelper, "helpers call helpers only")
				continue
			}
			sites[c.Func]++
			count("called from several places", sites[c.Func] == 2)
			_, inHelper := helper[f]
			count("recursive", f == c.Func)
			count("in a helper", inHelper && f != c.Func)
			_, known := p.Answers[c]
			for i, arg := range c.Args {
				_, constant := arg.(*ir.Const)
				count("constant argument", constant)
				count("variable argument", known && !constant)
				assert.True(t, constant || !known || p.Purity[at] == link.Impure, "%s is passed %s", c.Func, arg)
				for inner := range calls(&c.Args[i]) {
					_, is := helper[inner.Func]
					count("argument of another", is)
				}
			}
		}
		for _, b := range f.Blocks {
			for at := range b.Exprs() {
				if e, ok := (*at).(*ir.Load); ok {
					if elem, ok := e.Place.(*ir.Elem); ok {
						for c := range calls(&elem.Index) {
							_, is := helper[c.Func]
							count("in an index", is)
						}
					}
				}
			}
			switch term := b.Term.(type) {
			case *ir.If:
				for c := range calls(&term.Cond) {
					_, is := helper[c.Func]
					count("in a condition", is)
				}
			case *ir.Switch:
				for c := range calls(&term.X) {
					_, is := helper[c.Func]
					count("operand of a switch", is)
				}
			}
		}
	}
	values := map[*ir.Call]int64{}
	_, err := interp.RunProgram(p.IR, interp.Options{Leave: func(c interp.Call) {
		if v, again := values[c.Site]; again {
			count("another value each time", v != c.Value)
		}
		values[c.Site] = c.Value
	}})
	require.NoError(t, err)
}
