package triage

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// Bucket returns the name of the bug that an entry shows, as far as it is known:
//
//	gcc/wrong-answer/tree-ivopts/O2,O3
//	clang/internal-error/unknown/crash in llvm::foo
//
// The family, the verdict, the pass to blame, and what tells bugs of one pass
// apart: for an error of the compiler its message without numbers, else the
// levels at which the newest version of the family that fails does so. Only the
// last part may hold slashes.
func Bucket(e *corpus.Entry) string {
	culprit := e.Culprit
	if culprit == "" {
		culprit = "unknown"
	}
	detail := pattern(e)
	if e.Verdict == compilers.InternalError.String() && e.Message != "" {
		detail = crashLine(e.Message)
	}
	return corpus.OneLine(strings.Join([]string{e.Family, e.Verdict, strings.ReplaceAll(culprit, "/", "-"), detail}, "/"))
}

// pattern returns the levels at which the newest version that fails does so.
func pattern(e *corpus.Entry) string {
	newest := e.Version
	for _, b := range e.Bad {
		if b.Family == e.Family && slices.Equal(b.Args, e.Flags) && newer(b.Version, newest) {
			newest = b.Version
		}
	}
	var levels []string
	add := func(level string) { levels = append(levels, strings.TrimPrefix(level, "-")) }
	if newest == e.Version {
		add(e.Level)
	}
	for _, b := range e.Bad {
		if b.Family == e.Family && b.Version == newest && slices.Equal(b.Args, e.Flags) {
			for _, level := range b.Levels {
				add(level)
			}
		}
	}
	slices.Sort(levels)
	return strings.Join(slices.Compact(levels), ",")
}

// newer tells whether version a, such as "12.2.0", comes after b.
func newer(a, b string) bool {
	number := func(s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			return -1
		}
		return n
	}
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		if x, y := number(as[i]), number(bs[i]); x != y {
			return x > y
		}
	}
	return len(as) > len(bs)
}

var (
	position = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)
	numbers  = regexp.MustCompile(`\b(0x[0-9a-fA-F?]+|\d+)\b`)
)

// crashLine returns the message of an internal error without what differs from
// program to program and from version to version: where in the source it
// happened, and numbers.
func crashLine(message string) string {
	message = position.ReplaceAllString(message, "")
	return strings.Join(strings.Fields(numbers.ReplaceAllString(message, "N")), " ")
}
