package native

import (
	"path"
	"regexp"
	"strings"

	"goreify/compilers"
)

// mostFrames is the number of functions of a stack in a crash line.
const mostFrames = 3

// crashLine returns in a line where a compiler went wrong that printed stderr, or
// "" if it reports no internal error. Two crashes of one bug have the same line,
// whatever the program: unlike Outcome.Message it is without line numbers,
// addresses, other numbers and template arguments.
//
//	during GIMPLE pass fre: in process_bb, at tree-ssa-sccvn.cc
//	during GIMPLE pass vect: Segmentation fault: contains_struct_check < vect_is_simple_use
//	Assertion `New && "no 'x'"' failed, Value.cpp
//	error in backend: Cannot select: 0x?: i32 = add: llvm::SelectionDAGISel::Select
//	segmentation fault: llvm::InstCombinerImpl::visitSub, pass instcombine
//
// An error that does not name a source file of its own is told by the topmost
// functions on the stack that are not there in every crash, the innermost first.
func crashLine(stderr []byte) string {
	for _, f := range rows {
		if line := f.crash(string(stderr)); line != "" {
			return line
		}
	}
	return ""
}

func gccCrash(text string) string {
	if m := gccError.FindStringSubmatchIndex(text); m != nil {
		return gccCrashLine(text[:m[0]], text[m[2]:m[3]], text[m[1]:])
	}
	return ""
}

func clangCrashLine(text string) string {
	frames := func() string { return stackLine(clangStackLine, text) }
	if m := clangAssertion.FindStringSubmatch(text); m != nil {
		return m[2] + atFile(m[1], frames)
	}
	if m := clangUnreached.FindStringSubmatch(text); m != nil {
		return strings.TrimPrefix(withoutNumbers(m[1])+": ", ": ") + "unreachable" + atFile(m[2], frames)
	}
	if m := clangBackend.FindStringSubmatch(text); m != nil {
		return withoutNumbers(m[1]) + frames()
	}
	if m := clangBroken.FindStringSubmatch(text); m != nil {
		return m[2] + ": " + m[1]
	}
	if m := clangFatal.FindString(text); m != "" {
		return withoutNumbers(m) + frames()
	}
	if clangDump.MatchString(text) {
		line := "crash"
		if m := clangSignal.FindStringSubmatch(text); m != nil {
			line, _, _ = strings.Cut(strings.ToLower(m[1]), " (")
		}
		line += frames()
		if passes := clangPass.FindAllStringSubmatch(text, -1); passes != nil {
			line += ", pass " + passName(passes[len(passes)-1][1])
		}
		return line
	}
	return clangFailed.FindString(text)
}

var (
	gccDuring    = regexp.MustCompile(`(?m)^during (\w+) pass: (.*)$`)
	gccAt        = regexp.MustCompile(`, at [\w./+-]+:\d+$`)
	gccStackLine = regexp.MustCompile(`(?m)^0x[0-9a-f]+ (.+)$`)

	clangStackLine = regexp.MustCompile(`(?m)^ *#\d+ 0x[0-9a-f]+ (.+)$`)
)

// gccCrashLine returns the crash line of an internal error of gcc with what was
// printed before and after it.
func gccCrashLine(before, message, after string) string {
	line := message
	if gccAt.MatchString(message) {
		line = message[:strings.LastIndexByte(message, ':')]
	}
	line = withoutNumbers(line)
	if !gccAt.MatchString(message) {
		line += stackLine(gccStackLine, after)
	}
	if m := gccDuring.FindAllStringSubmatch(before, -1); m != nil {
		last := m[len(m)-1]
		line = "during " + last[1] + " pass " + last[2] + ": " + line
	}
	return line
}

// atFile returns where an error was found, a name and a line. A header is where
// anybody's errors are found, so the stack goes with it.
func atFile(position string, frames func() string) string {
	file, _, _ := strings.Cut(position, ":")
	if path.Ext(file) == ".h" {
		return ", " + file + frames()
	}
	return ", " + file
}

var number = regexp.MustCompile(`\b(?:0x[0-9a-fA-F]+|t?\d+)\b`)

func withoutNumbers(message string) string {
	return number.ReplaceAllString(compilers.Normalise(message), "N")
}

// passName returns the name of a pass in a line of a stack dump such as
//
//	Running pass "instcombine<max-iterations=1>"
func passName(running string) string {
	name := strings.Trim(strings.TrimPrefix(running, "Running pass "), `"'`)
	name, _, _ = strings.Cut(name, "<")
	return name
}

// stackLine returns ": f < g < h" for the topmost functions of a stack, as many
// as there are up to mostFrames, without those that every crash has.
func stackLine(line *regexp.Regexp, text string) string {
	var names []string
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		name := functionName(m[1])
		if name == "main" || name == "cc1_main" || name == "toplev::main" {
			break
		}
		if name == "" || crashMachinery(name) {
			continue
		}
		if names = append(names, name); len(names) == mostFrames {
			break
		}
	}
	if names == nil {
		return ""
	}
	return ": " + strings.Join(names, " < ")
}

var clone = regexp.MustCompile(`\.(?:isra|constprop|part|cold|lto_priv)(?:\.\d+)*`)

// shift matches what comes before the first or second sign of an operator's name.
var shift = regexp.MustCompile(`\boperator(?:<|>|-)?$`)

// functionName returns the name of a function from a line of a stack, which goes
// on with arguments or a file, or "" if the line has only a file.
func functionName(frame string) string {
	if strings.HasPrefix(frame, "(/") || strings.HasPrefix(frame, "/") || strings.HasPrefix(frame, "???") {
		return ""
	}
	frame = strings.ReplaceAll(frame, "(anonymous namespace)", "anonymous")
	frame = strings.ReplaceAll(frame, "decltype(auto)", "auto")
	frame = strings.ReplaceAll(frame, "'lambda'", "lambda")
	var plain strings.Builder
	depth := 0
	called := false
scan:
	for i, r := range frame {
		switch {
		case (r == '<' || r == '>') && shift.MatchString(frame[:i]):
			plain.WriteRune(r)
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
		case r == '(' && depth == 0:
			called = true
			break scan
		case depth == 0:
			plain.WriteRune(r)
		}
	}
	words := strings.Fields(plain.String())
	if len(words) == 0 {
		return ""
	}
	name := words[0]
	if called { // a template's return type comes first; a file's library, in parentheses, does not
		name = words[len(words)-1]
	}
	return clone.ReplaceAllString(name, "")
}
