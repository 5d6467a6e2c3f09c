package printable_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/printable"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"int x;\n\ty; ü 漢 😀\n":     "int x;\n\ty; ü 漢 😀\n",
		"\x1b]0;title\a":           `\x1b]0;title\x07`,
		"a\rb\x00\x7f":             `a\x0db\x00\u007f`,
		"\u009b31m":                `\u009b31m`,
		"\u202egnp.exe\u2066":      `\u202egnp.exe\u2066`,
		"\xff\xfe \xe2\x80":        `\xff\xfe \xe2\x80`,
		"\ufffd \u2028 \U000e0001": `\ufffd \u2028 \udb40\udc01`,
	} {
		assert.Equal(t, want, printable.Text(text), "%q", text)
	}
	assert.Equal(t, `a\x0ab\x09`, printable.Line("a\nb\t"))
	var b strings.Builder
	_, err := fmt.Fprintln(printable.Writer(&b), "\x1b[2J")
	require.NoError(t, err)
	assert.Equal(t, "\\x1b[2J\n", b.String())
}

// TestJSON has all characters, of which none may be another one afterwards.
func TestJSON(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x20000; r++ {
		all.WriteRune(r)
	}
	text, err := json.Marshal(all.String())
	require.NoError(t, err)
	var back string
	require.NoError(t, json.Unmarshal([]byte(printable.Text(string(text))), &back))
	assert.True(t, back == all.String())
}
