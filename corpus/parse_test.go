package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	got := load(t, "full.txtar")
	want := &Entry{
		Tool:     "devel",
		Title:    "made for the tests of this package, no compiler fails on it",
		Verdict:  "wrong",
		Message:  "repro.c:12:3: internal compiler error: in nothing, at none.c:1",
		Compiler: "gcc-12",
		Family:   "gcc",
		Version:  "12.2.0",
		Level:    "-O2",
		Flags:    []string{"-fwrapv", "-m32"},
		Expected: "42",
		Got:      "41",
		Date:     "2026-11-20",
		Bad: []Bad{
			{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Levels: []string{"-O3", "-O2"}},
			{Family: "gcc", Version: "11.4.0", Levels: []string{"-O2"}},
		},
		Witness: []Witness{{"gcc-12 -O0", "ok"}, {"clang-19 -fsanitize=undefined,address", "ok"}},
		Command: `cc -O2 repro.c second.c -o repro && { ./repro || echo "exit status $?"; } | diff want.txt -`,
		Good: []Bad{
			{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Levels: []string{"-O0", "-O1"}},
			{Family: "clang", Version: "19.1.0", Levels: []string{"-O0"}},
		},
		Culprit:         "tree-ivopts",
		CulpritFunction: "second",
		MendedBy:        []string{"-fno-ivopts", "-fno-tree-slsr"},
		MendedAlone:     []string{"-fwrapv", "-fno-strict-aliasing"},
		ReducedCommand:  "gcc-12 -fwrapv -m32 -O2 -w reduced.c -o reduced && ./reduced",
		ReducedBad: []Bad{
			{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Levels: []string{"-O2"}},
			{Family: "gcc", Version: "13.2.0", Levels: []string{"-O3"}},
		},
		ReducedGood: []Bad{{Family: "gcc", Version: "12.2.0", Args: []string{"-fwrapv", "-m32"}, Levels: []string{"-O0"}}},
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
	assert.Equal(t, want, got)
}

func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"full.txtar", "byhand.txtar"} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, read(t, name), string(load(t, name).Format()))
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
	shuffled = strings.Replace(shuffled, "bad: gcc 11.4.0 -O2", "bad:   gcc\t11.4.0  -O2 ", 1)
	require.NotEqual(t, text, shuffled)
	e, err := Parse("shuffled", []byte(shuffled))
	require.NoError(t, err)
	assert.Equal(t, text, string(e.Format()))
}

func TestMalformed(t *testing.T) {
	text := read(t, "full.txtar")
	tests := []struct {
		name     string
		old, new string // what is changed in full.txtar
		want     string
	}{
		{"misspelt key", "level: -O2", "levle: -O2", `f:7: unknown key "levle"`},
		{"space before the colon", "title:", "title :", `f:2: unknown key "title "`},
		{"upper case", "verdict:", "Verdict:", `f:3: unknown key "Verdict"`},
		{"no colon", "verdict: wrong", "verdict wrong", `f:3: want key: value`},
		{"no value", "got: 41", "got: ", `f:10: got: no value`},
		{"note without a value", "x-note: twice", "x-note:", `f:29: x-note: no value`},
		{"note without a name", "x-note: twice", "x-: twice", `f:29: unknown key "x-"`},
		{"second value", "got: 41\n", "got: 41\ngot: 40\n", `f:11: got: second value, the first is at line 10`},
		{"required key missing", "compiler: gcc-12\n", "", `f:28: no key compiler`},
		{"control character", "title: made", "title: \x1b[31mmade", `f:2: the header holds a character that is not printable`},
		{"not UTF-8", "title: made", "title: \xffmade", `f:2: the header holds a character that is not printable`},
		{"no format version", "devel/1", "devel", `f:1: goreify: want tool version/format version, such as devel/1`},
		{"format of the future", "devel/1", "devel/2", `f:1: goreify: file format "2" is not known, only 1 is`},
		{"version without a family", "version: gcc 12.2.0", "version: 12.2.0", `f:6: version: want a compiler family and its version, such as gcc 12.2.0`},
		{"level", "level: -O2", "level: O2", `f:7: level: "O2" is not a level such as -O2`},
		{"two levels", "level: -O2", "level: -O2 -O3", `f:7: level: "-O2 -O3" is not a level such as -O2`},
		{"date", "2026-11-20", "20.11.2026", `f:11: date: "20.11.2026" is not a date such as 2026-11-20`},
		{"no such day", "2026-11-20", "2026-02-30", `f:11: date: "2026-02-30" is not a date such as 2026-11-20`},
		{"bad without a level", "gcc 11.4.0 -O2", "gcc 11.4.0 -m32", `f:13: bad: no level after gcc 11.4.0`},
		{"bad without a version", "gcc 11.4.0 -O2", "gcc -O2", `f:13: bad: want family, version and levels, such as gcc 12.2.0 -O2 -O3`},
		{"witness says nothing", "gcc-12 -O0: ok", "gcc-12 -O0", `f:14: witness: want who: what they said, such as gcc-12 -O0: ok`},
		{"stray text before the files", "-- recipe --", "-- recipe", `f:30: want key: value`},
		{"recipe line", "config: 00ff10", "config 00ff10", `f:32: want name: hex`},
		{"recipe digit", "00ff10", "00fg10", `f:32: config: 'g' is not a hexadecimal digit`},
		{"recipe length", "00ff10", "00ff1", `f:32: config: odd number of hexadecimal digits`},
		{"recipe twice", "index: 03", "graph: 03", `f:34: second stream graph`},
		{"recipe empty", "body:\nconfig: 00ff10\ngraph: 01\nindex: 03\n", "", `f:30: recipe is empty`},
		{"unknown file", "-- trace.txt --", "-- trace.text --", `f:51: unknown file "trace.text"`},
		{"file outside", "-- second.c --", "-- ../second.c --", `f:47: unknown file "../second.c"`},
		{"absolute file", "-- second.c --", "-- /second.c --", `f:47: unknown file "/second.c"`},
		{"hidden file", "-- second.c --", "-- .c --", `f:47: unknown file ".c"`},
		{"file twice", "-- second.c --", "-- repro.c --", `f:47: second file repro.c, the first is at line 40`},
		{"good without a level", "good: clang 19.1.0 -O0", "good: clang 19.1.0", `f:17: good: no level after clang 19.1.0`},
		{"second culprit", "culprit-function", "culprit", `f:19: culprit: second value, the first is at line 18`},
		{"reduced test empty", "int main(void) { return 0; }\n", "", `f:53: reduced.c is empty`},
		{"file empty", "-- trace.txt --\nentry\n", "-- trace.txt --\n", `f:51: trace.txt is empty`},
		{"marker in disguise", "    return 42\n", "--  --\n", `f:38: "--  --" looks like the start of a file`},
		{"no C", "-- repro.c --", "-- other.c --", `f:59: no file repro.c`},
		{"no answer", "-- want.txt --\n42\n", "", `f:57: no file want.txt`},
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
	f.Add([]byte(read(f, "byhand.txtar")))
	f.Add([]byte(read(f, "mixed/b.txtar")))
	f.Add([]byte(strings.ReplaceAll(full, "\n", "\r\n")))
	f.Add([]byte(strings.TrimSuffix(full, "\n")))
	f.Add([]byte("-- recipe --\n-- recipe --"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Parse("f", data)
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
