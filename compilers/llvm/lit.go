package llvm

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// errNoLine says that no line of code tells a wrong compiler from a right one.
var errNoLine = errors.New("no line of its code is the wrong compiler's alone")

// Lit returns a test for LLVM's own suite, by lit and FileCheck, of the text of a Test: it
// fails where the code has a line that only the wrong compiler writes or, of an internal
// error, where there is no code.
func Lit(text string) (string, error) {
	var run, ir string
	var right, wrong []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		comment, ok := strings.CutPrefix(line, "; ")
		switch {
		case !ok && line != ";":
			ir += line + "\n"
		case strings.HasPrefix(comment, "RUN: "):
			run = comment
		case strings.HasPrefix(comment, "+ "):
			wrong = append(wrong, comment[2:])
		case strings.HasPrefix(comment, "- "), strings.HasPrefix(comment, "  "):
			right = append(right, comment[2:])
		}
	}
	wrong = slices.Compact(slices.DeleteFunc(wrong, func(line string) bool { return slices.Contains(right, line) }))
	ir = strings.Trim(ir, "\n") + "\n"
	switch {
	case run == "":
		return "", errors.New("a test in LLVM IR begins with its RUN line")
	case strings.Contains(text, "\n; LLVM ERROR: "):
		return fmt.Sprintf("; %s -o /dev/null\n\n%s", run, ir), nil
	case len(wrong) == 0:
		return "", errNoLine
	}
	label := "f:"
	if strings.HasPrefix(run, "RUN: opt ") {
		label = "@f("
	}
	var b strings.Builder
	fmt.Fprintf(&b, "; %s | FileCheck %%s\n\n%s\n; CHECK-LABEL: %s\n", run, ir, label)
	for _, line := range wrong {
		fmt.Fprintf(&b, "; CHECK-NOT: {{^[[:space:]]*}}%s{{[[:space:]]*$}}\n", line)
	}
	return b.String(), nil
}
