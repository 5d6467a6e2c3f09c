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

// Words that a command may begin with: a time, an environment, an emulator. Of Go's settings,
// others name files with flags, and programs.
var (
	number      = regexp.MustCompile(`^\d+$`)
	environment = regexp.MustCompile(`^(?:GOTOOLCHAIN=(?:local|go[\w.]+)|GOROOT=(?:/[\w+-][\w.+-]*)+|(?:GOARCH|GOAMD64)=\w+|GORACE=atexit_sleep_ms=0|(?:TRAIN|BUN_JSC_[A-Za-z0-9]+)=\d+)$`)
	emulator    = regexp.MustCompile(`^(?:/[\w/-]*/)?qemu-\w+(?:-static)?$`)
	model       = regexp.MustCompile(`^\w[\w.-]*(?:,\w+=\w+)*$`) // of a processor, as emulators have it
)

// A tool is what a command may call, by its names.
type tool struct {
	names *regexp.Regexp
	words *regexp.Regexp // that it may be given beside files of the entry
	flags bool           // native.Toolchain.Screen knows others
}

// tools are those of which a command may have words. A word that fits one may have another
// name files of options: @FILE has gcc and java read them, and so has --config clang.
var tools = []tool{
	toolOf(`gcc|clang|gccgo|tcc`, `-[cow]`, true),
	toolOf(`llc|opt|lli`, `-o|-filetype=obj|-relocation-model=pic|-target-abi=\w+|-O[0-3]|-(?:fast|global)-isel(?:=0)?|-global-isel-abort=0|-opaque-pointers|-data-layout=[\w:-]+|`+
		`(?:repro|reduced)\.(?:bc|o)|-m(?:triple|cpu|attr)=[\w.+,-]+|-passes=[a-z0-9<>(),;=-]+|-(?:regalloc|slp-[a-z-]+)=[\w-]+`, false),
	toolOf(`go`, `build|-o|-race|-gcflags=(?:all=)?`+flagsOfGo+`(?: `+flagsOfGo+`)*`, false),
	toolOf(`java`, `Repro\.java|-XX:[+-]\w+|-XX:\w+=[\d.]+|-XX:CompileCommand=(?:quiet|(?:compileonly|dontinline|inline|exclude),[\w:*,.]+)`+
		`|-X(?:int|comp|batch|mixed)|-D[a-z]+=\d+`, false),
	toolOf(`node|bun|wizer|wasm-opt|wasm-interp`, `repro\.mjs|(?:in|out)\.wasm|-o|--[a-z][a-z0-9-]*(?:=\d+)?`, false),
	toolOf(`reify`, `wazero|@\w+`, false),
	toolOf(`xxd`, `-[rp]|(?:in|out)\.wasm`, false),
	toolOf(`true`, ``, false),
}

const flagsOfGo = `(?:-[NlBm]|-d=[\w/=,]+|-l=\d)`

func toolOf(names, words string, flags bool) tool {
	return tool{
		names: regexp.MustCompile(`^(?:/(?:[\w.+-]+/)*)?(?:[a-z0-9_]+-)*(?:` + names + `)(?:-[\w.]+)?(?:@\w+)?$`),
		words: regexp.MustCompile(`^(?:` + words + `)$`),
		flags: flags,
	}
}

// simple tells whether a command is one of ours: it calls a tool, or the program, with words
// that may be there.
func simple(e *corpus.Entry, words []string) bool {
	for len(words) > 1 {
		switch {
		case words[0] == "timeout" && number.MatchString(words[1]):
			words = words[2:]
			continue
		case len(words) > 3 && emulator.MatchString(words[0]) && words[1] == "-cpu" && model.MatchString(words[2]):
			words = words[3:]
			continue
		case words[0] == "env" || environment.MatchString(words[0]) || emulator.MatchString(words[0]):
			words = words[1:]
			continue
		}
		break
	}
	if len(words) == 0 || strings.Contains(words[0], "..") {
		return false
	}
	ours := files(e)
	i := slices.IndexFunc(tools, func(t tool) bool { return t.names.MatchString(words[0]) })
	if i < 0 && !isFile(ours, words[0]) {
		return false
	}
	var flags []string
	for _, w := range words[1:] {
		if !isFile(ours, w) && !number.MatchString(w) && (i < 0 || !tools[i].words.MatchString(w)) {
			flags = append(flags, w)
		}
	}
	return len(flags) == 0 || i >= 0 && tools[i].flags && native.Toolchain{}.Screen(flags...) == nil
}

// isFile tells whether a word names one of some files.
func isFile(names []string, word string) bool {
	return slices.Contains(names, strings.TrimPrefix(word, "./"))
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
