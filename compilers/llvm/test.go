package llvm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
)

// A Test is a test in LLVM IR.
type Test struct {
	IR   string // the module
	Tool string // llc or opt
	Args []string
	// Call is the call of its function that shows the failure, Want its result and Got what
	// it is instead, as constants of IR. They are empty if the tool has an internal error.
	Call, Want, Got string
	Message         string   // of that error
	Good            []string // ways that give the right answer
	Bad             []string // other ways that do not
	First           string   // the first pass of llc with which it is wrong, or empty
	Right           int      // how many passes before that are right
	Diff            []string // lines of assembly of a good way that are not in the bad one's, with a -, and the reverse, with a +
	DiffTo          string   // that good way
	Code            []string // lines of the bad assembly, indented
	Targets         []Asked
	Lines           int // of the function, without its braces
	Asked           int // candidates
}

// An Asked is what came of the test for another target.
type Asked struct {
	Triple string
	Wrong  bool
}

// Run returns the command that shows the failure, of a file.
func (t *Test) Run(file string) string {
	return compilers.CommandLine(t.Tool, t.Args) + " < " + file
}

// ran are commands that Run returns.
var ran = regexp.MustCompile(`^(?:llc|opt)(?: -(?:(?:mtriple|mcpu|mattr|passes|global-isel-abort)=[\w.,+-]+|O[0-3]|S|(?:global|fast)-isel(?:=0)?)| '-passes=[\w.,+()<>;=-]+')* < [a-z]+\.ll(?:vm)?$`)

// IsRun tells whether a line of a stranger is one that Run may have returned: it has a tool
// read a file, and names no other.
func IsRun(line string) bool { return ran.MatchString(line) }

// mostChanges is how many lines a difference of code may have that tells something.
const mostChanges = 16

// Elsewhere says in a line which other targets are wrong, and which are right.
func (t *Test) Elsewhere() string {
	said := map[bool]string{}
	for _, a := range t.Targets {
		said[a.Wrong] += " " + a.Triple
	}
	var list []string
	for _, wrong := range []bool{true, false} {
		if said[wrong] != "" {
			list = append(list, map[bool]string{true: "wrong:", false: "right:"}[wrong]+said[wrong])
		}
	}
	return strings.Join(list, "; ")
}

// String returns the file.
func (t *Test) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; RUN: %s\n;\n", t.Run("%s"))
	if t.Message != "" {
		fmt.Fprintf(&b, "; %s\n", t.Message)
	} else {
		fmt.Fprintf(&b, "; %s is %s, and %s here.\n", t.Call, t.Want, t.Got)
	}
	list := func(what string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, "; %s: %s\n", what, strings.Join(names, ", "))
		}
	}
	list("right", t.Good)
	list("wrong", t.Bad)
	if t.First != "" {
		fmt.Fprintf(&b, "; wrong first with %s: right with -opt-bisect-limit=%d\n", t.First, t.Right)
	}
	if said := t.Elsewhere(); said != "" {
		fmt.Fprintf(&b, "; elsewhere %s\n", said)
	}
	b.WriteString("\n" + t.IR)
	var lines []string
	switch n := changes(t.Diff); {
	case n > 0 && n <= mostChanges:
		fmt.Fprintf(&b, "\n; the code of %s (-), and here (+):\n", t.DiffTo)
		lines = t.Diff
	case len(t.Code) > 0:
		b.WriteString("\n; the code here:\n")
		lines = t.Code
	}
	for _, line := range lines {
		b.WriteString("; " + line + "\n")
	}
	return b.String()
}

// Triples are the targets that may share a fault.
var Triples = []string{"x86_64-linux-gnu", "aarch64-linux-gnu", "riscv64-linux-gnu", "loongarch64-linux-gnu", "powerpc64le-linux-gnu", "powerpc64-linux-gnu", "s390x-linux-gnu", "mips64el-linux-gnuabi64"}

// bigEndian tells whether a target of that list has the high byte first.
func bigEndian(triple string) bool {
	return strings.HasPrefix(triple, "s390x") || strings.HasPrefix(triple, "powerpc64-")
}

// triple returns the target of the finding as users type it.
func (s *search) triple() string {
	for _, arg := range s.Clang.Args {
		if triple, ok := strings.CutPrefix(arg, "--target="); ok {
			return triple
		}
	}
	processor, _, _ := strings.Cut(s.Clang.ID().Triple, "-")
	return processor + "-linux-gnu"
}

