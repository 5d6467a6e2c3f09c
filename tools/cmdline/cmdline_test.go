package cmdline

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSplitProfile(t *testing.T) {
	for text, want := range map[string][2]string{
		"wild":                 {"wild", ""},
		"wild+ptr-float":       {"wild", "+ptr,-float"},
		"wild,+ptr,-float":     {"wild", "+ptr,-float"},
		"vector-loops-switch":  {"vector-loops", "-switch"},
		"vector-loops":         {"vector-loops", ""},
		"15,8,2,2,3+all":       {"15,8,2,2,3", "+all"},
		"default+all":          {"default", "+all"},
		"":                     {"", ""},
		"vectorise":            {"vectorise", ""},
		"vectors+shift-vector": {"vectors", "+shift,-vector"},
	} {
		profile, features := SplitProfile(text)
		assert.Equal(t, want, [2]string{profile, features}, text)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"hunt", "show", "status", "replay"}
	assert.Equal(t, "; did you mean hunt?", Nearest("hunr", names))
	assert.Equal(t, "; did you mean status?", Nearest("stat", names))
	assert.Empty(t, Nearest("x", names))
	assert.Empty(t, Nearest("", names))
	assert.Len(t, Near("gcc/crash/a", []string{"gcc/crash/b", "gcc/crash/c", "gcc/crash/d"}, 2), 2)
}

func TestProgressText(t *testing.T) {
	p := &Progress{steps: 40, what: "files", done: 10, now: "a\nb"}
	assert.Equal(t, "10 of 40 files, 1m0s, some 3m0s left: a b", p.text(time.Minute))
	p = &Progress{what: "things", done: 1}
	assert.Equal(t, "1 things, 2s", p.text(2*time.Second))
}

// What is drawn is narrower than the terminal, and is gone before a line that stays.
func TestProgressDrawn(t *testing.T) {
	var b strings.Builder
	p := &Progress{steps: 2, what: "files", terminal: true, width: 12, errors: &b, began: time.Now(), stop: make(chan struct{})}
	p.Now("a long way to go")
	p.show()
	assert.Equal(t, "0 of 2 file", b.String())
	p.Line(&b, "stays")
	p.Close()
	p.Close()
	assert.Equal(t, "0 of 2 file\r\x1b[Kstays\n", b.String())
}
