package function

import (
	"goreify/compilers"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/language"
)

// A cText is a file of C.
type cText struct {
	units []c.Unit
	text  string
}

func writeC(list []Member) language.Text {
	t := cText{}
	for _, m := range list {
		t.units = append(t.units, c.Unit{Claim: m.Case.Claim, Style: m.Style, More: m.Case.More, Foreign: m.Foreign}.Watched(interp.Stored))
	}
	t.text = c.Emit(t.units)
	return t
}

func (t cText) Files() []compilers.File { return compilers.Single([]byte(t.text)) }

func (t cText) Want() []byte { return []byte(c.Want(t.units)) }

func (t cText) Guilty(o compilers.Outcome) []int {
	named := func(name string) int { return c.UnitOf(t.units, name) }
	return language.Accused(o, named, c.Answers(t.units))
}

func (t cText) Select(unit int) []string { return c.Alone(unit) }