// newTest returns the test of a candidate, as far as it is known without asking.
func (s *search) newTest(c Candidate) *Test {
	c.F.Rename()
	m := needed(s.m, c.F)
	m.Layout, m.Triple = "", ""
	m.Funcs = append(m.Funcs, c.F)
	t := &Test{IR: m.String(), Tool: "llc", Args: append([]string{"-mtriple=" + s.triple()}, s.args...), Asked: s.asked}
	t.Lines = strings.Count(c.F.String(), "\n") - 2
	return t
}

// coded returns the test of a candidate whose code is wrong, once more and for sure.
func (s *search) coded(ctx context.Context, j *coder, c Candidate) (*Test, error) {
	r, err := s.m.Run(c.F, c.Args...)
	if err != nil {
		return nil, err
	}
	ways := s.ways()
	t := s.newTest(c)
	list, want := []Candidate{c}, []ll.Value{r.Value}
	j.other = true
	got, err := j.run(ctx, s.m, list, want, []way{j.bad})
	if err != nil {
		return nil, err
	}
	if got[0][0] == shown(r.Value) {
		return nil, fmt.Errorf("%s is right with another model of the processor: the emulator may be at fault", c.call())
	}
	j.other = false
	if got, err = j.run(ctx, s.m, list, want, []way{j.bad}); err != nil {
		return nil, err
	}
	if !j.fails(got[0][0], shown(r.Value)) {
		return nil, fmt.Errorf("%s is wrong only now and then", c.call())
	}
	printed := got[0][0]
	t.Call, t.Want, t.Got = c.call(), r.Value.String(), read(printed, r.Value)
	module := needed(s.m, c.F)
	module.Funcs = append(module.Funcs, c.F)
	bad, _ := j.bad.make(ctx, module.String(), assembly)
	t.Code = difference(instructions(string(bad)), instructions(string(bad)))
	for _, w := range ways {
		got, err := j.run(ctx, s.m, list, want, []way{w})
		if err != nil {
			return nil, err
		}
		switch got[0][0] {
		case shown(r.Value):
			t.Good = append(t.Good, w.name)
			good, _ := w.make(ctx, module.String(), assembly)
			diff := difference(instructions(string(good)), instructions(string(bad)))
			if t.Diff == nil || changes(diff) < changes(t.Diff) {
				t.Diff, t.DiffTo = diff, w.name
			}
		case "":
		default:
			if c.passesVectors() && got[0][0] != printed {
				continue // it may only pass them elsewhere
			}
			t.Bad = append(t.Bad, w.name)
		}
	}
	if err := s.first(ctx, j, c, r.Value, t); err != nil {
		return nil, err
	}
	err = s.elsewhere(ctx, t, func(ctx context.Context, o *search) (bool, bool, error) {
		c := c.anywhere()
		r, err := o.m.Run(c.F, c.Args...)
		if err != nil {
			return false, false, nil
		}
		j, err := o.newCoder(ctx, o.llc(o.args...), compilers.WrongAnswer)
		if err != nil {
			return false, false, nil
		}
		told := j.bad
		told.told = true
		got, err := j.run(ctx, o.m, []Candidate{c}, []ll.Value{r.Value}, []way{j.bad, j.good[0], told})
		if err != nil {
			return false, false, err
		}
		want := shown(r.Value)
		return got[0][0] != want, got[0][0] != "" && (got[1][0] == want || got[2][0] == want), nil
	})
	if err == nil && len(t.Good) == 0 && !slices.ContainsFunc(t.Targets, func(a Asked) bool { return !a.Wrong }) {
		err = fmt.Errorf("no compiler gets %s right", t.Call)
	}
	return t, err
}

// running matches what llc says of a pass that may be left out.
var running = regexp.MustCompile(`(?m)^BISECT: running pass \(\d+\) (.+) on .*$`)

// first sets the first pass of llc with which the code of a candidate is wrong.
func (s *search) first(ctx context.Context, j *coder, c Candidate, want ll.Value, t *Test) error {
	limited := func(n int) way { return s.llc(append(slices.Clone(s.args), fmt.Sprint(bisectLimit, n))...) }
	_, said := limited(-1).make(ctx, t.IR, object)
	passes := running.FindAllStringSubmatch(string(said.Stderr), -1)
	var failed error
	wrong := func(n int) bool {
		got, err := j.run(ctx, s.m, []Candidate{c}, []ll.Value{want}, []way{limited(n)})
		failed = errors.Join(failed, err)
		return err == nil && got[0][0] != shown(want)
	}
	if n := sort.Search(len(passes), func(n int) bool { return wrong(n + 1) }); n < len(passes) && !wrong(0) && !wrong(n) {
		t.First, t.Right = passes[n][1], n
	}
	return failed
}

