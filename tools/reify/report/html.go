package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"
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
}

// html returns the page. It is well-formed XML, too, so that a strict parser can
// check it.
func html(bugs []*bug) ([]byte, error) {
	p := page{Bugs: bugs}
	for _, b := range bugs {
		p.Findings += b.Count
	}
	var out bytes.Buffer
	if err := htmlTemplate.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
