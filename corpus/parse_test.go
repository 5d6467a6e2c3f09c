package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

func read(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(data)
}

func load(t testing.TB, name string) *Entry {
	t.Helper()
	e, err := Load(filepath.Join("testdata", name))
	require.NoError(t, err)
	return e
}

func TestParse(t *testing.T) {
	want := &Entry{
		Tool:     "devel",
		Title:    "made for the tests of this package, no compiler fails on it",
		Verdict:  "wrong",
		Message:  "repro.c:12:3: internal compiler error: in nothing, at none.c:1",
		Language: "C",
		Source:   "function",
		Trust:    Proved,
		Main:     "repro.c",
		Weight:   1,
		Compiler: "gcc-12",
		Family:   "gcc",
		Version:  "12.2.0",
		Mode:     "-O2",
		Flags:    []string{"-fwrapv", "-m32"},
		Expected: "42",
		Got:      "41",
		Date:     "2026-11-20",
		Bad: []Configuration{
			{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Modes: []string{"-O3", "-O2"}},
			{Family: "gcc", Version: "11.4.0", Modes: []string{"-O2"}},
		},
		Witness: []Witness{{"gcc-12 -O0", "ok"}, {"clang-19 -fsanitize=undefined,address", "ok"}},
		Command: `cc -O2 repro.c second.c -o repro && { ./repro || echo "exit status $?"; } | diff want.txt -`,
		Good: []Configuration{
			{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Modes: []string{"-O0", "-O1"}},
			{Family: "clang", Version: "19.1.0", Modes: []string{"-O0"}},
		},
		Culprit:         "tree-ivopts",
		CulpritFunction: "second",
		MendedBy:        []string{"-fno-ivopts", "-fno-tree-slsr"},
		MendedAlone:     []string{"-fwrapv", "-fno-strict-aliasing"},
		ReducedCommand:  "gcc-12 -fwrapv -m32 -O2 -w reduced.c -o reduced && ./reduced",
		ReducedBad: []Configuration{
			{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Modes: []string{"-O2"}},
			{Family: "gcc", Version: "13.2.0", Modes: []string{"-O3"}},
		},
		ReducedGood: []Configuration{{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Modes: []string{"-O0"}}},
		Bucket:      "gcc/wrong/tree-ivopts/O2,O3",
		Notes:       []Note{{"x-note", "kept: as it stands"}, {"x-note", "twice"}},
		Recipe:      map[string][]byte{"body": {}, "config": {0, 0xff, 0x10}, "graph": {1}, "index": {3}},
		Program:     "func @f(%a i32) i32 {\n  entry:\n    return 42\n}\n",
		Sources: map[string]string{
			"repro.c": "#include <stdio.h>\nint second(void);\nint main(void) {\n" +
				"    printf(\"%d\\n\", second());\n    return second() != 42;\n}\n",
			"second.c": "int second(void) { return 42; }\n",
		},
		Want:  "42\n",
		Trace: "entry\n",

		Reduced:        "int main(void) { return 0; }\n",
		ReducedProgram: "func @f() i32 {\n  entry:\n    return 42\n}\n",
	}
	assert.Equal(t, want, load(t, "full.txtar"))
}

func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"full.txtar", "byhand.txtar"} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, read(t, name), undigested(load(t, name)))
		})
	}
}

// Whatever order a file is in, it is written in the canonical one.
func TestFormatReorders(t *testing.T) {
	text := read(t, "full.txtar")
	const graph, trace = "graph: 01\n", "-- trace.txt --\nentry\n"
	const date, note = "date: 2026-11-20\n", "x-note: twice\n"
	shuffled := strings.ReplaceAll(text, graph, "")
	shuffled = strings.Replace(shuffled, "body:\n", graph+"body: \n", 1)
	shuffled = strings.Replace(shuffled, trace, "", 1)
	shuffled = strings.Replace(shuffled, "-- recipe --\n", trace+"-- recipe --\n", 1)
	shuffled = strings.Replace(shuffled, date, "", 1)
	shuffled = strings.Replace(shuffled, note, note+"\n"+date, 1)
	shuffled = strings.Replace(shuffled, "00ff10", "00FF10", 1)
	shuffled = strings.Replace(shuffled, "bad: gcc 11.4.0 : -O2", "bad:   gcc\t11.4.0 :  -O2 ", 1)
	require.NotEqual(t, text, shuffled)
	e, err := Parse("shuffled", []byte(shuffled))
	require.NoError(t, err)
	assert.Equal(t, text, undigested(e))
}

