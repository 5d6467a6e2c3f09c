package ir

import (
	"strconv"
	"strings"
)

// foreignWord begins a function that others wrote.
const foreignWord = "foreign"

// foreign prints a function that others wrote.
func (w *printer) foreign(f *Function) {
	w.text(foreignWord + " ")
	w.head(f)
	w.text(" {\n")
	line := func(word, text string) { w.text("    " + word + " " + text + "\n") }
	if f.Foreign.Origin != "" {
		line("origin", strconv.Quote(f.Foreign.Origin))
	}
	if f.Foreign.Licence != "" {
		line("licence", strconv.Quote(f.Foreign.Licence))
	}
	if f.Foreign.Models != AnyModel {
		line("models", f.Foreign.Models.String())
	}
	for _, a := range f.Foreign.Answers {
		var args []string
		for i, v := range a.Args {
			t := I64
			if i < len(f.Vars) {
				t = paramInt(f.Vars[i])
			}
			args = append(args, t.Format(v))
		}
		text := "(" + strings.Join(args, ", ") + ") = " + f.Result.Format(a.Want)
		if a.Steps != 0 {
			text += " steps " + strconv.Itoa(a.Steps)
		}
		line("answer", text)
	}
	for l := range strings.Lines(f.Foreign.C) {
		line("c", strconv.Quote(strings.TrimSuffix(l, "\n")))
	}
	w.text("}\n")
}

// foreign reads a function that others wrote.
func (p *parser) foreign() *Function {
	f := p.funcs[p.toks[min(p.at+1, len(p.toks)-1)].text]
	if f == nil || p.defined[f.Name] {
		f = new(Function) // there is an error in the head
	}
	p.head(f)
	p.defined[f.Name] = true
	f.Foreign = new(Foreign)
	p.want("{")
	p.endLine()
	if p.skip("origin") {
		f.Foreign.Origin = p.quoted()
	}
	if p.skip("licence") {
		f.Foreign.Licence = p.quoted()
	}
	if p.skip("models") {
		switch t := p.wantKind(tokIdent, "lp64 or ilp32"); t.text {
		case LP64.String():
			f.Foreign.Models = LP64
		case ILP32.String():
			f.Foreign.Models = ILP32
		default:
			p.fail(t, "expected lp64 or ilp32, found %s", t)
		}
		p.endLine()
	}
	for p.skip("answer") {
		f.Foreign.Answers = append(f.Foreign.Answers, p.answer(f))
	}
	var text strings.Builder
	for first := true; first || p.is("c"); first = false {
		p.want("c")
		text.WriteString(p.quoted() + "\n")
		if p.err != nil {
			break
		}
	}
	f.Foreign.C = text.String()
	p.want("}")
	p.endLine()
	return f
}

// quoted reads a string that is not empty, up to the end of its line.
func (p *parser) quoted() string {
	t := p.wantKind(tokString, "a string")
	p.endLine()
	return t.text
}

func (p *parser) answer(f *Function) (a Answer) {
	p.want("(")
	for i, v := range f.Vars {
		if i > 0 {
			p.want(",")
		}
		a.Args = append(a.Args, p.value(paramInt(v)))
	}
	p.want(")")
	p.want("=")
	a.Want = p.value(f.Result)
	if p.skip("steps") {
		a.Steps = p.count("number of steps", 1<<30)
	}
	p.endLine()
	return a
}
