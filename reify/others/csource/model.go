package csource

import (
	"regexp"
	"strings"
	"sync"

	"modernc.org/cc/v4"
)

// A Model is a data model: the sizes of long and of pointers.
type Model int

const (
	LP64  Model = iota // long and pointers have 64 bits: x86-64
	ILP32              // they have 32: the same processor with -m32
)

func (m Model) String() string {
	if m == ILP32 {
		return "ILP32"
	}
	return "LP64"
}

// abi returns the sizes and alignments of the model's types.
func (m Model) abi() (*cc.ABI, error) {
	if m == ILP32 {
		return cc.NewABI("linux", "386")
	}
	return cc.NewABI("linux", "amd64")
}

// predefined returns the macros that are defined before the first line.
func (m Model) predefined() string {
	lp64 := ""
	if m == LP64 {
		lp64 = "#define __LP64__ 1\n"
	}
	return lp64 + header("predefined.h")
}

// prototype finds the builtin function that a line of cc.Builtin declares.
var prototype = regexp.MustCompile(`^[a-zA-Z_].*?(__builtin_\w+) ?\(.*\);$`)

// A builtinLine is a line of cc.Builtin, and the function that it declares, if any.
type builtinLine struct{ text, function string }

var builtinLines = sync.OnceValue(func() []builtinLine {
	var list []builtinLine
	for line := range strings.Lines(cc.Builtin) {
		l := builtinLine{text: line}
		if m := prototype.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			l.function = m[1]
		}
		list = append(list, l)
	}
	return list
})

// builtins returns the predefined declarations, without functions that no word of a
// text names: they take longer to parse than most texts. A function of the library that
// is not declared stands for its builtin.
func builtins(words map[string]bool) string {
	var b strings.Builder
	for _, l := range builtinLines() {
		if l.function == "" || words[l.function] || words[strings.TrimPrefix(l.function, "__builtin_")] {
			b.WriteString(l.text)
		}
	}
	return b.String()
}
