package corpus

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The reproducers that are in this folder can all be read, those of format 1
// say what is known of all of them, and mean the same in format 2.
func TestCommitted(t *testing.T) {
	old := 0
	for _, r := range LoadDir(".") {
		require.NoError(t, r.Err)
		e := r.Entry
		data, err := os.ReadFile(r.Path)
		require.NoError(t, err)
		t.Run(r.Path, func(t *testing.T) {
			if format1.Match(data) {
				old++
				checkOld(t, e, string(data))
			}
			text := e.Format()
			assert.True(t, strings.HasPrefix(string(text), "goreify: "+e.Tool+"/2\n"))
			back, err := Parse(r.Path, text)
			require.NoError(t, err)
			assert.Equal(t, e, back)
			assert.Equal(t, e.Fingerprint(), back.Fingerprint())
		})
	}
	assert.NotZero(t, old)
}

// checkOld compares an entry with the text of format 1 that it was read from.
func checkOld(t *testing.T, e *Entry, text string) {
	assert.Equal(t, "C", e.Language)
	assert.Equal(t, MainC, e.Main)
	assert.Equal(t, "reduced.c", e.ReducedMain())
	assert.Equal(t, Proved, e.Trust)
	assert.Empty(t, e.Triple)
	assert.Empty(t, e.Members)
	assert.Contains(t, text, "\nlevel: "+e.Mode+"\n")
	source := "function"
	if strings.Contains(text, "\nx-functions: ") {
		source = "program"
	}
	assert.Equal(t, source, e.Source)
	assert.Equal(t, strings.Count(e.Program, "func @"), e.Weight)
	files := e.Files()
	assert.Len(t, files, len(e.Sources))
	assert.Equal(t, File{MainC, []byte(e.Sources[MainC])}, files[0])
	var lines []string
	for key, list := range map[string][]Configuration{"bad": e.Bad, "good": e.Good, "reduced-bad": e.ReducedBad, "reduced-good": e.ReducedGood} {
		for _, c := range list {
			lines = append(lines, strings.Replace(key+": "+c.String(), " : ", " ", 1))
			assert.Contains(t, text, "\n"+lines[len(lines)-1]+"\n")
		}
	}
	assert.Len(t, regexp.MustCompile(`(?m)^(reduced-)?(bad|good): `).FindAllString(text, -1), len(lines))
}

// What the other languages need is kept: modes of any kind, a triple, files that
// only their source knows.
func TestForeign(t *testing.T) {
	e := &Entry{
		Tool: "devel", Title: "t", Verdict: "wrong-answer", Date: "2026-11-20", Command: "java Main",
		Language: "JVM", Source: "variant", Trust: Agreed, Main: "Main.j", Weight: 3,
		Compiler: "java", Family: "hotspot", Version: "26", Triple: "x86_64-linux-gnu", Mode: "@c2",
		Bad:     []Configuration{{Family: "hotspot", Version: "26", Args: []string{"-Obscure", "-Xss1m"}, Modes: []string{"@c1", ":"}}},
		Sources: map[string]string{"Main.j": "m\n", "A.j": "a\n", "Z.j": "z\n"},
		Members: map[string]string{"seed.c": "s\n", "input": "", "repro.c": "r\n"},
		Reduced: "less\n", Want: "1\n",
	}
	require.NoError(t, e.Check())
	text := string(e.Format())
	assert.Contains(t, text, "\nbad: hotspot 26 -Obscure -Xss1m : @c1 :\n")
	assert.Regexp(t, `(?s)-- Main\.j --.*-- A\.j --.*-- Z\.j --.*-- want\.txt --.*-- reduced\.j --.*-- input --\n-- repro\.c --.*-- seed\.c --`, text)
	back, err := Parse("f", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, e, back)
	assert.Equal(t, []File{{"Main.j", []byte("m\n")}, {"A.j", []byte("a\n")}, {"Z.j", []byte("z\n")}}, back.Files())
	dir := t.TempDir()
	require.NoError(t, back.Extract(dir, false))
	assert.Len(t, names(t, dir), 8)
}

// An entry of format 1 without a program has nobody who vouches for it.
func TestFormat1ByHand(t *testing.T) {
	e := load(t, "mixed/a.txtar")
	assert.Equal(t, "", e.Source+e.Trust)
	assert.Equal(t, 1, e.Weight)
	e.Program = "func @f() i32 {\nfunc @g() i32 {\n# func @h\n"
	text := strings.Replace(undigested(e), "devel/2", "devel/1", 1)
	text = strings.NewReplacer("language: C\n", "", "main: repro.c\n", "", "mode:", "level:").Replace(text)
	old, err := Parse("f", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, "function "+Proved, old.Source+" "+old.Trust)
	assert.Equal(t, 2, old.Weight)
	old, err = Parse("f", []byte(strings.Replace(text, "-- program", NoteFunctions+": 2\n-- program", 1)))
	require.NoError(t, err)
	assert.Equal(t, "program", old.Source)
}

func TestMalformedFormat1(t *testing.T) {
	text := read(t, "full1.txtar")
	for _, tt := range []struct{ old, new, want string }{
		{"level: -O2", "mode: -O2", `f:7: unknown key "mode", and not a note, which begins with x-`},
		{"level: -O2", "trust: proved", `f:7: unknown key "trust", and not a note, which begins with x-`},
		{"level: -O2\n", "", `f:28: no key level`},
		{"level: -O2", "level: O2", `f:7: level: "O2" is not a level such as -O2`},
		{"level: -O2", "level: -O2 -O3", `f:7: level: "-O2 -O3" is not a level such as -O2`},
		{"gcc 11.4.0 -O2", "gcc 11.4.0 : @c2", `f:13: bad: a lone colon, which only format 2 has before the levels`},
		{"gcc 11.4.0 -O2", "gcc 11.4.0 : -O2", `f:13: bad: a lone colon, which only format 2 has before the levels`},
		{"gcc 11.4.0 -O2", "gcc 11.4.0 -m32", `f:13: bad: no level after gcc 11.4.0`},
		{"gcc 11.4.0 -O2", "gcc -O2", `f:13: bad: want family, version and levels, such as gcc 12.2.0 -O2 -O3`},
	} {
		require.Contains(t, text, tt.old)
		_, err := Parse("f", []byte(strings.Replace(text, tt.old, tt.new, 1)))
		assert.EqualError(t, err, tt.want)
	}
}
