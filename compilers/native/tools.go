package native

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// LLVM's tools take the place of clang between LLVM IR and an object. A target of theirs has
// their name, with a version and a root directory or with a path:
//
//	llc-24@trunk        code generation: -O0 to -O3, and other selectors of instructions
//	opt-24@trunk        a pass, which is the mode, or a pipeline, and then llc
//	lli=/opt/llvm/lli   code that is made while the program runs, on this machine
//
// A clang links, and knows the processor: that beside the tool, else the newest. It gets
// the arguments that it knows (--target=, -march=), and says what they are in the words of the
// tools. All other arguments are the tool's own.
const (
	llc = "llc"
	opt = "opt"
	lli = "lli"
)

var toolNames = []string{llc, opt, lli}

// Tools finds LLVM's tools, if REIFY_CC names them.
var Tools = compilers.Finder{
	Families: toolNames,
	Modes:    toolModes,
	Names:    toolsHere,
	Find: func(ctx context.Context, env compilers.Env) ([]compilers.Target, map[string]error, error) {
		return compilers.FindNamed(ctx, env, "no tool of LLVM is named in REIFY_CC", findTool)
	},
}

// toolsHere returns the names of those that are on this machine, also in root directories.
func toolsHere(env compilers.Env) (names []string) {
	look := func(root, search, mark string) {
		for _, tool := range toolNames {
			before := len(names)
			for n := oldest; n <= newest; n++ {
				if name := fmt.Sprintf("%s-%d", tool, n); compilers.LookIn(root, search, name) != "" {
					names = append(names, name+mark)
				}
			}
			if len(names) == before && compilers.LookIn(root, search, tool) != "" {
				names = append(names, tool+mark)
			}
		}
	}
	look("", env.Path, "")
	for _, root := range slices.Sorted(maps.Keys(env.Roots)) {
		if dir := env.Roots[root]; dir != "" {
			look(dir, compilers.RootPath, compilers.RootMark+root)
		}
	}
	return names
}

// findTool returns the tool of an entry of REIFY_CC.
func findTool(ctx context.Context, env compilers.Env, entry string) (t Toolchain, err error) {
	i := slices.IndexFunc(toolNames, func(tool string) bool { _, ok := named(entry, tool); return ok })
	if i < 0 {
		return t, fmt.Errorf("%s: no tool of LLVM %w", entry, compilers.ErrName)
	}
	f := newFinder(env)
	if t, err = f.locateTool(entry, toolNames[i]); err != nil {
		return t, err
	}
	list := []Toolchain{t}
	f.identify(ctx, list, f.named)
	if t = list[0]; t.unknown != nil {
		return t, t.unknown
	}
	if err := f.finish(ctx, &t); err != nil {
		return t, err
	}
	t.found, err = compilers.See(t.Root, t.parts(ctx, env.Space)...)
	return t, cmp.Or(err, context.Cause(ctx))
}

// Project returns the family whose developers have a compiler of a family in their care.
func Project(family string) string {
	if slices.Contains(toolNames, family) {
		return "clang"
	}
	return family
}

// A toolset is what a target of LLVM's tools is made of. Copies of a toolchain share it.
type toolset struct {
	name   string // llc, opt or lli
	path   string // of each tool, with %s in the place of its name: "/usr/bin/%s-24"
	called string // the same as users call it
	clang  string // the name of the clang that links
	beside bool   // that clang is of the same build
	passes []pass // of opt
	layout string // of data, for an opt that does not know it by the processor
}

// firstWithLayout is the first version whose opt knows how each processor lays out data.
const firstWithLayout = "18"

func (s *toolset) file(tool string) string { return fmt.Sprintf(s.path, tool) }

// named tells whether an entry of REIFY_CC has a name, and returns what follows that.
func named(entry, name string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(entry, name)
	return rest, ok && (rest == "" || strings.ContainsAny(rest[:1], "-= "+compilers.RootMark))
}

// clangs matches the arguments of tools that are clang's.
var clangs = regexp.MustCompile(`^(?:--target=.*|-m(?:arch|cpu|tune|abi|fpu|float-abi|prefer-vector-width)=.*|-m[a-z0-9][a-z0-9.-]*)$`)

// forClang returns the arguments that clang gets.
func forClang(args []string) (list []string) {
	for _, arg := range args {
		if triple, ok := strings.CutPrefix(arg, "-mtriple="); ok {
			arg = "--target=" + triple
		}
		if clangs.MatchString(arg) {
			list = append(list, arg)
		}
	}
	return list
}

// Clang returns the clang that links for LLVM's tools, given IR; another toolchain as it is.
func (t Toolchain) Clang() Toolchain {
	if t.tools == nil {
		return t
	}
	t.Name, t.Args, t.Family = t.tools.clang, forClang(t.Args), "clang"
	t.tools, t.levels, t.link = nil, nil, nil
	return t
}

// Maker returns the path of the executable that makes code: of clang itself, or of the tool.
func (t Toolchain) Maker() string {
	if t.tools == nil {
		return t.Path
	}
	return t.tools.file(t.tools.name)
}

// IsTool tells whether the toolchain is one of LLVM's tools.
func (t Toolchain) IsTool() bool { return t.tools != nil }

// Processor returns the arguments by which LLVM's tools make code for the processor.
func (t Toolchain) Processor() []string {
	return slices.DeleteFunc(slices.Clone(t.platform().Tools), func(arg string) bool { return strings.HasPrefix(arg, "-target-abi=") })
}

