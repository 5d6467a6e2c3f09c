package c

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/tools/need"
)

// parseTestForm returns the form that String writes as text, whose words may
// come in any order. The error names the word that is not known.
func parseTestForm(text string) (TestForm, error) {
	var f TestForm
	var style []string
	for _, word := range strings.Fields(text) {
		switch word {
		case "goto":
			f.Goto = true
		case "labels":
			f.Labels = true
		case "global-args":
			f.GlobalArgs = true
		case "caller":
			f.Caller = true
		case "print":
			f.Print = true
		case "compare":
			f.Compare = true
		case "noclone":
			f.NoClone = true
		default:
			style = append(style, word)
		}
	}
	var err error
	if f.Style, err = ParseStyle(strings.Join(style, " ")); err != nil {
		return TestForm{}, fmt.Errorf("test form: %w", err)
	}
	return f, nil
}

// parseTest returns the program in the file "ir" of an archive.
func parseTest(t testing.TB, archive *txtar.Archive) *ir.Program {
	t.Helper()
	require.Equal(t, "ir", archive.Files[0].Name)
	p, err := ir.Parse(string(archive.Files[0].Data))
	require.NoError(t, err)
	require.NoError(t, p.Check())
	require.NoError(t, interp.VerifyProgram(p))
	return p
}

// TestTestFormGolden compares the program in the file "ir" of each archive with
// the other files, whose names are test forms. They are free of warnings but
// for those of labels and of fields that the program does not care about.
func TestTestFormGolden(t *testing.T) {
	need.Long(t)
	files, err := filepath.Glob("testdata/tests/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			p := parseTest(t, archive)
			for i, f := range archive.Files[1:] {
				form, err := parseTestForm(f.Name)
				require.NoError(t, err)
				got := EmitTest(p, form)
				if *update {
					archive.Files[i+1].Data = []byte(got)
				} else {
					assert.Equal(t, string(f.Data), got, f.Name)
				}
				assert.Equal(t, got, EmitTest(p, form))
				requireTestRight(t, p, form)
			}
			if *update {
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			}
		})
	}
}

// requireTestRight checks that the test that EmitTest makes compiles without
// warnings and exits with status 0, and prints the answer if it is to; and that
// it shows if another answer is expected.
func requireTestRight(t *testing.T, p *ir.Program, form TestForm) {
	t.Helper()
	c, line := p.Claims[0], WantTest(p, form)
	wall := []string{"-O0", "-Wall", "-Werror", "-Wno-unused-but-set-variable", "-Wno-unused-variable"}
	for _, compiler := range compilersFound(t) {
		flags := wall
		if form.Labels {
			flags = append(flags[:len(flags):len(flags)], "-Wno-unused-label")
		}
		if form.NoClone && strings.HasPrefix(compiler, "clang") {
			flags = append(flags[:len(flags):len(flags)], "-Wno-unknown-attributes")
		}
		program := compileTest(t, EmitTest(p, form), compiler, flags...)
		got, status := execute(t, program)
		assert.Equal(t, line, got, compiler)
		assert.Zero(t, status, compiler)
	}
	wrong := p.Clone()
	wrong.Claims[0].Want = c.Func.Result.Wrap(c.Want ^ 1)
	got, status := execute(t, compileTest(t, EmitTest(wrong, form), compilersFound(t)[0]))
	if form.Compare {
		line = strings.TrimSuffix(line, "1\n") + "0\n"
	}
	assert.Equal(t, line, got)
	if form.Print {
		assert.NotEqual(t, WantTest(wrong, form), got)
	} else {
		assert.NotZero(t, status)
	}
}

func TestTestForms(t *testing.T) {
	styles := []Style{{}, {Linkage: StaticInline, VolatileArgs: true, Cond: Inverted},
		{ComputedGoto: true, ParamStruct: true, ResultStruct: true, PointerParams: true, Order: 7, Structured: true},
		{ParamsAsGlobals: true, NoInline: true}}
	for _, style := range styles {
		forms := TestFormsOf(style)
		assert.Equal(t, TestForms(), forms[:len(TestForms())])
		seen := map[TestForm]bool{}
		for _, f := range forms {
			assert.False(t, seen[f], "%v twice", f)
			seen[f] = true
			back, err := parseTestForm(f.String())
			assert.NoError(t, err)
			assert.Equal(t, f, back)
		}
		last := forms[len(forms)-1]
		assert.True(t, last.Labels)
		style.ParamsAsGlobals = false
		assert.Equal(t, style, last.Style)
	}
	assert.Equal(t, "plain", TestForms()[0].String())
	assert.Equal(t, "goto noinline volatile-args", TestForms()[9].String())
	for _, text := range []string{"flat", "goto=1", "noinline nope"} {
		_, err := parseTestForm(text)
		assert.Error(t, err, text)
	}
}

// bodyLines returns how many lines the bodies of the functions take, but for main and
// what it calls for it.
func bodyLines(text string) int {
	text = regexp.MustCompile(`(?s)\n\w+ (main|test)\(void\).*`).ReplaceAllString(text, "\n")
	lines := 0
	for _, body := range regexp.MustCompile(`(?s)\n\{\n(.*?)\n\}\n`).FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(body[1]) {
			if strings.TrimSpace(line) != "" {
				lines++
			}
		}
	}
	return lines
}

// The finding of the README is as short as by hand.
func TestRealFindingIsShort(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/tests/real.txtar")
	require.NoError(t, err)
	p := parseTest(t, archive)
	text := EmitTest(p, TestForm{Style: Style{NoInline: true, VolatileArgs: true}})
	assert.Equal(t, 8, bodyLines(text), "%s", text)
	for _, f := range TestForms() {
		assert.LessOrEqual(t, bodyLines(EmitTest(p, f)), 15, "%s", f)
	}
}

func TestEmitTestPanics(t *testing.T) {
	p := ir.MustParse("func @f() u32 {\n only:\n return 7\n}\ncase f() = 7 path only\n")
	assert.Panics(t, func() { EmitTest(&ir.Program{Funcs: p.Funcs}, TestForm{}) })
	s := ir.MustParse("func @f() u32 {\n only:\n return ?0\n}\ncase f() = 7 path only\n")
	assert.Panics(t, func() { EmitTest(s, TestForm{}) })
}

// Forms without labels are short: no label stands that nothing jumps to, and
// nothing jumps to the line after it. The program stays as it was.
func TestSimplify(t *testing.T) {
	for _, file := range []string{"structured", "spelling", "language", "calls"} {
		archive, err := txtar.ParseFile("testdata/tests/" + file + ".txtar")
		require.NoError(t, err)
		p := parseTest(t, archive)
		before := p.String()
		for _, f := range TestForms() {
			text := EmitTest(p, f)
			assert.Equal(t, before, p.String())
			if f.Labels {
				continue
			}
			for _, label := range regexp.MustCompile(`(?m)^ *(\w+):$`).FindAllStringSubmatch(text, -1) {
				if label[1] != "default" {
					assert.Regexp(t, `(goto |&&)`+label[1]+`\b`, text)
					assert.NotRegexp(t, `goto `+label[1]+`;\n *`+label[1]+`:`, text)
				}
			}
		}
	}
}
