package language

import (
	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/emit/c"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// C is C, with the extensions of gcc and clang.
var C = &Language{
	Name:       compilers.C,
	Short:      "c",
	Under:      ir.C,
	Vectors:    AnyVector,
	Usual:      "gcc",
	Cells:      240,
	CellStyle:  c.Style{Linkage: c.Extern, NoInline: true, Structured: true, ArraySums: true, Rows: true},
	Linked:     true,
	Supports:   lanesOfC,
	DrawStyle:  drawC,
	ParseStyle: func(words string) (Style, error) { return c.ParseFuncStyle(words) },
	Write:      writeC,
	ready:      watched,
	Members:    noMembers,
	Commands:   native.Commands,
	BodyLines:  c.BodyLines,
	Unchecked:  true,
	Others:     true,
	Script:     Script{native.ScriptProbe, "'gcc-13 -m32'"},
	Proved: map[string]int{
		"functions": 100_000, "programs": 10_000, "variants": 10_000, "foreign": 30_000, "expressions": 1_000_000, "paths": 1000, "engines": 2200,
	},
	forms: formsOfC,
}

func noMembers(string, string) map[string]string { return nil }

// drawC draws a style, of which the configuration decides the features of C that no
// function has by itself.
func drawC(s *choice.Stream, conf *reify.Config) Style {
	style := c.DrawStyle(s)
	if conf.Sketch.Policy.Facts > 0 {
		style.Declared = c.DrawDeclared(s)
	}
	style.VolatileArgs = style.VolatileArgs || conf.Opaque
	if s := s.Fork("storage"); s.Chance(conf.Stored, 100) {
		style.Storage = c.DrawStorage(s)
	}
	style.ByValue = s.Fork("by-value").Chance(conf.ByValue, 100)
	return style
}

// A cText is a file of C.
type cText struct {
	units []c.Unit
	text  string
}

func writeC(list []Unit) Text {
	t := cText{}
	for i := range list {
		t.units = append(t.units, unitOfC(&list[i]))
	}
	t.text = c.Emit(t.units)
	return t
}

func unitOfC(u *Unit) c.Unit {
	return c.Unit{Claim: u.Claim, Style: u.Style.(c.Style), More: u.More, Foreign: u.Foreign, Stored: u.Stored}
}

// watched notes the variables that the calls of a unit store to, if its text depends on them.
func watched(u *Unit) error {
	u.Stored = unitOfC(u).Watched(interp.Stored).Stored
	return nil
}

func (t cText) Files() []compilers.File { return compilers.Single([]byte(t.text)) }

func (t cText) Want() []byte { return []byte(c.Want(t.units)) }

func (t cText) Guilty(o compilers.Outcome) []int {
	named := func(name string) int { return c.UnitOf(t.units, name) }
	return Accused(o, named, c.Answers(t.units))
}

func (t cText) Select(unit int) []string { return c.Alone(unit) }

// formsOfC returns the forms of tests in C.
func formsOfC(p *ir.Program, words []string) []Form {
	styles := stylesOfC(words)
	tests := c.TestForms()
	if len(styles) == 1 {
		tests = c.TestFormsOf(styles[0].Style)
	}
	var list []Form
	for _, test := range tests {
		form := testForm(test)
		if !test.Print {
			test.Print = true
			printed := testForm(test)
			test.Compare = true
			compared := testForm(test)
			printed.Printed, form.Printed = &compared, &printed
		}
		list = append(list, form)
	}
	if len(styles) != len(p.Funcs) {
		return list
	}
	return append(list, originalForm(p, styles))
}

func testForm(test c.TestForm) Form {
	return Form{Name: test.String(), Aborts: !test.Print, Write: func(p *ir.Program) (string, string) {
		return c.EmitTest(p, test), c.WantTest(p, test)
	}}
}

// stylesOfC returns styles, or nothing if they are of a later version. A function that was
// declared pure or const need not be so after a change, and is not declared so.
func stylesOfC(words []string) []c.FuncStyle {
	var styles []c.FuncStyle
	for _, text := range words {
		style, err := c.ParseFuncStyle(text)
		if err != nil {
			return nil
		}
		style.Purity = c.Impure
		styles = append(styles, style)
	}
	return styles
}

// originalForm returns the form in which a program was written when it was found:
// as a case, or as a whole program, but all in one file. Its functions have the styles that
// those of the same names had, or else the first.
func originalForm(p *ir.Program, styles []c.FuncStyle) Form {
	index := map[string]int{}
	for i, f := range p.Funcs {
		index[f.Name] = i
	}
	name, alone := "as found: a whole program", len(p.Funcs) == 1
	if alone {
		name = "as found: " + styles[0].String()
	}
	return Form{Name: name, Write: func(p *ir.Program) (string, string) {
		if alone && len(p.Funcs) == 1 { // else it has calls of all cases
			units := []c.Unit{c.Unit{Claim: p.Claims[0], Style: styles[0].Style}.Watched(interp.Stored)}
			return c.Emit(units), c.Want(units)
		}
		var all c.ProgramStyle
		for _, f := range p.Funcs {
			all.Funcs = append(all.Funcs, styles[index[f.Name]])
		}
		files := c.EmitProgram(p, nil, all)
		if len(files) != 1 {
			panic("language: a program in one file is written to several")
		}
		return files[0].Text, c.WantProgram(p)
	}}
}
