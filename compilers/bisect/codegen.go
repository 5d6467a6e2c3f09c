package bisect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
)

// CodeGeneration begins the culprit, "code generation for aarch64 (aarch64-isel)", where the
// passes on the compiler's own representation have left a program that is right. In
// parentheses is the part of code generation, if it is known.
const CodeGeneration = "code generation"

// CodeGenerationFor returns that culprit. A part may be "".
func CodeGenerationFor(processor, part string) string {
	name := CodeGeneration + " for " + processor
	if part != "" {
		name += " (" + part + ")"
	}
	return name
}

// beforeCodeGeneration prints the program as code generation gets it.
var beforeCodeGeneration = []string{"-mllvm", "-print-before=pre-isel-intrinsic-lowering"}

var (
	// irMark is the line before a program that was printed.
	irMark = regexp.MustCompile(`(?m)^[;# ]*\*\*\* IR Dump Before .*\n`)
	// bisectAny matches what clang says of passes, also after the program.
	bisectAny = regexp.MustCompile(`(?m)^BISECT: .*\n`)
	// elsewhere matches the lines of a program that tie it to a processor.
	elsewhere = regexp.MustCompile(`(?m)^target .*\n|^!llvm\.module\.flags .*\n|"target-(cpu|features)"="[^"]*"|"tune-cpu"="[^"]*"`)
	// nowhere takes the place of such text: a group of attributes has one at least.
	nowhere = func(text string) string {
		if strings.HasPrefix(text, `"`) {
			return `"elsewhere"`
		}
		return ""
	}
	// promises are what a program says of its operations beyond what they compute, which
	// code generated without optimising takes no notice of. A pass may say it in error.
	promises = regexp.MustCompile(`\b(nsw|nuw|nusw|exact|disjoint|nneg|samesign|inbounds|noundef|nonnull) |, !(range|nonnull|noundef|align|tbaa|alias\.scope|noalias|invariant\.load|dereferenceable) ![0-9]+|\brange\([^)]*\) `)
)

// ir returns the program as code generation gets it, or nothing.
func (t *Test) ir(ctx context.Context, args ...string) string {
	if len(t.job.Files) != 1 || t.over() {
		return ""
	}
	u := *t
	u.limits.Output *= 8 // for the log of passes and the program
	log, err := u.log(ctx, slices.Concat(args, beforeCodeGeneration)...)
	if t.spent(&u); err != nil {
		return ""
	}
	at := irMark.FindStringIndex(log)
	if at == nil {
		return ""
	}
	return bisectAny.ReplaceAllString(log[at[1]:], "")
}

// onIR returns the test of a program in LLVM's representation by the same command, with
// further arguments.
func (t *Test) onIR(ir string, args ...string) *Test {
	job := t.with(args)
	job.Files = []compilers.File{{Name: "repro.ll", Content: []byte(ir)}}
	u := *t
	u.job, u.said, u.listings = job, map[string]answer{}, map[string]listing{}
	return &u
}

// spent takes over what the test of a part has cost.
func (t *Test) spent(part *Test) {
	t.tests, t.cpu, t.cut, t.err = part.tests, part.cpu, part.cut, part.err
}

// soundIR returns the test of code generation alone, if the program is right as code
// generation gets it: code that is generated without optimising for this machine's processor
// gives the right answer, with the other byte order for the processor itself, and the code at
// hand a wrong one without the promises, too. Code
// that it refuses may still be sound: it may be fit for another processor only. Then, and if
// the program is wrong before, there is no test.
func (t *Test) soundIR(ctx context.Context) *Test {
	bare, ok := t.tc.(compilers.Bare)
	if !ok {
		return nil
	}
	ir := t.ir(ctx)
	if ir == "" {
		return nil
	}
	host := bare.WithoutArgs()
	job := compilers.Job{Files: []compilers.File{{Name: "repro.ll", Content: []byte(elsewhere.ReplaceAllStringFunc(ir, nowhere))}}, Want: t.job.Want, Mode: host.Reference()}
	if t.answer(ctx, host, job, t.limits) != right {
		return nil
	}
	alone := t.onIR(promises.ReplaceAllString(ir, ""), "-Xclang", "-disable-llvm-passes")
	sound := alone.confirm(ctx) == fails
	if sound && strings.Contains(ir, highestFirst) {
		job := alone.job
		job.Mode = t.tc.Reference()
		sound = alone.answer(ctx, t.tc, job, alone.limits) == right
	}
	t.spent(alone)
	if !sound {
		return nil
	}
	return alone
}

// highestFirst is in programs for processors whose memory has the highest byte first. A program
// that is right on this machine may be wrong there, as parts of values lie elsewhere in memory.
const highestFirst = `target datalayout = "E-`

