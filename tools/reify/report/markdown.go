package report

import (
	"bytes"
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"unicode"

	"goreify/compilers"
)

//go:embed report.md.tmpl
var markdownText string

var markdownTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"code":  inlineCode,
	"fence": fence,
	"plain": plain,
	"cell":  tableCell,
	"link":  link,
	"long":  long,
	"quote": compilers.Quote,
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

// inlineCode returns a line as code within a text. A name of a file with unprintable
// characters is quoted.
func inlineCode(text string) string {
	if strings.ContainsFunc(text, unicode.IsControl) {
		text = strconv.Quote(text)
	}
	ticks := backticks(text, 1)
	if len(ticks) > 1 {
		return ticks + " " + text + " " + ticks
	}
	return ticks + text + ticks
}

// tableCell returns a line as code in a table, where a bar would end the cell.
func tableCell(text string) string { return strings.ReplaceAll(inlineCode(text), "|", `\|`) }

// fence returns a block of code in that language, or none. A language with a
// backtick would end the block.
func fence(language, text string) string {
	if strings.Contains(language, "`") {
		language = ""
	}
	ticks := backticks(text, 3)
	return ticks + language + "\n" + strings.TrimRight(text, "\n") + "\n" + ticks
}

// link returns a web address such that it can be followed, and anything else as
// code.
func link(address string) string {
	if !webAddress(address) {
		return tableCell(address)
	}
	return "<" + address + ">"
}

var web = regexp.MustCompile(`^https?://[^<> |\\]+$`)

// webAddress tells whether a link may be made of an address. Other addresses could run
// something, or show a file of the reader's.
func webAddress(address string) bool { return web.MatchString(address) }

// special is the characters that Markdown takes for more than text within a line,
// without underscores and those of HTML.
var special = regexp.MustCompile("[\\\\`*\\[|]")

// plain returns a line such that nothing in it means anything to Markdown or HTML.
// Harmless characters stay: an underscore in a word means nothing.
func plain(text string) string {
	text = special.ReplaceAllString(text, `\$0`)
	var out strings.Builder
	for i := range len(text) {
		var next byte
		if i+1 < len(text) {
			next = text[i+1]
		}
		switch c := text[i]; {
		case c == '<' && next != ' ' && next != '=': // a backslash would not do everywhere
			out.WriteString("&lt;")
		case c == '&' && (next == '#' || wordByte(next)):
			out.WriteString("&amp;")
		case c == '_' && !(i > 0 && wordByte(text[i-1]) && wordByte(next)):
			out.WriteString(`\_`)
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func wordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
