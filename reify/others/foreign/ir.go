package foreign

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// models are those of our representation. Any is Both there.
var models = map[Models]ir.Models{LP64: ir.LP64, ILP32: ir.ILP32}

// IR returns the function in our representation, with some of its answers. The error says
// what is wrong with its text or a pair.
func (f *Function) IR(pairs []Pair) (*ir.Function, error) {
	text := strings.TrimRight(f.Text, "\n") + "\n"
	g := &ir.Function{Name: f.Symbol, Result: f.Result, Foreign: &ir.Foreign{
		C: text, Models: models[f.Models], Origin: strings.TrimSuffix(f.Origin.String(), ", "+f.Origin.Licence), Licence: f.Origin.Licence,
	}}
	for i, t := range f.Params {
		g.Vars = append(g.Vars, &ir.Var{Name: "a" + strconv.Itoa(i), Type: t, Kind: ir.Param, Index: i})
	}
	g.Foreign = g.Foreign.With(Answers(pairs)...)
	if err := CheckProgram(&ir.Program{Funcs: []*ir.Function{g}}); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Symbol, err)
	}
	return g, nil
}

// Of returns a function of our representation, to ask about it where its models are.
func Of(g *ir.Function) *Function {
	f := &Function{Symbol: g.Name, Text: g.Foreign.C, Result: g.Result, Models: Both}
	if g.Foreign.Models == ir.LP64 {
		f.Models = LP64
	}
	for _, v := range g.Params() {
		f.Params = append(f.Params, v.Type.(ir.Int))
	}
	return f
}

// Answers returns pairs as answers.
func Answers(pairs []Pair) (answers []ir.Answer) {
	for _, p := range pairs {
		answers = append(answers, ir.Answer{Args: p.Args, Want: p.Want, Steps: max(1, p.Steps)})
	}
	return answers
}
