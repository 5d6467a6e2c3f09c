package corpus

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	tests := []struct {
		name   string
		change func(e *Entry)
		want   string // part of the error
	}{
		{"two lines", func(e *Entry) { e.Title = "a\nbad: gcc 1 -O2" }, "title: "},
		{"carriage return", func(e *Entry) { e.Got = "4\r1" }, "got: "},
		{"space around", func(e *Entry) { e.Bucket = " b" }, "bucket: "},
		{"nothing", func(e *Entry) { e.Command = "" }, "command: no value"},
		{"no tool", func(e *Entry) { e.Tool = "" }, "goreify: want tool version"},
		{"no version", func(e *Entry) { e.Version = "" }, "version: "},
		{"version with an argument", func(e *Entry) { e.Version = "12.2.0 -m32" }, "version: want a compiler family"},
		{"version of a configuration with an argument", func(e *Entry) { e.Bad[0].Version = "12.2.0 -m32" }, "reads back differently"},
		{"argument without a dash", func(e *Entry) { e.Bad[0].Args = []string{"m32"} }, "reads back differently"},
		{"date", func(e *Entry) { e.Date = "today" }, "date: "},
		{"flag of two words", func(e *Entry) { e.Flags = []string{"-m32 -g"} }, "reads back differently"},
		{"bad without modes", func(e *Entry) { e.Bad[0].Modes = nil }, "no mode after"},
		{"colon among the arguments", func(e *Entry) { e.Bad[0].Args = []string{":"} }, "reads back differently"},
		{"mode of two words", func(e *Entry) { e.Mode = "-N -l" }, "mode: \"-N -l\" is more than one word"},
		{"no language", func(e *Entry) { e.Language = "" }, "language: no value"},
		{"trust", func(e *Entry) { e.Trust = "hoped" }, "trust: want proved, recorded or agreed"},
		{"weight", func(e *Entry) { e.Weight = -1 }, "weight: \"-1\" is not a number of functions"},
		{"no name of the main file", func(e *Entry) { e.Main = "" }, "main: no value"},
		{"witness with a colon", func(e *Entry) { e.Witness[0].Who = "gcc: 12" }, "reads back differently"},
		{"note that is a key", func(e *Entry) { e.Notes[0].Key = "got" }, "not a key that starts with x-"},
		{"stream name", func(e *Entry) { e.Recipe["a: b\n"] = nil }, "not a name for a stream"},
		{"source outside", func(e *Entry) { e.Sources["../a.c"] = "x\n" }, "not a name for a source"},
		{"source of another kind", func(e *Entry) { e.Sources["want.txt"] = "x\n" }, "not a name for a source beside repro.c"},
		{"source that is the reduced test", func(e *Entry) { e.Sources[e.ReducedMain()] = "x\n" }, "\"reduced.c\" is not a name for a source"},
		{"member outside", func(e *Entry) { e.Members = map[string]string{"a/b": ""} }, "\"a/b\" is not a name for a file"},
		{"member that is a source", func(e *Entry) { e.Members = map[string]string{"b.c": ""} }, "\"b.c\" is not a name for a file"},
		{"member with a meaning", func(e *Entry) { e.Members = map[string]string{"recipe": ""} }, "\"recipe\" is not a name for a file"},
		{"marker in the reduced test", func(e *Entry) { e.Reduced = "-- x --\n" }, "reduced.c:1 looks like"},
		{"mending flag of two words", func(e *Entry) { e.MendedBy = []string{"-fno-a -fno-b"} }, "reads back differently"},
		{"no main source", func(e *Entry) { delete(e.Sources, MainC) }, "no file repro.c"},
		{"empty source", func(e *Entry) { e.Sources["a.c"] = "" }, "a.c is empty"},
		{"no newline", func(e *Entry) { e.Want = "42" }, "want.txt does not end in a newline"},
		{"marker", func(e *Entry) { e.Program = "a\n-- x --\nb\n" }, "program.ir:2 looks like the start of a file"},
		{"marker of a known file", func(e *Entry) { e.Program += "-- trace.txt --\nb\n"; e.Trace = "" }, "program.ir:5 looks like"},
		{"marker for awk only", func(e *Entry) { e.Trace = "--  --\n" }, "trace.txt:1 looks like"},
		{"marker with carriage return", func(e *Entry) { e.Trace = "-- x --\r\n" }, "trace.txt:1 looks like"},
	}
	require.NoError(t, load(t, "full.txtar").Check())
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := load(t, "full.txtar")
			tt.change(e)
			require.ErrorContains(t, e.Check(), tt.want)
			dir := t.TempDir()
			_, err := Save(dir, e)
			assert.EqualError(t, err, e.Check().Error())
			assert.EqualError(t, e.Extract(dir, true), e.Check().Error())
			assert.Empty(t, names(t, dir))
		})
	}
}

// OneLine makes a value of anything but emptiness.
func TestOneLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"42\n", "42"},
		{" a\tb ", "a\tb"},
		{"a\nb", `"a\nb"`},
		{"\x00\xff", `"\x00\xff"`},
		{"", ""},
		{strings.Repeat("ä", 301), strings.Repeat("ä", 300) + "…"},
	}
	for _, tt := range tests {
		got := OneLine(tt.in)
		assert.Equal(t, tt.want, got)
		e := load(t, "full.txtar")
		e.Got = got
		assert.NoError(t, e.Check())
	}
}

func TestUntestedEntriesNameNoCompiler(t *testing.T) {
	e := &Entry{
		Tool: "devel", Title: "a generated case", Verdict: Untested, Command: "cc repro.c", Language: "C", Main: MainC,
		Sources: map[string]string{MainC: "int main(void) {}\n"},
	}
	require.NoError(t, e.Check())
	assert.NotContains(t, string(e.Format()), "compiler:")
	assert.False(t, e.KnownBad("", "", nil, ""))
	e.Verdict = "wrong"
	assert.Error(t, e.Check(), "a finding names its compiler")
	_, err := Parse("x", []byte("goreify: devel/2\ntitle: t\nverdict: untested\nlanguage: C\nmain: repro.c\nmode: -O2\ncommand: cc\n-- repro.c --\nint x;\n-- want.txt --\n"))
	assert.ErrorContains(t, err, "key mode in an entry that is untested")
}
