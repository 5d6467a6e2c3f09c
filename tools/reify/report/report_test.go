package report

import (
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/safefile"
	"goreify/tools/need"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixture returns the buckets of testdata/buckets and options that depend on
// nothing outside of it.
func fixture(t *testing.T) ([]Bucket, Options) {
	findings, err := Load(filepath.Join("testdata", "buckets"))
	require.NoError(t, err)
	known, err := corpus.LoadKnown(filepath.Join("testdata", "buckets", corpus.KnownFile))
	require.NoError(t, err)
	return Group(findings), Options{
		Known: known,
		Draw: func(context.Context, string) ([]byte, error) {
			return os.ReadFile(filepath.Join("testdata", "graph.svg"))
		},
	}
}

// write writes the reports of the fixture and returns them by name.
func write(t *testing.T, dir string, buckets []Bucket, o Options) map[string]string {
	require.NoError(t, Write(t.Context(), opened(t, dir), buckets, o))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	files := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		files[e.Name()] = string(data)
	}
	return files
}

func TestGolden(t *testing.T) {
	buckets, o := fixture(t)
	files := write(t, t.TempDir(), buckets, o)
	for _, name := range []string{"gcc-wrong-answer-tree-vrp2-O2-O3.md", "gcc-11.3.0-crash-O2-killed-by-SIGSEGV.md"} {
		golden := filepath.Join("testdata", "golden-"+name)
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(files[name]), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), files[name], "go test -update rewrites it")
	}
}

// A report of clang has the test in LLVM IR, and its command only if it is one of ours.
func TestLLVM(t *testing.T) {
	buckets, o := fixture(t)
	e := *buckets[0].Findings[0].Entry
	buckets = buckets[:1]
	buckets[0].Findings = []Finding{buckets[0].Findings[0]}
	buckets[0].Findings[0].Entry = &e
	e.Members = map[string]string{e.LLVMFile(): "; f() is 1, and 3 here.\n\ndefine i8 @f() {\n  ret i8 1\n}\n"}
	e.Verdict, e.Reduced = "wrong-answer", "int main(void) { abort(); }\n"
	e.SetNote(corpus.NoteReducedWant, "")
	for run, shown := range map[string]bool{"llc -mtriple=s390x-linux-gnu < reduced.ll": true, "llc < reduced.ll; touch x": false} {
		e.LLVMRun, e.LLVMTargets = run, "right: aarch64-linux-gnu"
		var all string
		for _, text := range write(t, t.TempDir(), buckets, o) {
			all += text
		}
		assert.Contains(t, all, "## LLVM IR")
		assert.Contains(t, all, "define i8 @f()")
		assert.Contains(t, all, "The program calls abort(). In LLVM IR, f() is 1, and 3 here.")
		assert.Contains(t, all, "The same for other targets: right: aarch64-linux-gnu.")
		assert.Equal(t, shown, strings.Contains(all, run), run)
		assert.NotContains(t, all, "The same in C")
	}
	// It begins with the IR where the source text is more than twice as long.
	e.LLVMRun = "llc -mtriple=s390x-linux-gnu < reduced.ll"
	for lines, first := range map[int]bool{2: false, 3: true} {
		e.Reduced = strings.Repeat(";\n", lines)
		for name, text := range write(t, t.TempDir(), buckets, o) {
			if strings.HasSuffix(name, ".md") {
				ir, c := strings.Index(text, "define i8 @f()"), strings.Index(text, "Save this as `"+e.ReducedMain()+"`")
				assert.Equal(t, first, ir < c, text)
				assert.Equal(t, first, strings.Contains(text, "## The same in C"))
			}
		}
	}
}

func TestDeterministic(t *testing.T) {
	buckets, o := fixture(t)
	first := write(t, t.TempDir(), buckets, o)
	findings, err := Load(filepath.Join("testdata", "buckets"))
	require.NoError(t, err)
	slices.Reverse(findings)
	assert.Equal(t, first, write(t, t.TempDir(), Group(findings), o), "the order of findings makes no difference")
	assert.Len(t, first, len(buckets)+1+2, "a page, and two scripts")
}

