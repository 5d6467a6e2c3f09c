package grid

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"goreify/corpus"
	"goreify/reify/printable"
	"goreify/reify/safefile"
	"goreify/tools/reify/hunt"
)

// Dir is the directory of the pages in that of a hunt, and Index the first of them.
const (
	Dir   = "matrix"
	Index = "index.html"
)

//go:embed index.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New(Index).Funcs(template.FuncMap{
	"line":     printable.Line,
	"join":     func(list []string) string { return printable.Line(strings.Join(list, " ")) },
	"findings": func() string { return corpus.FindingsDir },
}).Parse(pageText))

// A picture is a grid as the page shows it.
type picture struct {
	hunt.OfTarget
	File string
	SVG  template.HTML // made by us, of text that is escaped
}

// Write writes the page of a hunt with cells, and a picture for each target, and returns
// the path of the page. It is nothing if the hunt has no cells.
func Write(sum *hunt.Summary) (path string, err error) {
	if sum.Cells == nil {
		return "", nil
	}
	r, err := Build(sum.Dir)
	if err != nil || r == nil {
		return "", err
	}
	out, err := safefile.Below(sum.Dir, true, Dir)
	if err != nil {
		return "", err
	}
	defer out.Close() // written files are closed
	page := struct {
		*hunt.Summary
		Bugs     []Bug
		Pictures []picture
	}{sum, r.Bugs, nil}
	for i, g := range r.Grids {
		p := picture{File: fileOf(i, g.Target), SVG: template.HTML(g.SVG())}
		for _, t := range sum.Cells.Targets {
			if t.Name == g.Target {
				p.OfTarget = t
			}
		}
		if err := out.Write(p.File, []byte(p.SVG), 0o644); err != nil {
			return "", err
		}
		page.Pictures = append(page.Pictures, p)
	}
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, page); err != nil {
		return "", err
	}
	return out.Path() + "/" + Index, out.Write(Index, text.Bytes(), 0o644)
}

var odd = regexp.MustCompile(`[^A-Za-z0-9_.=-]+`)

// fileOf returns the name of the picture of a target, the nth, as others may differ in
// what is no part of a name.
func fileOf(n int, target string) string {
	name := strings.TrimLeft(odd.ReplaceAllString(target, "-"), ".-")
	if len(name) > 100 || name != strings.ReplaceAll(target, " ", "-") {
		name = fmt.Sprintf("%.100s-%d", name, n)
	}
	return name + ".svg"
}