func TestMalformed(t *testing.T) {
	text := read(t, "full.txtar")
	tests := []struct {
		name     string
		old, new string // what is changed in full.txtar
		want     string
	}{
		{"misspelt key", "mode: -O2", "mdoe: -O2", `f:11: unknown key "mdoe", and not a note, which begins with x-`},
		{"space before the colon", "title:", "title :", `f:2: unknown key "title ", and not a note, which begins with x-`},
		{"upper case", "verdict:", "Verdict:", `f:3: unknown key "Verdict", and not a note, which begins with x-`},
		{"no colon", "verdict: wrong", "verdict wrong", `f:3: want key: value`},
		{"no value", "got: 41", "got: ", `f:14: got: no value`},
		{"note without a value", "x-note: twice", "x-note:", `f:33: x-note: no value`},
		{"note without a name", "x-note: twice", "x-: twice", `f:33: unknown key "x-", and not a note, which begins with x-`},
		{"second value", "got: 41\n", "got: 41\ngot: 40\n", `f:15: got: second value, the first is at line 14`},
		{"required key missing", "compiler: gcc-12\n", "", `f:32: no key compiler`},
		{"control character", "title: made", "title: \x1b[31mmade", `f:2: the header holds a character that is not printable`},
		{"not UTF-8", "title: made", "title: \xffmade", `f:2: the header holds a character that is not printable`},
		{"no format version", "devel/2", "devel", `f:1: goreify: want tool version/format version, such as devel/2`},
		{"format of the future", "devel/2", "devel/3", `f:1: goreify: file format "3" is not known, only 2 is; a newer goreify may read it`},
		{"version without a family", "version: gcc 12.2.0", "version: 12.2.0", `f:10: version: want a compiler family and its version, such as gcc 12.2.0`},
		{"level", "mode: -O2", "level: -O2", `f:11: unknown key "level", and not a note, which begins with x-`},
		{"two languages", "language: C", "language: C Go", `f:5: language: "C Go" is more than one word`},
		{"trust", "trust: proved", "trust: perhaps", `f:7: trust: want proved, recorded or agreed, or remove the line`},
		{"weight", "main: repro.c", "main: repro.c\nweight: 0", `f:9: weight: "0" is not a number of functions, from 1 to 100000`},
		{"weight without bound", "main: repro.c", "main: repro.c\nweight: 9000000000000000000", `f:9: weight: "9000000000000000000" is not a number of functions, from 1 to 100000`},
		{"main file outside", "main: repro.c", "main: ../repro.c", `f:8: main: "../repro.c" is not a name for the main file: want a plain file name with the extension of its language, such as repro.c`},
		{"main file without an extension", "main: repro.c", "main: Makefile", `f:8: main: "Makefile" is not a name for the main file: want a plain file name with the extension of its language, such as repro.c`},
		{"main file that is the reduced test", "main: repro.c", "main: reduced.go", `f:8: main: "reduced.go" is not a name for the main file: want a plain file name with the extension of its language, such as repro.c`},
		{"main file that is a program", "main: repro.c", "main: main.ir", `f:8: main: "main.ir" is not a name for the main file: want a plain file name with the extension of its language, such as repro.c`},
		{"two modes", "mode: -O2", "mode: -O2 -O3", `f:11: mode: "-O2 -O3" is more than one word`},
		{"date", "2026-11-20", "20.11.2026", `f:15: date: "20.11.2026" is not a date such as 2026-11-20`},
		{"no such day", "2026-11-20", "2026-02-30", `f:15: date: "2026-02-30" is not a date such as 2026-11-20`},
		{"bad without a mode", "gcc 11.4.0 : -O2", "gcc 11.4.0 :", `f:17: bad: no mode after the colon, want at least one, such as gcc 11.4.0 : -O2`},
		{"bad without a version", "gcc 11.4.0 : -O2", "gcc : -O2", `f:17: bad: want family, version, arguments, a lone colon and modes, such as gcc 12.2.0 -m32 : -O2 -O3`},
		{"witness says nothing", "gcc-12 -O0: ok", "gcc-12 -O0", `f:18: witness: want NAME: ANSWER, such as gcc-12 -O0: ok`},
		{"stray text before the files", "-- recipe --", "-- recipe", `f:34: want key: value`},
		{"recipe line", "config: 00ff10", "config 00ff10", `f:36: want name: hex`},
		{"recipe digit", "00ff10", "00fg10", `f:36: config: 'g' is not a hexadecimal digit`},
		{"recipe length", "00ff10", "00ff1", `f:36: config: odd number of hexadecimal digits`},
		{"recipe twice", "index: 03", "graph: 03", `f:38: second stream graph`},
		{"recipe empty", "body:\nconfig: 00ff10\ngraph: 01\nindex: 03\n", "", `f:34: recipe is empty: fill it or leave it out`},
		{"file outside", "-- second.c --", "-- ../second.c --", `f:51: "../second.c" is not a name for a file: want letters, digits, underscores, dots and dashes, a letter, digit or underscore first`},
		{"absolute file", "-- second.c --", "-- /second.c --", `f:51: "/second.c" is not a name for a file: want letters, digits, underscores, dots and dashes, a letter, digit or underscore first`},
		{"hidden file", "-- second.c --", "-- .c --", `f:51: ".c" is not a name for a file: want letters, digits, underscores, dots and dashes, a letter, digit or underscore first`},
		{"file twice", "-- second.c --", "-- repro.c --", `f:51: second file repro.c, the first is at line 44`},
		{"good without a colon", "good: clang 19.1.0 : -O0", "good: clang 19.1.0 -O0", `f:21: good: want family, version, arguments, a lone colon and modes, such as gcc 12.2.0 -m32 : -O2 -O3`},
		{"second culprit", "culprit-function", "culprit", `f:23: culprit: second value, the first is at line 22`},
		{"reduced test empty", "int main(void) { return 0; }\n", "", `f:57: reduced.c is empty: fill it or leave it out`},
		{"file empty", "-- trace.txt --\nentry\n", "-- trace.txt --\n", `f:55: trace.txt is empty: fill it or leave it out`},
		{"marker in disguise", "    return 42\n", "--  --\n", `f:42: "--  --" looks like the start of a file`},
		{"no C", "-- repro.c --", "-- other.c --", `f:63: no file repro.c, which every entry has`},
		{"no answer", "-- want.txt --\n42\n", "", `f:61: no file want.txt, which every entry has`},
		{"empty", text, "", `f:1: no key goreify`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, text, tt.old)
			e, err := Parse("f", []byte(strings.Replace(text, tt.old, tt.new, 1)))
			assert.Nil(t, e)
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			assert.EqualError(t, err, tt.want)
		})
	}
}

