package language

import (
	"fmt"
	"slices"

	"goreify/compilers"
	"goreify/reify/emit/golang"
	"goreify/reify/interp"
)

// Go is Go.
var Go = &Language{
	Name:     compilers.Go,
	Short:    "go",
	Under:    interp.Go,
	Prefix:   "go-",
	Usual:    "gc",
	Cells:    480,
	Masked:   golang.Masked,
	Voucher:  C,
	Lacks:    golang.Lacks,
	Supports: supported(golang.Supports, golang.Lacks),
	Write:    writeGo,
	Members:  noMembers,
	Commands: func(files []compilers.File) []string {
		return []string{"go build -o repro " + files[0].Name, "./repro"}
	},
	BodyLines: golang.BodyLines,
	Proved:    map[string]int{"functions": 5000, "programs": 1000, "expressions": 1_000_000, "graphs": 10_000, "engines": 220},
	Graphs:    goGraphs,
	plain:     golang.Forms,
}

func init() { Go.DrawStyle, Go.ParseStyle = style(golang.DrawStyle, golang.ParseStyle) }

// A goText is a file of Go.
type goText struct {
	units []golang.Unit
	text  string
}

func writeGo(list []Unit) Text {
	t := goText{units: unitsOf[golang.Style](list)}
	t.text = golang.Emit(t.units)
	return t
}

func (t goText) Files() []compilers.File {
	return []compilers.File{{Name: compilers.MainGo, Content: []byte(t.text)}}
}

func (t goText) Want() []byte { return []byte(golang.Want(t.units)) }

func (t goText) Guilty(o compilers.Outcome) []int {
	named := func(name string) int { return golang.UnitOf(t.units, name) }
	return Accused(o, named, golang.Answers(t.units))
}

func (t goText) Select(unit int) []string { return golang.Alone(unit) }

// goGraphs marks the blocks of the functions.
func goGraphs(list []Unit) (all []Picture, err error) {
	for _, u := range list {
		style := u.Style.(golang.Style)
		style.Consts = golang.Untyped // marks are literals
		golang.Mark(u.Claim.Func)
		of := *u.Claim
		of.End = nil // the function is another one now
		if err := interp.Close(&of); err != nil {
			return nil, err
		}
		text := golang.Emit(unitsOf[golang.Style]([]Unit{{Claim: &of, Style: style}}))
		p := Picture{How: style.String() + "\n" + text}
		if p.Got, err = golang.Graph(text, u.Claim.Func); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, text)
		}
		for _, succs := range u.Claim.Func.Graph() {
			p.Want = append(p.Want, slices.Compact(sorted(succs)))
		}
		all = append(all, p)
	}
	return all, nil
}
