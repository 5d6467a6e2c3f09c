package gc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/reify/safefile"
)

// Rules rewrite the compiler's SSA, and most are switched off by nothing that the compiler has.
// So a compiler is made of its own source, in which each rule can be left out:
//
//	-leaveout=17,203      leave out rules by their numbers
//	-fired                print the numbers of those that fire, each time, and the operations left
//	-clobbers=DIVW        take an operation for one that destroys the flags
//	-whole                spill, reload and copy whole registers, of all types
//
// The source is changed by text: of the generated functions each loop that follows a comment
// "// match:" is a rule, and "return true" says that it has fired.

// Names of what is changed, and of what is added beside it.
const (
	ssaDir    = "src/cmd/compile/internal/ssa"
	rulesFile = "leaveout.go"
	helpers   = `package ssa

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"cmd/compile/internal/types"
)

var (
	ruleOff    [%d]bool
	ruleLog    bool
	wholeTypes bool
)

func ruleFired(id int, f *Func) bool {
	if ruleLog {
		fmt.Fprintf(os.Stderr, "FIRED %%d %%s %%s\n", id, f.pass.name, f.Name)
	}
	return true
}

// opsUsed prints the operations of a function, before registers are given.
func opsUsed(f *Func) {
	if !ruleLog {
		return
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			fmt.Fprintf(os.Stderr, "OP %%s %%s\n", v.Op, f.Name)
		}
	}
}

// whole returns the type of a whole register if it is to hold an integer.
func whole(t *types.Type) *types.Type {
	if !wholeTypes || !t.IsInteger() && !t.IsBoolean() || t.Size() >= int64(types.PtrSize) {
		return t
	}
	return types.Types[types.TUINTPTR]
}

func init() {
	args := os.Args[:1:1]
	for _, arg := range os.Args[1:] {
		name, list, _ := strings.Cut(arg, "=")
		switch name {
		case "-leaveout":
			for _, word := range strings.Split(list, ",") {
				if id, err := strconv.Atoi(word); err == nil {
					ruleOff[id] = true
				}
			}
		case "-fired":
			ruleLog = true
		case "-whole":
			wholeTypes = true
		case "-clobbers":
			for i := range opcodeTable {
				if opcodeTable[i].name == list {
					opcodeTable[i].clobberFlags = true
				}
			}
		default:
			args = append(args, arg)
		}
	}
	os.Args = args
}
`
)

// A rule is one of those that rewrite the compiler's SSA.
type rule struct {
	file string // "PPC64.rules"
	line int    // in it, from 1, or 0 if it is not found there
	text string // "(MOVHZreg x:(SRWconst ...)) && x.Type.Size() <= 16 => x"
}

// String returns the rule with its place: "PPC64.rules:637 (MOVHZreg ...) => x".
func (r rule) String() string {
	place := r.file
	if r.line > 0 {
		place += ":" + strconv.Itoa(r.line)
	}
	return place + " " + r.text
}

// generic matches the files of rules that hold for all processors.
var generic = regexp.MustCompile(`^(?:generic|dec|div)`)

// A ruled is a compiler whose rules can be left out.
type ruled struct {
	Toolchain
	rules []rule
}

// LeaveOut returns the argument that leaves out rules.
func (r *ruled) LeaveOut(ids ...int) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.Itoa(id)
	}
	return "-leaveout=" + strings.Join(words, ",")
}

// Rule returns the place and the text of a rule, and whether it is one of those for a processor.
func (r *ruled) Rule(id int) (text string, late bool) {
	return r.rules[id].String(), !generic.MatchString(r.rules[id].file)
}