// ways returns the ways of making code that may be right, the closest to the bad one first.
func (s *search) ways() (list []way) {
	list = append(s.versions(), s.siblings()...)
	usual := slices.DeleteFunc(slices.Clone(s.args), func(a string) bool { return strings.HasPrefix(a, "-global-isel") })
	for _, args := range [][]string{usual, append(slices.Clip(usual), "-global-isel"), append(slices.Clip(usual), "-fast-isel")} {
		if !slices.Equal(args, s.args) {
			list = append(list, s.llc(args...))
		}
	}
	return append(list, s.llc(append(slices.Clip(usual), uncombined)...), s.llc(unoptimised(s.args)...))
}

// uncombined is the argument of llc by which the combiner of instruction selection does nothing.
const uncombined = "-debug-counter=dagcombine=1000000"

// versions returns the ways of making code by other versions.
func (s *search) versions() (list []way) {
	for _, other := range s.Others {
		list = append(list, s.by(other, s.Job.Mode))
	}
	return list
}

// siblings returns the ways of making code by llc of other versions, of which clang need not be
// here: they are not asked whether candidates are right.
func (s *search) siblings() (list []way) {
	for _, o := range s.others() {
		args := slices.Concat(s.args, o.asks)
		w := o.llc(args...)
		w.name = o.name("llc", args)
		w.make = func(ctx context.Context, ir, kind string) ([]byte, compilers.Outcome) {
			code, said := o.llc(args...).make(ctx, o.reads(ir), kind)
			// It may not know the processor, or take an intrinsic for a function.
			if bytes.Contains(said.Stderr, []byte("is not a recognized")) || bytes.Contains(code, []byte("llvm.")) {
				code = nil
				said.Verdict = compilers.Discarded
			}
			return code, said
		}
		list = append(list, w)
	}
	return list
}

// An other is the tools of another version.
type other struct {
	Tools
	number int
	asks   []string // arguments that it needs
}

// others returns the tools of other versions in directories of the same name: of the same root
// directory, or of this machine.
func (t Tools) others() (list []other) {
	seen := []string{versionDir.FindString(t.dir)}
	for _, root := range []string{t.Clang.Root, ""} {
		dirs, _ := filepath.Glob(filepath.Join("/", root, versionDir.ReplaceAllString(t.dir, "llvm-*")))
		for _, dir := range dirs {
			o := other{Tools: t}
			o.Clang.Root, o.dir = root, path.Join("/", strings.TrimPrefix(dir, root))
			name := versionDir.FindString(o.dir)
			if slices.Contains(seen, name) || !compilers.Executable(root, path.Join(o.dir, "llc")) {
				continue
			}
			seen = append(seen, name)
			if o.number, _ = strconv.Atoi(strings.TrimPrefix(name, "llvm-")); o.number < firstOpaque {
				o.asks = []string{"-opaque-pointers"}
			}
			if root == "" {
				t.Space.Show(o.dir)
			}
			list = append(list, o)
		}
	}
	return list
}

// name returns what people call a tool of that version with some arguments.
func (o other) name(tool string, args []string) string {
	return strings.Join(append([]string{fmt.Sprintf("%s-%d", tool, o.number)}, args...), " ")
}

const (
	firstOpaque = 15 // whose pointers have no type unless asked for
	firstSplat  = 19 // that reads "splat"
)

// reads returns a module as that version reads it.
func (o other) reads(ir string) string {
	if o.number >= firstSplat {
		return ir
	}
	var b strings.Builder
	for line := range strings.Lines(ir) {
		for at := splat.FindStringSubmatchIndex(line); at != nil; at = splat.FindStringSubmatchIndex(line) {
			elem := line[at[4]:at[5]]
			before := line[:at[0]]
			types := regexp.MustCompile(`<(\d+) x `+elem+`>`).FindAllStringSubmatch(before, -1)
			if types == nil {
				return ir
			}
			n, _ := strconv.Atoi(types[len(types)-1][1])
			line = before + "<" + strings.TrimSuffix(strings.Repeat(line[at[2]:at[3]]+", ", n), ", ") + ">" + line[at[1]:]
		}
		b.WriteString(line)
	}
	return b.String()
}