// interval returns the numbers from one to another as LLVM takes them: those of one number are
// that.
func interval(from, to int) string {
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

// only returns the arguments that have clang run the passes of some numbers alone.
func only(from, to int) []string { return []string{"-mllvm", "-opt-bisect=" + interval(from, to)} }

// without returns those that leave out one pass.
func without(n int) []string {
	const last = 999_999
	rest := interval(n+1, last)
	if n > 1 {
		rest = interval(1, n-1) + "," + rest
	}
	return []string{"-mllvm", "-opt-bisect=" + rest}
}

// combines allows so many steps of the combiner of instruction selection.
func combines(n int) []string {
	steps := strconv.Itoa(manyCombines)
	if n > 0 {
		steps = interval(0, n-1)
	}
	return []string{"-mllvm", "-debug-counter=dagcombine=" + steps}
}

// NoCombine is one of Blame.Mends: the combiner of instruction selection is left out.
const NoCombine = "no DAG combine"

// manyCombines is more than there are in a program.
const manyCombines = 1 << 30

// selectors are the other ways of LLVM to select instructions.
var selectors = []struct {
	name string
	args []string
}{
	{"FastISel", []string{"-mllvm", "-fast-isel"}},
	{GlobalISel, []string{"-mllvm", "-global-isel", "-mllvm", "-global-isel-abort=0"}},
}

const isel = "-isel"

// generator looks for the part of code generation that goes wrong on a program, which is in
// LLVM's representation.
func (t *Test) generator(ctx context.Context, b *Blame) (part string) {
	log, err := t.log(ctx, limit(-1)...)
	if err != nil {
		return ""
	}
	steps, err := parseBisect(log)
	if err != nil {
		return ""
	}
	var mended []string // arguments with which the code is right
	if t.ask(ctx, limit(0)...) == right {
		lo, hi := halve(0, len(steps), func(n int) bool { return t.ask(ctx, limit(n)...) == right })
		if t.confirm(ctx, limit(lo)...) != right || t.confirm(ctx, limit(hi)...) != fails {
			return ""
		}
		part, mended = steps[hi-1].pass, limit(lo)
		if t.ask(ctx, without(hi)...) == right {
			mended = without(hi)
		}
	}
	if part != "" && !strings.HasSuffix(part, isel) {
		b.Code = t.wrongCode(ctx, mended, nil)
		return part
	}
	var bad []string
	if t.ask(ctx, combines(0)...) == right {
		total := 1
		for total < manyCombines && t.ask(ctx, combines(total)...) == right {
			total *= 2
		}
		lo, hi := halve(total/2, total, func(n int) bool { return t.ask(ctx, combines(n)...) == right })
		part, mended, bad = selection(steps), combines(lo), combines(hi)
		b.Mends = append(b.Mends, NoCombine)
	}
	for _, s := range selectors {
		if t.ask(ctx, s.args...) == right {
			b.Mends = append(b.Mends, s.name)
			if part == "" {
				part, mended = selection(steps), s.args
			}
		}
	}
	if part == "" {
		return ""
	}
	b.Code = t.wrongCode(ctx, mended, bad)
	return part
}

// GlobalISel is the way of LLVM to select instructions that has no pass of that name.
const GlobalISel = "GlobalISel"

// selection returns the name of the pass that selects instructions.
func selection(steps []step) string {
	for _, s := range steps {
		if strings.HasSuffix(s.pass, isel) {
			return s.pass
		}
	}
	return GlobalISel
}

// mostCode is how many instructions tell something: the code of large programs differs all over.
const mostCode = 6

// wrongCode returns the instructions that wrong code has and right code has not, as far as
// the lists show: their names, sorted. The code is wrong with some arguments, right with others.
func (t *Test) wrongCode(ctx context.Context, right, wrong []string) []string {
	lister, ok := t.tc.(compilers.Lister)
	if !ok {
		return nil
	}
	count := func(args []string) map[string]int {
		functions, o, err := lister.List(ctx, t.ws, t.with(args), t.limits)
		t.cpu += o.CompileCPU
		t.tests++
		if err != nil || o.Verdict != compilers.OK {
			return nil
		}
		names := map[string]int{}
		for _, text := range functions {
			for line := range strings.Lines(text) {
				if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word != "" && !strings.HasSuffix(word, ":") {
					names[word]++
				}
			}
		}
		return names
	}
	good, bad := count(right), count(wrong)
	if good == nil || bad == nil {
		return nil
	}
	var more []string
	for name, n := range bad {
		if n > good[name] {
			more = append(more, name)
		}
	}
	if len(more) > mostCode {
		return nil
	}
	slices.Sort(more)
	return more
}

// leftBy looks for the pass that leaves something wrong beside the program, such as loops
// that are none, on which a later one acts: that one is right if it runs by itself on the
// program as it is then. It returns the number of the last pass before that, on the same
// function, without which the program is right, or 0.
func (t *Test) leftBy(ctx context.Context, steps []step, shown int) int {
	const most = 24
	shows := steps[shown-1]
	if shows.late || t.confirm(ctx, only(1, shown)...) != fails { // versions before 22 take no intervals
		return 0
	}
	ir := t.ir(ctx, limit(shown-1)...)
	if ir == "" {
		return 0
	}
	u := t.onIR(ir)
	defer t.spent(u)
	log, err := u.log(ctx, limit(0)...) // the numbers depend on what the passes before do
	if err != nil {
		return 0
	}
	list, err := parseBisect(log)
	if err != nil {
		return 0
	}
	there, nth := of(list, shows), len(of(steps[:shown], shows))
	if len(there) < nth || u.confirm(ctx, only(there[nth-1], there[nth-1])...) != right {
		return 0
	}
	tried := 0
	for n := shown - 1; n > 0 && tried < most && !t.over(); n-- {
		if steps[n-1].on != shows.on {
			continue
		}
		if tried++; t.confirm(ctx, without(n)...) == right {
			return n
		}
	}
	return 0
}

// of returns the numbers of the steps at which a pass runs on the same thing, from 1.
func of(steps []step, like step) (numbers []int) {
	for i, s := range steps {
		if s == like {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}