// Rules returns a compiler of the same version, made of its source, whose rules can be left
// out. It takes a minute of CPU time unless Go's build cache has it.
func (t Toolchain) Rules(ctx context.Context, ws *compilers.Workspace) (compilers.Ruled, error) {
	dir, err := ws.NewDir()
	if err != nil {
		return nil, err
	}
	defer ws.Remove(dir)
	overlay, rules, err := t.overlay(dir)
	if err != nil {
		return nil, fmt.Errorf("the rules of go%s: %w", t.Version, err)
	}
	to := filepath.Join(ws.Fixed(), "rules-go"+t.Version)
	if err := makeReadable(to); err != nil {
		return nil, err
	}
	limits := compilers.DefaultLimits()
	limits.CompileCPU, limits.CompileWall, limits.Disk, limits.FileSize = 10*time.Minute, 30*time.Minute, 4<<30, 1<<30
	env := Toolchain{Installation: compilers.Installation{Host: t.Host}, Root: t.Root}.env(dir, mode{})
	if filepath.IsAbs(t.Host.GoCache) {
		env = append(env, "GOCACHE="+t.Host.GoCache)
	}
	u := t
	u.compiler = filepath.Join(to, "compile")
	// It sees nothing but its own source and the build cache.
	e := compilers.Child{
		Path: filepath.Join(t.Root, goInRoot), Dir: dir, Env: env, Bounds: limits.Compile(),
		Args: []string{"build", "-trimpath", "-overlay", overlay, "-o", u.compiler, "cmd/compile"},
	}.Run(ctx)
	if err := e.Failure(); err != nil {
		return nil, fmt.Errorf("the rules of go%s: %w: %s", t.Version, err, compilers.FirstLine(e.Stderr))
	}
	return &ruled{u, rules}, os.Chmod(u.compiler, 0o755)
}

// overlay writes the changed source to a directory, and the file for -overlay.
func (t Toolchain) overlay(dir string) (file string, rules []rule, err error) {
	ssa := filepath.Join(t.Root, ssaDir)
	names, err := filepath.Glob(filepath.Join(ssa, "rewrite*.go"))
	if err != nil || len(names) == 0 {
		return "", nil, fmt.Errorf("no source of the compiler in %s", ssa)
	}
	replaced := map[string]string{}
	replace := func(name string, text []byte) error {
		to := filepath.Join(dir, filepath.Base(name))
		replaced[name] = to
		return writeFile(to, text)
	}
	const most = 64 << 20
	for _, name := range names {
		text, err := safefile.Read(name, most)
		if err != nil {
			return "", nil, err
		}
		of := generated.FindSubmatch(text)
		if of == nil {
			continue
		}
		lines := map[string]int{}
		if list, err := safefile.Read(filepath.Join(ssa, "_gen", string(of[1])), most); err == nil {
			lines = linesOf(string(list))
		}
		changed, found := numbered(string(text), len(rules))
		for _, text := range found {
			rules = append(rules, rule{string(of[1]), lines[spaceless(text)], text})
		}
		if err := replace(name, []byte(changed)); err != nil {
			return "", nil, err
		}
	}
	for name, change := range map[string]func(text []byte) []byte{
		"regalloc.go":  func(text []byte) []byte { return moved.ReplaceAll(text, []byte("$1, whole($2)")) },
		"flagalloc.go": func(text []byte) []byte { return flagalloc.ReplaceAll(text, []byte("$0\n\topsUsed(f)")) },
	} {
		text, err := safefile.Read(filepath.Join(ssa, name), most)
		if err != nil {
			return "", nil, err
		}
		if err := replace(filepath.Join(ssa, name), change(text)); err != nil {
			return "", nil, err
		}
	}
	if err := replace(filepath.Join(ssa, rulesFile), fmt.Appendf(nil, helpers, len(rules))); err != nil {
		return "", nil, err
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", nil, err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, rules, writeFile(file, list)
}

var (
	// generated is how a file of rules in Go begins.
	generated = regexp.MustCompile(`^// Code generated from _gen/(\S+\.rules)`)
	// flagalloc is the phase that gives the register of flags.
	flagalloc = regexp.MustCompile(`(?m)^func flagalloc\(f \*Func\) \{`)
	// moved matches the types of what is spilled, reloaded and copied.
	moved = regexp.MustCompile(`\b(OpStoreReg|OpLoadReg|OpCopy), (\w+(?:\.\(LocalSlot\))?\.Type)\b`)
)

// numbered returns Go made of rules such that each rule can be left out, and tells when it
// fires. The first has the given number. rules are their texts.
func numbered(text string, first int) (changed string, rules []string) {
	var out bytes.Buffer
	var match, cond, result string
	subject, begun := "v.Block.Func", false
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		comment, isComment := strings.CutPrefix(trimmed, "// ")
		switch {
		case strings.HasPrefix(line, "func rewriteBlock"):
			subject, match = "b.Func", ""
		case strings.HasPrefix(line, "func "):
			subject, match = "v.Block.Func", ""
		case isComment && strings.HasPrefix(comment, "match: "):
			match, cond, result, begun = comment[len("match: "):], "", "", false
		case isComment && strings.HasPrefix(comment, "cond: "):
			cond = comment[len("cond: "):]
		case isComment && strings.HasPrefix(comment, "result: "):
			result = comment[len("result: "):]
		case match != "" && !begun && strings.HasPrefix(trimmed, "for ") && strings.HasSuffix(trimmed, "{"):
			begun = true
			rules = append(rules, ruleText(match, cond, result))
			if line == indented(line, "for {") && !breaks(lines[i+1:], indented(line, "}")) {
				break // nothing stands after it: without it there is no code
			}
			fmt.Fprintf(&out, "%sif ruleOff[%d] {\nbreak\n}\n", line, first+len(rules)-1)
			continue
		case begun && trimmed == "return true":
			fmt.Fprintf(&out, "return ruleFired(%d, %s)\n", first+len(rules)-1, subject)
			continue
		}
		out.WriteString(line)
	}
	return out.String(), rules
}