func TestStaleReportsGo(t *testing.T) {
	buckets, o := fixture(t)
	dir := filepath.Join(t.TempDir(), "no [pattern")
	require.NoError(t, os.Mkdir(dir, 0o777))
	note := filepath.Join(dir, "note.md")
	require.NoError(t, os.WriteFile(note, []byte("# mine\n"), 0o666))
	all := write(t, dir, buckets, o)
	less := write(t, dir, buckets[1:], o)
	assert.Contains(t, all, buckets[0].Name+".md")
	assert.NotContains(t, less, buckets[0].Name+".md")
	assert.Contains(t, less, buckets[1].Name+".md")
	assert.Equal(t, "# mine\n", less["note.md"], "what others wrote stays")
}

// An element of the page.
type element struct {
	name  string
	attrs map[string]string
	text  string // directly in it
}

// elements parses XML strictly and returns its elements in order.
func elements(t *testing.T, text string) []*element {
	dec := xml.NewDecoder(strings.NewReader(text))
	var all, open []*element
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch tok := token.(type) {
		case xml.StartElement:
			e := &element{name: tok.Name.Local, attrs: map[string]string{}}
			for _, a := range tok.Attr {
				assert.NotContains(t, e.attrs, a.Name.Local, "attribute twice")
				e.attrs[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text += string(tok)
			}
		}
	}
	require.Empty(t, open)
	return all
}

func TestPage(t *testing.T) {
	buckets, o := fixture(t)
	page := write(t, t.TempDir(), buckets, o)[Index]
	ids := map[string]int{}
	linked := map[string]bool{}
	var policy string
	var pictures int
	for _, e := range elements(t, page) {
		assert.NotContains(t, []string{"script", "img", "link", "iframe", "object", "base", "b", "title2"}, e.name)
		for name, value := range e.attrs {
			assert.False(t, strings.HasPrefix(name, "on"), "an event handler: %s", name)
			if name == "src" || name == "href" {
				assert.NotContains(t, value, "javascript:")
			}
		}
		if id := e.attrs["id"]; id != "" {
			ids[id]++
		}
		if e.name == "a" {
			linked[e.attrs["href"]] = true
		}
		if e.name == "svg" {
			pictures++
			assert.NotEmpty(t, e.attrs["aria-label"])
		}
		if e.attrs["http-equiv"] == "Content-Security-Policy" {
			policy = e.attrs["content"]
		}
	}
	assert.Equal(t, "default-src 'none'; style-src 'unsafe-inline'", policy)
	assert.Equal(t, 2, pictures, "of the entries with a program")
	require.Len(t, buckets, 3)
	for _, b := range buckets {
		assert.Equal(t, 1, ids[b.Name], "anchor of %s", b.Key)
		assert.True(t, linked["#"+b.Name], "link to %s", b.Key)
		assert.True(t, linked[b.Name+".md"], "report of %s", b.Key)
	}
	assert.True(t, linked["https://example.org/bug/1"])
	assert.Contains(t, page, "reported &lt;in vain&gt;")
	assert.Contains(t, page, "prefers-color-scheme: dark")
	assert.NotContains(t, page, "ZgotmplZ", "a value that the template would not take")
}

// Without Graphviz the page shows the same graph as text, and says why.
func TestPageWithoutGraphviz(t *testing.T) {
	buckets, o := fixture(t)
	o.Draw = nil
	page := write(t, t.TempDir(), buckets, o)[Index]
	assert.NotContains(t, page, "<svg")
	assert.Contains(t, page, "Graphviz was not installed")
	assert.Contains(t, page, "b1     3 times         → b1 (taken twice), b3 (taken once)\n")
	assert.Contains(t, page, "b2     never executed  → b1\n")
	elements(t, page)
}

// A graph that cannot be drawn costs its picture, not the reports.
func TestPageWithBrokenGraphviz(t *testing.T) {
	buckets, o := fixture(t)
	for name, draw := range map[string]func(context.Context, string) ([]byte, error){
		"out of memory": func(context.Context, string) ([]byte, error) { return nil, errors.New("out of memory") },
		"SVG: ":         func(context.Context, string) ([]byte, error) { return []byte("<svg"), nil },
	} {
		o.Draw = draw
		page := write(t, t.TempDir(), buckets, o)[Index]
		assert.NotContains(t, page, "<svg")
		assert.Contains(t, page, "could not be drawn: "+name)
		assert.Contains(t, page, "b2     never executed  → b1\n")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, Write(ctx, opened(t, t.TempDir()), buckets, o), context.Canceled)
}