// What Parse accepts, Format writes such that it is read back the same, and
// nothing makes Parse panic.
func FuzzParse(f *testing.F) {
	full := read(f, "full.txtar")
	f.Add([]byte(full))
	f.Add([]byte(strings.NewReplacer("repro.c", "Main.java", "second.c", "notes.md", "source: function", "weight: 7\ntriple: a-b").Replace(full)))
	f.Add([]byte(read(f, "byhand.txtar")))
	f.Add(load(f, "full.txtar").Format())
	f.Add([]byte(read(f, "mixed/b.txtar")))
	f.Add([]byte(strings.ReplaceAll(full, "\n", "\r\n")))
	f.Add([]byte(strings.TrimSuffix(full, "\n")))
	f.Add([]byte("-- recipe --\n-- recipe --"))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), need.MostInput)]
		var e *Entry
		var err error
		need.Little(t, func() { e, err = Parse("f", data) })
		if err != nil {
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.LessOrEqual(t, 1, syntax.Line)
			require.LessOrEqual(t, syntax.Line, 1+strings.Count(string(data), "\n"))
			return
		}
		require.NoError(t, e.Check())
		text := e.Format()
		back, err := Parse("f", text)
		require.NoError(t, err)
		require.Equal(t, normal(e), normal(back))
		require.Equal(t, string(text), string(back.Format()))
	})
}
