package report

import (
	"bytes"
	_ "embed"
	"regexp"
	"strings"
	"text/template"
)

//go:embed report.md.tmpl
var markdownText string

var markdownTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"code":  inlineCode,
	"fence": fence,
	"plain": plain,
	"cell":  tableCell,
	"long":  long,
}).Parse(markdownText))

// markdown returns the report of a bug.
func markdown(u *bug) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString(written)
	if err := markdownTemplate.Execute(&out, u); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// maxInline is how many lines of a test stand in a report.
const maxInline = 400

// long tells whether files are too long to stand in a report.
func long(files []file) bool {
	n := 0
	for _, f := range files {
		n += f.Lines()
	}
	return n > maxInline
}

// backticks returns so many backticks that the text does not hold them in a row,
// at least least of them.
func backticks(text string, least int) string {
	ticks := strings.Repeat("`", least)
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	return ticks
}

// inlineCode returns a line as code within a text.
func inlineCode(text string) string {
	ticks := backticks(text, 1)
	if len(ticks) > 1 {
		return ticks + " " + text + " " + ticks
	}
	return ticks + text + ticks
}

// tableCell returns a line as code in a table, where a bar would end the cell.
func tableCell(text string) string { return strings.ReplaceAll(inlineCode(text), "|", `\|`) }

// fence returns a block of code in that language, or none.
func fence(language, text string) string {
	ticks := backticks(text, 3)
	return ticks + language + "\n" + strings.TrimRight(text, "\n") + "\n" + ticks
}

// special is what Markdown would take for more than text within a line: an
// underscore within a word is none.
var special = regexp.MustCompile("[\\\\`*\\[|]|\\b_\\B|\\B_|<[A-Za-z/!?]|&[#A-Za-z]")

// plain returns a line such that nothing in it means anything to Markdown.
func plain(text string) string { return special.ReplaceAllString(text, `\$0`) }
