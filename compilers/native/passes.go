package native

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
)

// A pass of LLVM's middle end is a mode of opt, "@gvn".
type pass struct {
	level, name string
	text        string // as opt takes it: "gvn<memoryssa>"
	needs       string // what opt is to run first
}

//go:embed passes-llvm.txt
var passTable string

// passes are the lines of the table.
var passes = func() (list []pass) {
	for line := range strings.Lines(passTable) {
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			list = append(list, pass{level: words[0], name: words[1], text: words[len(words)-1]})
		}
	}
	return list
}()

func (p pass) mode() compilers.Mode { return "@" + p.name }

// within is how a pipeline has a pass of each level.
var within = map[string]string{"module": "%s", "cgscc": "cgscc(%s)", "function": "function(%s)", "codegen": "function(%s)", "loop": "function(loop(%s))", "memory": "function(loop-mssa(%s))"}

func (p pass) String() string { return p.needs + fmt.Sprintf(within[p.level], p.text) }

// required are the analyses of a module that passes of code generation need.
var required = []string{"profile-summary", "libcall-lowering-info"}

var wordOfPass = regexp.MustCompile(`[\w-]+`)

// passesOf returns the passes of a version, given what its opt -print-passes prints.
func passesOf(printed string) (list []pass) {
	parameters := map[string][]string{}
	for line := range strings.Lines(printed) {
		if words := wordOfPass.FindAllString(line, -1); strings.HasPrefix(line, "  ") && words != nil {
			parameters[words[0]] = append(parameters[words[0]], words...)
		}
	}
	for _, p := range passes {
		words := wordOfPass.FindAllString(p.text, -1)
		known, ok := parameters[words[0]]
		strange := func(word string) bool {
			_, err := strconv.Atoi(word)
			return err != nil && !slices.Contains(known, word)
		}
		switch {
		case !ok:
			continue
		case slices.ContainsFunc(words, strange) && p.name == words[0]:
			p.text = p.name
		case slices.ContainsFunc(words, strange):
			continue
		}
		for _, name := range required {
			if _, ok := parameters[name]; ok && p.level == "codegen" {
				p.needs += "require<" + name + ">,"
			}
		}
		list = append(list, p)
	}
	return list
}

// passFlag begins an argument that names a pass. Passes run in the order of the arguments,
// before that of the mode.
const passFlag = "-passes="

// pipeline returns what opt runs in a mode, given the arguments of the target; nothing in the
// reference mode.
func (s *toolset) pipeline(mode compilers.Mode, args []string) string {
	if mode == "-O0" {
		return ""
	}
	var list []string
	add := func(name string) {
		if i := slices.IndexFunc(s.passes, func(p pass) bool { return p.name == name }); i >= 0 {
			name = s.passes[i].String()
		}
		list = append(list, name)
	}
	for _, arg := range args {
		if name, ok := strings.CutPrefix(arg, passFlag); ok {
			add(name)
		}
	}
	if level, ok := strings.CutPrefix(mode, "-"); ok {
		return strings.Join(append(list, "default<"+level+">"), ",")
	}
	add(mode[1:])
	return strings.Join(list, ",")
}

// pipelines is how many sets of passes there are that hunts may draw, and mostPasses how long.
const (
	pipelines  = 200
	mostPasses = 6
)

// pipelines returns sets of passes, the same always.
func (s *toolset) pipelines() (sets []flagSet) {
	draw := rand.NewPCG(1, 36)
	for range pipelines {
		var set flagSet
		for range 1 + draw.Uint64()%mostPasses {
			p := passes[draw.Uint64()%uint64(len(passes))]
			if slices.ContainsFunc(s.passes, func(o pass) bool { return o.name == p.name }) {
				set.Flags = append(set.Flags, passFlag+p.name)
			}
		}
		if set.Flags != nil {
			sets = append(sets, set)
		}
	}
	return sets
}
