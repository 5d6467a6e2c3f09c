package export

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// required are the effective targets of GCC's suite (lib/target-supports.exp) that a program needs,
// by features of C.
var required = []struct{ feature, target string }{
	{"int128", "int128"},
	{"bitint", "bitint"},
	{"computed-goto", "label_values"},
	{"computed-goto", "indirect_jumps"},
}

// runtimes are those that say that this processor runs code for a flag.
var runtimes = []struct {
	flag   *regexp.Regexp
	target string
}{
	{regexp.MustCompile(`^-m(?:avx512\w*|arch=x86-64-v4)$`), "avx512f_runtime"},
	{regexp.MustCompile(`^-m(?:avx2|fma|bmi2?|arch=x86-64-v3)$`), "avx2_runtime"},
	{regexp.MustCompile(`^-m(?:avx)$`), "avx_runtime"},
	{regexp.MustCompile(`^-m(?:sse4\.[12]|arch=x86-64-v2)$`), "sse4_runtime"},
	{regexp.MustCompile(`^-m32$`), "ia32"},
}

// cross are flags of the command that a suite has in its own board.
var cross = regexp.MustCompile(`^(?:-static|-fuse-ld=\w+|--target=.*)$`)

// torture writes a test that DejaGnu compiles at each level.
func torture(_ context.Context, t Test) ([]corpus.File, error) {
	source, err := t.source()
	if err != nil {
		return nil, err
	}
	_, flags := t.Asked()
	if err := (native.Toolchain{Family: t.Family}).Screen(flags...); err != nil {
		return nil, err
	}
	if bad := slices.IndexFunc(flags, func(flag string) bool { return strings.ContainsAny(flag, "\"{}[]$\\;") }); bad >= 0 {
		return nil, fmt.Errorf("flag %q: %w", flags[bad], ErrNotForThis)
	}
	var b strings.Builder
	directive := func(format string, args ...any) { fmt.Fprintf(&b, "/* { "+format+" } */\n", args...) }
	fmt.Fprintf(&b, "/* %s  */\n", t.origin())
	do := "run"
	if t.compiles() {
		do = "compile"
	}
	directive("dg-do %s", do)
	needs := compilers.NeedsOf([]compilers.File{{Name: t.Main, Content: []byte(source)}})
	directive("dg-require-effective-target int32plus")
	for _, r := range required {
		if slices.Contains(needs.Features, r.feature) {
			directive("dg-require-effective-target %s", r.target)
		}
	}
	// The tests are not for readers: warnings say nothing.
	options, x86 := []string{"-w"}, []string(nil)
	for _, flag := range flags {
		switch {
		case cross.MatchString(flag):
			continue
		case strings.HasPrefix(flag, "-m"):
			x86 = append(x86, flag)
		default:
			options = append(options, flag)
		}
		for _, r := range runtimes {
			if r.flag.MatchString(flag) && do == "run" {
				directive("dg-require-effective-target %s", r.target)
			}
		}
	}
	directive(`dg-additional-options "%s"`, strings.Join(options, " "))
	if x86 != nil {
		processor, _, _ := strings.Cut(t.Triple, "-")
		if processor == "" || processor == "x86_64" {
			processor = "i?86-*-* x86_64"
		}
		directive(`dg-additional-options "%s" { target %s-*-* }`, strings.Join(x86, " "), processor)
	}
	if t.Verdict == compilers.Endless.String() || t.Verdict == compilers.SlowCompile.String() {
		directive("dg-timeout 10")
	}
	if want := t.want(); want != "" && do == "run" {
		anchor := "^"
		for line := range strings.Lines(want) {
			directive(`dg-output "%s%s(\n|\r\n|\r)"`, anchor, literal(strings.TrimSuffix(line, "\n")))
			anchor = ""
		}
	}
	b.WriteString("\n" + source)
	return one(t.Name+".c", b.String()), nil
}

// literal returns a pattern of a text, in quotation marks of Tcl, between braces, in a comment of C: what
// means something to one of these, or may, is a number to the innermost.
func literal(text string) string {
	return special.ReplaceAllStringFunc(text, func(c string) string { return fmt.Sprintf(`\\u%04x`, []rune(c)[0]) })
}

var special = regexp.MustCompile(`[^\w ,:;=<>%&#@!'-]`)
