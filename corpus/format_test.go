package corpus

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The reproducers that are in this folder can all be read, and mean the same when they
// are written again.
func TestCommitted(t *testing.T) {
	list := LoadDir(".")
	assert.NotEmpty(t, list)
	for _, r := range list {
		require.NoError(t, r.Err)
		e := r.Entry
		t.Run(r.Path, func(t *testing.T) {
			text := e.Format()
			assert.True(t, strings.HasPrefix(string(text), "goreify: "+e.Tool+"/2\n"))
			back, err := Parse(r.Path, text)
			require.NoError(t, err)
			assert.Equal(t, e, back)
			assert.Equal(t, e.Fingerprint(), back.Fingerprint())
		})
	}
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
