package bisect

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"goreify/compilers"
)

// A step is a pass that clang ran on something, from the log of
// -opt-bisect-limit:
//
//	BISECT: running pass (78) InlinerPass on (f)
//	BISECT: running pass (122) X86 Byte/Word Instruction Fixup on function (f)
type step struct {
	pass, on string
	late     bool // a pass of code generation
}

var bisectLine = regexp.MustCompile(`(?m)^BISECT: (?:NOT )?running pass \((\d+)\) (.+) on (.+)$`)

// parseBisect returns the passes of a log in their order. Their numbers must go
// up one by one: there is nothing to search in otherwise.
func parseBisect(log string) ([]step, error) {
	var steps []step
	for _, m := range bisectLine.FindAllStringSubmatch(log, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil || n != len(steps)+1 {
			return nil, fmt.Errorf("log of -opt-bisect-limit: pass (%s) follows pass (%d)", m[1], len(steps))
		}
		on, late := strings.CutPrefix(m[3], "function ")
		if inner, ok := strings.CutPrefix(on, "("); ok {
			on = strings.TrimSuffix(inner, ")")
		}
		steps = append(steps, step{m[2], on, late})
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("no passes in the log of -opt-bisect-limit")
	}
	return steps, nil
}

func limit(n int) []string { return []string{"-mllvm", "-opt-bisect-limit=" + strconv.Itoa(n)} }

// clang looks for the smallest number of passes with which the program fails.
func (t *Test) clang(ctx context.Context, b *Blame) error {
	log, err := t.log(ctx, limit(-1)...)
	if err != nil {
		return err
	}
	steps, err := parseBisect(log)
	if err != nil {
		// The compiler fails before the first pass, or there are several files.
		return fmt.Errorf("%v: %w: %w", t.tc.ID(), ErrNoCulprit, err)
	}
	if t.confirm(ctx, limit(0)...) != right {
		return fmt.Errorf("%v: the program is not right without any optional pass: %w", t.tc.ID(), ErrNoCulprit)
	}
	if t.confirm(ctx, limit(len(steps))...) != fails {
		return fmt.Errorf("%v: the program does not fail with all %d passes: %w", t.tc.ID(), len(steps), ErrNoCulprit)
	}
	lo, hi := halve(0, len(steps), func(n int) bool { return t.ask(ctx, limit(n)...) == right })
	if t.confirm(ctx, limit(lo)...) != right || t.confirm(ctx, limit(hi)...) != fails {
		return fmt.Errorf("%v: something else goes wrong after %d passes: %w", t.tc.ID(), hi, ErrNoCulprit)
	}
	b.Pass, b.Function = steps[hi-1].pass, steps[hi-1].on
	b.Flags = limit(lo)
	if !steps[hi-1].late && t.soundIR(ctx) {
		processor, _, _ := strings.Cut(t.tc.ID().Triple, "-")
		b.Pass = fmt.Sprintf("%s for %s after %s", CodeGeneration, processor, b.Pass)
	}
	return nil
}

// CodeGeneration begins the culprit, "code generation for aarch64 after instcombine",
// where the passes before it have left a program that is right. The last of them made
// what it gets wrong.
const CodeGeneration = "code generation"

// beforeCodeGeneration prints the program as code generation gets it.
var beforeCodeGeneration = []string{"-mllvm", "-print-before=pre-isel-intrinsic-lowering"}

// irMark is the line before a program that was printed.
var irMark = regexp.MustCompile(`(?m)^[;# ]*\*\*\* IR Dump Before .*\n`)

// elsewhere matches the lines of a program that tie it to a processor.
var elsewhere = regexp.MustCompile(`(?m)^target .*\n|"target-(cpu|features)"="[^"]*"|"tune-cpu"="[^"]*"`)

// promises are what a program says of its operations beyond what they compute, which
// code generated without optimising takes no notice of. A pass may say it in error.
var promises = regexp.MustCompile(`\b(nsw|nuw|nusw|exact|disjoint|nneg|samesign|inbounds|noundef|nonnull) |, !(range|nonnull|noundef|align) ![0-9]+|\brange\([^)]*\) `)

// soundIR tells whether the program is right, as code generation gets it: code that is
// generated without optimising for this machine's processor gives the right answer, and
// the code at hand a wrong one without the promises, too. Code that it refuses may still
// be sound: it may be fit for another processor only.
func (t *Test) soundIR(ctx context.Context) bool {
	bare, ok := t.tc.(compilers.Bare)
	if !ok || len(t.job.Files) != 1 || t.cpu >= t.CPU {
		return false
	}
	log, err := t.log(ctx, beforeCodeGeneration...)
	if err != nil {
		return false
	}
	at := irMark.FindStringIndex(log)
	if at == nil {
		return false
	}
	ir := elsewhere.ReplaceAllString(log[at[1]:], "")
	host := bare.WithoutArgs()
	job := compilers.Job{Files: []compilers.File{{Name: "repro.ll", Content: []byte(ir)}}, Want: t.job.Want, Mode: host.Reference()}
	if t.answer(ctx, host, job, t.limits) != right {
		return false
	}
	job = t.with([]string{"-Xclang", "-disable-llvm-passes"})
	job.Files = []compilers.File{{Name: "repro.ll", Content: promises.ReplaceAll([]byte(log[at[1]:]), nil)}}
	return t.answer(ctx, t.tc, job, t.limits) == fails
}
