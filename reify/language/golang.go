package language

import (
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
	ready:    closed,
	Members:  noMembers,
	Commands: func(files []compilers.File) []string {
		return []string{"go build -o repro " + files[0].Name, "./repro"}
	},
	BodyLines: golang.BodyLines,
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
