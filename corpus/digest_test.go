package corpus

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

var digestLineOf = regexp.MustCompile(`(?m)^digest: (\S+) .*\n`)

// undigested returns what Format does without digests, as people write it.
func undigested(e *Entry) string { return digestLineOf.ReplaceAllString(string(e.Format()), "") }

// Each file has a digest, which is compared while it is there.
func TestDigests(t *testing.T) {
	e := load(t, "full.txtar")
	text := string(e.Format())
	assert.Len(t, digestLineOf.FindAllString(text, -1), len(e.members()))
	for _, f := range e.members() {
		changed := strings.Replace(text, "-- "+f.Name+" --\n", "-- "+f.Name+" --\na: 00\n", 1)
		_, err := Parse("f", []byte(changed))
		assert.ErrorContains(t, err, ": "+f.Name+" was changed after it was written: its digest is "+digest(append([]byte("a: 00\n"), f.Data...))+", not "+digest(f.Data)+"; remove its digest line if this is wanted")
		free := regexp.MustCompile(`(?m)^digest: `+regexp.QuoteMeta(f.Name)+` .*\n`).ReplaceAllString(changed, "")
		back, err := Parse("f", []byte(free))
		require.NoError(t, err, "without its digest a file may be edited")
		assert.NoError(t, back.Check())
	}
	for _, tt := range []struct{ old, new, want string }{
		{"digest: recipe ", "digest: recipe of ", "f:32: digest: want the name of a file and its digest, or remove the line"},
		{"digest: program.ir ", "digest: recipe ", "f:33: digest: second one of recipe, the first is at line 32"},
		{"digest: trace.txt ", "digest: other.txt ", "f:37: no file other.txt, which has a digest: the archive was cut; remove the digest line if the file is not wanted"},
		{"devel/2", "devel/1", `f:1: goreify: goreify devel wrote this in format 1; goreify of commit 0996a2b reads it, and its triage writes format 2`},
	} {
		_, err := Parse("f", []byte(strings.Replace(text, tt.old, tt.new, 1)))
		assert.EqualError(t, err, tt.want)
	}
}

// An archive that is cut anywhere is an error. Without digests, this holds as
// far as the answer goes.
func TestCut(t *testing.T) {
	need.Long(t)
	files := []string{filepath.Join("testdata", "full.txtar"), "wrong-answer-gcc-12-O1-17d6b725.txtar", "endless-gcc-12-Os-9916bbbe.txtar"}
	for _, name := range files {
		e, err := Load(name)
		require.NoError(t, err)
		text := e.Format()
		for n := range len(text) - 1 {
			_, err := Parse(name, text[:n])
			require.Error(t, err, "%s: the first %d bytes", name, n)
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		for n := range data {
			if cut, err := Parse(name, data[:n]); err == nil {
				require.Equal(t, e.Want, cut.Want, "%s: the first %d bytes", name, n)
			}
		}
	}
}

func TestCRLF(t *testing.T) {
	data := bytes.ReplaceAll([]byte(read(t, "full.txtar")), []byte("\n"), []byte("\r\n"))
	_, err := Parse("f", data)
	assert.EqualError(t, err, `f:1: the line ends in CRLF; if all do, the files of the archive are changed: convert it back, as sed -i 's/\r$//' does`)
	e := load(t, "full.txtar")
	e.Sources["second.c"] = "int second(void)\r\n{ return 42; }\r\n"
	assert.NoError(t, e.Check(), "a file of the archive may have them")
}