// splat matches a vector of equal lanes.
var splat = regexp.MustCompile(`splat \(((i\d+) [^()]*)\)`)

// versionDir is where the programs of a version of LLVM are.
var versionDir = regexp.MustCompile(`llvm-\d+`)

// crashed returns the test of a candidate with an internal error.
func (s *search) crashed(ctx context.Context, c Candidate, o compilers.Outcome) (*Test, error) {
	t := s.newTest(c)
	t.Message = o.Message
	module := needed(s.m, c.F)
	module.Funcs = append(module.Funcs, c.F)
	for _, w := range s.ways() {
		switch _, o := w.make(ctx, module.String(), object); o.Verdict {
		case compilers.OK:
			t.Good = append(t.Good, w.name)
		case compilers.InternalError:
			t.Bad = append(t.Bad, w.name)
		}
	}
	return t, s.elsewhere(ctx, t, func(ctx context.Context, other *search) (bool, bool, error) {
		c := c.anywhere()
		module := needed(other.m, c.F)
		module.Funcs = append(module.Funcs, c.F)
		_, o := other.llc(other.args...).make(ctx, module.String(), object)
		return o.Verdict == compilers.InternalError, o.Verdict == compilers.InternalError || o.Verdict == compilers.OK, nil
	})
}

// elsewhere asks other targets, with arguments that are not of one processor.
func (s *search) elsewhere(ctx context.Context, t *Test, ask func(context.Context, *search) (wrong, asked bool, err error)) error {
	bare := s.Clang.WithoutArgs()
	for _, triple := range Triples {
		if triple == s.triple() {
			continue
		}
		o := *s
		target, ok := compilers.With(bare, "--target="+triple)
		if !ok {
			return nil
		}
		var err error
		if o.Tools, err = Beside(target, s.Space, s.Limits); err != nil {
			return err
		}
		m := *s.m
		m.Layout, m.Triple, m.Big = "", triple, bigEndian(triple)
		o.m = &m
		o.args = slices.DeleteFunc(slices.Clone(s.args), machine)
		wrong, asked, err := ask(ctx, &o)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case asked:
			t.Targets = append(t.Targets, Asked{triple, wrong})
		}
	}
	return nil
}

// read returns what was printed of a value of a type, as a constant.
func read(printed string, want ll.Value) string {
	got := want
	got.Lanes = slices.Clone(want.Lanes)
	for _, word := range strings.Fields(printed) {
		var lane int
		var high, low uint64
		if n, _ := fmt.Sscanf(word, "%d:%x:%x", &lane, &high, &low); n != 3 || lane >= len(got.Lanes) {
			return strings.TrimSpace(printed)
		}
		got.Lanes[lane] = ll.Bits(high, low)
	}
	return got.String()
}

// instructions returns the lines of assembly that are instructions.
func instructions(text string) (list []string) {
	for line := range strings.Lines(text) {
		for _, comment := range []string{"#", "//", ";", "@"} {
			if n := strings.Index(line, comment+" "); n >= 0 {
				line = line[:n]
			}
		}
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && line[0] != '.' && line[0] != '#' && !strings.HasSuffix(line, ":") {
			list = append(list, line)
		}
	}
	return list
}

// changes returns how many lines of a difference are in one list only.
func changes(diff []string) (n int) {
	for _, line := range diff {
		if !strings.HasPrefix(line, " ") {
			n++
		}
	}
	return n
}

// difference returns the lines of two lists, with a sign before those that are in one only.
func difference(a, b []string) (list []string) {
	common := make([][]int, len(a)+1) // the length of what the rests have in common
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			list = append(list, "  "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			list = append(list, "- "+a[i])
			i++
		default:
			list = append(list, "+ "+b[j])
			j++
		}
	}
	return list
}

// Shape returns the instructions and the intrinsics that compute something in the test of a
// file of String, each once, in the order of the alphabet; or nothing if it cannot be read.
func Shape(text string) string {
	m, err := ll.Parse(text)
	if err != nil {
		return ""
	}
	var list []string
	for _, f := range m.Funcs {
		for _, i := range f.Instrs() {
			name := i.Op
			if i.Op == "call" {
				_, name, _ = strings.Cut(i.Callee, "llvm.")
				name, _, _ = strings.Cut(name, ".")
			}
			if i.Name != "" && name != "" && !slices.Contains([]string{"load", "phi", "alloca", "getelementptr"}, name) {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), " ")
}
