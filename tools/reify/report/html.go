package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"goreify/corpus"
)

//go:embed index.html.tmpl
var htmlText string

var htmlTemplate = template.Must(template.New(Index).Funcs(template.FuncMap{
	"enumerate": enumerate,
	"join":      strings.Join,
	"web":       webAddress,
}).Parse(htmlText))

// A page is what the template of the page is filled in with.
type page struct {
	Bugs     []*bug
	Findings int
	Days     []day
}

// A day is how many findings fail, are fixed and have changed their form, as the last answers up
// to it say.
type day struct {
	Day                  string
	Fail, Changed, Fixed int
}

// days returns the days of a record on which something was asked.
func days(life []corpus.Life) (list []day) {
	for i, l := range life {
		if i+1 < len(life) && life[i+1].Day == l.Day {
			continue
		}
		d := day{Day: l.Day}
		seen := map[string]corpus.LifeState{}
		for _, before := range life[:i+1] {
			seen[before.Finding] = before.State
		}
		for _, state := range seen {
			switch state {
			case corpus.StillFails:
				d.Fail++
			case corpus.ChangedForm:
				d.Changed++
			case corpus.Fixed:
				d.Fixed++
			}
		}
		list = append(list, d)
	}
	return list
}

// html returns the page. It is well-formed XML, too, so that a strict parser can
// check it.
func html(bugs []*bug, life []corpus.Life) ([]byte, error) {
	p := page{Bugs: bugs, Days: days(life)}
	for _, b := range bugs {
		p.Findings += b.Count
	}
	var out bytes.Buffer
	if err := htmlTemplate.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
