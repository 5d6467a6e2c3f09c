package report

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/ir"
)

// Nothing of an entry is HTML in a report, wherever it stands, and only addresses
// of the web are links.
func TestHostileEntry(t *testing.T) {
	const html = "<b>`</b>"
	e, err := corpus.Load(filepath.Join("testdata", "buckets", "c-hostile.txtar"))
	require.NoError(t, err)
	e.Language, e.Mode, e.Triple, e.Culprit, e.Version, e.Bucket = "c"+html, html, html, html, html, html
	e.Bad = []corpus.Configuration{{Family: html, Version: html, Args: []string{"-" + html}, Modes: []string{html}}}
	e.Witness = []corpus.Witness{{Who: html, Said: html}}
	e.MendedBy, e.Message, e.Got, e.Title = []string{html}, html, html, html
	e.Sources[corpus.MainC] = strings.Repeat(html+"\n", 401)
	for _, long := range []bool{true, false} {
		if !long {
			e.Sources[corpus.MainC] = html + "\n"
		}
		require.NoError(t, e.Check())
		name := "$(x)\n\n" + html + ".txtar"
		files := write(t, t.TempDir(), Group([]Finding{{Name: name, Entry: e, Count: 1}}), Options{
			Known: []corpus.Known{{Bucket: html, Link: "javascript:" + html, Note: html}},
		})
		assert.Len(t, files, 2)
		elements(t, files[Index])
		assert.NotContains(t, files[Index], "<b>")
		assert.NotContains(t, files[Index], `href="javascript:`)
		for file, text := range files {
			if file == Index {
				continue
			}
			assert.NotContains(t, markdownHTML(text), "<b>")
			assert.NotContains(t, text, "<javascript:")
			assert.Equal(t, long, strings.Contains(text, "PATH/TO/'$(x)\n\n"))
		}
	}
}

// markdownHTML returns Markdown without the code in it, where HTML is only text.
func markdownHTML(text string) string {
	text = regexp.MustCompile("(?ms)^````?[a-z]*$.*?^````?$").ReplaceAllString(text, "")
	return regexp.MustCompile("``.*?``").ReplaceAllString(text, "")
}

// A program that can be read but is invalid is an error that names the file, and
// keeps no other finding out.
func TestInvalidProgram(t *testing.T) {
	good, err := corpus.Load(filepath.Join("testdata", "buckets", "a-reduced.txtar"))
	require.NoError(t, err)
	dir := t.TempDir()
	for file, change := range map[string]func(e *corpus.Entry){
		"good.txtar":    func(*corpus.Entry) {},
		"found.txtar":   func(e *corpus.Entry) { e.Program = invalid },
		"reduced.txtar": func(e *corpus.Entry) { e.ReducedProgram = invalid },
		"text.txtar":    func(e *corpus.Entry) { e.ReducedProgram = "no program\n" },
	} {
		e := *good
		change(&e)
		require.NoError(t, e.Check())
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), e.Format(), 0o600))
	}
	_, err = ir.Parse(invalid)
	require.NoError(t, err)
	_, err = DOT(invalid)
	require.ErrorContains(t, err, "operands of + are i32 and i64")
	findings, err := Load(dir)
	assert.Len(t, findings, 1)
	assert.ErrorContains(t, err, filepath.Join(dir, "found.txtar")+": program.ir: function @f: ")
	assert.ErrorContains(t, err, filepath.Join(dir, "reduced.txtar")+": reduced.ir: function @f: ")
	assert.ErrorContains(t, err, filepath.Join(dir, "text.txtar")+": reduced.ir: ")
}

// invalid is a program that parses. Its types do not agree, at which the
// interpreter panics.
const invalid = `func @f(%a i32) i32 {
    local %b i64 = 1
  entry:
    return %a + %b
}
case f(a = 1) = 2 path entry
`
