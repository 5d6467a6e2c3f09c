package report

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// command returns the shell command of an entry such that it does no more than to compile
// and run the program, or nothing if it would. A reader pastes it, and the entry may be a
// stranger's: so the command is taken apart and made again of the words that may be in one
// of ours, those of which a compiler's name, flags that a reproducer may bring, and files of
// the entry.
func command(e *corpus.Entry, text string) string {
	var commands []string
	for _, line := range strings.Split(strings.TrimSpace(text), " && ") {
		begin, run, end := "", line, ""
		if rest, ok := strings.CutSuffix(line, judged); ok && strings.HasPrefix(rest, "{ ") {
			begin, run, end = "{ ", rest[len("{ "):], judged
		} else if rest, ok := strings.CutSuffix(line, comparison); ok {
			run, end = rest, comparison
		}
		words, ok := words(run)
		if !ok || !simple(e, words) {
			return ""
		}
		for i, w := range words {
			words[i] = compilers.Quote(w)
		}
		commands = append(commands, begin+strings.Join(words, " ")+end)
	}
	return strings.Join(commands, " && ")
}

// Text behind the call of a program.
const (
	comparison = ` | diff want.txt -`
	judged     = ` || echo "exit status $?"; }` + comparison
)

// words takes a command apart, whose words are plain or in single quotes, as
// compilers.Quote writes them.
func words(text string) (list []string, ok bool) {
	for text != "" {
		var word string
		if quoted, is := strings.CutPrefix(text, "'"); is {
			if word, text, ok = strings.Cut(quoted, "'"); !ok {
				return nil, false
			}
		} else {
			n := strings.IndexByte(text+" ", ' ')
			word, text = text[:n], text[n:]
		}
		if text != "" && text[0] != ' ' || compilers.Quote(word) != word && strings.ContainsAny(word, "'\n") {
			return nil, false
		}
		list, text = append(list, word), strings.TrimPrefix(text, " ")
	}
	return list, len(list) > 0
}

// Words that a command may begin with: a time, an environment, an emulator, a tool.
var (
	number      = regexp.MustCompile(`^\d+$`)
	environment = regexp.MustCompile(`^(?:(?:GO[A-Z0-9]*|CGO_ENABLED)=[\w.]+|(?:TRAIN|BUN_JSC_[A-Za-z0-9]+)=\d+)$`)
	emulator    = regexp.MustCompile(`^(?:[\w/-]*/)?qemu-\w+(?:-static)?$`)
	tool        = regexp.MustCompile(`^(?:/(?:[\w.+-]+/)*)?(?:[a-z0-9_]+-)*(?:gcc|clang|gccgo|java|go|node|bun|reify|wizer|wasm-opt|wasm-interp|xxd|true)(?:-[\w.]+)?(?:@\w+)?$`)
)

// wordsOfTools are the arguments of those that are not native.
var wordsOfTools = regexp.MustCompile(`^(?:build|wazero|Repro\.java|repro\.mjs|(?:in|out)\.wasm|@\w+|-[oprw]` +
	`|-gcflags=(?:all=)?(?:-[NlBm]|-d=[\w/=,]+|-l=\d)(?: (?:-[NlBm]|-d=[\w/=,]+|-l=\d))*` +
	`|-XX:[+-]\w+|-XX:\w+=[\d.]+|-XX:CompileCommand=(?:quiet|(?:compileonly|dontinline|inline|exclude),[\w:*,.]+)` +
	`|-X(?:int|comp|batch|mixed)|-D[a-z]+=\d+|--[a-z][a-z0-9-]*(?:=\d+)?)$`)

// simple tells whether a command is one of ours: it calls a tool, or the program, with words
// that may be there.
func simple(e *corpus.Entry, words []string) bool {
	for len(words) > 1 {
		switch {
		case words[0] == "timeout" && number.MatchString(words[1]):
			words = words[2:]
			continue
		case words[0] == "env" || environment.MatchString(words[0]) || emulator.MatchString(words[0]):
			words = words[1:]
			continue
		}
		break
	}
	ours := files(e)
	if len(words) == 0 || !tool.MatchString(words[0]) && !slices.Contains(ours, strings.TrimPrefix(words[0], "./")) || strings.Contains(words[0], "..") {
		return false
	}
	var flags []string
	for _, w := range words[1:] {
		if !wordsOfTools.MatchString(w) && !slices.Contains(ours, strings.TrimPrefix(w, "./")) && !number.MatchString(w) {
			flags = append(flags, w)
		}
	}
	return native.Toolchain{}.Screen(flags...) == nil
}

// files returns the names of the files of an entry, and of what is made of them.
func files(e *corpus.Entry) (names []string) {
	all := []string{e.ReducedMain(), "repro", "reduced"}
	for _, f := range sources(e) {
		all = append(all, f.Name)
	}
	all = slices.AppendSeq(all, maps.Keys(e.Members))
	for _, name := range all {
		names = append(names, name)
		for dot := strings.LastIndexByte(name, '.'); dot > 0; dot = strings.LastIndexByte(name, '.') {
			name = name[:dot]
			names = append(names, name, name+".o", name+".hex")
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "-") || strings.Contains(name, "/") })
}