func TestHostileMarkdown(t *testing.T) {
	buckets, o := fixture(t)
	files := write(t, t.TempDir(), buckets, o)
	var text string
	for _, b := range buckets {
		if b.Findings[0].Name == "c-hostile.txtar" {
			text = files[b.Name+".md"]
		}
	}
	require.NotEmpty(t, text)
	lines := strings.Split(text, "\n")
	assert.Contains(t, lines[1], `&lt;/script>&lt;img src=x`, "the title")
	assert.Contains(t, lines[1], `\[x](javascript`)
	assert.Contains(t, lines[1], `\_a\_`)
	// The test holds ``` itself.
	assert.Contains(t, text, "\n````c\n/* ``` ")
	for _, line := range lines {
		if strings.HasPrefix(line, "| Bucket") {
			assert.Equal(t, 3, strings.Count(strings.ReplaceAll(line, `\|`, ""), "|"), "a table of two columns")
		}
	}
}

// What Graphviz makes of the graph today is made fit for the page.
func TestRestyle(t *testing.T) {
	svg, err := os.ReadFile(filepath.Join("testdata", "graph.svg"))
	require.NoError(t, err)
	if dot, err := exec.LookPath("dot"); err != nil {
		need.Partly(t, "dot", "Graphviz of this machine, for it has no dot; that of testdata/graph.svg is")
	} else {
		e, err := corpus.Load(filepath.Join("testdata", "buckets", "a-reduced.txtar"))
		require.NoError(t, err)
		graph, err := DOT(e.ReducedProgram)
		require.NoError(t, err)
		cmd := exec.Command(dot, "-Tsvg")
		cmd.Stdin = strings.NewReader(graph)
		svg, err = cmd.Output()
		require.NoError(t, err)
		if *update {
			require.NoError(t, os.WriteFile(filepath.Join("testdata", "graph.svg"), svg, 0o666))
		}
	}
	text, err := restyle(svg, `a "label" & <more>`)
	require.NoError(t, err)
	all := elements(t, text)
	assert.Equal(t, "svg", all[0].name)
	assert.Equal(t, `a "label" & <more>`, all[0].attrs["aria-label"])
	boxes, taken, names := 0, 0, []string{}
	for _, e := range all {
		assert.NotContains(t, e.attrs, "id")
		assert.NotContains(t, e.attrs, "fill")
		assert.NotContains(t, e.attrs, "stroke")
		class := e.attrs["class"]
		if e.name == "polygon" && strings.Contains(class, "fill-lightblue") {
			boxes++
		}
		if e.name == "path" && strings.Contains(class, "stroke-blue") {
			taken++
		}
		if e.name == "text" {
			names = append(names, e.text)
		}
	}
	assert.Equal(t, 4, boxes, "entry, b1, b3, exit")
	assert.Equal(t, 4, taken, "edges of the path")
	assert.Contains(t, names, "b1 ×3")
	assert.Contains(t, names, "2 3", "steps of the loop")
}

func TestRestyleDropsWhatDoesNotDraw(t *testing.T) {
	text, err := restyle([]byte(`<svg viewBox="0 0 10 20" onload="a()"><script>a()</script><style>*{}</style>
		<g id="x" onclick="a()"><title>t</title><a href="javascript:a()"><text x="1">lost</text></a><text x="2" fill="url(#a)" style="b">&lt;kept&gt;</text></g></svg>`), "l")
	require.NoError(t, err)
	all := elements(t, text)
	var names []string
	for _, e := range all {
		names = append(names, e.name)
	}
	assert.Equal(t, []string{"svg", "g", "text"}, names)
	assert.Empty(t, all[1].attrs)
	assert.Equal(t, map[string]string{"class": "fill-black", "x": "2"}, all[2].attrs)
	assert.Equal(t, "<kept>", all[2].text)
	for _, bad := range []string{"", "<svg/>", `<svg viewBox="0 0 a b"/>`, "<svg viewBox='0 0 1 1'>"} {
		_, err := restyle([]byte(bad), "l")
		assert.Error(t, err, bad)
	}
}

func opened(t *testing.T, dir string) *safefile.Dir {
	d, err := safefile.Make(dir)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.Close() })
	return d
}
