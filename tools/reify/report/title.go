package report

import (
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// A class is how trackers call a verdict.
type class struct {
	what        string // begins the title
	gcc, llvm   string // keyword of Bugzilla, label of the issue tracker
	miscompiled bool   // the program is compiled, and wrong
	detail      string // follows the levels in the title, if there is no message
	actual      string // what happens, in a sentence
}

var classes = map[string]class{
	compilers.WrongAnswer.String(): {what: "wrong code", gcc: "wrong-code", llvm: "miscompilation", miscompiled: true,
		actual: "The compiled program gives a wrong answer."},
	compilers.Crash.String(): {what: "wrong code", gcc: "wrong-code", llvm: "miscompilation", miscompiled: true, detail: "program crashes",
		actual: "The compiled program crashes."},
	compilers.Endless.String(): {what: "wrong code", gcc: "wrong-code", llvm: "miscompilation", miscompiled: true, detail: "program does not end",
		actual: "The compiled program does not end."},
	compilers.InternalError.String(): {what: "internal compiler error", gcc: "ice-on-valid-code", llvm: "crash-on-valid",
		actual: "The compiler reports an internal error or crashes."},
	compilers.SlowCompile.String(): {what: "compilation does not end", gcc: "compile-time-hog", llvm: "slow-compile",
		actual: "The compiler does not come to an end."},
	compilers.Rejected.String(): {what: "valid program rejected", gcc: "rejects-valid", llvm: "rejects-valid",
		actual: "The compiler reports an error in a valid program."},
}

// position is the place in a source file that a message starts with.
var position = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)

// title returns what a tracker shows in its lists: "wrong code at -O2 and -O3:
// signed arithmetic in a loop (tree-vrp2)".
func title(e *corpus.Entry, levels []string, d *drawing) string {
	c, ok := classes[e.Verdict]
	if !ok {
		return e.Title
	}
	text := c.what
	if len(levels) > 0 {
		text += " at " + enumerate(levels)
	}
	var details []string
	if c.miscompiled {
		switch {
		case e.Verdict == compilers.Crash.String() && e.Message != "":
			details = append(details, "program "+e.Message)
		case c.detail != "":
			details = append(details, c.detail)
		}
		if s := subject(e, d); s != "" {
			details = append(details, s)
		}
	} else if m := position.ReplaceAllString(e.Message, ""); m != "" {
		details = append(details, strings.TrimPrefix(m, "internal compiler error: "))
	}
	if len(details) > 0 {
		text += ": " + strings.Join(details, ", ")
	}
	if e.Culprit != "" {
		text += " (" + e.Culprit + ")"
	}
	return text
}

// subject says what kind of code the compiler gets wrong, as far as the flags
// that mend it tell and, of a reduced test, the path through it: programs that
// are not reduced hold all kinds of things.
func subject(e *corpus.Entry, d *drawing) string {
	var words []string
	if slices.Contains(mendedAlone(e), "-fwrapv") {
		words = append(words, "signed arithmetic")
	}
	if slices.Contains(mendedAlone(e), "-fno-strict-aliasing") {
		words = append(words, "type-based aliasing")
	}
	if e.Reduced == "" || d == nil || !d.loops() {
		return strings.Join(words, " and ")
	}
	if len(words) == 0 {
		words = []string{"code"}
	}
	return strings.Join(words, " and ") + " in a loop"
}

// byHand is the note by which those who wrote entries before triage did said
// what makes the program right.
const byHand = "x-mended-by"

// mendedAlone returns which of -fwrapv and -fno-strict-aliasing make the program
// right.
func mendedAlone(e *corpus.Entry) []string {
	if len(e.MendedAlone) > 0 {
		return e.MendedAlone
	}
	for _, n := range e.Notes {
		if n.Key == byHand && !strings.Contains(n.Value, " ") {
			return []string{n.Value}
		}
	}
	return nil
}

// component names the part of the compiler that a pass belongs to, as trackers
// do: a component of GCC's Bugzilla, or that with a label of LLVM's.
func component(e *corpus.Entry) string {
	if e.Family != string(compilers.GCC) {
		return "llvm:optimizations"
	}
	kind, _, _ := strings.Cut(e.Culprit, "-")
	switch kind {
	case "tree", "rtl":
		return kind + "-optimization"
	case "ipa":
		return "ipa"
	}
	return "middle-end (the pass is not known)"
}

// enumerate joins words as a sentence does: "-O1, -O2 and -O3".
func enumerate(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
