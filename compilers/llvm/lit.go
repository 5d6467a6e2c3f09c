package llvm

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers/llvm/ll"
)

// Runnable returns a test of the text of a Test that runs: %cc links it, and %run is its
// emulator, or nothing. It ends with status 0 if the compiler is right.
func Runnable(text string) (string, error) {
	claim := claimLine.FindStringSubmatch(text)
	head := headLine.FindStringSubmatch(text)
	if claim == nil || head == nil || strings.Contains(head[0], "signext") || strings.Contains(head[0], "zeroext") {
		return "", errors.New("a test in LLVM IR that runs names a call and its result")
	}
	triple, result, call, want := claim[2], head[1], claim[3], claim[4]
	m, err := ll.Parse("define " + result + " @f() {\n  ret " + result + " " + want + "\n}\n")
	if err != nil {
		return "", err
	}
	r, err := m.Run(m.Func("f"))
	if err != nil {
		return "", err
	}
	run := claim[1] + " %s"
	if strings.HasPrefix(run, "opt ") {
		run += " | llc -O0 -mtriple=" + triple
	}
	for _, processor := range []string{"riscv64", "loongarch64"} {
		if strings.HasPrefix(triple, processor) {
			run += " -target-abi=lp64d"
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "; RUN: %s -relocation-model=pic -filetype=obj -o %%t.o\n; RUN: %%cc %%t.o -o %%t\n; RUN: timeout 10 %%run %%t\n\n", run)
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, ";") {
			b.WriteString(line)
		}
	}
	fmt.Fprintf(&b, "define i32 @main() {\n  %%r = call %s @%s\n  %%w.0 = add i1 false, false\n", result, call)
	t, n := r.Value.Type, 0
	for k, l := range r.Value.Lanes {
		if l.Poison {
			continue
		}
		lane := "%r"
		if t.Kind == ll.Vector {
			lane = fmt.Sprintf("%%l.%d", k)
			fmt.Fprintf(&b, "  %s = extractelement %v %%r, i32 %d\n", lane, t, k)
		}
		one := ll.Value{Type: t.Scalar(), Lanes: r.Value.Lanes[k : k+1]}
		fmt.Fprintf(&b, "  %%c.%d = icmp ne %v %s, %v\n  %%w.%d = or i1 %%w.%d, %%c.%d\n", k, t.Scalar(), lane, one, n+1, n, k)
		n++
	}
	fmt.Fprintf(&b, "  %%s = zext i1 %%w.%d to i32\n  ret i32 %%s\n}\n", n)
	return b.String(), nil
}

// claimLine matches the command of a test, its target, its call and what that returns.
var claimLine = regexp.MustCompile(`^; RUN: ((?:llc|opt) -mtriple=(\S+).*) < %s\n;\n; (f\(.*\)) is (.*), and .* here\.\n`)

// headLine matches the line that begins its function, and what that returns.
var headLine = regexp.MustCompile(`(?m)^define (.*) @f\(.*$`)

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