// oldest and newest are the versions of clang that may link for a tool without its own.
const (
	oldest = 14
	newest = 40
)

// locateTool is locate for an entry that has the name of a tool.
func (f finder) locateTool(entry, tool string) (t Toolchain, err error) {
	words := strings.Fields(entry)
	s := &toolset{name: tool}
	name, path, given := strings.Cut(words[0], "=")
	plain, root, err := f.env.Root(name)
	if err != nil {
		return t, err
	}
	mark, search := strings.TrimPrefix(name, plain), f.env.Path
	if root != "" {
		search = compilers.RootPath
	}
	if given {
		if !filepath.IsAbs(path) {
			return t, fmt.Errorf("%s: want an absolute path", entry)
		}
		plain = path
	}
	file, err := lookPath(root, plain, search)
	if err != nil {
		return t, err
	}
	pattern := func(path string) string {
		dir, base := filepath.Split(path)
		return strings.ReplaceAll(dir, "%", "%%") + strings.Replace(base, tool, "%s", 1)
	}
	s.path, s.called = pattern(file), pattern(plain)
	linkers := []string{fmt.Sprintf(s.called, "clang")}
	for n := newest; n >= oldest; n-- {
		linkers = append(linkers, fmt.Sprintf("clang-%d", n))
	}
	for n, linker := range append(linkers, "clang") {
		t, err = f.locate(strings.Join(append([]string{linker + mark}, forClang(words[1:])...), " "))
		if err == nil {
			s.clang, s.beside = t.Name, n == 0
			t.Name, t.Args, t.ir, t.tools = words[0], words[1:], true, s
			return t, nil
		}
	}
	return t, fmt.Errorf("%s: there is no clang that links for it%s", entry, in(root))
}

// finish completes the toolchain of a tool whose clang has been asked.
func (f finder) finish(ctx context.Context, t *Toolchain) error {
	s := *t.tools
	t.tools, t.Family = &s, s.name
	version := t.Version
	if !s.beside {
		said := t.hear(ctx, f.env.Space, s.file(s.name), usualQuestion)
		if version = dotted.FindString(string(said.Stdout)); version == "" {
			return fmt.Errorf("%s --version: no version in %q", s.file(s.name), compilers.FirstLine(said.Stdout))
		}
		t.Version = version
	}
	switch triple := t.platform().Triple; {
	case s.name == lli && Emulated(triple):
		return fmt.Errorf("%v runs programs of this machine only", t)
	case s.name == opt:
		said := t.hear(ctx, f.env.Space, s.file(opt), "-print-passes")
		if err := said.Failure(); err != nil {
			return fmt.Errorf("%s -print-passes: %w", s.file(opt), err)
		}
		s.passes = passesOf(string(said.Stdout))
		if compilers.CompareVersions(version, firstWithLayout) < 0 {
			said := t.hear(ctx, f.env.Space, t.Path, append(forClang(t.Args), "-S", "-emit-llvm", "-x", "c", "/dev/null", "-o", "-")...)
			if m := layoutLine.FindSubmatch(said.Stdout); m != nil {
				s.layout = string(m[1])
			}
		}
	}
	all := t.all()
	t.levels = f.env.ModesOf(all)
	if t.levels == nil {
		t.levels = all
	}
	return nil
}

var layoutLine = regexp.MustCompile(`(?m)^target datalayout = "(.*)"$`)

// A selector is a mode of llc with a selector of instructions that its level does not choose.
type selector struct {
	mode       compilers.Mode
	args       []string
	processors []string // whose code it makes; nil for all
}

var selectors = []selector{
	{"@dag", []string{"-O0", "-fast-isel=0", "-global-isel=0"}, nil},
	{"@fast", []string{"-O2", "-fast-isel"}, []string{"x86_64", "aarch64", "arm", "powerpc64", "powerpc64le", "mips64el"}},
	{"@global", []string{"-O2", "-global-isel", "-global-isel-abort=0"}, []string{"x86_64", "aarch64", "arm", "riscv64", "powerpc64", "powerpc64le", "mips64el"}},
}

// toolModes are the modes of all tools that begin with the mark.
var toolModes = func() (list []compilers.Mode) {
	for _, s := range selectors {
		list = append(list, s.mode)
	}
	for _, p := range passes {
		list = append(list, p.mode())
	}
	return list
}()

// all returns the modes of the tool.
func (s *toolset) all(processor string) []compilers.Mode {
	list := []compilers.Mode{"-O0", "-O1", "-O2", "-O3"}
	for _, p := range s.passes {
		list = append(list, p.mode())
	}
	for _, one := range selectors {
		if s.name == llc && (one.processors == nil || slices.Contains(one.processors, processor)) {
			list = append(list, one.mode)
		}
	}
	return list
}

// generation returns what the arguments of a cc1 that clang has called say to LLVM's tools.
func generation(log string) (args []string) {
	var features []string
	for line := range strings.Lines(log) {
		words := splitCommand(line)
		if len(words) < 2 || words[1] != "-cc1" {
			continue
		}
		for i, word := range words[:len(words)-1] {
			switch value := words[i+1]; {
			case word == "-target-cpu":
				args = append(args, "-mcpu="+value)
			case word == "-target-abi":
				args = append(args, "-target-abi="+value)
			case word == "-target-feature" && strings.HasPrefix(value, "+"):
				features = append(features, value)
			}
		}
	}
	if features != nil {
		args = append(args, "-mattr="+strings.Join(features, ","))
	}
	return args
}