// indented returns a line of a text that is indented as another line is.
func indented(as, text string) string {
	return as[:len(as)-len(strings.TrimLeft(as, "\t"))] + text + "\n"
}

// breaks tells whether a loop can be left before a line that ends it.
func breaks(body []string, end string) bool {
	for _, line := range body {
		switch {
		case line == end:
			return false
		case strings.TrimSpace(line) == "break":
			return true
		}
	}
	return false
}

// spaceless returns a text without spaces, which the generator sets in its own way.
func spaceless(text string) string { return strings.Join(strings.Fields(text), "") }

func ruleText(match, cond, result string) string {
	if cond != "" {
		match += " && " + cond
	}
	return match + " => " + result
}

// linesOf returns the lines of a file of rules by the text of each rule that stands there, without
// spaces. A line with (A|B) is several rules.
func linesOf(file string) map[string]int {
	lines := map[string]int{}
	rule, n, from := "", 0, 0
	for line := range strings.Lines(file) {
		n++
		if before, _, ok := strings.Cut(line, "//"); ok {
			line = before
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if rule == "" {
			from = n
		}
		rule = strings.TrimSpace(rule + " " + line)
		if !strings.Contains(rule, "=>") || strings.HasSuffix(rule, "=>") || strings.HasSuffix(rule, "&&") || strings.HasSuffix(rule, "||") ||
			strings.Count(rule, "(") != strings.Count(rule, ")") {
			continue
		}
		for _, each := range expanded(rule) {
			match, result, _ := strings.Cut(each, "=>")
			match, cond, _ := strings.Cut(match, "&&")
			text := spaceless(ruleText(match, cond, result))
			if _, ok := lines[text]; !ok {
				lines[text] = from
			}
		}
		rule = ""
	}
	return lines
}

var alternatives = regexp.MustCompile(`\(([\w]*(?:\|[\w]*)+)\)`)

// expanded returns the rules that a line stands for: alternatives are taken in parallel.
func expanded(rule string) []string {
	groups := alternatives.FindAllStringSubmatch(rule, -1)
	if groups == nil {
		return []string{rule}
	}
	list := make([]string, strings.Count(groups[0][1], "|")+1)
	for i := range list {
		list[i] = alternatives.ReplaceAllStringFunc(rule, func(group string) string {
			words := strings.Split(strings.Trim(group, "()"), "|")
			return words[min(i, len(words)-1)]
		})
	}
	return slices.Compact(list)
}
