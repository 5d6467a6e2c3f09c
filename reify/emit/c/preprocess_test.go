package c

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/tools/need"
)

// A compiler reads the same of each test of the corpus before and after.
func TestPreprocess(t *testing.T) {
	guarded := 0
	for _, name := range []string{"gcc", "clang"} {
		need.Command(t, name)
		run := func(text string, args ...string) string {
			c := exec.Command(name, append(args, "-E", "-P", "-xc", "-")...)
			c.Stdin = strings.NewReader(text)
			said, err := c.Output()
			require.NoError(t, err)
			return string(said)
		}
		macros := map[string]int{"__BITINT_MAXWIDTH__": 0}
		for line := range strings.Lines(run("", "-dM")) {
			words := strings.Fields(line)
			if n, err := strconv.Atoi(strings.Join(words[2:], "")); err == nil {
				macros[words[1]] = n
			}
		}
		macros["__BYTE_ORDER__"] = macros["__ORDER_LITTLE_ENDIAN__"]
		space := regexp.MustCompile(`\s+|\b(typedef|_BitInt)`)
		for _, r := range corpus.LoadDir("../../../corpus") {
			if r.Entry == nil || r.Entry.Language != "C" || !strings.Contains(r.Entry.Reduced, "#if") {
				continue
			}
			short := Preprocess(r.Entry.Reduced, macros)
			assert.NotContains(t, short, "#", r.Path)
			uses := regexp.MustCompile(`(?m)^typedef [^\n]*\n`)
			plain := func(text string) string { return space.ReplaceAllString(uses.ReplaceAllString(text, ""), "") }
			assert.Equal(t, plain(run(r.Entry.Reduced)), plain(run(short)), r.Path)
			guarded++
		}
	}
	assert.Greater(t, guarded, 10)
}
